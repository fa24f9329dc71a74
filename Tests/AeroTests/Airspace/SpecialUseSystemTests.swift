import Core
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Aero

/// Reference systems, positions and doubles of special-use airspace.
struct SpecialUseSystemTests {
  /// A square at 53 north and 40 west, with corners in one order or the other.
  private static func square(_ system: String, latitudeFirst: Bool, extra: String = "") -> String {
    let corners = [(53, -40), (53, -39), (54, -39), (54, -40)]
    let positions = corners.map { latitude, longitude in
      "<gml:pos>" + (latitudeFirst ? "\(latitude) \(longitude)" : "\(longitude) \(latitude)") + extra
        + "</gml:pos>"
    }
    return """
      <aixm:horizontalProjection><aixm:Surface\(system)><gml:patches><gml:PolygonPatch><gml:exterior><gml:Ring>
      <gml:curveMember><gml:Curve><gml:segments><gml:LineStringSegment>\(positions.joined())</gml:LineStringSegment>
      </gml:segments></gml:Curve></gml:curveMember></gml:Ring></gml:exterior></gml:PolygonPatch></gml:patches>
      </aixm:Surface></aixm:horizontalProjection>
      """
  }

  private static func area(_ shape: String, _ designator: String = "R-1", uuid: String = "") -> String {
    SpecialUseSample.airspace(
      designator, uuid: uuid, [SpecialUseSample.component("BASE", 1, "GND", "180 FL STD", shape)])
  }

  private static let box = [["53.0", "54.0", "-40.0", "-39.0"]]

  @Test(arguments: [
    "EPSG:4326", "urn:ogc:def:crs:EPSG::4326", "urn:ogc:def:crs:EPSG:6.9:4326",
    "http://www.opengis.net/def/crs/EPSG/0/4326", "urn:ogc:def:crs:EPSG::4269", " epsg:4326 ",
  ])
  func `with the order of the EPSG the latitude comes first`(name: String) throws {
    let bench = try AirspaceBench(special: [
      Self.area(Self.square(" srsName=\"\(name)\"", latitudeFirst: true))
    ])
    #expect(try bench.build().rows("SELECT south, north, west, east FROM airspaces") == Self.box)
  }

  @Test(arguments: [
    "", " srsName=\"OGC:CRS84\"", " srsName=\"urn:ogc:def:crs:OGC:1.3:CRS84\"", " srsName=\"CRS:84\"",
    " srsName=\"\"",
    " srsName=\"http://www.opengis.net/def/crs/OGC/1.3/CRS84\"",
  ])
  func `without a word, and by OGC CRS84, the longitude comes first`(system: String) throws {
    let bench = try AirspaceBench(special: [Self.area(Self.square(system, latitudeFirst: false))])
    #expect(try bench.build().rows("SELECT south, north, west, east FROM airspaces") == Self.box)
  }

  @Test func `the innermost word counts`() throws {
    let shape = Self.square(" srsName=\"OGC:CRS84\"", latitudeFirst: true)
      .replacing("<gml:LineStringSegment>", with: "<gml:LineStringSegment srsName=\"EPSG:4326\">")
    #expect(
      try AirspaceBench(special: [Self.area(shape)]).build().rows(
        "SELECT south, north, west, east FROM airspaces")
        == Self.box)
  }

  @Test(arguments: ["EPSG:3857", "urn:ogc:def:crs:EPSG::3857", "4326", "EPSG:43260", "nonsense"])
  func `another system condemns its file, and is named`(name: String) throws {
    var bench = try AirspaceBench(special: [Self.area(Self.square("", latitudeFirst: false))])
    bench.special.append(
      (
        "ODD.xml",
        SpecialUseSample.file([Self.area(Self.square(" srsName=\"\(name)\"", latitudeFirst: false), "R-2")])
      ))
    let built = try bench.build()
    #expect(try built.column("SELECT designator FROM airspaces") == ["R-1"])
    let dropped = built.problems(.rowDropped, of: SpecialUseDirectory.file)
    #expect(dropped.map(\.part) == ["ODD.xml"])
    #expect(dropped.first?.reason.contains("srsName \(name) is not understood") == true)
  }

  @Test func `a comma between the numbers makes one of them`() throws {
    let shape = Self.square("", latitudeFirst: false).replacing("-40 53<", with: "-40,53<")
    let built = try AirspaceBench(special: [
      Self.area(shape), Self.area(Self.square("", latitudeFirst: false), "R-2"),
    ]).build()
    #expect(
      built.problems(.rowDropped, of: SpecialUseDirectory.file).map(\.reason) == [
        "a position has 2 numbers with blanks between them, and this has 1 number"
      ])
  }

  @Test(arguments: [" 7", " 7 8", " x"])
  func `a position of another number of numbers is none`(extra: String) throws {
    let bench = try AirspaceBench(special: [
      Self.area(Self.square("", latitudeFirst: false, extra: extra)),
      Self.area(Self.square("", latitudeFirst: false), "R-2"),
    ])
    let built = try bench.build()
    #expect(try built.column("SELECT designator FROM airspaces") == ["R-2"])
    let count = 2 + extra.split(separator: " ").count
    #expect(
      built.problems(.rowDropped, of: SpecialUseDirectory.file).map(\.reason) == [
        "a position has 2 numbers with blanks between them, and this has \(count) numbers"
      ])
  }

  @Test func `with three dimensions the height is passed over`() throws {
    let bench = try AirspaceBench(special: [
      Self.area(Self.square(" srsDimension=\"3\"", latitudeFirst: false, extra: " 100"))
    ])
    #expect(try bench.build().rows("SELECT south, north, west, east FROM airspaces") == Self.box)
    var odd = try AirspaceBench(special: [Self.area(Self.square("", latitudeFirst: false))])
    let other = Self.area(Self.square(" srsDimension=\"4\"", latitudeFirst: false, extra: " 1 2"), "R-2")
    odd.special.append(("ODD.xml", SpecialUseSample.file([other])))
    let dropped = try odd.build().problems(.rowDropped, of: SpecialUseDirectory.file)
    #expect(dropped.first?.reason == "its srsDimension 4 is neither 2 nor 3")
  }

  @Test func `a file in which no airspace is found is dropped and counted`() throws {
    var bench = try AirspaceBench(special: [Self.area(Self.square("", latitudeFirst: false))])
    bench.special.append(("OTHER.xml", SpecialUseSample.file(["<aixm:Zone/>"])))
    let built = try bench.build()
    #expect(built.outcome.problems.tally(SpecialUseDirectory.file)?.droppedRows == 1)
    let dropped = built.problems(.rowDropped, of: SpecialUseDirectory.file)
    #expect(dropped.map(\.reason) == ["no airspace was found in it"] && dropped.map(\.part) == ["OTHER.xml"])
    // With only such files, nothing is built.
    bench.special = [bench.special[1]]
    bench.subscription.definition.gates.droppedRowShare = 0.01
    #expect(try bench.fault().reason.contains("1 of 1 rows of Saa_Sub_File.zip cannot be used"))
  }

  @Test func `the same airspace twice is one, and is reported`() throws {
    let shape = Self.square("", latitudeFirst: false)
    var bench = try AirspaceBench(special: [Self.area(shape)])
    bench.special.append(("COPY, CA.xml", SpecialUseSample.file([Self.area(shape)])))
    let other = Self.square("", latitudeFirst: false).replacing("54", with: "55")
    bench.special.append(("OTHER, CA.xml", SpecialUseSample.file([Self.area(other)])))
    let built = try bench.build()
    #expect(try built.column("SELECT north FROM airspaces ORDER BY 1") == ["54.0", "55.0"])
    #expect(built.problems(.rowRepeated, of: SpecialUseDirectory.file).map(\.value) == ["R-1"])
    #expect(
      built.problems(.contradiction, of: SpecialUseDirectory.file).map(\.reason) == [
        "another airspace of this designator and name has another shape"
      ])
    #expect(built.outcome.problems.droppedRows == 0)
  }
}

import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// A subscription with airspace.
struct AirspaceBench {
  let folder = TemporaryFolder()
  let subscription: Subscription
  /// The XML files of special-use airspace, by name.
  var special: [(name: String, bytes: [UInt8])] = []
  /// The parts of the shapefile, by name.
  var shapes: [(name: String, bytes: [UInt8])] = []

  init() throws { subscription = try Subscription("2304") }

  /// Puts these airspaces into one file.
  init(special members: [String]) throws {
    try self.init()
    special = [("AREA, CA.xml", SpecialUseSample.file(members))]
  }

  /// Uses a shapefile of the fixtures.
  init(shapes: String) throws {
    try self.init()
    self.shapes = try AirspaceBench.fixture(shapes)
  }

  static func fixture(_ folder: String) throws -> [(name: String, bytes: [UInt8])] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/\(folder)")
    return try ["shp", "shx", "dbf", "prj"].map {
      let name = "Class_Airspace.\($0)"
      return (name, [UInt8](try folder.appending(path: name).data))
    }
  }

  /// The subscription as the FAA ships it, with the XML in a zip in a zip in it.
  func source() throws -> SourceFile {
    var beside = shapes.map { ("Additional_Data/Shape_Files/" + $0.name, $0.bytes) }
    if !special.isEmpty {
      let outer = try subscriberZip()
      beside.append(
        (
          "Additional_Data/AIXM/SAA-AIXM_5_Schema/SaaSubscriberFile.zip",
          [UInt8](try outer.url.data)
        ))
    }
    return try subscription.whole(in: folder, beside: beside)
  }

  func subscriberZip() throws -> SourceFile {
    let inner = try zip(special, in: folder, name: "Saa_Sub_File.zip")
    return try zip(
      [("Saa_Sub_File.zip", [UInt8](try inner.url.data))], in: folder,
      name: "SaaSubscriberFile.zip")
  }

  /// Builds a database with the available airspace.
  func build(_ change: (inout NASRRequest) -> Void = { _ in }) throws -> Built {
    var request = try subscription.request(try source())
    if !shapes.isEmpty { request.definition.classAirspace = [] }
    if !special.isEmpty { request.definition.specialUse = [] }
    change(&request)
    let file = folder.file("airspace.sqlite")
    try? file.remove()
    let outcome = try DatabaseBuilder.build(request, to: file, progress: SilentProgress(), step: "nasr")
    return Built(outcome: outcome, file: file, folder: folder)
  }

  func fault(_ change: (inout NASRRequest) -> Void = { _ in }) throws -> UserError {
    try #require(throws: UserError.self) { try build(change) }
  }
}

/// Special-use airspace in the FAA's format, for tests.
enum SpecialUseSample {
  static func file(_ members: [String]) -> [UInt8] {
    let all = members.map { "<saa:hasMember>\($0)</saa:hasMember>" }.joined(separator: "\n")
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <saa:SaaMessage xmlns:aixm="http://www.aixm.aero/schema/5.0" xmlns:gml="http://www.opengis.net/gml/3.2"
        xmlns:saa="urn:us:gov:dot:faa:aim:saa" xmlns:sua="urn:us:gov:dot:faa:aim:saa:sua"
        xmlns:xlink="http://www.w3.org/1999/xlink">\(all)</saa:SaaMessage>
      """.utf8)
  }

  static func airspace(
    _ designator: String, id: String = "Airspace1", type: String? = "RA", name: String? = nil,
    notes: String = "", uuid: String = "", _ components: [String]
  ) -> String {
    """
    <aixm:Airspace gml:id="\(id)"><gml:identifier>\(uuid)</gml:identifier><aixm:timeSlice><aixm:AirspaceTimeSlice>
    <aixm:designator>\(designator)</aixm:designator><aixm:name>\(name ?? designator)</aixm:name>
    \(components.joined())
    <aixm:annotation><aixm:Note><aixm:translatedNote><aixm:LinguisticNote><aixm:note>\(notes)</aixm:note>
    </aixm:LinguisticNote></aixm:translatedNote></aixm:Note></aixm:annotation>
    <aixm:extension><sua:AirspaceExtension>\(type.map { "<sua:suaType>\($0)</sua:suaType>" } ?? "")
    <saa:administrativeArea>CALIFORNIA</saa:administrativeArea><saa:city>BARSTOW</saa:city></sua:AirspaceExtension>
    </aixm:extension></aixm:AirspaceTimeSlice></aixm:timeSlice></aixm:Airspace>
    """
  }

  /// `lower` and `upper` are such as `500 FT SFC`, `180 FL STD`, `GND`. An empty one is left out.
  static func component(
    _ operation: String, _ sequence: Int, _ lower: String, _ upper: String, _ shape: String,
    besides: String = ""
  ) -> String {
    """
    <aixm:geometryComponent><aixm:AirspaceGeometryComponent><aixm:operation>\(operation)</aixm:operation>
    <aixm:operationSequence>\(sequence)</aixm:operationSequence><aixm:theAirspaceVolume><aixm:AirspaceVolume>
    \(limit("upperLimit", upper))\(limit("lowerLimit", lower))\(besides)\(shape)
    </aixm:AirspaceVolume></aixm:theAirspaceVolume></aixm:AirspaceGeometryComponent></aixm:geometryComponent>
    """
  }

  static func limit(_ name: String, _ text: String) -> String {
    let parts = text.split(separator: " ")
    if parts.count == 3 {
      return "<aixm:\(name) uom=\"\(parts[1])\">\(parts[0])</aixm:\(name)>"
        + "<aixm:\(name)Reference>\(parts[2])</aixm:\(name)Reference>"
    }
    return text.isEmpty ? "" : "<aixm:\(name)>\(text)</aixm:\(name)>"
  }

  static func surface(_ segments: String) -> String {
    """
    <aixm:horizontalProjection><aixm:Surface><gml:patches><gml:PolygonPatch><gml:exterior><gml:Ring><gml:curveMember>
    <gml:Curve><gml:segments>\(segments)</gml:segments></gml:Curve></gml:curveMember></gml:Ring></gml:exterior>
    </gml:PolygonPatch></gml:patches></aixm:Surface></aixm:horizontalProjection>
    """
  }

  /// Corners such as `-117 35`. The ring is open, like many of the FAA's.
  static func line(_ corners: [String]) -> String {
    let positions = corners.map { "<gml:pos>\($0)</gml:pos>" }.joined()
    return "<gml:LineStringSegment>\(positions)</gml:LineStringSegment>"
  }

  static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> String {
    surface(line(["\(west) \(south)", "\(east) \(south)", "\(east) \(north)", "\(west) \(north)"]))
  }

  static func arc(_ center: String, miles: String, from: String, to: String) -> String {
    "<gml:ArcByCenterPoint numArc=\"1\">\(round(center, miles))<gml:startAngle uom=\"deg\">\(from)</gml:startAngle>"
      + "<gml:endAngle uom=\"deg\">\(to)</gml:endAngle></gml:ArcByCenterPoint>"
  }

  static func circle(_ center: String, miles: String) -> String {
    "<gml:CircleByCenterPoint numArc=\"1\">\(round(center, miles))</gml:CircleByCenterPoint>"
  }

  private static func round(_ center: String, _ miles: String) -> String {
    "<gml:pointProperty><gml:Point><gml:pos>\(center)</gml:pos></gml:Point></gml:pointProperty>"
      + "<gml:radius uom=\"NM\">\(miles)</gml:radius>"
  }

  /// The shape of another airspace.
  static func reference(_ href: String) -> String {
    """
    <aixm:contributorAirspace><aixm:AirspaceVolumeDependency><aixm:dependency>HORZ_PROJECTION</aixm:dependency>
    <aixm:theAirspace xlink:href="\(href)"/></aixm:AirspaceVolumeDependency></aixm:contributorAirspace>
    """
  }
}

import Foundation
import Testing

@testable import ChartpipeKit

/// The composition of volumes by union and subtraction.
struct SpecialUseTests {
  private typealias Sample = SpecialUseSample

  private func strata(_ built: Built, _ designator: String = "R-1") throws -> [String] {
    try built.rows(
      """
      SELECT floorText, ceilingText, json_extract(geometry, '$.type'), json_array_length(geometry, '$.coordinates'),
        south, west, north, east FROM airspaces WHERE designator = '\(designator)' ORDER BY id
      """
    ).map { $0.joined(separator: " ") }
  }

  private func build(_ components: [String]) throws -> Built {
    try AirspaceBench(special: [Sample.airspace("R-1", components)]).build()
  }

  private let base = SpecialUseSample.component(
    "BASE", 1, "GND", "180 FL STD", SpecialUseSample.box(-118, 35, -116, 37))

  @Test func `reads a single base with an open boundary`() throws {
    let built = try build([base])
    #expect(try strata(built) == ["SFC FL180 Polygon 1 35.0 -118.0 37.0 -116.0"])
    let row = try built.rows(
      "SELECT kind, class, type, name, city, state, isComplete, excluded, geometry FROM airspaces")
    #expect(row[0].prefix(8) == ["specialUse", "restricted", "RA", "R-1", "BARSTOW", "CA", "1", "NULL"])
    #expect(row[0][8].hasSuffix("[[[-118,35],[-116,35],[-116,37],[-118,37],[-118,35]]]}"))
  }

  @Test func `subtracting from floor to ceiling leaves a hole`() throws {
    let built = try build([
      base, Sample.component("SUBTR", 2, "GND", "UNL", Sample.box(-117.5, 35.5, -117, 36)),
    ])
    #expect(try strata(built) == ["SFC FL180 Polygon 2 35.0 -118.0 37.0 -116.0"])
  }

  @Test func `subtracting a part of the height leaves strata below and above`() throws {
    let built = try build([
      base, Sample.component("SUBTR", 2, "5000 FT MSL", "9000 FT MSL", Sample.box(-117.5, 35.5, -117, 36)),
    ])
    #expect(
      try strata(built) == [
        "SFC FL180 Polygon 2 35.0 -118.0 37.0 -116.0", "SFC 5000 ft MSL Polygon 1 35.5 -117.5 36.0 -117.0",
        "9000 ft MSL FL180 Polygon 1 35.5 -117.5 36.0 -117.0",
      ])
    try built.expect("SELECT DISTINCT area FROM airspaces", gives: ["1"])
  }

  @Test func `subtracting from the ground up leaves the stratum above`() throws {
    let moa = Sample.component("BASE", 1, "500 FT SFC", "9000 FT MSL", Sample.box(-118, 35, -116, 37))
    let built = try build([
      moa, Sample.component("SUBTR", 2, "GND", "1500 FT SFC", Sample.box(-117.5, 35.5, -117, 36)),
    ])
    #expect(
      try strata(built) == [
        "500 ft AGL 9000 ft MSL Polygon 2 35.0 -118.0 37.0 -116.0",
        "1500 ft AGL 9000 ft MSL Polygon 1 35.5 -117.5 36.0 -117.0",
      ])
  }

  @Test func `keeps and reports heights that are not comparable`() throws {
    let moa = Sample.component("BASE", 1, "3000 FT MSL", "9000 FT MSL", Sample.box(-118, 35, -116, 37))
    let built = try build([
      moa, Sample.component("SUBTR", 2, "GND", "1500 FT SFC", Sample.box(-117.5, 35.5, -117, 36)),
    ])
    try built.expect(
      "SELECT floorText, excluded, west FROM airspaces ORDER BY id",
      gives: [["3000 ft MSL", "NULL", "-118.0"], ["3000 ft MSL", "SFC to 1500 ft AGL", "-117.5"]])
  }

  @Test func `a union joins the stratum with its floor and ceiling`() throws {
    let built = try build([
      Sample.component("UNION", 3, "5000 FT MSL", "UNL", Sample.box(-115, 35, -114, 37)), base,
      Sample.component("UNION", 2, "0 FT SFC", "18000 FT MSL", Sample.box(-116, 35, -115, 37)),
      // Without limits it has those of the base.
      Sample.component("UNION", 4, "", "", Sample.box(-120, 35, -119, 37)),
    ])
    #expect(
      try strata(built) == [
        "SFC FL180 MultiPolygon 2 35.0 -120.0 37.0 -115.0",
        "5000 ft MSL UNL Polygon 1 35.0 -115.0 37.0 -114.0",
      ])
  }

  @Test func `operations apply in their sequence, not in the order of the file`() throws {
    let cut = Sample.component("SUBTR", 2, "GND", "UNL", Sample.box(-117.5, 35.5, -117, 36))
    let built = try build([cut, base])
    #expect(try strata(built) == ["SFC FL180 Polygon 2 35.0 -118.0 37.0 -116.0"])
  }

  @Test func `keeps additional limits`() throws {
    let besides = Sample.limit("minimumLimit", "3000 FT SFC") + Sample.limit("maximumLimit", "9000 FT SFC")
    let built = try build([
      Sample.component(
        "BASE", 1, "11000 FT MSL", "180 FL STD", Sample.box(-107, 38, -106, 39), besides: besides)
    ])
    try built.expect(
      "SELECT floorText, floorMinimum, ceilingMaximum FROM airspaces",
      gives: [["11000 ft MSL", "3000 ft AGL", "9000 ft AGL"]])
  }

  @Test func `arcs and circles become corners`() throws {
    let pie = Sample.surface(
      Sample.line(["-117 36.166", "-117 36", "-116.79 36"])
        + Sample.arc("-117 36", miles: "10", from: "1", to: "89"))
    let built = try build([
      Sample.component("BASE", 1, "GND", "UNL", pie),
      Sample.component("UNION", 2, "GND", "UNL", Sample.surface(Sample.circle("-115 36", miles: "5"))),
    ])
    let row = try built.rows(
      "SELECT json_array_length(geometry, '$.coordinates[0][0]') > 20, south, north, east FROM airspaces")
    #expect(row[0][0] == "1")
    #expect(row[0][2].hasPrefix("36.16") && row[0][1].hasPrefix("35.916"))
    #expect(built.outcome.problems.total(.shapeMended) == 0)
  }

  @Test func `an arc through east goes the short way where the long one would cross the boundary`() throws {
    let lines = Sample.line(["-116.899 36.014", "-118 36.5", "-118 35.5", "-116.899 35.986"])
    let arc = Sample.arc("-117 36", miles: "5", from: "350", to: "10")
    let built = try build([Sample.component("BASE", 1, "GND", "UNL", Sample.surface(lines + arc))])
    #expect(built.outcome.problems.total(.shapeMended) == 0)
    try built.expect("SELECT south, north FROM airspaces", gives: [["35.5", "36.5"]])
    // A circle with a slice cut out goes the long way without a crossing.
    let slice = Sample.line(["-116.899 36.014", "-117 36", "-116.899 35.986"])
    let round = try build([
      Sample.component(
        "BASE", 1, "GND", "UNL",
        Sample.surface(slice + Sample.arc("-117 36", miles: "5", from: "350", to: "10")))
    ])
    try round.expect("SELECT west < -117.1, north > 36.08 FROM airspaces", gives: [["1", "1"]])
  }

  @Test func `composes an area across 180 degrees on one side and cuts it`() throws {
    let built = try build([
      Sample.component("BASE", 1, "GND", "UNL", Sample.box(179, 50, -179, 52)),
      Sample.component("UNION", 2, "GND", "UNL", Sample.box(-179, 50, -178, 52)),
      Sample.component("SUBTR", 3, "GND", "UNL", Sample.box(179.5, 50.5, -179.5, 51)),
    ])
    #expect(try strata(built) == ["SFC UNL MultiPolygon 2 50.0 -180.0 52.0 180.0"])
    let rings =
      "json_array_length(geometry, '$.coordinates[0]'), json_array_length(geometry, '$.coordinates[1]')"
    // The hole touches the cut, so it becomes a bay in each half.
    try built.expect("SELECT \(rings) FROM airspaces", gives: [["1", "1"]])
  }

  private let neighbour = SpecialUseSample.component(
    "BASE", 1, "GND", "UNL", SpecialUseSample.box(-117.5, 35.5, -117, 36))

  @Test func `uses the airspace's own file for one that another file repeats`() throws {
    var bench = try AirspaceBench()
    let taken = Sample.component("SUBTR", 2, "", "", Sample.reference("#Airspace2"))
    bench.special = [
      (
        "R-1, CA.xml",
        Sample.file([
          Sample.airspace("R-1", [base, taken]),
          Sample.airspace("R-2", id: "Airspace2", name: "COPY", [neighbour]),
        ])
      ),
      ("R-2, CA.xml", Sample.file([Sample.airspace("R-2", name: "OWN", [neighbour])])),
    ]
    let built = try bench.build()
    try built.expect("SELECT name FROM airspaces ORDER BY id", gives: ["R-1", "OWN"])
    #expect(try strata(built) == ["SFC FL180 Polygon 2 35.0 -118.0 37.0 -116.0"])
  }

  @Test func `resolves a reference to another file by its permanent identifier`() throws {
    var bench = try AirspaceBench()
    let taken = Sample.component("SUBTR", 2, "GND", "5000 FT MSL", Sample.reference("urn:uuid:0A1B-2"))
    bench.special = [
      ("A.xml", Sample.file([Sample.airspace("R-1", [base, taken])])),
      ("B.xml", Sample.file([Sample.airspace("R-2", uuid: "0a1b-2", [neighbour])])),
    ]
    #expect(
      try strata(bench.build()) == [
        "SFC FL180 Polygon 2 35.0 -118.0 37.0 -116.0", "5000 ft MSL FL180 Polygon 1 35.5 -117.5 36.0 -117.0",
      ])
  }

  @Test func `marks an airspace whose neighbour is missing`() throws {
    let taken = Sample.component("SUBTR", 2, "", "", Sample.reference("#Airspace9"))
    let built = try build([base, taken])
    try built.expect("SELECT isComplete FROM airspaces", gives: ["0"])
    let problem = try #require(built.problems(.fieldDropped, of: "Saa_Sub_File.zip").first)
    #expect(problem.column == "theAirspace" && problem.value == "Airspace9")
  }

  @Test func `airspaces that refer to each other do not loop`() throws {
    let built = try AirspaceBench(special: [
      Sample.airspace("R-1", id: "A", [base, Sample.component("UNION", 2, "", "", Sample.reference("#B"))]),
      Sample.airspace(
        "R-2", id: "B", [neighbour, Sample.component("UNION", 2, "", "", Sample.reference("#A"))]),
    ]).build()
    try built.expect("SELECT DISTINCT isComplete FROM airspaces", gives: ["0"])
  }

  @Test func `converts metres and drops an airspace with an unknown unit`() throws {
    let box = Sample.box(-117, 35, -116, 36)
    let built = try AirspaceBench(special: [
      Sample.airspace("R-1", [Sample.component("BASE", 1, "500 M MSL", "4000 m MSL", box)]),
      Sample.airspace("R-2", [Sample.component("BASE", 1, "GND", "4000 XX MSL", box)]),
    ]).build()
    try built.expect(
      "SELECT designator, floorText, ceilingFeet FROM airspaces", gives: [["R-1", "1640 ft MSL", "13123"]])
    let dropped = built.problems(.rowDropped, of: SpecialUseDirectory.file)
    #expect(dropped.map(\.column) == ["upperLimit"] && dropped.map(\.value) == ["4000 XX"])
    #expect(dropped.first?.reason == "the unit of measure is none of FT, FL and M")
  }

  @Test(arguments: [
    ("MEGLINAW", "MOA", "MEGLINA WEST MOA", "moa"), ("W-497B", "WA", "W-497B", "warning"),
    ("A-211", nil, "A-211", "alert"), ("P51", "OTHER", "P-51", "prohibited"),
    ("R2508", nil, "R-2508", "restricted"),
    ("FOO", nil, "FOO MOA", "moa"), ("X", "NSA", "X", "nationalSecurity"), ("WEST", nil, "WEST", "other"),
    // The designator does not override an unknown type.
    ("A-211", "QQ", "A-211", "other"),
  ])
  func `the kind is that of the type or name`(id: String, type: String?, name: String, kind: String) throws {
    let built = try AirspaceBench(special: [Sample.airspace(id, type: type, name: name, [base])])
      .build()
    try built.expect("SELECT class FROM airspaces", gives: [kind])
    #expect(built.outcome.problems.total(.unknownCode) == (kind == "other" ? 1 : 0))
  }
}

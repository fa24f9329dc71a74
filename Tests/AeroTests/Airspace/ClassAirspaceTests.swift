import Core
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The rows from a shapefile. `Benchmarks/airspace` made the fixtures.
struct ClassAirspaceTests {
  @Test func `shelves keep their floors and ceilings`() throws {
    let built = try AirspaceBench(shapes: "airspace").build()
    try built.expect(
      """
      SELECT class, type, designator, sector, floor, floorDatum, floorText, floorFeet, ceiling, ceilingDatum, ceilingText,
        ceilingFeet FROM airspaces ORDER BY id
      """,
      gives: [
        [
          "bravo", "CLASS_B", "SAN", "AREA F", "0", "surface", "SFC", "0", "3200", "msl", "3200 ft MSL",
          "3200",
        ],
        [
          "bravo", "CLASS_B", "SAN", "AREA F", "4800", "msl", "4800 ft MSL", "4800", "10000", "msl",
          "10000 ft MSL", "10000",
        ],
        [
          "echo", "CLASS_E5", "NULL", "NULL", "700", "agl", "700 ft AGL", "NULL", "NULL", "NULL", "NULL",
          "NULL",
        ],
        [
          "echo", "CLASS_E6", "NULL", "NULL", "6000", "standard", "FL060", "6000", "18000", "standard",
          "FL180", "18000",
        ],
        [
          "delta", "CLASS_D", "RNG", "NULL", "0", "surface", "SFC", "0", "2500", "msl", "2500 ft MSL", "2500",
        ],
      ])
    #expect(built.outcome.product.build.counts["airspaces"] == 5)
    #expect(built.outcome.problems.total(.shapeMended) == 0)
  }

  @Test func `keeps holes and several parts`() throws {
    let built = try AirspaceBench(shapes: "airspace").build()
    try built.expect(
      "SELECT geometry FROM airspaces WHERE designator = 'RNG'",
      gives: [
        "{\"type\":\"Polygon\",\"coordinates\":[[[-100,40],[-99,40],[-99,41],[-100,41],[-100,40]],"
          + "[[-99.8,40.2],[-99.8,40.8],[-99.2,40.8],[-99.2,40.2],[-99.8,40.2]]]}"
      ])
    try built.expect(
      """
      SELECT json_extract(geometry, '$.type'), json_array_length(geometry, '$.coordinates'), west, east FROM airspaces
      WHERE name = 'CONTROL 1234L'
      """, gives: [["MultiPolygon", "2", "-180.0", "180.0"]])
  }

  @Test func `finds airspace by position and by name`() throws {
    let built = try AirspaceBench(shapes: "airspace").build()
    let near = """
      SELECT a.name FROM airspaces_rtree r INNER JOIN airspaces a ON a.id = r.id WHERE r.minLat <= ?1 AND r.maxLat >= ?1
      AND r.minLon <= ?2 AND r.maxLon >= ?2 ORDER BY a.id
      """
    try built.expect(near, [.real(32.7), .real(-117.2)], gives: ["SAN DIEGO CLASS B", "SAN DIEGO CLASS B"])
    try built.expect(near, [.real(52), .real(179)], gives: ["CONTROL 1234L"])
    try built.expect(
      "SELECT name FROM airspaces_fts WHERE airspaces_fts MATCH '\"hills\"*'", gives: ["HILLSBORO CLASS E5"])
  }

  @Test func `a tolerance removes corners`() throws {
    let bench = try AirspaceBench(shapes: "airspace")
    let length =
      "SELECT json_array_length(geometry, '$.coordinates[0]') FROM airspaces WHERE class = 'echo' LIMIT 1"
    try bench.build().expect(length, gives: ["361"])
    let simple = try bench.build { $0.definition.airspaceTolerance = 20 }
    #expect(try simple.column(length).compactMap(Int.init).allSatisfy { (40...120).contains($0) })
    let fault = try bench.fault { $0.definition.airspaceTolerance = -1 }
    #expect(fault.message.contains("airspaceTolerance"))
  }

  @Test func `drops unusable rows and keeps the others`() throws {
    let built = try AirspaceBench(shapes: "airspace/odd").build()
    try built.expect(
      "SELECT name FROM airspaces ORDER BY id",
      gives: ["ACROSS CLASS E5", "BOWTIE CLASS E2", "WORDS CLASS D", "CODES CLASS X"])
    let dropped = built.problems(.rowDropped, of: "Class_Airspace.shp")
    #expect(dropped.map(\.line) == [3, 4, 5, 8])
    #expect(
      dropped.map(\.reason) == [
        "it encloses no area", "it has a position that is not on the earth", "it encloses no area",
        "it is empty",
      ])
    #expect(built.problems(.shapeMended, of: "Class_Airspace.shp").map(\.value) == ["BOWTIE CLASS E2"])
    #expect(
      built.problems(.fieldDropped, of: "Class_Airspace.shp").map { $0.column } == ["LOWER_VAL", "UPPER_VAL"])
    #expect(
      built.problems(.unknownCode, of: "Class_Airspace.shp").map { $0.column } == ["CLASS", "LOWER_CODE"])
  }

  @Test func `keeps and reports a floor above its ceiling`() throws {
    var bench = try AirspaceBench(shapes: "airspace")
    let table = try #require(bench.shapes.firstIndex { $0.name.hasSuffix("dbf") })
    let ceiling = try #require(bench.shapes[table].bytes.firstRange(of: Array("10000".utf8)))
    bench.shapes[table].bytes.replaceSubrange(ceiling, with: Array("01000".utf8))
    let built = try bench.build()
    let reported = built.problems(.contradiction, of: "Class_Airspace.shp")
    #expect(reported.map(\.reason) == ["the floor is above the ceiling, 1000 ft MSL"])
    #expect(reported.map(\.value) == ["4800 ft MSL"])
    try built.expect("SELECT ceilingFeet FROM airspaces WHERE floorFeet = 4800", gives: ["1000"])
  }

  @Test func `names the expected files when the shapefile is missing`() throws {
    let fault = try AirspaceBench().fault { $0.definition.classAirspace = ["Class_{yymmdd}.zip"] }
    #expect(fault.reason == "it contains no Class_Airspace.shp")
    #expect(fault.suggestion?.contains("put Class_230420.zip beside the subscription") == true)
  }

  @Test func `cuts a shape at 180 degrees`() throws {
    let built = try AirspaceBench(shapes: "airspace/odd").build()
    let rows = try built.rows("SELECT geometry, west, east FROM airspaces WHERE name = 'ACROSS CLASS E5'")
    #expect(rows[0][0].hasPrefix("{\"type\":\"MultiPolygon\""))
    #expect(rows[0][1...] == ["-180.0", "180.0"])
  }

  @Test(arguments: ["shp", "shx", "dbf"])
  func `a truncated file is an error or loses its missing rows`(part: String) throws {
    let whole = try AirspaceBench(shapes: "airspace").shapes
    for share in [0, 1, 3, 6, 9] {
      var bench = try AirspaceBench()
      bench.shapes = whole.map { name, bytes in
        (name, name.hasSuffix(part) ? Array(bytes.prefix(bytes.count * share / 10)) : bytes)
      }
      do {
        let built = try bench.build()
        #expect(built.outcome.problems.droppedRows + built.outcome.problems.droppedFields > 0, "\(share)")
      } catch let fault as UserError {
        #expect(fault.kind == .badInput)
        #expect(fault.message.contains("Class_Airspace.shp"))
      }
    }
  }

  @Test func `changed bytes never crash the program`() throws {
    let whole = try AirspaceBench(shapes: "airspace/odd").shapes
    for (part, seed) in [(0, 7), (1, 11), (2, 13), (0, 17), (2, 19)] {
      var bench = try AirspaceBench()
      bench.shapes = whole
      var place = seed
      while place < bench.shapes[part].bytes.count {
        bench.shapes[part].bytes[place] = UInt8(truncatingIfNeeded: place &* 31 &+ seed)
        place += 97
      }
      do { _ = try bench.build() } catch is UserError {}
    }
  }

  @Test func `does not build a cycle without a required shapefile`() throws {
    let bench = try AirspaceBench()
    let fault = try bench.fault { $0.definition.classAirspace = ["Class_Airspace.zip"] }
    #expect(fault.kind == .badInput)
    #expect(fault.message.contains("it contains no Class_Airspace.shp"))
    var parted = try AirspaceBench(shapes: "airspace")
    parted.shapes.removeAll { $0.name.hasSuffix("dbf") }
    #expect(try parted.fault().message.contains(".dbf file is missing"))
    parted = try AirspaceBench(shapes: "airspace")
    parted.shapes.removeAll { $0.name.hasSuffix("prj") }
    #expect(try parted.fault().message.contains(".prj is missing"))
  }

  @Test func `reads the shapefile from a separate zip or folder`() throws {
    let bench = try AirspaceBench()
    let shapes = try AirspaceBench.fixture("airspace")
    let own = try zip(
      shapes.map { ("Shape_Files/" + $0.name, $0.bytes) }, in: bench.folder, name: "Class.zip")
    let names = try bench.build {
      $0.definition.classAirspace = []
      $0.classAirspace = own
    }.column("SELECT name FROM airspaces ORDER BY id")
    let loose = bench.folder.file("loose")
    try loose.makeFolder()
    for (name, bytes) in shapes { try Data(bytes).write(to: loose.appending(path: name)) }
    let folder = try SourceFolder.file(loose)
    let again = try bench.build {
      $0.definition.classAirspace = []
      $0.classAirspace = folder
    }.column("SELECT name FROM airspaces ORDER BY id")
    #expect(names.count == 5 && names == again)
  }
}

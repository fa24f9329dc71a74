import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// A subscription with the sample rows.
enum SampleRows {
  static var subscription: Subscription {
    get throws {
      let subscription = try Subscription("2304")
      let rows = samplesFolder.appending(path: "nasr-rows")
      for file in try FileManager.default.contentsOfDirectory(atPath: rows.path)
      where file.hasSuffix(".csv") && !file.contains("STRUCTURE") {
        subscription.tables[String(file.dropLast(4))] = [UInt8](try rows.appending(path: file).data)
      }
      return subscription
    }
  }
}

/// The procedures, holding patterns and routes of the sample rows, most of which are the FAA's.
struct ProcedureTests {
  let folder = TemporaryFolder()
  let subscription: Subscription

  init() throws { subscription = try SampleRows.subscription }

  /// The points of a route, as they are flown.
  private func points(_ kind: String, _ name: String, _ route: String, in built: Built) throws -> [String] {
    try built.column(
      """
      SELECT p.point FROM \(kind)s x JOIN \(kind)Routes r ON r.\(kind) = x.id JOIN \(kind)Points p ON p.route = r.id
      WHERE x.name = ? AND r.name = ? ORDER BY p.sequence
      """, [.text(name), .text(route)])
  }

  /// The two kinds of values have functions of the same names.
  @Test func `no value of NASR is read in a form of the coded procedures`() {
    let fields = DatabaseSchema.sourceTables.flatMap(\.fields)
    let coded = fields.filter { if case .coded = $0.column.origin.relation { true } else { false } }
    #expect(fields.count > 500 && coded.isEmpty, "\(coded.map(\.column.name))")
  }

  @Test func `orders the points of a procedure as they are flown`() throws {
    let built = try subscription.build(in: folder)
    #expect(
      try points("arrival", "RISTI", "ORRCA TRANSITION", in: built) == [
        "ORRCA", "HAIRE", "BYRON", "TRACY", "MOVDD", "RISTI",
      ])
    #expect(
      try points("arrival", "FRLON", "FRLON-PPEGS", in: built) == [
        "FRLON", "STLER", "MNTNA", "MISSS", "PPEGS",
      ])
    #expect(
      try points("departure", "BUCHANAN", "REJOY TRANSITION", in: built) == [
        "CCR", "PITTS", "SEVUH", "REJOY",
      ])
    for kind in ["departure", "arrival"] {
      try built.expect(
        """
        SELECT count(*) FROM (SELECT previousPoint AS stated,
          lag(point) OVER (PARTITION BY route ORDER BY sequence) AS found FROM \(kind)Points) WHERE stated IS NOT found
        """, gives: ["0"])
    }
  }

  @Test func `reads a procedure with its number, airports and runways`() throws {
    let built = try subscription.build(in: folder)
    try built.expect(
      "SELECT code, amendment, amended, artccs, isRNAV, type, airports FROM departures WHERE name = 'SALAD'",
      gives: [["SALAD5.SALAD", "5", "2017-08-17", "ZOA", "0", "sid", "OAK"]])
    try built.expect(
      """
      SELECT a.airport, a.airportID, a.runwayEnd, a.bodyName FROM departureAirports a JOIN departures d
        ON d.id = a.departure WHERE d.name = 'SALAD' ORDER BY a.number
      """, gives: [["KOAK", "OAK", "28L", "SALAD"], ["KOAK", "OAK", "28R", "SALAD"]])
    try built.expect(
      """
      SELECT r.kind, r.name, r.body, r.code, r.runways FROM departureRoutes r JOIN departures d ON d.id = r.departure
      WHERE d.name = 'SALAD' ORDER BY 1
      """,
      gives: [
        ["body", "SALAD", "1", "NULL", "OAK/28L, OAK/28R"],
        ["transition", "ALTAM TRANSITION", "NULL", "SALAD5.ALTAM", "NULL"],
      ])
  }

  /// Two departures have no code in most tables and NOT ASSIGNED in another, and a third is NOT ASSIGNED.
  @Test func `distinguishes procedures without a code by their names`() throws {
    let built = try subscription.build(in: folder)
    try built.expect(
      "SELECT name FROM departures WHERE code IS NULL ORDER BY 1",
      gives: ["BRADLEY", "TURNAGAIN", "WHITEMAN"])
    #expect(try points("departure", "TURNAGAIN", "TED-NAPTO", in: built) == ["TED", "NAPTO"])
    #expect(try points("departure", "WHITEMAN", "VNY", in: built) == ["VNY"])
    try built.expect(
      """
      SELECT d.name, a.airportID, a.runwayEnd FROM departureAirports a JOIN departures d ON d.id = a.departure
      WHERE d.code IS NULL ORDER BY d.name, a.number
      """, gives: [["TURNAGAIN", "ANC", "33"], ["WHITEMAN", "WHP", "12"], ["WHITEMAN", "WHP", "30"]])
  }

  @Test func `places points at their fixes and navaids, and boxes around them`() throws {
    let built = try subscription.build(in: folder)
    try built.expect(
      """
      SELECT p.point, p.fix IS NOT NULL, p.navaid IS NOT NULL, round(p.latitude, 3) FROM arrivalPoints p
      JOIN arrivalRoutes r ON r.id = p.route WHERE r.name = 'PYE-OSI' ORDER BY p.sequence
      """,
      gives: [["PYE", "0", "1", "38.08"], ["HADLY", "1", "0", "37.402"], ["OSI", "0", "1", "37.393"]])
    try built.expect(
      """
      SELECT r.name FROM arrivalRoutes r JOIN arrivalRoutes_rtree t ON t.id = r.id
      WHERE t.minLat <= 37.395 AND t.maxLat >= 37.395 AND t.minLon <= -122.4 AND t.maxLon >= -122.4 ORDER BY 1
      """, gives: ["FRLON-PPEGS", "PYE-OSI"])
    // The fixes of Alaska are not among the rows.
    try built.expect(
      "SELECT count(*) FROM departurePoints WHERE point = 'NAPTO' AND fix IS NULL AND latitude IS NULL",
      gives: ["1"])
  }

  @Test func `takes the inbound course of a hold, and places it at its fix or navaid`() throws {
    try subscription.replace("\"ARTAQ\",\"K2\"", with: "\"ARTAZ\",\"K2\"", in: "HPF_BASE")
    try subscription.replace("\"APC\",\"LD\"", with: "\"GWQ\",\"LD\"", in: "HPF_BASE")
    let built = try subscription.build(in: folder)
    try built.expect(
      """
      SELECT fixID, navaidID, side, inboundCourse, guidance, turn, legDistance, latitude = (
        SELECT latitude FROM fixes WHERE identifier = fixID) FROM holds WHERE fixID IN ('ACETY', 'ALTAM', 'FESAV')
      """,
      gives: [
        ["ACETY", "NULL", "SE", "316", "rnav", "right", "4", "1"],
        ["ALTAM", "SAC", "N", "177", "radial", "left", "NULL", "1"],
        ["FESAV", "GWQ", "S", "6", "course", "right", "NULL", "1"],
      ])
    try built.expect(
      """
      SELECT h.name, h.latitude = n.latitude FROM holds h JOIN navaids n ON n.id = h.navaid WHERE fixID IS NULL
      AND h.name LIKE 'OAKLAND%'
      """, gives: [["OAKLAND VOR/DME*CA", "1"]])
    // There is no such fix, and the hold is not at the navaid of its radial.
    try built.expect(
      "SELECT fix, navaid IS NOT NULL, latitude FROM holds WHERE fixID = 'ARTAZ'",
      gives: [["NULL", "1", "NULL"]])
    try built.expect(
      "SELECT i.airport, i.runwayEnd FROM holds h JOIN ils i ON i.id = h.ils WHERE fixID = 'FESAV'",
      gives: [["KSFO", "28R"]])
    try built.expect("SELECT rtreecheck('holds_rtree')", gives: ["ok"])
    try built.expect(
      "SELECT h.fixID, r.remark FROM holdRemarks r JOIN holds h ON h.id = r.hold",
      gives: [["ACETY", "SYNTHETIC REMARK OF THE SAMPLE."]])
  }

  /// The speeds of ANTNY and the altitudes of ADABY and DAMER are the FAA's errors.
  @Test func `reads the speeds and altitudes of holds, and counts those that cannot be read`() throws {
    let built = try subscription.build(in: folder)
    try built.expect(
      """
      SELECT h.fixID, speeds, minSpeed, maxSpeed, altitudes, minAltitude, maxAltitude FROM holdAltitudes a
      JOIN holds h ON h.id = a.hold WHERE h.fixID IN ('ADABY', 'ALGUM', 'ANTNY', 'BFMLB', 'DAMER') ORDER BY h.id, a.number
      """,
      gives: [
        ["ADABY", "170/175", "170", "175", "85/140", "8500", "14000"],
        ["ADABY", "200/230", "200", "230", "085140", "NULL", "NULL"],
        ["ALGUM", "ALL", "NULL", "NULL", "29/60", "2900", "6000"],
        ["ANTNY", "20/60", "NULL", "NULL", "200", "20000", "20000"],
        ["BFMLB", "170/175", "170", "175", "20-100", "2000", "10000"],
        ["DAMER", "200/230", "200", "230", "170/260", "17000", "26000"],
        ["DAMER", "265", "265", "265", "170/20", "NULL", "NULL"],
        ["DAMER", "310", "310", "310", "170/180", "17000", "18000"],
      ])
    let unread = built.problems(.fieldDropped, of: "HPF_SPD_ALT.csv")
    #expect(unread.map(\.value).sorted() == ["085140", "170/20", "20/60"])
  }

  @Test func `reads preferred and coded routes between airports`() throws {
    let built = try subscription.build(in: folder)
    try built.expect(
      """
      SELECT p.origin, p.destination, p.type, p.number, p.altitudes, p.route, s.route, s.arrivalCenter
      FROM preferredRoutes p JOIN preferredRouteStrings s ON s.preferredRoute = p.id WHERE p.originID = 'OAK'
      """,
      gives: [
        [
          "KOAK", "KCCR", "TEC", "2", "JMPQ50", "OAK V244 ALTAM V334 OAKEY",
          "OAK OAK V244 ALTAM V334 OAKEY CCR", "ZOA",
        ]
      ])
    try built.expect(
      """
      SELECT s.value, s.type, s.fix IS NOT NULL, s.navaid IS NOT NULL, s.latitude IS NOT NULL
      FROM preferredRouteSegments s JOIN preferredRoutes p ON p.id = s.route WHERE p.originID = 'OAK' ORDER BY sequence
      """,
      gives: [
        ["OAK", "navaid", "0", "1", "1"], ["V244", "airway", "0", "0", "0"], ["ALTAM", "fix", "1", "0", "1"],
        ["V334", "airway", "0", "0", "0"], ["OAKEY", "fix", "1", "0", "1"],
      ])
    try built.expect(
      """
      SELECT origin, originID, destination, departureFix, centers, isCoordinationRequired, play, navigation, distance
      FROM codedRoutes WHERE code = 'BEDSFOPJ'
      """,
      gives: [["NULL", "KBED", "KSFO", "HYLND", "CZY ZAU ZBW ZDV ZLC ZMP ZOA ZOB", "0", "NULL", "1", "2432"]])
  }

  @Test func `drops and counts damaged rows of a procedure, and keeps the others`() throws {
    try subscription.replace(
      "TRANSITION\",,\"ORRCA.RISTI1\",40,", with: "TRANSITION\",,\"ORRCA.RISTI1\",x,", in: "STAR_RTE")
    try subscription.replace(
      "\"PYE.PYE3\",\"BODY\",\"PYE-OSI\",1,\"\",20,\"HADLY\"",
      with: "\"PYE.PYE3\",\"BODY\",\"PYE-OSI\",1,\"\",20,\"\"", in: "STAR_RTE")
    try subscription.replace("\"SALAD\",\"FIVE\"", with: "\"SALAD\",\"MANY\"", in: "DP_BASE")
    try subscription.replace(
      "\"ACETY WP*CA*K2\",1,\"CA\",\"US\",\"200\"", with: "\"ACETY WP*CA*K2\",9,\"CA\",\"US\",\"200\"",
      in: "HPF_SPD_ALT")
    let built = try subscription.build(in: folder)
    #expect(
      try points("arrival", "RISTI", "ORRCA TRANSITION", in: built) == [
        "ORRCA", "HAIRE", "TRACY", "MOVDD", "RISTI",
      ])
    #expect(try points("arrival", "PYE", "PYE-OSI", in: built) == ["PYE", "OSI"])
    #expect(built.problems(.rowDropped, of: "STAR_RTE.csv").map(\.column) == ["POINT", "POINT_SEQ"])
    #expect(built.problems(.rowDropped, of: "HPF_SPD_ALT.csv").count == 1)
    #expect(built.problems(.unknownCode, of: "DP_BASE.csv").map(\.value) == ["MANY"])
    try built.expect("SELECT amendment FROM departures WHERE name = 'SALAD'", gives: ["NULL"])
  }

  @Test func `builds a cycle that lacks the tables, and says so`() throws {
    let lacking = ["DP_RTE", "STAR_BASE", "HPF_BASE", "PFR_BASE", "CDR"]
    for table in lacking { subscription.tables[table] = nil }
    subscription.definition.gates.droppedRowShare = 1
    let built = try subscription.build(in: folder)
    for table in lacking {
      #expect(!built.problems(.tableMissing, of: table + ".csv").isEmpty, "\(table)")
    }
    for table in [
      "departurePoints", "arrivals", "arrivalPoints", "holds", "holdAltitudes", "preferredRouteSegments",
      "codedRoutes",
    ] {
      try built.expect("SELECT count(*) FROM \(table)", gives: ["0"])
    }
    try built.expect("SELECT count(*) FROM departures", gives: ["8"])
  }

  @Test func `compares procedures, holds and routes of two cycles`() throws {
    let old = try subscription.build(in: folder, as: "old")
    try subscription.replace("\"SALAD\",\"FIVE\"", with: "\"SALAD\",\"SIX\"", in: "DP_BASE")
    try subscription.replace("\"RNAV\",316", with: "\"RNAV\",318", in: "HPF_BASE")
    try subscription.replace("V244 ALTAM V334 OAKEY", with: "V244 ALTAM OAKEY", in: "PFR_BASE")
    subscription.editLines("CDR") { Array($0.dropLast()) }
    let new = try subscription.build(in: folder, as: "new")
    let difference = try DatabaseComparison.compare(old.file, with: new.file)
    #expect(difference.procedures.map(\.line) == ["SALAD: amendment 5 -> 6"])
    #expect(difference.holds.map(\.line) == ["ACETY WP*CA*K2 1: inbound course 316 -> 318 degrees"])
    #expect(difference.routes.map(\.name) == ["OAK CCR TEC 2", "BEDSFOPJ"])
    #expect(difference.routes.map(\.change) == [.changed, .removed])
    #expect(difference.otherTables.isEmpty)
  }
}

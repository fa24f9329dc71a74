import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The tables around the airports, of real rows as far as there are any.
struct SideTableTests {
  let folder = TemporaryFolder()
  let built: Built

  init() throws { built = try Subscription.built("2602-tables", in: folder) }

  private func row(_ columns: String, of table: String) throws -> [String]? {
    try built.rows("SELECT \(columns) FROM \(table)").first
  }

  @Test func `writes every row, with references to existing rows`() throws {
    let counts = [
      "airportDetails": 11, "runwayDetails": 1, "runwayEndDetails": 1, "attendance": 3, "contacts": 1,
      "arrestingGear": 1, "classAirspaceHours": 2, "militaryOperations": 1, "controlFacilities": 4,
      "controlServices": 1, "atis": 1, "controlRemarks": 1, "radars": 2, "weatherStations": 2,
      "weatherStationFrequencies": 1, "flightServiceStations": 2, "communicationOutlets": 4,
      "navaidRemarks": 1, "navaidCheckpoints": 1, "fixCharts": 1, "fixNavaids": 2, "airways": 3,
      "airwaySegments": 24, "ils": 1, "ilsGlideSlopes": 1, "ilsDMEs": 1, "ilsMarkers": 1, "parachuteAreas": 2,
      "parachuteContacts": 1, "militaryRoutes": 1, "militaryRoutePoints": 2, "militaryRouteAgencies": 1,
      "miscellaneousAreas": 3, "miscellaneousAreaContacts": 1, "centers": 2, "boundaries": 3,
      "weatherLocations": 1, "weatherServices": 2, "identifiers": 2,
    ]
    for (table, count) in counts {
      #expect(try built.column("SELECT COUNT(*) FROM \(table)") == ["\(count)"], "\(table)")
      #expect(built.outcome.product.build.counts[table] == count, "\(table)")
    }
    #expect(try built.column("PRAGMA foreign_key_check").isEmpty)
    try built.expect("PRAGMA integrity_check", gives: ["ok"])
    #expect(built.outcome.problems.total(.unknownCode) == 0)
    #expect(built.outcome.problems.total(.fieldDropped) == 0)
  }

  @Test func `drops and reports rows without an owner`() {
    let dropped = built.outcome.problems.examples.filter { $0.kind == .rowDropped }
    #expect(dropped.map(\.file) == ["MTR_SOP.csv", "NAV_CKPT.csv"])
    #expect(dropped.map(\.value) == ["IR 999", "US"])
    let orphans = built.problems(.rowOrphaned, of: "FRQ.csv")
    #expect(orphans.map(\.value).contains("CHARLESTON"))
  }

  @Test func `reads the attendance of an airport`() throws {
    let hours = try built.rows("SELECT number, months, days, hours FROM attendance ORDER BY airport, number")
    #expect(
      hours == [
        ["1", "UNATNDD", "NULL", "NULL"], ["1", "ALL", "MON-FRI", "0800-1700"],
        ["2", "ALL", "SAT-SUN", "1000-1700"],
      ])
    #expect(
      try row("airport, role, name, address, addressLine2, zip, phone", of: "contacts") == [
        "0J0", "manager", "MELISSA WILSON", "PO BOX 427", "101 E. WASHINGTON ST", "36310", "334-585-6444",
      ])
    #expect(try row("airport, runway, device", of: "arrestingGear") == ["KHST", "06/24", "BAK-14"])
    try built.expect(
      "SELECT classD, classE, hours FROM classAirspaceHours WHERE airport = 'KFYV'",
      gives: [["1", "1", "CLASS D SVC 0600-2200; OTHER TIMES CLASS E"]])
    #expect(try row("airport, call, hours", of: "militaryOperations") == ["KHST", "MAKO", "0500-2300"])
  }

  @Test func `reads the details of an airport and its runway in words and feet`() throws {
    try built.expect(
      """
      SELECT lightingSchedule, windIndicator, segmentedCircle, airframeRepair, bottledOxygen, services, hasTieDowns,
        notamID, county, distanceFromCity, directionFromCity, activated FROM airportDetails WHERE airport = 'KFYV'
      """,
      gives: [
        [
          "SEE RMK", "lighted", "none", "minor", "NULL",
          #"["airFreight","avionics","cargo","charter","instruction"]"#, "1", "FYV", "WASHINGTON", "3", "S",
          "1940-04",
        ]
      ])
    #expect(
      try row("airport, runway, treatment, singleWheelWeight", of: "runwayDetails") == [
        "0J0", "18/36", "aggregateFriction", "NULL",
      ])
    try built.expect(
      "SELECT runwayEnd, glidePathAngle, obstacle, obstacleHeight, clearanceSlope, hasREIL FROM runwayEndDetails ORDER BY 1",
      gives: [["18", "3.0", "TREES", "32", "9", "NULL"]])
  }

  @Test func `reports a bad row of a table that is read twice once`() throws {
    let subscription = try Subscription("2602-tables")
    try subscription.replace("25.48855063", with: "six", in: "APT_BASE")
    let built = try subscription.build(in: folder, as: "bad")
    #expect(built.problems(.rowDropped, of: "APT_BASE.csv").count == 1)
    let tally = try #require(built.outcome.problems.tally("APT_BASE.csv"))
    #expect(tally.rows == 11 && tally.droppedRows == 1)
  }

  @Test func `reads the services, the ATIS and the remarks of a tower`() throws {
    try built.expect(
      """
      SELECT f.identifier, f.airport, f.type, s.service, a.phone, substr(r.remark, 1, 12) FROM controlFacilities f
      LEFT JOIN controlServices s ON s.facility = f.id LEFT JOIN atis a ON a.facility = f.id
      LEFT JOIN controlRemarks r ON r.facility = f.id WHERE f.airport IS NOT NULL ORDER BY f.identifier
      """,
      gives: [
        ["AUS", "KAUS", "towerTracon", "NULL", "512-555-0100", "SAID IN USE."],
        ["RDG", "KRDG", "tower", "ARTS-II", "NULL", "NULL"],
      ])
  }

  @Test func `reads the parts of an ILS, with no date if the FAA has none`() throws {
    try built.expect(
      """
      SELECT i.airport, i.runwayEnd, i.type, i.category, i.frequency, i.course, i.magneticVariation, i.status, i.remarks,
        g.angle, g.frequency, d.channel, d.statusDate, m.kind, m.locatorName, m.frequency FROM ils i
      JOIN ilsGlideSlopes g ON g.ils = i.id JOIN ilsDMEs d ON d.ils = i.id JOIN ilsMarkers m ON m.ils = i.id
      """,
      gives: [
        [
          "KANB", "05", "ils", "I", "111.5", "52.45", "-4.0", "restricted", "ILS CLASSIFICATION CODE IA",
          "3.0", "332.9", "52X", "NULL", "outer", "BOGGA", "211.0",
        ]
      ])
  }

  @Test func `reads the remarks of navaids and links fixes to navaids`() throws {
    try built.expect(
      "SELECT n.identifier, c.kind, c.bearing, c.altitude FROM navaidCheckpoints c JOIN navaids n ON n.id = c.navaid",
      gives: [["PTW", "airborne", "123", "1500"]])
    let fixes = try built.rows(
      """
      SELECT f.identifier, n.type, x.identifier, x.bearing FROM fixNavaids x JOIN fixes f ON f.id = x.fix
      LEFT JOIN navaids n ON n.id = x.navaid ORDER BY f.identifier
      """)
    // Two NDBs are called AA, so the name is ambiguous.
    #expect(fixes == [["AAALL", "NULL", "AA", "12.5"], ["BURNM", "vortac", "ACY", "122.0"]])
    #expect(try row("chart", of: "fixCharts") == ["IAP"])
  }

  @Test func `gathers the texts of a route in order`() throws {
    #expect(
      try row("identifier, type, width, procedures, south, north, west, east", of: "militaryRoutes") == [
        "IR002", "ir", "5 NM EITHER SIDE OF CENTERLINE FOR THE ENTIRE ROUTE.",
        "(1)     ROUTE RESERVATION AND BRIEF REQUIRED.\nABOVE ARE LISTED IN THIS SOP.", "36.06666666", "36.5",
        "-84.65", "-84.25",
      ])
    try built.expect(
      "SELECT segment FROM militaryRoutePoints ORDER BY sequence",
      gives: ["(1) CROSS AT 60 MSL TO", "(1) 02 AGL B 15 AGL"])
    try built.expect(
      "SELECT remarks FROM flightServiceStations WHERE identifier = 'ABQ'",
      gives: ["PHONE_NO THE FIRST.\nOPR_HOURS THE SECOND."])
  }

  @Test func `reads the circle and the airport of parachute areas`() throws {
    try built.expect(
      "SELECT identifier, airport, radius, maxAltitude, maxAltitudeDatum, use FROM parachuteAreas ORDER BY 1",
      gives: [
        ["PCA003", "NULL", "NULL", "1500", "agl", "NULL"],
        ["PCO012", "KBDU", "2.0", "18000", "msl", "civil"],
      ])
    #expect(try row("name, frequency, isCharted", of: "parachuteContacts") == ["DENVER ARTCC", "126.5", "1"])
  }

  @Test func `keeps a weather service without a known location`() throws {
    try built.expect(
      "SELECT identifier, location, service FROM weatherServices ORDER BY id",
      gives: [["00U", "1", "METAR"], ["ZZZ", "NULL", "FT"]])
  }

  @Test func `indexes the rows with a position in the trees`() throws {
    for (table, count) in [
      ("weatherStations", 2), ("communicationOutlets", 4), ("ils", 1), ("parachuteAreas", 2),
      ("weatherLocations", 1), ("militaryRoutes", 1), ("boundaries", 3), ("miscellaneousAreas", 2),
    ] {
      #expect(try built.column("SELECT COUNT(*) FROM \(table)_rtree") == ["\(count)"], "\(table)")
      #expect(try built.column("SELECT rtreecheck('\(table)_rtree')") == ["ok"], "\(table)")
    }
  }
}

/// Airways, with the positions of points that other tables have.
struct AirwayTests {
  let folder = TemporaryFolder()
  let built: Built

  init() throws { built = try Subscription.built("2602-tables", in: folder) }

  private func segments(_ airway: String) throws -> [[String]] {
    try built.rows(
      """
      SELECT fromPoint, fromNavaid IS NOT NULL, round(fromLatitude, 3), toPoint, round(toLongitude, 3), south IS NOT NULL
      FROM airwaySegments s JOIN airways a ON a.id = s.airway WHERE a.identifier = ? ORDER BY sequence
      """, [.text(airway)])
  }

  @Test func `places a segment between its two points`() throws {
    #expect(
      try segments("J536") == [
        ["SSR", "1", "58.178", "CFCLG", "-135.189", "1"],
        ["CFCLG", "0", "59.644", "U.S. CANADIAN BORDER-2", "NULL", "0"],
        ["U.S. CANADIAN BORDER-2", "0", "NULL", "NULL", "NULL", "0"],
      ])
  }

  @Test func `reads altitudes in feet`() throws {
    try built.expect(
      "SELECT mea, maa, course, distance, isSignalGap, nextMEAPoint FROM airwaySegments WHERE fromPoint = 'SSR'",
      gives: [["21000", "45000", "341.39", "88.25", "1", "U.S. CANADIAN BORDER-2"]])
  }

  @Test func `finds a segment over the antimeridian from both sides`() throws {
    let rows = try built.rows(
      """
      SELECT s.fromPoint, s.toPoint FROM airwaySegments s JOIN airwaySegments_rtree r ON r.id = s.id
      WHERE s.west = -180 AND s.east = 180 AND r.minLon <= -180 AND r.maxLon >= 180
      """)
    #expect(rows.count == 1)
    let (from, to) = (try #require(rows.first?[0]), try #require(rows.first?[1]))
    try built.expect(
      "SELECT fromLongitude * toLongitude < 0 FROM airwaySegments WHERE fromPoint = ? AND toPoint = ?",
      [.text(from), .text(to)], gives: ["1"])
  }

  /// The FAA has neither Y nor N in this column.
  @Test func `marks an unusable segment or one without an MEA as a gap`() throws {
    let subscription = try Subscription("2602-tables")
    subscription.editLines("AWY_SEG_ALT") { lines in
      let codes = ["", "U", "N", "Q"]
      return lines.enumerated().map { index, line in
        guard codes.indices.contains(index), index > 0 else { return line }
        var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        fields[44] = codes[index]
        return fields.joined(separator: ",")
      }
    }
    let built = try subscription.build(in: folder, as: "gaps")
    try built.expect(
      "SELECT isMEAGap FROM airwaySegments ORDER BY id LIMIT 4", gives: ["1", "1", "NULL", "0"])
    #expect(built.problems(.unknownCode, of: "AWY_SEG_ALT.csv").map(\.value) == ["Q"])
  }

  @Test func `reads airways without segments from a cycle with the older segments`() throws {
    let subscription = try Subscription("2602-tables")
    subscription.tables["AWY_SEG_ALT"] = nil
    let built = try subscription.build(in: folder, as: "old")
    try built.expect("SELECT COUNT(*) FROM airways", gives: ["3"])
    try built.expect("SELECT COUNT(*) FROM airwaySegments", gives: ["0"])
    #expect(built.problems(.tableMissing, of: "AWY_SEG_ALT.csv").count == 1)
  }
}

/// Who is heard on which frequency, where several things share one identifier.
struct StationTests {
  let folder = TemporaryFolder()
  let subscription: Subscription

  init() throws { subscription = try Subscription("2602-tables") }

  private static let awos = """
    SELECT a.faaID, f.frequency, f.name, f.vhf FROM frequencies f JOIN airports a ON a.icao = f.airport
    WHERE f.type = 'awos' ORDER BY 1, 2
    """

  @Test func `gives an airport the frequency of its weather station`() throws {
    let built = try subscription.build(in: folder)
    try built.expect(StationTests.awos, gives: [["CBE", "128.625", "CBE AWOS-3", "1"]])
    try built.expect(
      "SELECT identifier, type, airport IS NULL FROM weatherStations ORDER BY 1",
      gives: [["C07", "AWOS-3PT", "1"], ["CBE", "AWOS-3", "0"]])
    // The airport's own frequency of the same identifier is not the station's.
    try built.expect("SELECT frequency FROM weatherStationFrequencies", gives: ["128.625"])
  }

  /// A station next to the airport, in its state and of its identifier; and the ways not to be that.
  @Test(arguments: [
    ("CBE", "MD", "39.61", 1), ("CBX", "MD", "39.61", 0), ("CBE", "PA", "39.61", 0),
    ("CBE", "MD", "39.76", 0),
  ])
  func `requires a near airport for a station without a site number`(
    identifier: String, state: String, latitude: String, found: Int
  ) throws {
    subscription.editLines("AWOS") { lines in
      let row =
        "2026/02/19,\(identifier),AWOS-3,\(state),CUMBERLAND,US,,N,,,,,\(latitude),,,,,-78.76,775,,,,,,"
      return [lines[0], row]
    }
    let built = try subscription.build(in: folder)
    try built.expect("SELECT COUNT(*) FROM weatherStations WHERE airport IS NOT NULL", gives: ["\(found)"])
    #expect(try built.rows(StationTests.awos).count == found)
  }

  @Test func `reports a station that is in no table without failing`() throws {
    subscription.definition.gates.droppedRowShare = 0.6
    subscription.edit("AWOS") { text in text.split(whereSeparator: \.isNewline)[0] + "\n" }
    let built = try subscription.build(in: folder)
    #expect(built.problems(.rowOrphaned, of: "FRQ.csv").contains { $0.value == "CBE" })
    #expect(built.outcome.problems.tally("FRQ.csv")?.droppedRows == 0)
  }

  @Test func `does not confuse an outlet with another kind of its name`() throws {
    let built = try subscription.build(in: folder)
    try built.expect(
      """
      SELECT o.identifier, o.type, f.frequency, f.receiveOnly FROM outletFrequencies f
      JOIN communicationOutlets o ON o.id = f.outlet ORDER BY o.name, f.number
      """,
      gives: [["NULL", "rcag", "121.5", "0"], ["FLG", "rco", "123.65", "1"], ["83D", "rco", "122.3", "0"]])
    try built.expect("SELECT name FROM communicationOutlets WHERE identifier = 'CRW'", gives: ["CHARLESTON"])
  }

  @Test func `assigns oceanic frequencies to their station`() throws {
    let built = try subscription.build(in: folder)
    try built.expect(
      """
      SELECT s.identifier, f.number, f.frequency, f.vhf, f.sector FROM flightServiceFrequencies f
      JOIN flightServiceStations s ON s.id = f.station ORDER BY 1, 2
      """,
      gives: [
        ["ISP", "1", "8.906", "0", "NORTH ATLANTIC FAMILY A"],
        ["ISP", "2", "17.907", "0", "CARIBBEAN FAMILY A"],
      ])
  }
}

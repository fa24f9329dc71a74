internal import Foundation
internal import SQLiteIO

/// Checks the tables and columns of an export that an app's types and queries need.
struct ExportSchema: Rule {
  let name: String
  let protects: String
  fileprivate let tables: [TableSchema]
  fileprivate var indexes: [String] = []

  static let airports = ExportSchema(
    name: "airports-schema",
    protects: "The app that reads the airports finds every table and column that it needs.",
    tables: RZFlightSchema.form.tables)

  static let openEFB = ExportSchema(
    name: "openefb-columns",
    protects: "The app finds a column for each property that it decodes, and each index that it queries.",
    tables: OpenEFBSchema.form.tables,
    indexes: [
      "airports_rtree", "navaids_rtree", "airspaces_rtree", "fixes_rtree", "airports_fts", "navaids_fts",
    ])

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try problems(database).map { error(database.place, $0) }
  }

  /// Whether the tables and columns that the other rules read exist.
  func isMet(by database: DatabaseUnderTest) throws -> Bool { try problems(database).isEmpty }

  /// A message for each table that is missing or lacks columns.
  private func problems(_ database: DatabaseUnderTest) throws -> [String] {
    let there = try database.columns()
    return tables.compactMap { table -> String? in
      guard let own = there[table.name] else { return "there is no table `\(table.name)`" }
      let lacking = table.columns.map(\.name).filter { !own.contains($0) }
      return lacking.isEmpty
        ? nil : "the table `\(table.name)` has no column \(lacking.joined(separator: ", "))"
    } + indexes.filter { !database.tables.contains($0) }.map { "there is no table `\($0)`" }
  }
}

/// Finds values of `airports.db` that RZFlight's library would misread.
struct AirportsValues: Rule {
  let name = "airports-values"
  let protects =
    "No airport lies off the coast of Africa, no runway points north because its heading is missing, and no turf strip is shown as asphalt."

  private static let types =
    "'balloonport', 'closed', 'large_airport', 'medium_airport', 'seaplane_base', 'small_airport'"

  private static let runway = "airport_icao || ' ' || le_ident"
  private static let offEarth =
    "latitude_deg NOT BETWEEN -90 AND 90 OR longitude_deg NOT BETWEEN -180 AND 180"

  private static let checks: [RowCheck] = [
    .init(.error, "airports", "icao_code", where: "length(icao_code) = 0", "it has no identity"),
    .init(
      .error, "airports", "icao_code", where: "latitude_deg IS NULL OR longitude_deg IS NULL OR " + offEarth,
      "it has no position on this earth"),
    .init(
      .error, "airports", "icao_code", where: "abs(latitude_deg) <= 1.5 AND abs(longitude_deg) <= 1.5",
      "it lies in the Gulf of Guinea, where OurAirports places entries that are not airports"),
    .init(
      .error, "aip_entries", "airport_icao",
      where: """
        source = 'ourairports' AND (value LIKE '%JET%' OR value LIKE '%AVGAS%' OR value LIKE '%100LL%')
        """, "the library reads its text as fuel that is sold, which OurAirports does not say"),
    .init(
      .error, "airports", "icao_code", where: "coalesce(type, '') NOT IN (\(types))",
      "its type is unknown to the library"),
    .init(
      .error, "airports", "icao_code", where: "updated_at NOT GLOB '????-??-??T??:??:??Z'",
      "the library cannot read its date"),
    .init(
      .error, "runways", runway, where: "le_heading_degT IS NULL OR he_heading_degT IS NULL",
      "an end without a heading would point north"),
    .init(
      .error, "runways", runway,
      where: "le_heading_degT NOT BETWEEN 0 AND 360 OR he_heading_degT NOT BETWEEN 0 AND 360",
      "a heading is not between 0 and 360"),
    .init(
      .error, "runways", runway, where: "surface LIKE '%unpaved%'",
      "the library reads its surface as a hard one"),
    .init(
      .error, "runways", runway, where: "airport_icao NOT IN (SELECT icao_code FROM airports)",
      "it belongs to no airport"),
    .init(.error, "waypoints", "name", where: offEarth, "it has no position on this earth"),
  ]

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try findings(of: Self.checks, in: database) + emptiness(of: database)
  }
}

/// Checks the rows of the identifier table of a logbook.
struct IdentifierValues: Rule {
  let name = "identifier-values"
  let protects =
    "A logbook finds the place that a student types in, and measures the flight from its true position."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    guard database.tables.contains("airports") else {
      return [error(database.place, "there is no table `airports`")]
    }
    let disorder = try database.connection.count(
      "airports a JOIN airports b ON b.rowid = a.rowid + 1 WHERE (b.ident, b.source) < (a.ident, a.source)")
    let order =
      disorder == 0 ? [] : [error(database.place, "its rows are not in the order of ident and source")]
    return try findings(of: [Self.check], in: database) + order + emptiness(of: database)
  }

  private static let check = RowCheck(
    .error, "airports", "ident",
    where: """
      length(ident) = 0 OR length(name) = 0 OR lat NOT BETWEEN -90 AND 90 OR lon NOT BETWEEN -180 AND 180
      """, "it has no name, or no position on this earth")
}

/// Checks that each line of a JSON document is JSON, up to its end, and that each position is on the earth.
struct LinesParse: Rule {
  let name = "lines-parse"
  let protects = "A map draws every airport, airspace and obstacle where it is."

  func check(_ file: LinesUnderTest) throws -> [Finding] {
    let members = [
      "$.type", "$.properties", "$.geometry.type", "$.geometry.coordinates[0]", "$.geometry.coordinates[1]",
      "$.lon", "$.lat",
    ].map { "CASE WHEN json_valid(?1) THEN json_extract(?1, '\($0)') END" }
    // SQLite parses several times as fast as Foundation; there are hundreds of thousands of lines.
    let reader = try SQLiteConnection(":memory:", mode: .create).prepare(
      "SELECT json_valid(?1), \(members.joined(separator: ", "))")
    var findings: [Finding] = []
    var (count, isEnded) = (0, false)
    try file.forEachLine { line, number in
      let problem: String?
      if isEnded {
        problem = "there is text after the end"
      } else if line == LinesUnderTest.end {
        isEnded = true
        return
      } else {
        count += 1
        let text = String(decoding: line.withoutComma, as: UTF8.self)
        problem = try reader.map([.text(text)]) { self.problem(with: $0, line) }.first ?? nil
      }
      if let problem { findings.append(error("\(file.place) line \(number)", problem)) }
    }
    if !isEnded { findings.append(error(file.place, "it is cut short")) }
    if count == 0 { findings.append(error(file.place, "there is nothing in it")) }
    return findings
  }

  private func problem(with row: SQLiteRow, _ line: Data) -> String? {
    guard row.int(0) == 1 else { return "it is not JSON" }
    guard row.text(1) == "Feature" else {
      return isOnEarth(row, 6) ? nil : "its position is missing, or is not on this earth"
    }
    guard !row.isNull(2), let shape = row.text(3) else { return "it is not a GeoJSON feature" }
    let lies = shape == "Point" ? isOnEarth(row, 4) : isOnEarth(shapeOf: line.withoutComma)
    return lies ? nil : "its coordinates are not on this earth"
  }

  private func isOnEarth(_ row: SQLiteRow, _ column: Int) -> Bool {
    row.isNumber(column) && row.isNumber(column + 1) && abs(row.double(column)) <= 180
      && abs(row.double(column + 1)) <= 90
  }

  private func isOnEarth(shapeOf line: Data) -> Bool {
    let feature = try? JSONSerialization.jsonObject(with: line) as? [String: Any]
    let geometry = feature?["geometry"] as? [String: Any]
    return geometry?["coordinates"].map(isOnEarth) ?? false
  }

  /// Longitude and latitude, or arrays of arrays of these.
  private func isOnEarth(_ coordinates: Any) -> Bool {
    if let point = coordinates as? [Double], point.count >= 2 {
      return abs(point[0]) <= 180 && abs(point[1]) <= 90
    }
    guard let parts = coordinates as? [Any], !parts.isEmpty else { return false }
    return parts.allSatisfy(isOnEarth)
  }
}

extension Data {
  var withoutComma: Data { last == UInt8(ascii: ",") ? dropLast() : self }
}

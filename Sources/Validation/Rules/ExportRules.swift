internal import Core
internal import Foundation
internal import SQLiteIO

/// Checks the tables and columns of `airports.db` that RZFlight's library queries.
struct AirportsSchema: Rule {
  let name = "airports-schema"
  let protects = "The app that reads the airports finds every table and column that it needs."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try database.missing(of: RZFlightSchema.form.tables).map { error(database.place, $0) }
  }
}

/// Finds values of `airports.db` that RZFlight's library would misread.
struct AirportsValues: Rule {
  let name = "airports-values"
  let protects =
    "No airport lies off the coast of Africa, no runway points north because its heading is missing, and no turf strip is shown as asphalt."

  private static let types =
    "'balloonport', 'closed', 'large_airport', 'medium_airport', 'seaplane_base', 'small_airport'"

  /// Conditions of wrong rows, with the expression that names a row and the message.
  private static let checks: [(table: String, label: String, wrong: String, message: String)] = [
    ("airports", "icao_code", "length(icao_code) = 0", "it has no identity"),
    (
      "airports", "icao_code",
      "latitude_deg IS NULL OR longitude_deg IS NULL OR latitude_deg NOT BETWEEN -90 AND 90 OR longitude_deg NOT BETWEEN -180 AND 180",
      "it has no position on this earth"
    ),
    (
      "airports", "icao_code", "abs(latitude_deg) <= 1.5 AND abs(longitude_deg) <= 1.5",
      "it lies in the Gulf of Guinea, where OurAirports places entries that are not airports"
    ),
    (
      "aip_entries", "airport_icao",
      "source = 'ourairports' AND (value LIKE '%JET%' OR value LIKE '%AVGAS%' OR value LIKE '%100LL%')",
      "the library reads its text as fuel that is sold, which OurAirports does not say"
    ),
    (
      "airports", "icao_code", "coalesce(type, '') NOT IN (\(types))",
      "its type is unknown to the library"
    ),
    (
      "airports", "icao_code", "updated_at NOT GLOB '????-??-??T??:??:??Z'",
      "the library cannot read its date"
    ),
    (
      "runways", "airport_icao || ' ' || le_ident", "le_heading_degT IS NULL OR he_heading_degT IS NULL",
      "an end without a heading would point north"
    ),
    (
      "runways", "airport_icao || ' ' || le_ident",
      "le_heading_degT NOT BETWEEN 0 AND 360 OR he_heading_degT NOT BETWEEN 0 AND 360",
      "a heading is not between 0 and 360"
    ),
    (
      "runways", "airport_icao || ' ' || le_ident", "surface LIKE '%unpaved%'",
      "the library reads its surface as a hard one"
    ),
    (
      "runways", "airport_icao || ' ' || le_ident",
      "airport_icao NOT IN (SELECT icao_code FROM airports)", "it belongs to no airport"
    ),
    (
      "waypoints", "name", "latitude_deg NOT BETWEEN -90 AND 90 OR longitude_deg NOT BETWEEN -180 AND 180",
      "it has no position on this earth"
    ),
  ]

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let findings = try AirportsValues.checks.flatMap { check in
      try database.connection.texts(
        "SELECT \(check.label) FROM \(check.table) WHERE \(check.wrong) ORDER BY 1"
      ).map { error("\(database.place) \(check.table) \($0)", check.message) }
    }
    let count = try database.connection.numbers("SELECT count(*) FROM airports").first ?? 0
    return findings + (count > 0 ? [] : [error(database.place, "there is no airport in it")])
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
    let wrong = try database.connection.texts(
      """
      SELECT ident FROM airports
      WHERE length(ident) = 0 OR length(name) = 0 OR lat NOT BETWEEN -90 AND 90 OR lon NOT BETWEEN -180 AND 180 ORDER BY 1
      """
    ).map { error("\(database.place) airports \($0)", "it has no name, or no position on this earth") }
    let disorder = try database.connection.numbers(
      "SELECT count(*) FROM airports a JOIN airports b ON b.rowid = a.rowid + 1 WHERE (b.ident, b.source) < (a.ident, a.source)"
    )
    let order =
      disorder == [0] ? [] : [error(database.place, "its rows are not in the order of ident and source")]
    let count = try database.connection.numbers("SELECT count(*) FROM airports").first ?? 0
    return wrong + order + (count > 0 ? [] : [error(database.place, "there is no airport in it")])
  }
}

/// Checks that each line of a JSON document is JSON, up to its end, and that each position is on the earth.
struct LinesParse: Rule {
  let name = "lines-parse"
  let protects = "A map draws every airport, airspace and obstacle where it is."

  func check(_ file: LinesUnderTest) throws -> [Finding] {
    let parser = try LineParser()
    var findings: [Finding] = []
    var (count, isEnded) = (0, false)
    try file.forEachLine { line, number in
      let problem: String?
      if isEnded {
        problem = "there is text after the end"
      } else if line == Data("]}".utf8) {
        isEnded = true
        return
      } else {
        count += 1
        problem = try parser.problem(with: line.last == UInt8(ascii: ",") ? line.dropLast() : line)
      }
      if let problem { findings.append(error("\(file.place) line \(number)", problem)) }
    }
    if !isEnded { findings.append(error(file.place, "it is cut short")) }
    if count == 0 { findings.append(error(file.place, "there is nothing in it")) }
    return findings
  }
}

/// Parses lines with SQLite, which is several times as fast as Foundation; there are hundreds of thousands of points.
private struct LineParser {
  private let reader: SQLiteStatement

  init() throws {
    let connection = try SQLiteConnection(":memory:", mode: .create)
    let members = [
      "$.type", "$.properties", "$.geometry.type", "$.geometry.coordinates[0]", "$.geometry.coordinates[1]",
      "$.lon", "$.lat",
    ]
    let paths = members.map { "CASE WHEN json_valid(?1) THEN json_extract(?1, '\($0)') END" }
    reader = try connection.prepare("SELECT json_valid(?1), \(paths.joined(separator: ", "))")
  }

  func problem(with line: Data) throws -> String? {
    try reader.map([.text(String(decoding: line, as: UTF8.self))]) { row -> String? in
      guard row.int(0) == 1 else { return "it is not JSON" }
      guard row.text(1) == "Feature" else {
        return isOnEarth(row, 6) ? nil : "its position is missing, or is not on this earth"
      }
      guard !row.isNull(2), let shape = row.text(3) else { return "it is not a GeoJSON feature" }
      let lies = shape == "Point" ? isOnEarth(row, 4) : isOnEarth(shapeOf: line)
      return lies ? nil : "its coordinates are not on this earth"
    }.first ?? nil
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

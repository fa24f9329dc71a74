internal import Core
internal import Foundation
internal import Pipeline
internal import SQLiteIO

/// The tables and columns of `airports.db` by which RZFlight's library asks.
struct AirportsSchema: DatabaseRule {
  let name = "airports-schema"
  let protects = "The app that reads the airports finds every table and column that it asks for."

  private static let columns: [(table: String, names: String)] = [
    (
      "airports",
      """
      icao_code name type latitude_deg longitude_deg elevation_ft continent iso_country iso_region municipality \
      scheduled_service gps_code iata_code local_code home_link wikipedia_link keywords sources created_at updated_at
      """
    ),
    (
      "runways",
      """
      id airport_icao le_ident he_ident length_ft width_ft surface lighted closed le_latitude_deg le_longitude_deg \
      le_elevation_ft le_heading_degT le_displaced_threshold_ft he_latitude_deg he_longitude_deg he_elevation_ft \
      he_heading_degT he_displaced_threshold_ft
      """
    ),
    (
      "procedures",
      "id airport_icao name procedure_type approach_type runway_ident runway_letter runway_number source authority raw_name"
    ),
    (
      "aip_entries",
      "id airport_icao section field value std_field std_field_id mapping_score alt_field alt_value source source_priority"
    ),
    ("border_crossing_points", "icao_code country_iso airport_name is_airport source matched_airport_icao"),
    ("waypoints", "name latitude_deg longitude_deg point_type fir_codes level_availability source"),
    ("model_metadata", "key value updated_at"), ("sources", "name last_updated record_count"),
  ]

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try AirportsSchema.columns.compactMap { table, names in
      guard database.tables.contains(table) else { return "there is no table `\(table)`" }
      let there = try database.connection.texts("SELECT name FROM pragma_table_info('\(table)')")
      let missing = names.split(separator: " ").filter { !there.contains(String($0)) }
      return missing.isEmpty
        ? nil : "the table `\(table)` has no column \(missing.joined(separator: ", "))"
    }.map { error(database.place, $0) }
  }
}

/// The values of `airports.db` as RZFlight's library reads them: what it would misread is an error.
struct AirportsValues: DatabaseRule {
  let name = "airports-values"
  let protects =
    "No airport lies off the coast of Africa, no runway points north for want of a heading, and no strip of turf passes for asphalt."

  private static let types =
    "'balloonport', 'closed', 'large_airport', 'medium_airport', 'seaplane_base', 'small_airport'"

  /// What to look for, by what names a row, and what is wrong with it.
  private static let questions: [(table: String, named: String, wrong: String, because: String)] = [
    ("airports", "icao_code", "length(icao_code) = 0", "it has no identity"),
    (
      "airports", "icao_code",
      "latitude_deg IS NULL OR longitude_deg IS NULL OR latitude_deg NOT BETWEEN -90 AND 90 OR longitude_deg NOT BETWEEN -180 AND 180",
      "it has no position on this earth"
    ),
    (
      "airports", "icao_code", "abs(latitude_deg) <= 1.5 AND abs(longitude_deg) <= 1.5",
      "it lies in the Gulf of Guinea, where OurAirports puts what is no airport"
    ),
    (
      "aip_entries", "airport_icao",
      "source = 'ourairports' AND (value LIKE '%JET%' OR value LIKE '%AVGAS%' OR value LIKE '%100LL%')",
      "the library takes its text for fuel that is sold, of which OurAirports says nothing"
    ),
    (
      "airports", "icao_code", "coalesce(type, '') NOT IN (\(types))",
      "its type is none that the library knows"
    ),
    (
      "airports", "icao_code", "updated_at NOT GLOB '????-??-??T??:??:??Z'",
      "its date is none that the library reads"
    ),
    (
      "runways", "airport_icao || ' ' || le_ident", "le_heading_degT IS NULL OR he_heading_degT IS NULL",
      "an end without a heading would point north"
    ),
    (
      "runways", "airport_icao || ' ' || le_ident",
      "le_heading_degT NOT BETWEEN 0 AND 360 OR he_heading_degT NOT BETWEEN 0 AND 360",
      "a heading is out of the circle"
    ),
    (
      "runways", "airport_icao || ' ' || le_ident", "surface LIKE '%unpaved%'",
      "the library takes its surface for a hard one"
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
    let findings = try AirportsValues.questions.flatMap { question in
      try database.connection.texts(
        "SELECT \(question.named) FROM \(question.table) WHERE \(question.wrong) ORDER BY 1"
      ).map { error("\(database.place) \(question.table) \($0)", question.because) }
    }
    let count = try database.connection.numbers("SELECT count(*) FROM airports").first ?? 0
    return findings + (count > 0 ? [] : [error(database.place, "there is no airport in it")])
  }
}

/// The rows by which a logbook knows places.
struct IdentifierValues: DatabaseRule {
  let name = "identifier-values"
  let protects =
    "A logbook knows the place that a student types in, and measures the flight from where it lies."

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
      "SELECT count(*) FROM airports a JOIN airports b ON b.rowid = a.rowid + 1 WHERE b.ident < a.ident")
    let told = disorder == [0] ? [] : [error(database.place, "its rows are not in the order of ident")]
    let count = try database.connection.numbers("SELECT count(*) FROM airports").first ?? 0
    return wrong + told + (count > 0 ? [] : [error(database.place, "there is no airport in it")])
  }
}

/// A JSON document line by line: that it is JSON to its end, and that each place of it is on this earth.
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
        problem = "there is something after the end"
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

/// SQLite parses JSON several times as fast as the library's own parser, and there are hundreds of thousands of points.
private struct LineParser {
  private let look: SQLiteStatement

  init() throws {
    let connection = try SQLiteConnection(":memory:", mode: .create)
    let members = [
      "$.type", "$.properties", "$.geometry.type", "$.geometry.coordinates[0]", "$.geometry.coordinates[1]",
      "$.lon", "$.lat",
    ]
    let paths = members.map { "CASE WHEN json_valid(?1) THEN json_extract(?1, '\($0)') END" }
    look = try connection.prepare("SELECT json_valid(?1), \(paths.joined(separator: ", "))")
  }

  func problem(with line: Data) throws -> String? {
    try look.map([.text(String(decoding: line, as: UTF8.self))]) { row -> String? in
      guard row.int(0) == 1 else { return "it is no JSON" }
      guard row.text(1) == "Feature" else {
        return isOnEarth(row, 6) ? nil : "its position is missing, or is not on this earth"
      }
      guard !row.isNull(2), let shape = row.text(3) else { return "it is no GeoJSON feature" }
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

/// A JSON document of one long array that is its last member, one element a line, read line by line: it may be too large to be
/// held.
struct LinesUnderTest {
  /// The path as it was given; every finding's place begins with it.
  let place: String
  private let url: URL
  /// The members before the array that are text.
  let head: [String: String]

  private static let pieceBytes = 1 << 18
  private static let identifiersMark = "{\"format\":\"chartpipe-identifiers-"

  static func isIdentifiers(_ url: URL) -> Bool {
    guard url.pathExtension == "json", let handle = try? FileHandle(forReadingFrom: url) else { return false }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: identifiersMark.utf8.count)) == Data(identifiersMark.utf8)
  }

  init(_ url: URL, place: String) throws {
    self.url = url
    self.place = place
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    let start = try handle.read(upToCount: LinesUnderTest.pieceBytes) ?? Data()
    let line = start.prefix { $0 != UInt8(ascii: "\n") }
    let whole = try JSONSerialization.jsonObject(with: line + Data("]}".utf8)) as? [String: Any] ?? [:]
    head = whole.compactMapValues { $0 as? String }
  }

  /// Gives each line after the first, without its end, and its number from 1.
  func forEachLine(_ each: (Data, Int) throws -> Void) throws {
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    var rest = Data()
    var number = 0
    while let piece = try handle.read(upToCount: LinesUnderTest.pieceBytes), !piece.isEmpty {
      try CancellationToken.current.check()
      rest += piece
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        number += 1
        if number > 1 { try each(rest[rest.startIndex..<end], number) }
        rest = rest[(end + 1)...]
      }
      rest = Data(rest)
    }
    if !rest.isEmpty { try each(rest, number + 1) }
  }
}

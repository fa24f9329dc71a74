internal import Foundation
internal import SQLiteIO

/// Compares each export with the database that it was made from.
struct ExportsAgree: Rule {
  let name = "exports-agree"
  let protects = "Two apps show a pilot the same airport, whichever format each app reads."

  func check(_ cycle: CycleUnderTest) throws -> [Finding] {
    try cycle.pairs.flatMap { export, base in
      try problems(export, base).map { finding(.error, export, $0.place, $0.text) }
    }
  }

  private func problems(_ export: ProductUnderTest, _ base: ProductUnderTest) throws -> [Disagreement] {
    guard let database = base.file(role: "database"), database.exists else { return [] }
    if let file = export.file(role: "database") {
      guard file.exists else { return [] }
      let pair = try DatabasePairing(file, of: database)
      if export.product.format == "openefb" { return try OpenEFBAgreement(pair).problems() }
      guard export.product.format == "identifiers" else { return try AirportsAgreement(pair).problems() }
      let json = export.file(role: "json").flatMap { $0.exists ? $0 : nil }
      return try IdentifiersAgreement(pair: pair, json: json).problems()
    }
    return try export.product.files.flatMap { file -> [Disagreement] in
      guard let url = export.url(of: file), url.exists else { return [] }
      if export.product.format == "vectortiles" {
        return try VectorTilesAgreement(url, of: database).problems()
      }
      return try MapAgreement(layer: file.role, url, of: database).problems()
    }
  }
}

/// A difference between an export and its database.
struct Disagreement {
  let place: String
  let text: String

  init(_ place: String, _ text: String) { (self.place, self.text) = (place, text) }
}

/// A connection to an export, with its database attached as `base`.
struct DatabasePairing {
  let connection: SQLiteConnection

  init(_ export: URL, of database: URL) throws {
    connection = try SQLiteConnection(export.path, mode: .readOnly)
    try connection.prepare("ATTACH DATABASE ? AS base").run([.text(database.path)])
  }

  /// Returns one disagreement for each row of a query. The first column is the place; the others replace each `%` of the text.
  func disagreements(_ table: String, _ sql: String, _ text: String) throws -> [Disagreement] {
    try connection.prepare(sql).map { row in
      var text = text
      for column in 1..<max(row.columnCount, 1) {
        guard let mark = text.firstIndex(of: "%") else { break }
        text.replaceSubrange(mark...mark, with: row.text(column) ?? "nothing")
      }
      return Disagreement("\(table) \(row.text(0) ?? "")", text)
    }
  }
}

extension CycleUnderTest {
  /// Each export with its database, where at least one of them is new.
  var pairs: [(export: ProductUnderTest, base: ProductUnderTest)] {
    let bases = all.filter { $0.product.kind == .database }
    return all.filter { $0.product.kind == .export }.compactMap { export in
      guard let base = bases.first(where: { $0.pipeline == export.pipeline }) else { return nil }
      let isNew = products.contains { $0 === export || $0 === base }
      return isNew ? (export, base) : nil
    }
  }
}

extension ProductUnderTest {
  /// `nasr` of `nasr/aviation`.
  var pipeline: Substring { product.id.prefix { $0 != "/" } }
}

extension URL {
  fileprivate var exists: Bool { FileManager.default.fileExists(atPath: path) }
}

/// Compares `airports.db` with the database, in everything that both contain.
struct AirportsAgreement {
  private let pair: DatabasePairing

  init(_ pair: DatabasePairing) { self.pair = pair }

  func problems() throws -> [Disagreement] {
    try AirportsAgreement.checks.flatMap { try pair.disagreements($0.table, $0.sql, $0.text) }
      + frequencies()
  }

  private typealias Check = (table: String, sql: String, text: String)

  /// The export has neither heliports nor helipads.
  private static let isLand = "type NOT IN ('heliport', 'vertiport')"
  private static let isRunway = """
    NOT (reciprocalEndID IS NULL AND substr(baseEndID, 1, 1) = 'H' AND ltrim(substr(baseEndID, 2), '0123456789') = '')
    """
  private static let ownRunways = """
    base.runways JOIN base.airports ON icao = airport
    WHERE \(isLand) AND \(isRunway) AND icao IN (SELECT icao_code FROM airports)
    """

  private static let checks: [Check] = airports + both(runways) + both(ends) + [waypoints]

  private static let airports: [Check] = [
    (
      "airports",
      """
      SELECT icao FROM base.airports WHERE \(isLand) AND icao NOT IN (SELECT icao_code FROM airports)
        AND NOT EXISTS (SELECT 1 FROM model_metadata WHERE key = 'selection') ORDER BY 1
      """,
      "it is in the database, and missing here"
    ),
    (
      "airports",
      """
      SELECT icao_code FROM airports
      WHERE sources LIKE 'faa_nasr%' AND icao_code NOT IN (SELECT icao FROM base.airports) ORDER BY 1
      """, "it is not in the database"
    ),
    (
      "airports",
      """
      SELECT icao_code, latitude_deg, longitude_deg, latitude, longitude FROM airports JOIN base.airports ON icao = icao_code
      WHERE NOT (abs(latitude_deg - latitude) <= 0.000001 AND abs(longitude_deg - longitude) <= 0.000001) ORDER BY 1
      """, "it lies at %, %, and in the database at %, %"
    ),
    (
      "airports",
      """
      SELECT icao_code, elevation_ft, elevation FROM airports JOIN base.airports ON icao = icao_code
      WHERE elevation IS NOT NULL AND elevation_ft IS NOT elevation ORDER BY 1
      """, "elevation_ft is %, and in the database %"
    ),
    (
      "airports",
      """
      SELECT icao_code, local_code, airports.name, faaID, b.name FROM airports JOIN base.airports b ON icao = icao_code
      WHERE local_code IS NOT faaID OR airports.name IS NOT b.name ORDER BY 1
      """, "it is % %, and in the database % %"
    ),
  ]

  /// Queries for the same rows of both, with the same columns: a name first.
  private static let runways = (
    here: """
    SELECT airport_icao || ' ' || min(le_ident, he_ident) || '/' || max(le_ident, he_ident),
      'length ' || coalesce(CAST(length_ft AS INTEGER), '') || ' width ' || coalesce(CAST(width_ft AS INTEGER), '')
    FROM runways WHERE airport_icao IN (SELECT icao FROM base.airports)
    """,
    there: """
    SELECT airport || ' ' || min(baseEndID, coalesce(reciprocalEndID, '')) || '/'
      || max(baseEndID, coalesce(reciprocalEndID, '')),
      'length ' || coalesce(length, '') || ' width ' || coalesce(width, '') FROM \(ownRunways)
    """
  )

  private static let ends = (
    here: ["le", "he"].map {
      """
      SELECT airport_icao || ' ' || \($0)_ident, coalesce(\($0)_latitude_deg, '') || ', '
        || coalesce(\($0)_longitude_deg, '') || ', ' || coalesce(\($0)_elevation_ft, '') || ' feet, displaced '
        || coalesce(CAST(\($0)_displaced_threshold_ft AS INTEGER), '')
      FROM runways WHERE \($0)_ident <> '' AND airport_icao IN (SELECT icao FROM base.airports)
      """
    }.joined(separator: " UNION ALL "),
    there: ["baseEnd", "reciprocalEnd"].map {
      """
      SELECT airport || ' ' || \($0)ID, coalesce(\($0)Latitude, '') || ', ' || coalesce(\($0)Longitude, '') || ', '
        || coalesce(\($0)Elevation, '') || ' feet, displaced ' || coalesce(\($0)DisplacedThreshold, '')
      FROM \(ownRunways) AND \($0)ID IS NOT NULL
      """
    }.joined(separator: " UNION ALL ")
  )

  private static func both(_ rows: (here: String, there: String)) -> [Check] {
    [
      (
        "runways", "SELECT * FROM (\(rows.here)) EXCEPT SELECT * FROM (\(rows.there)) ORDER BY 1",
        "the database has no such row: %"
      ),
      (
        "runways", "SELECT * FROM (\(rows.there)) EXCEPT SELECT * FROM (\(rows.here)) ORDER BY 1",
        "it differs from the database, or is missing: %"
      ),
    ]
  }

  private static let waypoints: Check = (
    "waypoints",
    """
    SELECT name FROM waypoints w WHERE source = 'faa_nasr' AND NOT EXISTS (
      SELECT 1 FROM base.fixes f WHERE f.identifier = w.name AND abs(f.latitude - latitude_deg) <= 0.000001
        AND abs(f.longitude - longitude_deg) <= 0.000001
    ) AND NOT EXISTS (
      SELECT 1 FROM base.navaids n WHERE n.identifier = w.name AND abs(n.latitude - latitude_deg) <= 0.000001
        AND abs(n.longitude - longitude_deg) <= 0.000001
    ) ORDER BY 1
    """, "the database has no point of this name there"
  )

  /// Each line about air traffic services ends in a frequency: `TOWER PALO ALTO 118.6; GROUND ...`.
  private func frequencies() throws -> [Disagreement] {
    let own = try pair.connection.prepare("SELECT frequency FROM base.frequencies WHERE airport = ?")
    return try pair.connection.prepare(
      "SELECT airport_icao, value FROM aip_entries WHERE std_field_id = 307 AND source = 'faa_nasr' ORDER BY airport_icao"
    ).map { row -> [Disagreement] in
      let airport = row.text(0) ?? ""
      let known = Set(try own.map([.text(airport)]) { $0.double(0) })
      let listed = (row.text(1) ?? "").split(separator: ";").compactMap { line in
        line.split(separator: " ").last.flatMap { Double($0) }
      }
      return listed.filter { !known.contains($0) }.map {
        Disagreement("aip_entries \(airport)", "the database has no frequency \($0) for it")
      }
    }.flatMap(\.self)
  }
}

/// Compares the table of identifiers with the database, and with its JSON form.
struct IdentifiersAgreement {
  let pair: DatabasePairing
  let json: URL?

  /// The export rounds positions to a hundred-thousandth of a degree.
  private static let missing = """
    SELECT icao FROM base.airports b WHERE NOT EXISTS (
      SELECT 1 FROM airports a WHERE a.ident = b.faaID AND a.name = b.name AND a.type = b.type AND a.source = 'faa_nasr'
        AND a.icao IS CASE WHEN length(b.icao) = 4 AND b.icao NOT GLOB '*[^A-Za-z]*' THEN b.icao END
        AND abs(a.lat - b.latitude) <= 0.000006 AND abs(a.lon - b.longitude) <= 0.000006) ORDER BY 1
    """

  func problems() throws -> [Disagreement] {
    let text = "it is missing here, or has another name or position"
    return try pair.disagreements("airports", IdentifiersAgreement.missing, text) + lines()
  }

  /// Compares row by row: both have the same order.
  private func lines() throws -> [Disagreement] {
    guard let json else { return [] }
    let columns = ["ident", "icao", "name", "lat", "lon", "country", "type", "source"]
    let rows = try pair.connection.prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM airports ORDER BY rowid")
    return try LineComparison(columns.map { "$." + $0 }).disagreements(json, with: rows) {
      "\(json.lastPathComponent) \($0.text(0) ?? "")"
    }
  }
}

/// Compares a GeoJSON layer with its table, feature by feature.
struct MapAgreement {
  private let file: URL
  private let layer: String
  private let connection: SQLiteConnection

  init(layer: String, _ file: URL, of database: URL) throws {
    (self.layer, self.file) = (layer, file)
    connection = try SQLiteConnection(database.path, mode: .readOnly)
  }

  /// For each layer the column that names a feature, and those that are no properties.
  private static let layers: [String: (name: String, without: Set<String>)] = [
    "airports": ("icao", ["id", "latitude", "longitude", "siteNumber", "siteType", "effectiveDate"]),
    "airspaces": ("name", ["id", "geometry", "south", "north", "west", "east"]),
    "obstacles": ("oas", ["id", "latitude", "longitude"]),
  ]
  private static let lists: Set<String> = ["fuelTypes", "times"]

  func problems() throws -> [Disagreement] {
    guard let (name, without) = MapAgreement.layers[layer] else { return [] }
    let all = try connection.texts("SELECT name FROM pragma_table_info('\(layer)')")
    let columns = [name] + all.filter { !without.contains($0) && $0 != name }
    let values = columns.map { MapAgreement.lists.contains($0) ? "json(\"\($0)\")" : "\"\($0)\"" }
    let isShape = layer == "airspaces"
    let place = isShape ? ["json(geometry)"] : ["longitude", "latitude"]
    let placePaths = isShape ? ["$.geometry"] : ["$.geometry.coordinates[0]", "$.geometry.coordinates[1]"]
    let rows = try connection.prepare(
      "SELECT \((values + place).joined(separator: ", ")) FROM \(layer) WHERE \(place[0]) IS NOT NULL ORDER BY rowid"
    )
    return try LineComparison(columns.map { "$.properties." + $0 } + placePaths)
      .disagreements(file, with: rows) { "\(file.lastPathComponent) \($0.text(0) ?? "")" }
  }
}

/// Compares a JSON document of one element a line with the rows that it was made from, in their order.
struct LineComparison {
  private let reader: SQLiteStatement
  private let paths: [String]

  /// - Parameter paths: the JSON paths of the rows' columns in a line, such as `$.properties.icao`.
  init(_ paths: [String]) throws {
    self.paths = paths
    let members = paths.map { "CASE WHEN json_valid(?1) THEN json_extract(?1, '\($0)') END" }
    reader = try SQLiteConnection(":memory:", mode: .create).prepare(
      "SELECT json_valid(?1), \(members.joined(separator: ", "))")
  }

  func disagreements(
    _ file: URL, with rows: SQLiteStatement, place: (SQLiteRow) -> String
  ) throws -> [Disagreement] {
    var found: [Disagreement] = []
    var missing = 0
    try LinesUnderTest(file, place: "").forEachLine { line, number in
      guard line != Data("]}".utf8) else { return }
      guard let row = try rows.next() else {
        missing += 1
        return
      }
      if let path = try difference(line, row) {
        found.append(
          Disagreement(place(row), "\(path.dropFirst(2)) is not as in the database (line \(number))"))
      }
    }
    var left = 0
    while try rows.next() != nil { left += 1 }
    if missing > 0 {
      found.append(Disagreement(file.lastPathComponent, "\(missing) of its lines are not in the database"))
    }
    if left > 0 {
      found.append(Disagreement(file.lastPathComponent, "\(left) rows of the database are missing"))
    }
    return found
  }

  /// Returns the first path with another value than the row's. Another rule reports a line that is not JSON.
  private func difference(_ line: Data, _ row: SQLiteRow) throws -> String? {
    let bare = line.last == UInt8(ascii: ",") ? line.dropLast() : line
    return try reader.map([.text(String(decoding: bare, as: UTF8.self))]) { line -> String? in
      guard line.int(0) == 1 else { return nil }
      return paths.indices.first { line.value($0 + 1) != row.value($0) }.map { paths[$0] }
    }.first ?? nil
  }
}

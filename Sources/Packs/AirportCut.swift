internal import ChartpipeClient
internal import Core
internal import Foundation
internal import SQLiteIO

/// The airports of an area, in a database with the same schema as `aviation.sqlite`.
struct AirportCut {
  /// The tables with an airport's data, and the column that refers to the airport.
  private static let tables = [("runways", "airport"), ("frequencies", "airport")]

  private let source: SQLiteConnection
  /// Their `id` and their `icao`, in the order of importance.
  let airports: [(id: Int, icao: String)]

  init(_ database: URL, _ area: FlightArea) throws {
    source = try SQLiteConnection(database.path, mode: .readOnly)
    airports = try source.prepare("SELECT id, icao, latitude, longitude FROM airports ORDER BY id").map {
      (
        id: $0.int(0), icao: $0.text(1) ?? "",
        place: GeoPoint(latitude: $0.double(2), longitude: $0.double(3))
      )
    }.filter { area.contains($0.place) }.map { ($0.id, $0.icao) }
  }

  /// Writes a new file.
  func write(to file: URL, name: String) throws {
    let target = try SQLiteConnection(file.path, mode: .create)
    try target.execute(
      """
      PRAGMA page_size = 4096; PRAGMA encoding = 'UTF-8'; PRAGMA auto_vacuum = NONE; PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA secure_delete = OFF;
      """)
    for setting in ["user_version", "application_id"] {
      let value = try source.prepare("PRAGMA \(setting)").map { $0.int(0) }.first ?? 0
      try target.execute("PRAGMA \(setting) = \(value)")
    }
    try target.execute("BEGIN")
    for table in ["metadata", "airports"] + AirportCut.tables.map(\.0) + ["airports_rtree", "airports_fts"] {
      try create(table, in: target)
    }
    try copyMetadata(to: target, name: name)
    try copy("airports", where: "id = ?", airports.map { .integer($0.id) }, to: target)
    for (table, column) in AirportCut.tables {
      try copy(table, where: "\(column) = ?", airports.map { .text($0.icao) }, to: target)
    }
    if try exists("airports_rtree") {
      try target.execute(
        "INSERT INTO airports_rtree SELECT id, latitude, latitude, longitude, longitude FROM airports ORDER BY id"
      )
    }
    if try exists("airports_fts") {
      try target.execute("INSERT INTO airports_fts(airports_fts) VALUES ('rebuild')")
    }
    try target.execute("COMMIT")
    try target.closeReproducibly()
  }

  private func exists(_ table: String) throws -> Bool { try !statements(of: table).isEmpty }

  /// The SQL that creates a table and its indexes, from the source's schema.
  private func statements(of table: String) throws -> [String] {
    try source.prepare(
      """
      SELECT sql FROM sqlite_schema WHERE tbl_name = ?1 AND type IN ('table', 'index') AND sql LIKE 'CREATE %'
      ORDER BY type DESC, name
      """
    ).map([.text(table)]) { $0.text(0) ?? "" }
  }

  private func create(_ table: String, in target: SQLiteConnection) throws {
    for statement in try statements(of: table) { try target.prepare(statement).run() }
  }

  private func copyMetadata(to target: SQLiteConnection, name: String) throws {
    guard try exists("metadata") else { return }
    let rows = try source.prepare("SELECT * FROM metadata").map {
      ($0.text(0) ?? "", $0.text(1) ?? "")
    }.filter { !$0.0.hasPrefix("counts.") && !$0.0.hasPrefix("corrections.") }
    let insertion = try target.prepare("INSERT INTO metadata VALUES (?, ?)")
    for (key, value) in (rows + [("pack", name)]).sorted(by: { $0.0 < $1.0 }) {
      try insertion.run([.text(key), .text(value)])
    }
  }

  private func copy(
    _ table: String, where condition: String, _ keys: [SQLiteValue], to target: SQLiteConnection
  ) throws {
    guard try exists(table) else { return }
    let columns = try source.prepare("SELECT count(*) FROM pragma_table_info(?)").map([.text(table)]) {
      $0.int(0)
    }
    let marks = [String](repeating: "?", count: columns.first ?? 0).joined(separator: ", ")
    let insertion = try target.prepare("INSERT INTO \(table) VALUES (\(marks))")
    let selection = try source.prepare("SELECT * FROM \(table) WHERE \(condition)")
    for key in keys {
      let rows = try selection.map([key]) { row in (0..<row.columnCount).map(row.value) }
      for row in rows { try insertion.run(row) }
    }
  }
}

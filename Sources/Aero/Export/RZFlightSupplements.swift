internal import Core
internal import Foundation
internal import SQLiteIO

/// A table of `airports.db` to which supplements add rows. They wait in the temporary table `added` while SQL checks them.
struct SupplementedTable {
  let schema: TableSchema
  /// The name of the count of its rows.
  let count: String
  /// The columns without which a row cannot be used. The first one has the airport.
  let required: [String]
  /// The columns that distinguish its rows.
  let key: String
  /// The values that the library knows, by the column.
  let known: [String: String]
  /// The columns in which a row repeats one of the FAA, and where the FAA's are.
  let faa: (columns: String, from: String)
  /// Completes the rows before the checks.
  let completion: String

  /// The columns that a supplement fills.
  fileprivate var columns: [TableSchema.Column] {
    schema.columns.filter { !["id", "source", "created_at", "updated_at"].contains($0.name) }
  }

  static func all(_ schema: RZFlightSchema) -> [SupplementedTable] {
    let own = "WHERE source = '\(ExportSource.faa)'"
    let numbers = [201...208, 301...312, 401...407, 501...507].joined().map(String.init)
    return [
      SupplementedTable(
        schema: schema.procedures.schema, count: "procedures",
        required: ["airport_icao", "name", "procedure_type"], key: "airport_icao, procedure_type, name",
        known: [
          "procedure_type": "IN ('approach', 'departure', 'arrival')",
          "approach_type": "IN ('ILS', 'RNP', 'RNAV', 'VOR', 'NDB', 'LOC', 'LDA', 'SDF')",
          "runway_number": "BETWEEN '01' AND '36'", "runway_letter": "IN ('L', 'C', 'R')",
        ],
        faa: ("airport_icao, procedure_type, approach_type, runway_ident", "procedures \(own)"),
        // The library joins the number and the letter of a runway. Some rows have the letter in both.
        completion: """
          UPDATE added SET runway_ident = coalesce(runway_ident, rtrim(runway_number, 'LCR') || coalesce(runway_letter, ''));
          UPDATE added SET runway_number = substr(runway_ident, 1, 2), runway_letter = nullif(substr(runway_ident, 3), '')
          """),
      SupplementedTable(
        schema: schema.entries.schema, count: "entries",
        required: ["airport_icao", "section", "field", "value"], key: "airport_icao, section, field",
        known: [
          "section": "IN ('admin', 'operational', 'handling', 'passenger')",
          "std_field_id": "IN (\(numbers.joined(separator: ", ")))",
        ],
        faa: ("airport_icao, std_field_id", "aip_entries \(own)"),
        completion: "UPDATE added SET source_priority = coalesce(source_priority, 0)"),
      SupplementedTable(
        schema: schema.crossings.schema, count: "crossings",
        required: ["icao_code", "country_iso", "airport_name"], key: "icao_code",
        known: ["country_iso": "IN (SELECT iso_country FROM airports)", "is_airport": "IN (0, 1)"],
        // The FAA states for each of its airports whether one may enter there.
        faa: ("icao_code", "airports WHERE \(RZFlightSchema.isOwn)"),
        completion: """
          UPDATE added SET icao_code = matched_airport_icao
            WHERE matched_airport_icao IN (SELECT icao_code FROM airports);
          UPDATE added SET matched_airport_icao = icao_code, match_score = 1
          """),
    ]
  }

  /// Calls a closure for each condition in SQL under which a row or the value of a column is left out, in the order of the checks.
  fileprivate func forEachCheck(
    _ each: (_ kind: RecordProblem.Kind, _ column: String, _ fault: String, _ reason: String) throws -> Void
  ) rethrows {
    let airport = required[0]
    for column in required { try each(.rowDropped, column, "\(column) IS NULL", "it is empty") }
    try each(
      .rowDropped, airport, "\(airport) NOT IN (SELECT icao_code FROM airports)",
      "the export has no such airport")
    for column in columns where !column.type.hasPrefix("TEXT") {
      try each(
        .fieldDropped, column.name, "typeof(\(column.name)) = 'text' OR abs(\(column.name)) > 1e300",
        "it is no number")
    }
    for (column, words) in known.sorted(by: { $0.key < $1.key }) {
      let kind = required.contains(column) ? RecordProblem.Kind.rowDropped : .fieldDropped
      try each(kind, column, "\(column) NOT \(words)", "it is no value that the library knows")
    }
    try each(
      .rowRepeated, airport, "(\(faa.columns)) IN (SELECT \(faa.columns) FROM \(faa.from))",
      "the FAA's row counts")
    try each(
      .rowRepeated, airport,
      """
      (\(key)) IN (SELECT \(key) FROM \(schema.name) WHERE source <> '\(ExportSource.ourAirports)')
        OR rowid NOT IN (SELECT min(rowid) FROM added GROUP BY \(key))
      """, "an earlier row has the same name")
  }
}

extension ExportSource {
  /// Adds the rows of the supplements to a file with its airports, and counts them. Returns the number of rows of each supplement.
  ///
  /// A row that repeats one of the FAA, of an earlier supplement or of its own is left out, and so is one that cannot be used. The
  /// problems list them.
  func addSupplements(to writer: DatabaseWriter, _ schema: RZFlightSchema) throws -> [Int] {
    let tables = SupplementedTable.all(schema)
    return try zip(definition.supplements ?? [], supplements).map { supplement, file in
      let name = file?.name ?? supplement.table?.file ?? ""
      let origin = TableSource(
        operation: "reading a supplement", path: file?.url.path ?? name,
        remedy: "Give a database in RZFlight's schema, or tables of it as CSV in a zip or a folder.")
      let rows = try reader(of: supplement, file, origin)
      let added = try tables.compactMap { table -> Int? in
        let label = "\(name)/\(table.schema.name)"
        return try rows(table, label).map {
          try add($0, to: table, label, of: supplement.name, schema.stamp, writer)
        }
      }
      guard !added.isEmpty else {
        throw origin.error("it has none of the tables \(tables.map(\.schema.name).joined(separator: ", "))")
      }
      return added.reduce(0, +)
    }
  }

  /// Returns the number of rows that are added.
  private func add(
    _ rows: [[SQLiteValue]], to table: SupplementedTable, _ file: String, of source: String, _ stamp: String,
    _ writer: DatabaseWriter
  ) throws -> Int {
    problems.read(rows: rows.count, of: file)
    let columns = table.columns.map { "\($0.name) \($0.type.prefix { $0 != " " })" }
    try writer.makeTemporary("added", ["part", "line"] + columns, rows) { $0 }
    try writer.execute(table.completion)
    try table.forEachCheck { kind, column, fault, reason in
      _ = try writer.rows("SELECT part, line, \(column) FROM added WHERE \(fault) ORDER BY rowid") { row in
        problems.record(
          kind, file: file, part: row.text(0) ?? "", line: row.int(1), column: column,
          value: row.text(2) ?? "", reason: reason)
      }
      let change = kind == .fieldDropped ? "UPDATE added SET \(column) = NULL" : "DELETE FROM added"
      try writer.execute("\(change) WHERE \(fault)")
    }
    let number = try writer.rows("SELECT count(*) FROM added") { $0.int(0) }[0]
    let names = table.columns.map(\.name).joined(separator: ", ")
    try writer.execute(
      """
      INSERT INTO \(table.schema.name) (\(names), source, created_at, updated_at)
        SELECT \(names), '\(source.replacing("'", with: "''"))', '\(stamp)', '\(stamp)' FROM added;
      DROP TABLE added
      """)
    count(number, of: table.count)
    return number
  }

  /// Returns a closure that reads the rows of a table as texts, each with its place for problems; nil if there is no such table.
  private func reader(
    of supplement: ExportDefinition.Supplement, _ file: SourceFile?, _ origin: TableSource
  ) throws -> (SupplementedTable, _ label: String) throws -> [[SQLiteValue]]? {
    if let file, try file.isDatabase {
      return { table, _ in
        try explaining({
          origin.error("its table \(table.schema.name) cannot be read: \($0)", causes: [$0])
        }) { try table.rows(in: SQLiteConnection(file.url.path, mode: .foreign)) }
      }
    }
    let adjacent = supplement.table.map { table in [table.file: { [UInt8](table.content.utf8) }] }
    let csv =
      try file.map { try TableFiles($0, origin, problems) } ?? TableFiles(adjacent ?? [:], origin, problems)
    return { table, label in
      let (name, wanted) = (table.schema.name + ".csv", table.wanted)
      guard csv.has(name) else { return nil }
      var rows: [[SQLiteValue]] = []
      try csv.scan(name, wanted, as: label) { row in
        rows.append([.null, .integer(row.line)] + wanted.map { SQLiteValue(row.text($0.name)) })
      }
      return rows
    }
  }
}

extension SupplementedTable {
  fileprivate var wanted: [WantedColumn] {
    columns.map { WantedColumn(name: $0.name.uppercased(), mayLack: !required.contains($0.name)) }
  }

  /// The rows of the table in a database, as texts; nil if there is no such table.
  fileprivate func rows(in database: SQLiteConnection) throws -> [[SQLiteValue]]? {
    guard try database.hasTable(schema.name) else { return nil }
    let there = try database.columns(of: schema.name)
    let texts = columns.map(\.name).map { name in
      there.contains(name) || required.contains(name) ? "nullif(trim(CAST(\(name) AS TEXT)), '')" : "NULL"
    }
    return try database.prepare(
      "SELECT 'row ' || rowid, 0, \(texts.joined(separator: ", ")) FROM \(schema.name) ORDER BY rowid"
    ).map { row in (0..<row.columnCount).map(row.value) }
  }
}

extension SourceFile {
  /// Whether it is a database of SQLite.
  fileprivate var isDatabase: Bool {
    get throws {
      try !isFolder && FileHandle(forReadingFrom: url).read(upToCount: 16) == Data("SQLite format 3\0".utf8)
    }
  }
}

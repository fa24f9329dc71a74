internal import Core
internal import Foundation
internal import SQLiteIO

/// The inputs of an export, and what is counted while it is written.
final class ExportSource {
  let definition: ExportDefinition
  /// The description of the database.
  let base: Product
  let file: URL
  let database: SQLiteConnection
  let world: TableFiles?
  let terrain: Terrain?
  /// The files of the definition's supplements; nil for a table beside the definition.
  let supplements: [SourceFile?]
  /// The ground in a polygon of airspace, as an export has it that is compared; nil while an export is made.
  var madeGround: ((_ polygon: NamedRow) throws -> Ground?)?
  /// Records problems of OurAirports' data, and values that the format cannot express.
  let problems = ProblemLog()
  let jobs: Int
  let advanced: (_ done: Int, _ total: Int) -> Void
  /// What is counted besides the rows of the tables.
  private(set) var counts: [String: Int] = [:]
  private var rowsRead: [String: Int] = [:]

  init(
    _ definition: ExportDefinition, of base: Product, in file: URL, world: SourceFile? = nil,
    terrain: SourceFile? = nil, supplements: [SourceFile?] = [], jobs: Int = 1,
    advanced: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws {
    (self.definition, self.base, self.file, self.jobs, self.advanced) = (
      definition, base, file, jobs, advanced
    )
    self.supplements = supplements
    database = try SQLiteConnection(file.path, mode: .readOnly)
    try database.addTitleCase()
    self.world = try world.map { [problems] in try TableFiles(ofOurAirports: $0, problems) }
    self.terrain = try terrain.map { try Terrain($0.url) }
  }

  /// A finished database whose export is compared with it.
  convenience init(comparing file: URL, of base: Product, with format: ExportDefinition.Format) throws {
    try self.init(ExportDefinition(id: "", format: format, title: ""), of: base, in: file)
  }

  /// The values of the columns that say which of the two sources a row is from.
  static let faa = "faa_nasr"
  static let ourAirports = "ourairports"

  /// The cycle and its dates, which each file contains.
  var metadata: [(String, String)] {
    [
      ("cycle", base.cycle.identifier), ("effective", base.effectiveDate.description),
      ("expires", base.expirationDate.description),
    ]
  }

  /// The airports of both sources.
  func airports() throws -> AirportUnion {
    AirportUnion(try DatabaseAirport.all(in: database), try world?.airports() ?? [])
  }

  func count(_ number: Int = 1, of name: String) { counts[name, default: 0] += number }

  /// Passes the rows of a query to a closure, and counts them as rows of the table.
  ///
  /// A row that the format cannot express, for which the closure throws `UnusableRow`, is dropped and recorded.
  ///
  /// - Parameter name: The name of a row for display, unique in its table: `KPAO 13/31`.
  func forEachRow(
    of table: String, _ query: SQLiteStatement, _ values: [SQLiteValue] = [],
    named name: (NamedRow) -> String, _ each: (NamedRow) throws -> Void
  ) throws {
    try query.forEachNamed(values) { row in
      rowsRead[table, default: 0] += 1
      do {
        try each(row)
      } catch let omission as UnusableRow {
        problems.recordDropped(name(row), of: table, omission)
      }
    }
    problems.read(rows: rowsRead[table] ?? 0, of: table)
  }
}

/// The files of an export.
struct ExportContents {
  typealias File = (name: String, mediaType: String, role: Product.Role)

  static func database(_ name: String) -> File { (name, "application/vnd.sqlite3", .database) }

  var files: [File]
  var counts: [String: Int]
  /// The box around the contents, where it is not that of the database.
  var box: GeoBox?
  /// Nil for a format without tiles.
  var zooms: ClosedRange<Int>?
  /// The counts that are totals of the problem report. Without any the export has no report.
  var problemTotals: [String: RecordProblem.Kind] = [:]
}

/// A table of an export with its rows. The writer puts them into a file; the rule `exports-agree` compares a file with them.
struct ExportTable {
  let schema: TableSchema
  /// An SQL condition: which rows of a file come from the database.
  var condition = "1"
  /// Columns whose values come from tables of the file that have been written: an SQL expression for each, over the row `w`.
  var joined: [String: String] = [:]
  let forEachRow: (_ row: ([SQLiteValue]) throws -> Void) throws -> Void
}

extension RecordTable {
  /// The table with a row for each record.
  func rows(
    where condition: String = "1", _ forEach: @escaping (_ record: (Record) throws -> Void) throws -> Void
  ) -> ExportTable {
    ExportTable(schema: schema, condition: condition) { row in try forEach { try row(values($0)) } }
  }
}

extension SQLiteConnection {
  /// The names of a table's columns; none if there is no such table.
  func columns(of table: String) throws -> [String] {
    try prepare("SELECT name FROM pragma_table_info(?)").map([.text(table)]) { $0.text(0) ?? "" }
  }

  func hasTable(_ name: String) throws -> Bool {
    try !prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").map([.text(name)]) { _ in
      true
    }
    .isEmpty
  }
}

extension DatabaseWriter {
  /// Adds the rows of an export's table. Returns how many there are.
  func fill(_ table: ExportTable) throws -> Int {
    var count = 0
    if table.joined.isEmpty {
      try insert(table.schema) { insert in
        try table.forEachRow {
          try insert.run($0)
          count += 1
        }
      }
    } else {
      var rows: [[SQLiteValue]] = []
      try table.forEachRow { rows.append($0) }
      count = rows.count
      try execute(table.schema.waitingSQL)
      try run(table.schema.insertion(into: table.schema.waitingName), rows) { $0 }
      try copyWaiting(table.schema, table.joined, "ORDER BY w.rowid")
    }
    return count
  }
}

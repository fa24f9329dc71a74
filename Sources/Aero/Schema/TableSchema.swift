internal import SQLiteIO

/// One table of a database: its SQL and its documentation.
///
/// SQLite keeps the comments in the file, so `.schema` explains each column. The pages of documentation are made from the same
/// comments.
public struct TableSchema: Sendable {
  public struct Column: Sendable {
    public let name: String
    /// SQLite's type and constraints: `TEXT NOT NULL REFERENCES airports(icao)`.
    public let type: String
    /// Nil if the name is enough.
    let comment: String?
    /// Where its values come from.
    public let origin: Origin
    /// The words for the known codes; empty if any text is possible. An unknown code is kept in lower case.
    public let words: Set<String>
    /// Of an export's column: an SQL condition under which the file, `here`, may have another value than the database gives, `there`.
    var mayDiffer = "0"

    init(
      _ name: String, _ type: String, _ comment: String? = nil, origin: Origin = .made,
      words: Set<String> = []
    ) {
      self.name = name
      self.type = type
      self.comment = comment
      self.origin = origin
      self.words = words.isEmpty ? origin.words : words
    }

    /// The FAA's columns that it comes from; nil if it comes from something else.
    var source: String? { origin.text }
  }

  /// The boxes of an R-tree over the table.
  public enum Extent: Sendable {
    /// `latitude` and `longitude`; rows without a position are left out.
    case point
    /// `south`, `north`, `west` and `east`.
    case box
  }

  /// The columns of a full-text index, with the weight of a match in each.
  public typealias Search = [(column: String, weight: Double)]

  public let name: String
  let comment: String
  public var columns: [Column]
  /// The FAA's table that it comes from; nil if it comes from several or none.
  public var source: String?
  /// `PRIMARY KEY (airport, id)`
  public var constraints: [String] = []
  /// Whether the table is stored by its primary key (`WITHOUT ROWID`).
  public var isKeyed = false
  /// Whether its rows are collected in a temporary table first; see `DatabaseWriter.stage`.
  let isStaged: Bool
  /// Whether its rows wait in a temporary table for values of tables that are read later; see `DatabaseWriter.copyWaiting`.
  var waits = false
  var indexes: [[String]] = []
  public var extent: Extent?
  public var search: Search = []
  /// Of an export's table: the columns that name a row, the first of them in findings too.
  var key: [String] = []

  init(
    _ name: String, _ comment: String, _ columns: [Column], source: String? = nil, constraints: [String] = [],
    isKeyed: Bool = false, isStaged: Bool = false, indexes: [[String]] = [], extent: Extent? = nil,
    search: Search = []
  ) {
    self.name = name
    self.comment = comment
    self.columns = columns
    self.source = source
    self.constraints = constraints
    self.isKeyed = isKeyed
    self.isStaged = isKeyed || isStaged
    self.indexes = indexes
    self.extent = extent
    self.search = search
  }

  /// The column that is SQLite's rowid. R-trees and text indexes refer to rows by it.
  var rowKey: String { columns.first { $0.type.hasPrefix("INTEGER PRIMARY KEY") }?.name ?? "rowid" }

  var sql: String { sql(naming: name) }

  /// The table of rows that wait for values of other tables; see `DatabaseWriter.copyWaiting`.
  var waitingName: String { "temp.\(name)_waiting" }

  /// The statement that makes that table, without constraints, since its rows lack values.
  var waitingSQL: String {
    let all = columns.map { "\($0.name) \($0.type.prefix { $0 != " " })" }
    return "CREATE TABLE IF NOT EXISTS \(waitingName) (\(all.joined(separator: ", ")))"
  }

  /// The table that rows of a staged table go to first; see `DatabaseWriter.stage`.
  var stagingName: String { "temp.\(name)_staged" }

  /// The statement that makes a table with these columns under another name.
  func sql(naming name: String) -> String {
    let lines = columns.map { ("\($0.name) \($0.type)", $0.comment) } + constraints.map { ($0, nil) }
    let body = lines.indices.map { index in
      let (definition, comment) = lines[index]
      let comma = index == lines.count - 1 ? "" : ","
      return "  \(definition)\(comma)" + (comment.map { "  -- \($0)" } ?? "")
    }
    return "CREATE TABLE \(name) (  -- \(comment)\n" + body.joined(separator: "\n") + "\n)"
      + (isKeyed ? " WITHOUT ROWID" : "")
  }

  var insertion: String { insertion(into: target) }

  func insertion(into target: String) -> String {
    let names = columns.map(\.name).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(target) (\(names)) VALUES (\(marks))"
  }

  /// The table that rows are inserted into; see `DatabaseWriter.stage`.
  var target: String { isStaged ? stagingName : name }
}

/// A kind of database file: its header, its tables, and the statements that finish it.
public struct DatabaseForm: Sendable {
  /// The number in the file's header.
  public let applicationID: Int
  /// The version of the schema: the file's `user_version`.
  public let version: Int
  public let tables: [TableSchema]
  let finishing: [String]
}

/// A value that a record has for a column.
protocol ColumnValue: SendableMetatype { var stored: SQLiteValue { get } }

extension SQLiteValue: ColumnValue { var stored: SQLiteValue { self } }
extension Int: ColumnValue { var stored: SQLiteValue { .integer(self) } }
extension Double: ColumnValue { var stored: SQLiteValue { .real(self) } }
extension String: ColumnValue { var stored: SQLiteValue { .text(self) } }
extension Bool: ColumnValue { var stored: SQLiteValue { .integer(self ? 1 : 0) } }
extension Optional: ColumnValue where Wrapped: ColumnValue {
  var stored: SQLiteValue { map(\.stored) ?? .null }
}

/// A table whose rows are made of records: a list of columns, each with the value for a record.
///
/// The table's SQL, its documentation and its rows follow from the list; of a table of an export also the comparison with the database.
struct RecordTable<Record>: Sendable {
  struct Field: Sendable {
    let column: TableSchema.Column
    let value: @Sendable (Record) -> SQLiteValue

    init<Value: ColumnValue>(
      _ name: String, _ type: String, _ comment: String? = nil, from columns: [String] = [],
      _ relation: Origin.Relation = .made, pairs: CodeBook? = nil, words: Set<String> = [],
      mayDiffer: String = "0", value: @escaping @Sendable (Record) -> Value
    ) {
      var column = TableSchema.Column(
        name, type, comment, origin: Origin(columns, relation, pairs: pairs), words: words)
      column.mayDiffer = mayDiffer
      self.column = column
      self.value = { value($0).stored }
    }
  }

  let schema: TableSchema
  let fields: [Field]

  init(
    _ name: String, _ comment: String, _ fields: [Field], source: String? = nil, constraints: [String] = [],
    isKeyed: Bool = false, indexes: [[String]] = [], extent: TableSchema.Extent? = nil,
    search: TableSchema.Search = [], key: [String] = []
  ) {
    self.fields = fields
    var schema = TableSchema(
      name, comment, fields.map(\.column), source: source, constraints: constraints, isKeyed: isKeyed,
      indexes: indexes, extent: extent, search: search)
    schema.key = key
    self.schema = schema
  }

  /// The values of a record, in the order of the columns.
  func values(_ record: Record) -> [SQLiteValue] { fields.map { $0.value(record) } }
}

extension RecordTable<NamedRow>.Field {
  /// A column with the row's value of the same name.
  init(
    _ name: String, _ type: String, _ comment: String? = nil, words: [String: String] = [:],
    mayDiffer: String = "0"
  ) {
    self.init(name, type, comment, words: Set(words.values), mayDiffer: mayDiffer) { $0[name] }
  }
}

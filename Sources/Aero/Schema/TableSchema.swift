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
  var indexes: [[String]] = []
  public var extent: Extent?
  public var search: Search = []

  init(
    _ name: String, _ comment: String, _ columns: [Column], source: String? = nil,
    constraints: [String] = [], isKeyed: Bool = false, isStaged: Bool = false, indexes: [[String]] = [],
    extent: Extent? = nil, search: Search = []
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
  var rowKey: String { columns.contains { $0.name == "rowid" } ? "rowid" : "id" }

  var sql: String { sql(naming: name) }

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

  var insertion: String {
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

/// A table whose rows are made of records in memory. Each field has its column and the value for a record.
struct RecordTable<Record>: Sendable {
  struct Field: Sendable {
    let column: TableSchema.Column
    let value: @Sendable (Record) -> SQLiteValue

    init(
      _ name: String, _ type: String, _ comment: String? = nil, from columns: [String] = [],
      _ relation: Origin.Relation = .made, pairs: CodeBook? = nil, words: Set<String> = [],
      value: @escaping @Sendable (Record) -> SQLiteValue
    ) {
      column = TableSchema.Column(
        name, type, comment, origin: Origin(columns, relation, pairs: pairs), words: words)
      self.value = value
    }
  }

  let schema: TableSchema
  let fields: [Field]

  init(
    _ name: String, _ comment: String, _ fields: [Field], source: String? = nil, constraints: [String] = [],
    isKeyed: Bool = false, extent: TableSchema.Extent? = nil
  ) {
    self.fields = fields
    schema = TableSchema(
      name, comment, fields.map(\.column), source: source, constraints: constraints, isKeyed: isKeyed,
      extent: extent)
  }

  /// The values of a record, in the order of the columns.
  func values(_ record: Record) -> [SQLiteValue] { fields.map { $0.value(record) } }
}

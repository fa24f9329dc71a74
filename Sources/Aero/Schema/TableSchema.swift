public import SQLiteIO

/// One table of a database: what SQLite needs to make it, and what people need to read it.
///
/// The comments become part of the file, since SQLite keeps them: `.schema` explains each column to whoever opens it, and
/// the pages of documentation are made from the same words.
public struct TableSchema: Sendable {
  public struct Column: Sendable {
    public let name: String
    /// As SQLite has it: `TEXT NOT NULL REFERENCES airports(icao)`.
    public let type: String
    /// Nil where the name says it all.
    let comment: String?
    /// The FAA's columns of which it is made; nil where it is made of something else.
    let source: String?
    /// The words for the codes that are known; empty where any text may stand. A code that is not known is kept, in small
    /// letters.
    public let words: Set<String>

    init(
      _ name: String, _ type: String, _ comment: String? = nil, from source: String? = nil,
      words: Set<String> = []
    ) {
      self.name = name
      self.type = type
      self.comment = comment
      self.source = source
      self.words = words
    }
  }

  /// What an R-tree over the table holds.
  public enum Extent: Sendable {
    /// `latitude` and `longitude`; rows without a position are not in it.
    case point
    /// `south`, `north`, `west` and `east`.
    case box
  }

  /// The columns of a full-text index, with what a word found in each of them weighs.
  public typealias Search = [(column: String, weight: Double)]

  public let name: String
  let comment: String
  public var columns: [Column]
  /// The FAA's table that it is made of; nil for what is made of more than one, or of none.
  var source: String?
  /// `PRIMARY KEY (airport, id)`
  public var constraints: [String] = []
  /// Whether the primary key is the table: such a table is filled in the order of its key.
  public var isKeyed = false
  var indexes: [[String]] = []
  public var extent: Extent?
  public var search: Search = []

  init(
    _ name: String, _ comment: String, _ columns: [Column], source: String? = nil,
    constraints: [String] = [], isKeyed: Bool = false, indexes: [[String]] = [], extent: Extent? = nil,
    search: Search = []
  ) {
    self.name = name
    self.comment = comment
    self.columns = columns
    self.source = source
    self.constraints = constraints
    self.isKeyed = isKeyed
    self.indexes = indexes
    self.extent = extent
    self.search = search
  }

  /// The column that is SQLite's rowid, by which R-trees and text indexes refer to the rows.
  var rowKey: String { columns.contains { $0.name == "rowid" } ? "rowid" : "id" }

  var sql: String { sql(naming: name) }

  /// The table that rows of a keyed table go to first: see `KeyedRows`.
  var stagingName: String { "temp.\(name)_staged" }

  /// The statement that makes a table of this shape under any name.
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
    return "INSERT INTO \(isKeyed ? stagingName : name) (\(names)) VALUES (\(marks))"
  }
}

/// A kind of database file: its marks, its tables, and what is done when they are filled.
public struct DatabaseForm: Sendable {
  /// In the file's header.
  public let applicationID: Int
  /// Of the schema; the file's `user_version`.
  public let version: Int
  public let tables: [TableSchema]
  let finishing: [String]

  /// The forms of the databases that are made of the FAA's files.
  public static let databases = [DatabaseSchema.form, ObstacleSchema.form]
}

extension DatabaseForm {
  /// What SQLite's own list of a database of this form holds, each table, index and virtual table by its name: the statement
  /// that makes it, as SQLite keeps it.
  public func objects() throws -> [String: String] {
    let connection = try SQLiteConnection(":memory:", mode: .create)
    for table in tables {
      try connection.execute(table.sql)
      try DatabaseIndexes.make(over: table, on: connection)
    }
    return try DatabaseForm.objects(of: connection)
  }

  /// The same of any database. What SQLite makes of its own accord is not in it.
  public static func objects(of connection: SQLiteConnection) throws -> [String: String] {
    try connection.prepare(
      "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    ).pairs()
  }
}

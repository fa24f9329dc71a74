public import SQLiteIO

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

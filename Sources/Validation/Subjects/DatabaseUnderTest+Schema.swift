internal import Aero
internal import SQLiteIO

extension DatabaseUnderTest {
  /// The tables of the schema that the file has, each with the columns that it has: a database of an earlier version lacks some.
  var known: [TableSchema] {
    get throws {
      let there = try columns()
      return form.tables.compactMap { table in
        guard let names = there[table.name] else { return nil }
        var table = table
        table.columns.removeAll { !names.contains($0.name) }
        return table
      }
    }
  }

  /// The columns of each table, but for virtual ones: of a damaged index not even these can be asked.
  func columns() throws -> [String: Set<String>] {
    var columns: [String: Set<String>] = [:]
    try connection.prepare(
      """
      SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%'
      """
    ).rows { columns[$0.text(0) ?? "", default: []].insert($0.text(1) ?? "") }
    return columns
  }
}

extension TableSchema {
  /// What tells a row to people, in SQL: an identifier, a key of several columns, or the row's number.
  var label: String {
    if isKeyed, let key = constraints.first(where: { $0.hasPrefix("PRIMARY KEY (") }) {
      let columns = key.dropFirst("PRIMARY KEY (".count).dropLast().split(separator: ", ")
      return columns.map { "\($0)" }.joined(separator: " || ' ' || ")
    }
    let names = Set(columns.map(\.name))
    return ["icao", "identifier", "oas", "key"].first(where: names.contains) ?? "'row ' || rowid"
  }

  func has(_ names: String...) -> Bool { names.allSatisfy { name in columns.contains { $0.name == name } } }
}

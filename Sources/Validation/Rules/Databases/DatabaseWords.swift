internal import Aero
internal import Core
internal import Pipeline
internal import SQLiteIO

/// The words for the FAA's codes. A code that is not known stays in the database as it is, so that it is not lost; an app
/// would show it to the pilot like that.
struct DatabaseWords: DatabaseRule {
  let name = "database-words"
  let protects = "An app understands each word by which it chooses a symbol or a colour."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try database.known.flatMap { table in
      try table.columns.filter { !$0.words.isEmpty }.flatMap { try unknown($0, in: table, database) }
    }
  }

  private func unknown(
    _ column: TableSchema.Column, in table: TableSchema, _ database: DatabaseUnderTest
  ) throws -> [Finding] {
    let words = column.words.sorted().map { "'\($0)'" }.joined(separator: ", ")
    return try database.connection.prepare(
      """
      SELECT "\(column.name)", count(*), min(\(table.label)) FROM \(table.name)
      WHERE "\(column.name)" NOT IN (\(words)) GROUP BY 1 ORDER BY 1
      """
    ).map { row in
      let rows = row.int(1) == 1 ? "" : ", and of \(Counts.of(row.int(1) - 1, "row")) more"
      return warning(
        "\(database.place) \(table.name) \(row.text(2) ?? "")",
        "\(column.name) is \"\(row.text(0) ?? "")\"\(rows), a word that is not known; if the FAA has a new code, "
          + "give it a word in the schema")
    }
  }
}

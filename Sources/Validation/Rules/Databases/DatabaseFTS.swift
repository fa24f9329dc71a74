internal import Aero
internal import SQLiteIO

/// The text indexes, compared with new ones of the same rows, word by word. (SQLite's own check would have to write.)
struct DatabaseFTS: DatabaseRule {
  let name = "database-fts"
  let protects = "A pilot who types an identifier or a name finds the airport, and no other one."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try database.known.filter { !$0.search.isEmpty }.flatMap { table -> [Finding] in
      let index = TextIndexComparison(
        index: table.name + "_fts", rows: table.name, columns: table.search.map(\.column), label: table.label)
      return try index.problems(database, as: table.name).map { error($0.place, $0.text) }
    }
  }
}

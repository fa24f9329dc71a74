internal import SQLiteIO

/// The database as SQLite sees it, and each row with the row that it belongs to.
struct DatabaseIntegrity: DatabaseRule {
  let name = "database-integrity"
  let protects = "The app's database opens, and no runway belongs to an airport that is not there."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let damage = try database.connection.texts("PRAGMA integrity_check(100)").filter { $0 != "ok" }
    guard damage.isEmpty else {
      return damage.flatMap { $0.split(separator: "\n") }.map { error(database.place, "\($0)") }
    }
    return try orphans(database)
  }

  private func orphans(_ database: DatabaseUnderTest) throws -> [Finding] {
    let counts = try database.connection.prepare(
      """
      SELECT "table", "parent", count(*) FROM pragma_foreign_key_check
      GROUP BY 1, 2 ORDER BY 1, 2
      """
    ).map { (child: $0.text(0) ?? "", parent: $0.text(1) ?? "", rows: $0.int(2)) }
    return counts.map {
      let rows = $0.rows == 1 ? "1 row belongs" : "\($0.rows) rows belong"
      return error("\(database.place) table \($0.child)", "\(rows) to no row of \($0.parent)")
    }
  }
}

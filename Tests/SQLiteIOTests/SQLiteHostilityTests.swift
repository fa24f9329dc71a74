import Foundation
import SQLiteIO
import TestSupport
import Testing

/// Files in which a stranger wrote more than rows.
@Suite struct SQLiteHostilityTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func opened(_ sql: String, patience: Int = 3) throws -> SQLiteConnection {
    let path = folder.file("strange.sqlite").path
    let writer = try SQLiteConnection(path, mode: .create)
    try writer.execute(sql)
    try writer.close()
    return try SQLiteConnection(path, mode: .readOnly, patience: patience)
  }

  @Test func aViewWithoutEndIsGivenUp() throws {
    let strange = try opened(
      "CREATE VIEW tiles AS WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;")
    let error = #expect(throws: SQLiteError.self) {
      try strange.prepare("SELECT count(*) FROM tiles").map { $0.int(0) }
    }
    #expect(error?.message == "a question has no end")
    #expect(try strange.prepare("SELECT 1").map { $0.int(0) } == [1])
  }

  @Test func patienceIsForEachRow() throws {
    let strange = try opened(
      "CREATE VIEW n AS WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 600000) SELECT i FROM n;")
    var rows = 0
    try strange.prepare("SELECT i FROM n").rows { _ in rows += 1 }
    #expect(rows == 600_000)
  }

  @Test func aViewCannotCallWhatHasEffects() throws {
    let strange = try opened("CREATE VIEW v AS SELECT load_extension('/tmp/x.so') AS x;")
    #expect(throws: SQLiteError.self) { try strange.prepare("SELECT x FROM v").map { $0.int(0) } }
  }
}

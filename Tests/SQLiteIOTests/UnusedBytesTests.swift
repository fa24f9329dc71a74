import Foundation
import SQLiteIO
import TestSupport
import Testing

/// `closeReproducibly` clears what depends on the version of the library.
@Suite struct UnusedBytesTests {
  private let folder = TemporaryFolder()

  /// A table and an index of several levels, with entries that were moved, deleted and too large for a page.
  private func write(_ name: String, pageSize: Int = 1024) throws -> SQLiteConnection {
    let database = try SQLiteConnection(folder.file(name).path, mode: .create)
    try database.execute(
      """
      PRAGMA page_size = \(pageSize); PRAGMA journal_mode = OFF; PRAGMA secure_delete = OFF;
      CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
      CREATE INDEX i ON t (b);
      WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n WHERE x < 3000)
        INSERT INTO t SELECT x, hex(x * 7919 % 3001) || 'secret' || x FROM n;
      INSERT INTO t VALUES (5000, printf('%.*c', 5000, 'x'));
      DELETE FROM t WHERE a % 3 = 0 OR a BETWEEN 1000 AND 2000;
      """)
    return database
  }

  private func rows(_ database: SQLiteConnection) throws -> [String] {
    try database.prepare("SELECT a || b FROM t ORDER BY b").map { $0.text(0) ?? "" }
  }

  @Test(arguments: [512, 1024, 65_536])
  func `the rows stay, deleted ones are gone from the file`(pageSize: Int) throws {
    let database = try write("a.sqlite", pageSize: pageSize)
    let before = try rows(database)
    try database.closeReproducibly()
    let file = folder.file("a.sqlite")
    let bytes = try file.data
    #expect([UInt8](bytes[96..<100]) == [0x00, 0x2E, 0x63, 0x01])
    let reader = try SQLiteConnection(file.path, mode: .readOnly)
    #expect(try rows(reader) == before)
    #expect(try reader.prepare("PRAGMA integrity_check").map { $0.text(0) } == ["ok"])
    let used = before.count { $0.contains("secret") }
    let found = String(decoding: bytes, as: UTF8.self).matches(of: /secret/).count
    // Once in the table and once in the index. What a moved entry leaves is gone too.
    #expect(found == 2 * used)
  }

  @Test func `without it, deleted rows and the version stay in the file`() throws {
    try write("a.sqlite").close()
    try write("b.sqlite").closeReproducibly()
    let (plain, clean) = (try folder.file("a.sqlite").data, try folder.file("b.sqlite").data)
    #expect(plain.count == clean.count)
    #expect(plain != clean)
  }

  @Test func `an open statement keeps the file as it is`() throws {
    let database = try write("a.sqlite")
    try database.execute("PRAGMA locking_mode = NORMAL")
    let statement = try database.prepare("SELECT a FROM t")
    let before = try folder.file("a.sqlite").data
    #expect(throws: SQLiteError.self) { try database.closeReproducibly() }
    #expect(try folder.file("a.sqlite").data == before)
    withExtendedLifetime(statement) {}
  }

  @Test func `an empty database stays empty`() throws {
    let database = try SQLiteConnection(folder.file("a.sqlite").path, mode: .create)
    try database.closeReproducibly()
    #expect(try folder.file("a.sqlite").data.isEmpty)
  }
}

import Foundation
import TestSupport
import Testing

@testable import SQLiteIO

@Suite struct SQLiteValueTests {
  let folder = TemporaryFolder()
  let database: SQLiteConnection

  init() throws {
    database = try SQLiteConnection(folder.file("a.sqlite").path, mode: .create)
    try database.execute("CREATE TABLE t (a)")
  }

  @Test func `SQL calls a function of Swift`() throws {
    let connection = try SQLiteConnection(":memory:", mode: .create)
    var calls = 0
    try connection.addFunction("twice") { text in
      calls += 1
      return text + text
    }
    let row = try connection.prepare("SELECT twice('é'), twice(NULL), twice(''), twice(12)").map { row in
      (0..<4).map { row.text($0) }
    }
    #expect(row == [["éé", nil, "", "1212"]] && calls == 3)
    #expect(throws: SQLiteError.self) { try connection.prepare("SELECT twice()") }
  }

  @Test(arguments: [
    SQLiteValue.null, .integer(0), .integer(.max), .integer(.min), .real(0.1), .real(-1e300), .text(""),
    .text("naïve “text” \u{1F6E9}"), .text("before\u{0}after"), .blob([]), .blob([0, 255, 0, 1]),
  ])
  func `every kind of value is stored as bound`(value: SQLiteValue) throws {
    try database.prepare("INSERT INTO t VALUES (?)").run([value])
    let rows = try database.prepare("SELECT a, typeof(a) FROM t").map { row in
      (row.isNull(0), row.int(0), row.double(0), row.text(0), row.blob(0), row.text(1))
    }
    let row = try #require(rows.first)
    #expect(rows.count == 1)
    switch value {
    case .null: #expect(row.0 && row.5 == "null" && row.3 == nil)
    case .integer(let number): #expect(row.1 == number && row.5 == "integer")
    case .real(let number): #expect(row.2 == number && row.5 == "real")
    case .text(let text): #expect(row.3 == text && row.5 == "text")
    case .blob(let bytes): #expect(row.4 == bytes && row.5 == "blob" && !row.0)
    }
  }

  @Test func `optionals and flags become values`() {
    #expect(SQLiteValue(Int?.none) == .null && SQLiteValue(Int?.some(4)) == .integer(4))
    #expect(SQLiteValue(Double?.none) == .null && SQLiteValue(Double?.some(0.5)) == .real(0.5))
    #expect(SQLiteValue(String?.none) == .null && SQLiteValue(String?.some("")) == .text(""))
    #expect(SQLiteValue(Bool?.none) == .null && SQLiteValue(Bool?.some(true)) == .integer(1))
    #expect(SQLiteValue(Bool?.some(false)) == .integer(0))
  }

  @Test func `columns have names and an order`() throws {
    try database.execute("INSERT INTO t VALUES (7)")
    let names = try database.prepare("SELECT a AS first, 2 AS second FROM t").map { row in
      (0..<row.columnCount).map(row.name)
    }
    #expect(names == [["first", "second"]])
  }
}

@Suite struct SQLiteStatementTests {
  let folder = TemporaryFolder()
  let database: SQLiteConnection

  init() throws {
    database = try SQLiteConnection(folder.file("a.sqlite").path, mode: .create)
    try database.execute("CREATE TABLE t (a UNIQUE, b)")
  }

  @Test func `a statement runs again with new bindings`() throws {
    let insert = try database.prepare("INSERT INTO t VALUES (?, ?)")
    try insert.run([.integer(1), .text("x")])
    try insert.run([.integer(2)])
    #expect(try database.prepare("SELECT b FROM t ORDER BY a").map { $0.text(0) } == ["x", nil])
  }

  @Test func `errors contain the statement and SQLite's message`() throws {
    let statement = "SELECT a FROM nowhere"
    let error = try #require(throws: SQLiteError.self) { try database.prepare(statement) }
    #expect(error.sql == statement)
    #expect(error.message == "no such table: nowhere")
    #expect("\(error)" == "SQLite error 1: no such table: nowhere - while executing `\(statement)`")
    let executed = try #require(throws: SQLiteError.self) { try database.execute("DROP TABLE nowhere") }
    #expect(executed.sql == "DROP TABLE nowhere")
  }

  @Test func `a violated constraint is named and the statement stays usable`() throws {
    let insert = try database.prepare("INSERT INTO t VALUES (?, NULL)")
    try insert.run([.integer(1)])
    let error = try #require(throws: SQLiteError.self) { try insert.run([.integer(1)]) }
    #expect(error.message == "UNIQUE constraint failed: t.a")
    #expect(error.code == 2067)
    #expect(error.sql == "INSERT INTO t VALUES (?, NULL)")
    try insert.run([.integer(2)])
    #expect(try database.prepare("SELECT count(*) FROM t").map { $0.int(0) } == [2])
  }

  @Test func `too many values are an error`() throws {
    let insert = try database.prepare("INSERT INTO t VALUES (?, ?)")
    #expect(throws: SQLiteError.self) { try insert.run([.null, .null, .null]) }
  }

  @Test func `an empty statement is an error`() {
    #expect(throws: SQLiteError.self) { try database.prepare("") }
    #expect(throws: SQLiteError.self) { try database.prepare("-- nothing") }
  }

  @Test func `a throwing closure ends the iteration and resets the statement`() throws {
    struct Enough: Error {}
    try database.execute("INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)")
    let select = try database.prepare("SELECT a FROM t ORDER BY a")
    var seen: [Int] = []
    #expect(throws: Enough.self) {
      try select.rows { row in
        seen.append(row.int(0))
        if seen.count == 2 { throw Enough() }
      }
    }
    #expect(seen == [1, 2])
    #expect(try select.map { $0.int(0) } == [1, 2, 3])
  }
}

@Suite struct SQLiteConnectionTests {
  let folder = TemporaryFolder()

  private func count(_ database: SQLiteConnection) throws -> [Int] {
    try database.prepare("SELECT count(*) FROM t").map { $0.int(0) }
  }

  @Test func `a read-only connection rejects writes`() throws {
    let path = folder.file("a.sqlite").path
    let writer = try SQLiteConnection(path, mode: .create)
    try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    try writer.close()
    let before = try folder.file("a.sqlite").data
    let reader = try SQLiteConnection(path, mode: .readOnly)
    let error = try #require(throws: SQLiteError.self) { try reader.execute("INSERT INTO t VALUES (2)") }
    #expect(error.message == "attempt to write a readonly database")
    #expect(try count(reader) == [1])
    try reader.close()
    #expect(try folder.file("a.sqlite").data == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.sqlite"])
  }

  @Test func `reading a missing file does not create it`() {
    let path = folder.file("none.sqlite").path
    #expect(throws: SQLiteError.self) { try SQLiteConnection(path, mode: .readOnly) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `detects a file that is not a database`() throws {
    let file = folder.file("a.sqlite")
    try file.put("this is no database at all, only some text that is long enough")
    let database = try SQLiteConnection(file.path, mode: .readOnly)
    let error = try #require(throws: SQLiteError.self) { try database.prepare("SELECT * FROM sqlite_master") }
    #expect(error.message.contains("not a database") && !error.isFull)
  }

  @Test func `detects a full database`() throws {
    let database = try SQLiteConnection(folder.file("a.sqlite").path, mode: .create)
    try database.execute("CREATE TABLE t (a); PRAGMA max_page_count = 3")
    let insert = try database.prepare("INSERT INTO t VALUES (zeroblob(100000))")
    let error = try #require(throws: SQLiteError.self) { try insert.run() }
    #expect(error.isFull)
  }

  @Test func `rolls back a transaction that throws`() throws {
    struct Doubt: Error {}
    let database = try SQLiteConnection(folder.file("a.sqlite").path, mode: .create)
    try database.execute("CREATE TABLE t (a)")
    try database.transaction { try database.execute("INSERT INTO t VALUES (1)") }
    #expect(throws: Doubt.self) {
      try database.transaction {
        try database.execute("INSERT INTO t VALUES (2)")
        throw Doubt()
      }
    }
    #expect(try count(database) == [1])
    #expect(try database.transaction { try count(database) } == [1])
  }

  @Test func `a nested transaction is an error of the inner one`() throws {
    let database = try SQLiteConnection(folder.file("a.sqlite").path, mode: .create)
    try database.execute("CREATE TABLE t (a)")
    #expect(throws: SQLiteError.self) {
      try database.transaction {
        try database.execute("INSERT INTO t VALUES (1)")
        try database.transaction {}
      }
    }
    #expect(try count(database) == [0])
  }

  @Test func `close throws while a statement is open`() throws {
    let database = try SQLiteConnection(folder.file("a.sqlite").path, mode: .create)
    var leaked: SQLiteStatement? = try database.prepare("SELECT 1")
    withExtendedLifetime(leaked) {
      let error = #expect(throws: SQLiteError.self) { try database.close() }
      #expect(error?.message.contains("unfinalized statements") == true)
    }
    leaked = nil
    try database.close()
    try database.close()
    #expect(throws: SQLiteError.self) { try database.execute("SELECT 1") }
  }

  @Test func `reports the linked library`() { #expect(SQLiteConnection.libraryVersion.hasPrefix("3.")) }
}

struct SQLiteRowOrderTests {
  @Test func `compares rows in SQLite's order`() throws {
    let connection = try SQLiteConnection(":memory:", mode: .create)
    try connection.execute(
      """
      CREATE TABLE t (a);
      INSERT INTO t VALUES (NULL), (-3), (2), (2.0), (2.5), (9007199254740993), (1e300), (''), ('A'), ('AB'), ('a'), ('é'),
        (x''), (x'00'), (x'0001'), (x'FF');
      """)
    let (left, right) = (
      try connection.prepare("SELECT a, typeof(a) FROM t ORDER BY rowid"),
      try connection.prepare("SELECT a, rowid FROM t WHERE rowid = ?")
    )
    let ranks = try connection.prepare("SELECT dense_rank() OVER (ORDER BY a) FROM t ORDER BY rowid").map {
      $0.int(0)
    }
    var row = 0
    while let one = try left.next() {
      for other in ranks.indices {
        try right.rows([.integer(other + 1)]) { two in
          #expect(
            one.order(0, against: two).signum() == (ranks[row] - ranks[other]).signum(), "\(row) \(other)")
        }
      }
      row += 1
    }
    #expect(row == ranks.count)
  }

  @Test func `a copied value equals the stored one`() throws {
    let connection = try SQLiteConnection(":memory:", mode: .create)
    let values: [SQLiteValue] = [
      .null, .integer(-7), .real(0.1), .text("é\u{0}x"), .text(""), .blob([0, 255]), .blob([]),
    ]
    let marks = values.map { _ in "?" }.joined(separator: ", ")
    let copies = try connection.prepare("SELECT \(marks)").map(values) { row in
      (0..<row.columnCount).map(row.value)
    }
    #expect(copies == [values])
  }
}

/// Untrusted files.
@Suite struct SQLiteHostilityTests {
  let folder = TemporaryFolder()

  private func written(_ sql: String) throws -> String {
    let path = folder.file("strange.sqlite").path
    let writer = try SQLiteConnection(path, mode: .create)
    try writer.execute(sql)
    try writer.close()
    return path
  }

  private func opened(_ sql: String) throws -> SQLiteConnection {
    try SQLiteConnection(written(sql), mode: .foreign)
  }

  private static let endless = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"

  @Test func `interrupts an endless view`() throws {
    let strange = try opened("CREATE VIEW tiles AS \(SQLiteHostilityTests.endless) i FROM n;")
    let error = #expect(throws: SQLiteError.self) {
      try strange.prepare("SELECT count(*) FROM tiles").map { $0.int(0) }
    }
    #expect(error?.message == "a query does not end" && error?.isEndless == true)
    #expect(try strange.prepare("SELECT 1").map { $0.int(0) } == [1])
  }

  @Test func `interrupts a view with more rows than the file can hold`() throws {
    let strange = try opened("CREATE VIEW v AS \(SQLiteHostilityTests.endless) i FROM n;")
    var rows = 0
    let error = #expect(throws: SQLiteError.self) {
      try strange.prepare("SELECT i FROM v").rows { _ in rows += 1 }
    }
    #expect(error?.isEndless == true && rows == strange.rowLimit && rows < 10_000)
  }

  @Test func `limits the instructions of all rows together, also of an own database`() throws {
    let path = try written("CREATE VIEW v AS \(SQLiteHostilityTests.endless) i FROM n;")
    let budget = QueryBudget(instructions: 3_000_000, rows: .max, valueBytes: 1 << 20, seconds: .infinity)
    let strange = try SQLiteConnection(path, mode: .readOnly, budget: budget)
    let error = #expect(throws: SQLiteError.self) { try strange.prepare("SELECT i FROM v").rows { _ in } }
    #expect(error?.isEndless == true)
  }

  @Test func `limits the time of slow functions`() throws {
    let path = try written(
      "CREATE VIEW v AS \(SQLiteHostilityTests.endless) hex(zeroblob(30000)) || i AS x FROM n;")
    let budget = QueryBudget(instructions: .max / 2, rows: .max, valueBytes: 1 << 20, seconds: 0.1)
    let strange = try SQLiteConnection(path, mode: .foreign, budget: budget)
    let error = #expect(throws: SQLiteError.self) {
      try strange.prepare("SELECT count(*) FROM v WHERE x LIKE '%1'").map { $0.int(0) }
    }
    #expect(error?.isEndless == true)
  }

  @Test func `waiting does not count as the time of a query`() {
    let meter = QueryMeter(.foreign(bytes: 0))
    meter.begin(QueryUsage())
    Thread.sleep(forTimeInterval: 0.2)
    #expect(meter.end().seconds < 0.1)
  }

  @Test func `limits values and pairs to the size of the file`() throws {
    let large = "hex(zeroblob(30000))"
    let strange = try opened(
      "CREATE VIEW v AS SELECT hex(zeroblob(500000)) AS x;"
        + "CREATE VIEW p AS \(SQLiteHostilityTests.endless) i AS name, \(large) AS value FROM n;")
    #expect(throws: SQLiteError.self) { try strange.prepare("SELECT x FROM v").map { $0.text(0) } }
    let error = #expect(throws: SQLiteError.self) { try strange.prepare("SELECT name, value FROM p").pairs() }
    #expect(error?.isEndless == true)
  }

  /// The time between two rows belongs to the caller, and each execution of a statement starts anew.
  @Test func `reads every row of a large table`() throws {
    let strange = try opened(
      """
      CREATE TABLE t (a INTEGER PRIMARY KEY, b);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000) INSERT INTO t SELECT i, NULL FROM n;
      """)
    let statement = try strange.prepare("SELECT a, b FROM t ORDER BY b, a DESC")
    for _ in 0..<3 { #expect(try statement.map { $0.int(0) }.count == 200_000) }
  }

  @Test func `reading a database in WAL mode leaves no file beside it and does not change it`() throws {
    let own = folder.file("100% #1? ü.sqlite")
    let writer = try SQLiteConnection(own.path, mode: .create)
    try writer.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (7)")
    try writer.close()
    let bytes = try own.data
    for mode in [SQLiteConnection.Mode.readOnly, .foreign] {
      let reader = try SQLiteConnection(own.path, mode: mode)
      #expect(try reader.prepare("SELECT a FROM t").map { $0.int(0) } == [7])
      try reader.close()
    }
    #expect(try own.data == bytes && bytes[19] == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [own.lastPathComponent])
  }

  @Test func `changes in a WAL file are reported, not ignored`() throws {
    let path = folder.file("open.sqlite").path
    let writer = try SQLiteConnection(path, mode: .create)
    try writer.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    let error = #expect(throws: SQLiteError.self) { try SQLiteConnection(path, mode: .foreign) }
    #expect(error?.suggestion?.contains("wal_checkpoint") == true)
    try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let reader = try SQLiteConnection(path, mode: .foreign)
    #expect(try reader.prepare("SELECT count(*) FROM t").map { $0.int(0) } == [0])
    try writer.close()
  }

  @Test func `unfinished changes in a journal are reported, and an empty or cleared journal is not`() throws {
    let path = try written("CREATE TABLE t (a); INSERT INTO t VALUES (7)")
    let journal = URL(filePath: path + "-journal")
    for bytes in [[], [UInt8](repeating: 0, count: 512)] {
      try Data(bytes).write(to: journal)
      let reader = try SQLiteConnection(path, mode: .foreign)
      #expect(try reader.prepare("SELECT a FROM t").map { $0.int(0) } == [7])
    }
    try Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7, 0, 0, 0, 1]).write(to: journal)
    let error = #expect(throws: SQLiteError.self) { try SQLiteConnection(path, mode: .foreign) }
    #expect(error?.message.hasPrefix("its writer was interrupted") == true && error?.suggestion != nil)
  }

  @Test(.timeLimit(.minutes(15))) func `does not open a pipe`() throws {
    let path = folder.file("pipe.sqlite").path
    try #require(mkfifo(path, 0o600) == 0)
    for mode in [SQLiteConnection.Mode.readOnly, .foreign] {
      let error = #expect(throws: SQLiteError.self) { try SQLiteConnection(path, mode: mode) }
      #expect(error?.message == "it is not a regular file")
    }
  }

  /// One call counts to 900 million before SQLite asks whether to go on.
  @Test(.timeLimit(.minutes(15)), arguments: ["printf", "format", "PrintF"])
  func `a view cannot call a function that nothing interrupts`(function: String) throws {
    let strange = try opened("CREATE VIEW v AS SELECT \(function)('%.*c', 900000000, 'x') AS x;")
    let error = #expect(throws: SQLiteError.self) {
      try strange.prepare("SELECT x FROM v").map { $0.text(0) }
    }
    #expect(error?.isOfSchema == true && error?.message.contains("not authorized") == true)
  }

  @Test func `a view cannot call functions with side effects`() throws {
    let strange = try opened("CREATE VIEW v AS SELECT load_extension('/tmp/x.so') AS x;")
    #expect(throws: SQLiteError.self) { try strange.prepare("SELECT x FROM v").map { $0.int(0) } }
  }
}

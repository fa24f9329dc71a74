import SQLiteIO
import Testing

struct SQLiteRowOrderTests {
  @Test func `rows are ordered as SQLite orders them`() throws {
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

  @Test func `a copied value is what was stored`() throws {
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

import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import Aero

struct RowStreamTests {
  private static let things = TableSchema(
    "things", "Numbered as they are written.",
    [.init("id", "INTEGER PRIMARY KEY"), .init("count", "INTEGER"), .init("name", "TEXT UNIQUE")])
  private static let more = TableSchema("more", "What they say besides.", [.init("name", "TEXT")])
  private static let form = DatabaseForm(
    applicationID: 0x5445_5354, version: 1, tables: [things, more], finishing: [])

  /// Writes so many rows, every thousandth under the name of the one before it.
  private func write(_ rows: Int, to file: URL, _ problems: ProblemLog) throws {
    var writer = try DatabaseWriter(file, as: RowStreamTests.form)
    try writer.stream(
      into: [RowStreamTests.things, RowStreamTests.more], of: "THINGS.csv", problems
    ) { stream in
      for row in 0..<rows {
        let name = row % 1000 == 999 ? "thing \(row - 1)" : "thing \(row)"
        stream.sinks[0].bind(RowBatch.Value.number, at: 1)
        stream.sinks[0].bind(RowBatch.Value.count, at: 2)
        stream.sinks[0].bind(text: name.utf8, at: 3)
        stream.sinks[0].run()
        stream.sinks[1].bind(.text("of \(name)"), at: 1)
        stream.sinks[1].run()
        stream.endGroup(line: row + 2, startsOwner: row % 5000 == 0)
      }
    }
    try writer.finish()
  }

  @Test func `rows are numbered without gaps over many batches, and what is refused is told in order`() throws
  {
    let folder = try TemporaryFolder()
    let problems = ProblemLog()
    try write(12_000, to: folder.file("a.sqlite"), problems)
    let dropped = problems.report.examples
    #expect(dropped.map(\.line) == stride(from: 1001, through: 12_001, by: 1000).map { $0 })
    #expect(
      Set(dropped.map(\.reason)) == ["the row is there twice: a row before it has the same name"])
    let connection = try SQLiteConnection(folder.file("a.sqlite").path, mode: .readOnly)
    let numbers = try connection.prepare("SELECT count(*), min(id), max(id), max(count) FROM things")
      .map { row in (0..<4).map { row.int($0) } }
    #expect(numbers == [[11_988, 1, 11_988, 4995]])
    // Of a row that is refused, the others of its group are left out.
    let others = try connection.prepare("SELECT count(*), count(DISTINCT name) FROM more")
      .map { row in (0..<2).map { row.int($0) } }
    #expect(others == [[11_988, 11_988]])
  }

  @Test func `the bytes are the same each time`() throws {
    let folder = try TemporaryFolder()
    for name in ["a.sqlite", "b.sqlite"] { try write(12_000, to: folder.file(name), ProblemLog()) }
    #expect(
      try Data(contentsOf: folder.file("a.sqlite")) == Data(contentsOf: folder.file("b.sqlite")))
  }

  @Test func `an error while rows are read waits for those that are written, and is thrown`() throws {
    struct Trouble: Error {}
    let folder = try TemporaryFolder()
    let writer = try DatabaseWriter(folder.file("a.sqlite"), as: RowStreamTests.form)
    #expect(throws: Trouble.self) {
      try writer.stream(into: [RowStreamTests.more], of: "THINGS.csv", ProblemLog()) { stream in
        for row in 0..<40_000 {
          stream.sinks[0].bind(RowBatch.Value.integer(row), at: 1)
          stream.sinks[0].run()
          stream.endGroup(line: row)
        }
        throw Trouble()
      }
    }
  }
}

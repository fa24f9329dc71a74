import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

struct RowStreamTests {
  private static let things = TableSchema(
    "things", "Numbered as they are written.",
    [.init("id", "INTEGER PRIMARY KEY"), .init("count", "INTEGER"), .init("name", "TEXT UNIQUE")])
  private static let more = TableSchema("more", "More columns.", [.init("name", "TEXT")])
  private static let form = DatabaseForm(
    applicationID: 0x5445_5354, version: 1, tables: [things, more], finishing: [])

  /// Writes so many rows, every thousandth under the name of the one before it.
  private func write(_ rows: Int, to file: URL, _ problems: ProblemLog) throws {
    var writer = try DatabaseWriter(file, as: RowStreamTests.form)
    try writer.stream(into: [RowStreamTests.things, RowStreamTests.more], of: "THINGS.csv", problems) {
      stream in
      for row in 0..<rows {
        let name = row % 1000 == 999 ? "thing \(row - 1)" : "thing \(row)"
        let (things, more) = (stream.sinks[0], stream.sinks[1])
        try things.insertion.bind(things.rows + 1, at: 1)
        try things.insertion.bind(things.rows(of: row / 5000) + 1, at: 2)
        try things.insertion.bind(.text(name), at: 3)
        try more.insertion.bind(.text("of \(name)"), at: 1)
        try stream.write(line: row + 2, owner: row / 5000)
      }
    }
    try writer.finish()
  }

  @Test func `numbers rows without gaps and reports refused rows in order`() throws {
    let folder = TemporaryFolder()
    let problems = ProblemLog()
    try write(12_000, to: folder.file("a.sqlite"), problems)
    let dropped = problems.report.examples
    #expect(dropped.map(\.line) == stride(from: 1001, through: 12_001, by: 1000).map { $0 })
    #expect(Set(dropped.map(\.reason)) == ["the row is there twice: a row before it has the same name"])
    let connection = try SQLiteConnection(folder.file("a.sqlite").path, mode: .readOnly)
    let numbers = try connection.prepare("SELECT count(*), min(id), max(id), max(count) FROM things")
      .map { row in (0..<4).map { row.int($0) } }
    #expect(numbers == [[11_988, 1, 11_988, 4995]])
    // Of a row that is refused, the others of its group are left out.
    let others = try connection.prepare("SELECT count(*), count(DISTINCT name) FROM more")
      .map { row in (0..<2).map { row.int($0) } }
    #expect(others == [[11_988, 11_988]])
  }

  @Test func `gives the same bytes each time`() throws {
    let folder = TemporaryFolder()
    for name in ["a.sqlite", "b.sqlite"] { try write(12_000, to: folder.file(name), ProblemLog()) }
    #expect(try folder.file("a.sqlite").data == folder.file("b.sqlite").data)
  }
}

struct KeyedRowsTests {
  private static let notes = TableSchema(
    "notes", "Rows that are their key.",
    [.init("owner", "TEXT NOT NULL"), .init("number", "INTEGER NOT NULL"), .init("note", "TEXT")],
    constraints: ["PRIMARY KEY (owner, number)"], isKeyed: true)
  private static let form = DatabaseForm(
    applicationID: 0x5445_5354, version: 1, tables: [notes], finishing: [])

  private static func values(_ row: Int) -> [SQLiteValue] {
    [.text("A\(1000 + row / 5)"), .integer(row % 5 + 1), .text(String(repeating: "word ", count: row % 20))]
  }

  @Test func `writes all rows of a keyed table and leaves no more pages than a VACUUM`() throws {
    let folder = TemporaryFolder()
    let file = folder.file("a.sqlite")
    var writer = try DatabaseWriter(file, as: KeyedRowsTests.form)
    try writer.fill(KeyedRowsTests.notes, 0..<20_000) { KeyedRowsTests.values($0) }
    try writer.finish()

    let connection = try SQLiteConnection(file.path, mode: .create)
    let rows = try connection.prepare("SELECT owner, number, note FROM notes ORDER BY owner, number")
      .map { row in
        [.text(row.text(0) ?? ""), .integer(row.int(1)), .text(row.text(2) ?? "")] as [SQLiteValue]
      }
    #expect(rows == (0..<20_000).map(KeyedRowsTests.values))
    func pages() throws -> Int { try connection.prepare("PRAGMA page_count").map { $0.int(0) }.first ?? 0 }
    let written = try pages()
    try connection.execute("VACUUM")
    #expect(try written <= pages() + 2 && written > 100)
    #expect(try DatabaseForm.objects(of: connection) == KeyedRowsTests.form.objects())
  }

  @Test func `adds later rows to those of a keyed table`() throws {
    let folder = TemporaryFolder()
    let file = folder.file("a.sqlite")
    var writer = try DatabaseWriter(file, as: KeyedRowsTests.form)
    for start in [0, 10] {
      try writer.fill(KeyedRowsTests.notes, start..<start + 10) { KeyedRowsTests.values($0) }
    }
    #expect(throws: SQLiteError.self) {
      try writer.fill(KeyedRowsTests.notes, 5..<6) { KeyedRowsTests.values($0) }
    }
    try writer.finish()
    let connection = try SQLiteConnection(file.path, mode: .readOnly)
    #expect(try connection.prepare("SELECT count(*) FROM notes").map { $0.int(0) } == [20])
  }

  @Test func `selects valid tables in the parts of the shipped definition`() throws {
    let nasr = try #require(
      try PipelineLibrary.read(repositoryRoot.appending(path: "pipelines/nasr.json5")) as? NASRDefinition)
    let parts = try #require(nasr.parts)
    #expect(Set(parts.keys) == ["airports", "vfr"])
    for part in parts.values { _ = try TableSelection(part.tables) }
    #expect(nasr.part("vfr")?.classAirspace == nasr.classAirspace)
  }
}

struct RawTableTests {
  let folder = TemporaryFolder()
  let subscription: Subscription

  init() throws {
    subscription = try Subscription("2602-tables")
    subscription.definition.rawTables = true
  }

  @Test func `copies every table of the cycle unchanged`() throws {
    subscription.tables["PFR_RMT_FMT"] = Array("Orig,Route String,Dest\nABE, ABE FJC ,ACY\n".utf8)
    subscription.tables["APT_CSV_DATA_STRUCTURE"] = Array("CSV File,Column Name\nAPT_BASE,SITE_NO\n".utf8)
    let built = try subscription.build(in: folder)
    let names = try built.column(
      "SELECT name FROM sqlite_master WHERE name LIKE 'raw!_%' ESCAPE '!' ORDER BY 1")
    #expect(
      names == subscription.tables.keys.filter { !$0.hasSuffix("STRUCTURE") }.map { "raw_" + $0 }.sorted())
    try built.expect("SELECT \"Orig\", \"Route String\" FROM raw_PFR_RMT_FMT", gives: [["ABE", " ABE FJC "]])
    try built.expect(
      "SELECT SITE_NO, SKED_SEQ_NO, MONTH, DAY, typeof(SKED_SEQ_NO) FROM raw_APT_ATT LIMIT 1",
      gives: [["00103.", "1", "UNATNDD", "NULL", "text"]])
    for (name, bytes) in subscription.tables where !name.hasSuffix("STRUCTURE") {
      let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).count - 1
      #expect(try built.column("SELECT COUNT(*) FROM raw_\(name)") == ["\(lines)"], "\(name)")
    }
  }

  @Test func `copies no table unless the definition asks for it`() throws {
    subscription.definition.rawTables = nil
    let built = try subscription.build(in: folder)
    #expect(try built.column("SELECT name FROM sqlite_master WHERE name LIKE 'raw!_%' ESCAPE '!'").isEmpty)
  }

  @Test func `drops odd headers and rows and nothing else`() throws {
    subscription.tables["CDR"] =
      Array(
        "A,\"B\"\"C\",a,,\"x);DROP TABLE airports;--\"\r\n1,2,3,4,5\r\nshort\r\n\"open,2,3,4,5\r\n6,\"7\"\"\",8,9,caf"
          .utf8) + [0xE9]
    subscription.definition.tables = ["airports", "runways", "frequencies"]
    let built = try subscription.build(in: folder)
    try built.expect(
      "SELECT * FROM raw_CDR", gives: [["1", "2", "3", "4", "5"], ["6", "7\"", "8", "9", "café"]])
    try built.expect(
      "SELECT name FROM pragma_table_info('raw_CDR')",
      gives: ["A", "B\"C", "a_3", "_4", "x);DROP TABLE airports;--"])
    #expect(built.problems(.rowDropped, of: "raw_CDR").map(\.line) == [3, 4])
    try built.expect("SELECT COUNT(*) > 5 FROM airports", gives: ["1"])
  }

  @Test func `gives the same bytes for the same input`() throws {
    let source = try subscription.bare(in: folder)
    let first = try subscription.build(source, in: folder, name: "1.sqlite").file.data
    let second = try subscription.build(source, in: folder, name: "2.sqlite").file.data
    #expect(first == second)
  }
}

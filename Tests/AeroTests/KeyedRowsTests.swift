import Core
import Foundation
import Pipeline
import SQLiteIO
import TestSupport
import Testing

@testable import Aero

struct KeyedRowsTests {
  private static let notes = TableSchema(
    "notes", "Rows that are their key.",
    [.init("owner", "TEXT NOT NULL"), .init("number", "INTEGER NOT NULL"), .init("note", "TEXT")],
    constraints: ["PRIMARY KEY (owner, number)"], isKeyed: true)
  private static let form = DatabaseForm(
    applicationID: 0x5445_5354, version: 1, tables: [notes], finishing: [])

  private static func values(_ row: Int) -> [SQLiteValue] {
    [
      .text("A\(1000 + row / 5)"), .integer(row % 5 + 1),
      .text(String(repeating: "word ", count: row % 20)),
    ]
  }

  @Test func `a keyed table has all rows and is no larger than after a VACUUM`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.sqlite")
    var writer = try DatabaseWriter(file, as: KeyedRowsTests.form)
    try writer.fill(KeyedRowsTests.notes, 0..<20_000) { _, row in KeyedRowsTests.values(row) }
    try writer.finish()

    let connection = try SQLiteConnection(file.path, mode: .create)
    let rows = try connection.prepare("SELECT owner, number, note FROM notes ORDER BY owner, number")
      .map { row in
        [.text(row.text(0) ?? ""), .integer(row.int(1)), .text(row.text(2) ?? "")] as [SQLiteValue]
      }
    #expect(rows == (0..<20_000).map(KeyedRowsTests.values))
    func pages() throws -> Int {
      try connection.prepare("PRAGMA page_count").map { $0.int(0) }.first ?? 0
    }
    let written = try pages()
    try connection.execute("VACUUM")
    #expect(try written <= pages() + 2 && written > 100)
    #expect(try DatabaseForm.objects(of: connection) == KeyedRowsTests.form.objects())
  }

  @Test func `rows that are filled later join those that are there`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.sqlite")
    var writer = try DatabaseWriter(file, as: KeyedRowsTests.form)
    for start in [0, 10] {
      try writer.fill(KeyedRowsTests.notes, start..<start + 10) { _, row in KeyedRowsTests.values(row) }
    }
    #expect(throws: SQLiteError.self) {
      try writer.fill(KeyedRowsTests.notes, 5..<6) { _, row in KeyedRowsTests.values(row) }
    }
    try writer.finish()
    let connection = try SQLiteConnection(file.path, mode: .readOnly)
    #expect(try connection.prepare("SELECT count(*) FROM notes").map { $0.int(0) } == [20])
  }

  @Test func `the parts of the shipped definition select valid tables`() throws {
    let definition = try PipelineDefinition(
      contentsOf: repositoryRoot.appending(path: "pipelines/nasr.json5"))
    guard case .nasr(let nasr) = definition.content else {
      Issue.record("it is no NASR definition")
      return
    }
    let parts = try #require(nasr.parts)
    #expect(Set(parts.keys) == ["airports", "vfr"])
    for part in parts.values { _ = try TableSelection(part.tables) }
    #expect(nasr.part("vfr")?.classAirspace == nasr.classAirspace)
  }
}

import Foundation
import TestSupport
import Testing

@testable import Aero

struct SchemaPageTests {
  private static let page = repositoryRoot.appending(path: "docs/FORMATS.md")

  /// With CHARTPIPE_WRITE_DOCS set, as `make docs` does, the page is brought up to date first.
  @Test func `the page of the formats says what the schema says`() throws {
    let page = try String(contentsOf: SchemaPageTests.page, encoding: .utf8)
    let start = try #require(page.range(of: SchemaPage.begin + "\n\n")).upperBound
    let end = try #require(page.range(of: "\n\n" + SchemaPage.end, range: start..<page.endIndex)).lowerBound
    if ProcessInfo.processInfo.environment["CHARTPIPE_WRITE_DOCS"] != nil {
      try page.replacingCharacters(in: start..<end, with: SchemaPage.text).write(
        to: SchemaPageTests.page, atomically: true, encoding: .utf8)
    } else {
      let isTrue = page[start..<end] == SchemaPage.text
      #expect(isTrue, "docs/FORMATS.md differs from the schema: run `make docs`")
    }
  }

  @Test func `every column is explained, or named so that it needs no words`() {
    let plain: Set<String> = ["key", "value"]
    // The words beside the first of these numbers are about all of them.
    let endings = ["Latitude", "Longitude", "west", "north", "east"]
    let bare = DatabaseSchema.tables.flatMap { table in
      table.columns.filter { column in
        column.comment == nil && column.source == nil && !plain.contains(column.name)
          && !["REFERENCES", "PRIMARY KEY"].contains { column.type.contains($0) }
          && !endings.contains { column.name.hasSuffix($0) }
      }.map { table.name + "." + $0.name }
    }
    #expect(bare.isEmpty)
  }

  @Test func `no name is given twice`() {
    let names = DatabaseSchema.tables.map(\.name)
    #expect(Set(names).count == names.count)
    for table in DatabaseSchema.tables {
      #expect(Set(table.columns.map(\.name)).count == table.columns.count, "\(table.name)")
    }
  }
}

import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

struct SchemaPageTests {
  private static let page = repositoryRoot.appending(path: "docs/FORMATS.md")

  /// With CHARTPIPE_WRITE_DOCS set, as `make docs` does, the page is brought up to date first.
  @Test func `documents the schemas in the page of the formats`() throws {
    var page = try SchemaPageTests.page.text
    for (begin, text) in SchemaPage.parts {
      let start = try #require(page.range(of: begin + "\n\n")).upperBound
      let end = try #require(page.range(of: "\n\n" + SchemaPage.end, range: start..<page.endIndex)).lowerBound
      if ProcessInfo.processInfo.environment["CHARTPIPE_WRITE_DOCS"] != nil {
        page.replaceSubrange(start..<end, with: text)
        try page.write(to: SchemaPageTests.page, atomically: true, encoding: .utf8)
      } else {
        let isTrue = page[start..<end] == text
        #expect(isTrue, "docs/FORMATS.md differs from the schema: run `make docs`")
      }
    }
  }

  @Test func `explains every column that its name does not explain`() {
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

  @Test func `uses no name twice`() {
    let names = DatabaseSchema.tables.map(\.name)
    #expect(Set(names).count == names.count)
    for table in DatabaseSchema.tables {
      #expect(Set(table.columns.map(\.name)).count == table.columns.count, "\(table.name)")
    }
  }
}

/// The tables of `aviation.sqlite` and of `obstacles.sqlite`, and what `openefb.sqlite`, `weather.sqlite` and `plates.sqlite` have, in Markdown, as docs/FORMATS.md has them.
enum SchemaPage {
  private static let begin =
    "<!-- Written from the schema by `make docs`: do not edit up to the end mark. -->"
  private static let beginOpenEFB =
    "<!-- Written from the export's columns by `make docs`: do not edit up to the end mark. -->"
  private static let beginWeather =
    "<!-- Written from the columns of weather by `make docs`: do not edit up to the end mark. -->"
  private static let beginPlates =
    "<!-- Written from the columns of plates by `make docs`: do not edit up to the end mark. -->"
  private static let beginProcedures =
    "<!-- Written from the columns of procedures by `make docs`: do not edit up to the end mark. -->"
  static let end = "<!-- The end of what is written from the schema. -->"

  /// The first line and the text of each part.
  static var parts: [(begin: String, text: String)] {
    [
      (begin, text), (beginOpenEFB, list(OpenEFBSchema.tables)),
      (beginProcedures, list(ProcedureSchema.tables)),
      (
        beginWeather,
        list(WeatherSchema.tables.map(\.schema) + [WeatherSchema.sources, WeatherSchema.unread])
      ),
      (
        beginPlates,
        list([SourceTable.plates.schema, PlateSetSchema.pdfs.schema, PlateSetSchema.controlPoints])
      ),
    ]
  }

  private static var text: String {
    let names = DatabaseSchema.tables.map { "[`\($0.name)`](#\($0.name.lowercased()))" }
    let obstacles = SourceTable.obstacles.schema
    return
      ([names.joined(separator: ", ") + "; in `obstacles.sqlite` [`obstacles`](#obstacles)."]
      + DatabaseSchema.tables.map(section) + [section(obstacles)]).joined(separator: "\n\n")
  }

  private static func list(_ tables: [TableSchema]) -> String {
    tables.map { table in
      let rows = table.columns.map { column in
        let isOptional = !column.type.contains("NOT NULL") && !column.type.contains("PRIMARY KEY")
        return
          "| `\(column.name)`\(isOptional ? "?" : "") | \(type(column, in: table)) | \(column.comment ?? "") |"
      }
      return "**`\(table.name)`** \(table.comment)"
        + "\n\n| property | type | what it is |\n| --- | --- | --- |\n"
        + rows.joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  private static func section(_ table: TableSchema) -> String {
    let rows = table.columns.map { column in
      let cells = [
        "`\(column.name)`", type(column, in: table), column.comment ?? "",
        column.source.map { "`\($0)`" } ?? "",
      ]
      return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }
    let source = table.source.map { " From `\($0)`." } ?? ""
    let head = "#### \(table.name)\n\n\(table.comment)\(source)"
    let body = (["| column | type | what it is | the FAA's column |", "| --- | --- | --- | --- |"] + rows)
      .joined(separator: "\n")
    return ([head, body] + notes(table)).joined(separator: "\n\n")
  }

  /// `INTEGER, not null, → navaids.id`, `REAL, 0 to 360 degrees`
  private static func type(_ column: TableSchema.Column, in table: TableSchema) -> String {
    let words = column.type.split(separator: " ").map(String.init)
    var parts = [words[0]]
    if column.type.contains("PRIMARY KEY") { parts.append("key") }
    if column.type.contains("UNIQUE") { parts.append("unique") }
    if column.type.contains("NOT NULL") { parts.append("not null") }
    if let index = words.firstIndex(of: "REFERENCES"), index + 1 < words.count {
      parts.append("→ " + words[index + 1].replacing("(", with: ".").replacing(")", with: ""))
    }
    if let quantity = table.quantity(of: column), let unit = quantity.unit {
      parts.append(Quantity.words(quantity.possible, unit))
    }
    return parts.joined(separator: ", ")
  }

  private static func notes(_ table: TableSchema) -> [String] {
    var notes = table.constraints.map { "`\($0)`" }
    if !table.indexes.isEmpty {
      let indexes = table.indexes.map { "`" + $0.joined(separator: ", ") + "`" }
      notes.append("indexed by " + indexes.joined(separator: " and "))
    }
    switch table.extent {
    case .point: notes.append("`\(table.name)_rtree` holds each position")
    case .box: notes.append("`\(table.name)_rtree` holds each box")
    case nil: break
    }
    if !table.search.isEmpty {
      let columns = table.search.map { "`\($0.column)`" }.joined(separator: ", ")
      notes.append("`\(table.name)_fts` finds words in \(columns)")
    }
    let whole = notes.joined(separator: "; ")
    return notes.isEmpty ? [] : [whole.prefix(1).uppercased() + whole.dropFirst() + "."]
  }
}

struct QuantityTests {
  @Test func `gives every column of numbers a range`() {
    let unsaid = (DatabaseSchema.tables + ObstacleSchema.tables + ProcedureSchema.tables).flatMap { table in
      table.columns.filter { $0.holdsNumbers && table.quantity(of: $0) == nil }.map {
        table.name + "." + $0.name
      }
    }
    #expect(unsaid == [])
  }

  @Test func `keeps usual ranges within possible ones and gives text no range`() throws {
    for table in DatabaseSchema.tables + ObstacleSchema.tables + ProcedureSchema.tables {
      for column in table.columns {
        guard let quantity = table.quantity(of: column) else { continue }
        #expect(column.holdsNumbers)
        #expect(quantity.possible.contains(quantity.usual.lowerBound), "\(table.name).\(column.name)")
        #expect(quantity.possible.contains(quantity.usual.upperBound), "\(table.name).\(column.name)")
      }
    }
  }

  /// A value that the reader accepts must pass the validation.
  @Test func `never reads an impossible number`() {
    for table in DatabaseSchema.sourceTables + DatabaseSchema.detailTables + [
      .airports, .runwayEnds, .weatherStations, .obstacles, .plates,
    ] {
      for field in table.fields {
        guard let quantity = table.schema.quantity(of: field.column) else { continue }
        let range: ClosedRange<Double>? =
          switch field.reading.way {
          case .real(let range): range
          case .whole(let range): Double(range.lowerBound)...Double(range.upperBound)
          default: nil
          }
        guard let range else { continue }
        #expect(
          quantity.possible.lowerBound <= range.lowerBound
            && quantity.possible.upperBound >= range.upperBound, "\(table.schema.name).\(field.column.name)")
      }
    }
  }

  @Test func `lists the words of codes in the schema`() {
    let status = DatabaseSchema.tables.first { $0.name == "airports" }?.columns.first { $0.name == "status" }
    #expect(status?.words == ["operational", "closedIndefinitely", "closedPermanently"])
  }
}

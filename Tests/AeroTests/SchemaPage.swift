@testable import Aero

/// The tables of `aviation.sqlite`, then that of `obstacles.sqlite`, in Markdown, as docs/FORMATS.md has them.
enum SchemaPage {
  static let begin = "<!-- Written from the schema by `make docs`: do not edit up to the end mark. -->"
  static let end = "<!-- The end of what is written from the schema. -->"

  static var text: String {
    let names = DatabaseSchema.tables.map { "[`\($0.name)`](#\($0.name.lowercased()))" }
    let obstacles = SourceTable.obstacles.schema
    return
      ([names.joined(separator: ", ") + "; in `obstacles.sqlite` [`obstacles`](#obstacles)."]
      + DatabaseSchema.tables.map(section) + [section(obstacles)]).joined(separator: "\n\n")
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

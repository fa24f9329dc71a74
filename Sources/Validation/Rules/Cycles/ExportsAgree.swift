internal import Foundation
internal import Pipeline
internal import SQLiteIO

/// What was made of a database, held against that database.
struct ExportsAgree: CycleRule {
  let name = "exports-agree"
  let protects = "Two apps show a pilot the same airport, whichever form of the data each of them reads."

  func check(_ cycle: CycleUnderTest) throws -> [Finding] {
    try cycle.pairs.flatMap { export, base in
      try problems(export, base).map { finding(.error, export, $0.place, $0.text) }
    }
  }

  private func problems(_ export: ProductUnderTest, _ base: ProductUnderTest) throws -> [Disagreement] {
    guard let database = base.file(role: "database"), database.isThere else { return [] }
    if let file = export.file(role: "database") {
      guard file.isThere else { return [] }
      let pair = try DatabasePairing(file, of: database)
      if export.product.format == "openefb" { return try OpenEFBAgreement(pair).problems() }
      guard export.product.format == "identifiers" else { return try AirportsAgreement(pair).problems() }
      let json = export.file(role: "json").flatMap { $0.isThere ? $0 : nil }
      return try IdentifiersAgreement(pair, json: json).problems()
    }
    return try export.product.files.flatMap { file -> [Disagreement] in
      guard let url = export.url(of: file), url.isThere else { return [] }
      return try MapAgreement(layer: file.role, url, of: database).problems()
    }
  }
}

/// Where an export and its database differ.
struct Disagreement {
  let place: String
  let text: String

  init(_ place: String, _ text: String) {
    self.place = place
    self.text = text
  }
}

/// An export, and its database beside it as `base`.
struct DatabasePairing {
  let connection: SQLiteConnection

  init(_ export: URL, of database: URL) throws {
    connection = try SQLiteConnection(export.path, mode: .readOnly)
    try connection.prepare("ATTACH DATABASE ? AS base").run([.text(database.path)])
  }

  /// What a question finds, each told in the same words. The first column is the place; others stand in the words for `%`.
  func disagreements(_ table: String, _ sql: String, _ text: String) throws -> [Disagreement] {
    try connection.prepare(sql).map { row in
      var text = text
      for column in 1..<max(row.columnCount, 1) {
        guard let mark = text.firstIndex(of: "%") else { break }
        text.replaceSubrange(mark...mark, with: row.text(column) ?? "nothing")
      }
      return Disagreement("\(table) \(row.text(0) ?? "")", text)
    }
  }
}

extension CycleUnderTest {
  /// Each export with the database that it was made of, where one of them at least is new.
  var pairs: [(export: ProductUnderTest, base: ProductUnderTest)] {
    let bases = all.filter { $0.product.kind == .database }
    return all.filter { $0.product.kind == .export }.compactMap { export in
      guard let base = bases.first(where: { $0.pipeline == export.pipeline }) else { return nil }
      let isNew = products.contains { $0 === export || $0 === base }
      return isNew ? (export, base) : nil
    }
  }
}

extension ProductUnderTest {
  /// `nasr` of `nasr/aviation`.
  var pipeline: Substring { product.id.prefix { $0 != "/" } }
}

extension URL {
  fileprivate var isThere: Bool { FileManager.default.fileExists(atPath: path) }
}

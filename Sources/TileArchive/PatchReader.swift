internal import Core
internal import Foundation
internal import Pipeline
internal import SQLiteIO

/// Reads a patch, which is untrusted: no code in it is run, and only plain tables are read.
final class PatchReader {
  let url: URL
  let span: PatchSpan
  private let connection: SQLiteConnection
  /// Rows without a value are to be removed.
  private let metadata: [String: String?]

  init(opening url: URL) throws {
    self.url = url
    let opened = try PatchReader.opening(url) {
      let connection = try SQLiteConnection(url.path, mode: .foreign)
      try PatchReader.checkTables(connection, url)
      let rows = try connection.prepare("SELECT name, value FROM metadata ORDER BY rowid")
        .map { ($0.text(0) ?? "", $0.text(1)) }
      return (connection, Dictionary(rows) { first, _ in first })
    }
    (connection, metadata) = opened
    guard let span = PatchSpan(metadata: opened.1.compactMapValues(\.self)) else {
      throw UserError.patch(url, "it is a tile archive, not a patch")
    }
    self.span = span
  }

  func count() throws -> Int {
    try UserError.readingDatabase(url) {
      try connection.prepare("SELECT count(*) FROM tiles").map { $0.int(0) }.first ?? 0
    }
  }

  func cursor() throws -> TileCursor { try TileCursor(connection, of: url, contents: .changes) }

  func expect(ownHash: String) throws {
    guard metadata[TileHash.metadataKey] == ownHash else {
      throw UserError.patch(
        url, "it is damaged: its `\(TileHash.metadataKey)` is not \(ownHash), that of its tiles")
    }
  }

  /// The metadata of an archive after the patch is applied, in the order of the writer.
  func metadata(over base: [String: String]) -> [(name: String, value: String)] {
    var rows = base
    for (name, value) in metadata { rows[name] = value }
    rows[PatchSpan.beforeKey] = nil
    rows[PatchSpan.afterKey] = nil
    rows[TileHash.metadataKey] = span.after
    return rows.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }

  /// A view, a virtual table or a computed column can produce unlimited data.
  private static func checkTables(_ connection: SQLiteConnection, _ url: URL) throws {
    let others = try connection.prepare(
      """
      SELECT type || ' ' || name FROM sqlite_schema
      WHERE type NOT IN ('table', 'index') OR type = 'table' AND rootpage = 0 ORDER BY rowid
      """
    ).map { $0.text(0) ?? "" }
    if let first = others.first {
      throw UserError.patch(url, "it contains more than plain tables: \(first.prefix(60))")
    }
    try expect(["zoom_level", "tile_column", "tile_row", "tile_data"], of: "tiles", connection, url)
    try expect(["name", "value"], of: "metadata", connection, url)
  }

  private static func expect(
    _ columns: Set<String>, of table: String, _ connection: SQLiteConnection, _ url: URL
  ) throws {
    let found = try connection.prepare("SELECT name, hidden FROM pragma_table_xinfo(?)").map([.text(table)]) {
      (name: $0.text(0) ?? "", isStored: $0.int(1) == 0)
    }
    guard found.allSatisfy(\.isStored), Set(found.map(\.name)) == columns else {
      throw UserError.patch(url, "it is not a patch: it has no plain table `\(table)`")
    }
  }

  private static func opening<T>(_ url: URL, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw UserError.patch(
        url,
        error.suggestion != nil
          ? error.message
          : error.isNotADatabase ? "it is not an SQLite database" : "the file cannot be opened")
    }
  }
}

/// The hashes of the tiles before and after a patch. The names of the metadata rows are those of other tools' patches.
public struct PatchSpan: Equatable, Sendable {
  static let beforeKey = "agg_tiles_hash_before_apply"
  static let afterKey = "agg_tiles_hash_after_apply"

  public let before: String
  public let after: String

  /// Nil if the metadata is not that of a patch.
  public init?(metadata: [String: String]) {
    guard let before = metadata[PatchSpan.beforeKey], let after = metadata[PatchSpan.afterKey] else {
      return nil
    }
    (self.before, self.after) = (before, after)
  }
}

extension PatchSpan {
  init(before: String, after: String) {
    (self.before, self.after) = (before, after)
  }

  /// The metadata of a patch: all rows of the new archive, and a row without a value for each key of the old one only.
  func metadata(
    ownHash: String, from old: [String: String], to new: [String: String]
  ) -> [(name: String, value: String?)] {
    var rows: [String: String?] = old.mapValues { _ in nil }
    for (name, value) in new { rows[name] = .some(value) }
    rows[TileHash.metadataKey] = .some(ownHash)
    rows[PatchSpan.beforeKey] = .some(before)
    rows[PatchSpan.afterKey] = .some(after)
    return rows.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }
}

/// The hashes that connect a patch with its two archives, computed while the tiles are read.
struct PatchHashes {
  let before: TileHash
  let own: TileHash
  let after: TileHash

  init() throws {
    (before, own, after) = (try TileHash(), try TileHash(), try TileHash())
  }
}

internal import Core
public import Foundation
internal import SQLiteIO

/// The contents of one file, without validation.
public struct FileInspection: Codable, Equatable, Sendable {
  public enum Kind: String, Codable, Sendable {
    case mbtiles
    case pmtiles
    case sqlite
  }

  public var kind: Kind
  /// What the file is, for people.
  public var title: String
  /// The path as the user gave it.
  public var file: String
  public var bytes: Int
  public var metadata: [String: String]
  /// Nil except for an archive.
  public var zooms: [ZoomSummary]?
  /// The format of the tiles by the bytes of one of them, whatever the metadata says; nil if they are in no known format.
  public var tileFormat: String?
  /// Nil except for a database.
  public var tables: [Table]?

  public struct Table: Codable, Equatable, Sendable {
    public var name: String
    public var rows: Int
  }

  /// Recognizes the kind by the file's contents, not by its name.
  public init(of url: URL) throws {
    file = url.relativePath
    bytes = try FileInspection.size(of: url, file)
    if let signature = FileSignature(of: url) {
      throw FileInspection.unreadable(file, "it is \(signature.title)", suggestion: signature.suggestion)
    }
    do {
      if ArchiveKind(contentsOf: url) == .pmtiles {
        let archive = try PMTilesReader(opening: url)
        (metadata, zooms, tileFormat) = try FileInspection.contents(archive)
        (kind, title) = (.pmtiles, "tile archive (PMTiles)")
        return
      }
      let connection = try SQLiteConnection(url.path, mode: .foreign)
      let names = try connection.tablesAndViews()
      if try connection.isArchive(names) {
        (metadata, zooms, tileFormat) = try FileInspection.contents(MBTilesReader(connection, of: url))
        (kind, title) = (.mbtiles, "tile archive (MBTiles)")
      } else {
        (kind, title) = (.sqlite, try connection.title(names))
        tables = try names.map { name in
          Table(name: name, rows: try connection.count("\"" + name.replacing("\"", with: "\"\"") + "\""))
        }
        let hasMetadata =
          try names.contains("metadata") && connection.columns(of: "metadata") == ["key", "value"]
        metadata = hasMetadata ? try connection.prepare("SELECT key, value FROM metadata").pairs() : [:]
      }
    } catch let error as SQLiteError where error.suggestion != nil {
      throw FileInspection.unreadable(file, error.message, suggestion: error.suggestion, causes: [error])
    } catch {
      throw FileInspection.unreadable(
        file, reason(error), suggestion: (error as? UserError)?.suggestion, causes: [error])
    }
  }

  /// SQLite would open an empty file as an empty database.
  private static func size(of url: URL, _ file: String) throws -> Int {
    guard let bytes = url.byteCount else {
      throw UserError(
        .badCall, operation: "inspecting", path: file, reason: "there is no such file",
        suggestion: "Name an .mbtiles, .pmtiles or .sqlite file.")
    }
    guard url.isRegularFile else { throw unreadable(file, "it is not a file") }
    guard bytes > 0 else { throw unreadable(file, "it is empty") }
    return bytes
  }

  /// Returns an archive's metadata and valid zooms, and the format of its tiles.
  private static func contents(
    _ archive: some TileSource
  ) throws -> ([String: String], [ZoomSummary], String?) {
    (
      try archive.metadata(), try archive.summary().zooms.filter { (0...29).contains($0.zoom) },
      try archive.anyTile().flatMap { TileEncoding(of: $0) }?.rawValue
    )
  }

  private static func unreadable(
    _ file: String, _ reason: String, suggestion: String? = nil, causes: [any Error] = []
  ) -> UserError {
    UserError(
      .badInput, operation: "inspecting", path: file,
      reason: "it is not a readable tile archive or database (\(reason))",
      suggestion: suggestion ?? "Name a complete .mbtiles, .pmtiles or .sqlite file.",
      causes: causes
    )
  }
}

extension SQLiteConnection {
  /// Returns tables and views, without the shadow tables of R-trees and text indexes. (`pragma_table_list` would read all views,
  /// which takes minutes for views of views of views.)
  fileprivate func tablesAndViews() throws -> [String] {
    try texts(
      """
      SELECT name FROM sqlite_schema AS own
      WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND NOT EXISTS (
        SELECT 1 FROM sqlite_schema AS module WHERE module.type = 'table' AND module.rootpage = 0
        AND own.rootpage > 0 AND substr(own.name, 1, length(module.name) + 1) = module.name || '_'
        AND substr(own.name, length(module.name) + 2) IN (
          'node', 'rowid', 'parent', 'data', 'idx', 'content', 'docsize', 'config', 'segments', 'segdir', 'stat'))
      ORDER BY name
      """)
  }

  /// Whether it has the tables or views of MBTiles.
  fileprivate func isArchive(_ names: [String]) throws -> Bool {
    guard names.contains("tiles"), names.contains("metadata") else { return false }
    let needed = ["zoom_level", "tile_column", "tile_row", "tile_data"]
    return Set(needed).isSubset(of: try columns(of: "tiles"))
  }

  private static let geoPackage = 0x4750_4B47

  fileprivate func title(_ names: [String]) throws -> String {
    let mark = try numbers("PRAGMA application_id").first
    if mark == SQLiteConnection.geoPackage { return "GeoPackage (SQLite), not a tile archive in MBTiles" }
    // A database for RZFlight has no mark, since its app sets none.
    return mark.map(DatabaseUnderTest.applicationIDs.contains) == true || names.contains("model_metadata")
      ? "app database (SQLite)"
      : "SQLite database, neither a tile archive nor an app database of this program"
  }
}

extension FileInspection {
  /// The inspection as text for people.
  public var text: String {
    let head = ["\(file): \(title), \(Counts.bytes(bytes))", validity, formatLine].compactMap(\.self)
    let values = metadata.sorted { $0.key < $1.key }.map { [$0.key, shortened($0.value)] }
    let zooms = zooms.map { zooms in
      [["zoom", "tiles", "size", "columns", "rows"]]
        + zooms.map {
          [
            "\($0.zoom)", Counts.grouped($0.tiles), Counts.bytes($0.bytes), "\($0.columns.text)",
            "\($0.rows.text)",
          ]
        }
    }
    let tables = tables.map { tables in
      [["table", "rows"]] + tables.map { [$0.name, Counts.grouped($0.rows)] }
    }
    let sections = [
      FileInspection.aligned(values, right: []), FileInspection.aligned(zooms ?? [], right: [0, 1, 2]),
      FileInspection.aligned(tables ?? [], right: [1]),
    ]
    return (head + sections.filter { !$0.isEmpty }.flatMap { [""] + $0 }).joined(separator: "\n") + "\n"
  }

  /// Returns rows in columns of equal width.
  private static func aligned(_ rows: [[String]], right: Set<Int>) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        return right.contains(column) ? blanks + cell : cell + blanks
      }
      let line = cells.joined(separator: "  ")
      return "  " + String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// The dates on which the file is current, if it has them.
  private var validity: String? {
    let prefix = kind == .sqlite ? "" : "chartpipe:"
    guard let effective = metadata[prefix + "effective"], let expires = metadata[prefix + "expires"] else {
      return nil
    }
    let cycle = metadata[prefix + "cycle"].map { "Cycle \($0), in" } ?? "In"
    return "\(cycle) force from \(effective) until \(expires)"
  }

  private var formatLine: String? {
    guard zooms != nil, let tileFormat, tileFormat != metadata["format"] else { return nil }
    return metadata["format"] == nil
      ? "Its metadata has no `format`; its tiles are \(tileFormat)"
      : "Its tiles are \(tileFormat), whatever its `format` says"
  }

  /// Shortens long values, such as a neatline with thousands of characters.
  private func shortened(_ value: String) -> String {
    let line = value.replacing("\n", with: " ")
    return line.count > 80 ? "\(line.prefix(60))... (\(Counts.grouped(value.count)) characters)" : line
  }
}

extension ZoomSummary.Span {
  fileprivate var text: String { first == last ? "\(first)" : "\(first)-\(last)" }
}

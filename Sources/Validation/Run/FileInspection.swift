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
        (kind, metadata, zooms) = try FileInspection.contents(.pmtiles, archive)
        (title, tileFormat) = ("tile archive (PMTiles)", try FileInspection.format(of: archive))
        return
      }
      let connection = try SQLiteConnection(url.path, mode: .foreign)
      let tables = try DatabaseContents.names(connection)
      if try DatabaseContents.isArchive(connection, tables) {
        let archive = MBTilesReader(connection, of: url)
        (kind, metadata, zooms) = try FileInspection.contents(.mbtiles, archive)
        title = "tile archive (MBTiles)"
        tileFormat = try FileInspection.format(of: archive)
      } else {
        (kind, self.tables) = (.sqlite, try DatabaseContents.tables(connection, tables))
        metadata = try DatabaseContents.metadata(connection, tables)
        title = try DatabaseContents.title(connection, tables)
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

  private static func format(of archive: some TileSource) throws -> String? {
    try archive.anyTile().flatMap { TileEncoding(of: $0) }?.rawValue
  }

  /// Returns an archive's metadata and valid zooms.
  private static func contents(
    _ kind: Kind, _ archive: some TileSource
  ) throws -> (Kind, [String: String], [ZoomSummary]) {
    (kind, try archive.metadata(), try archive.summary().zooms.filter { (0...29).contains($0.zoom) })
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

private enum DatabaseContents {
  /// Returns tables and views, without the shadow tables of R-trees and text indexes. (`pragma_table_list` would read all views,
  /// which takes minutes for views of views of views.)
  static func names(_ connection: SQLiteConnection) throws -> [String] {
    try connection.prepare(
      """
      SELECT name FROM sqlite_schema AS own
      WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND NOT EXISTS (
        SELECT 1 FROM sqlite_schema AS module WHERE module.type = 'table' AND module.rootpage = 0
        AND own.rootpage > 0 AND substr(own.name, 1, length(module.name) + 1) = module.name || '_'
        AND substr(own.name, length(module.name) + 2) IN (
          'node', 'rowid', 'parent', 'data', 'idx', 'content', 'docsize', 'config', 'segments', 'segdir', 'stat'))
      ORDER BY name
      """
    ).map { $0.text(0) ?? "" }
  }

  /// Whether it has the tables or views of MBTiles.
  static func isArchive(_ connection: SQLiteConnection, _ names: [String]) throws -> Bool {
    guard names.contains("tiles"), names.contains("metadata") else { return false }
    let columns = Set(try connection.texts("SELECT name FROM pragma_table_info('tiles')"))
    return columns.isSuperset(of: ["zoom_level", "tile_column", "tile_row", "tile_data"])
  }

  private static let geoPackage = 0x4750_4B47

  static func title(_ connection: SQLiteConnection, _ names: [String]) throws -> String {
    let mark = try connection.numbers("PRAGMA application_id").first
    if mark == geoPackage { return "GeoPackage (SQLite), not a tile archive in MBTiles" }
    // A database for RZFlight has no mark, since its app sets none.
    return mark.map(DatabaseUnderTest.applicationIDs.contains) == true || names.contains("model_metadata")
      ? "app database (SQLite)"
      : "SQLite database, neither a tile archive nor an app database of this program"
  }

  static func tables(_ connection: SQLiteConnection, _ names: [String]) throws -> [FileInspection.Table] {
    try names.map { name in
      let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
      let rows = try connection.prepare("SELECT count(*) FROM \(quoted)").map { $0.int(0) }
      return FileInspection.Table(name: name, rows: rows.first ?? 0)
    }
  }

  static func metadata(_ connection: SQLiteConnection, _ names: [String]) throws -> [String: String] {
    guard names.contains("metadata") else { return [:] }
    let columns = try connection.prepare("SELECT name FROM pragma_table_info('metadata')").map { $0.text(0) }
    guard columns == ["key", "value"] else { return [:] }
    return try connection.prepare("SELECT key, value FROM metadata").pairs()
  }
}

extension FileInspection {
  /// The inspection as text for people.
  public var text: String {
    let head = ["\(file): \(title), \(Counts.bytes(bytes))", validity, formatLine].compactMap(\.self)
    return (head + section(metadataTable) + section(zoomTable) + section(tableTable)).joined(separator: "\n")
      + "\n"
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

  private func section(_ table: TextTable?) -> [String] {
    table.map { [""] + $0.lines } ?? []
  }

  private var metadataTable: TextTable? {
    guard !metadata.isEmpty else { return nil }
    let rows = metadata.sorted { $0.key < $1.key }.map { [$0.key, shortened($0.value)] }
    return TextTable(header: nil, rows: rows, rightAligned: [])
  }

  private var zoomTable: TextTable? {
    zooms.map { zooms in
      TextTable(
        header: ["zoom", "tiles", "size", "columns", "rows"],
        rows: zooms.map {
          [
            "\($0.zoom)", Counts.grouped($0.tiles), Counts.bytes($0.bytes), "\($0.columns.text)",
            "\($0.rows.text)",
          ]
        }, rightAligned: [0, 1, 2])
    }
  }

  private var tableTable: TextTable? {
    tables.map { tables in
      TextTable(
        header: ["table", "rows"], rows: tables.map { [$0.name, Counts.grouped($0.rows)] }, rightAligned: [1])
    }
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

/// Rows in columns of equal width.
private struct TextTable {
  let header: [String]?
  let rows: [[String]]
  let rightAligned: Set<Int>

  var lines: [String] {
    let all = (header.map { [$0] } ?? []) + rows
    let widths = (0..<(all.first?.count ?? 0)).map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      let cells = row.enumerated().map { column, cell in
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        return rightAligned.contains(column) ? blanks + cell : cell + blanks
      }
      let line = cells.joined(separator: "  ")
      return "  " + String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}

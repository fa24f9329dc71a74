public import Foundation
internal import Pipeline
internal import SQLiteIO
internal import TileArchive

/// What is in one file, without a judgement.
public struct FileInspection: Codable, Equatable, Sendable {
  public enum Kind: String, Codable, Sendable {
    case mbtiles
    case sqlite
  }

  public var kind: Kind
  /// The path as it was given.
  public var file: String
  public var bytes: Int
  public var metadata: [String: String]
  /// Of an archive.
  public var zooms: [Zoom]?
  /// Of a database.
  public var tables: [Table]?

  public struct Zoom: Codable, Equatable, Sendable {
    public var zoom: Int
    public var tiles: Int
    public var bytes: Int
    public var columns: Span
    /// Counted from the north, as in a tile's URL.
    public var rows: Span
  }

  public struct Span: Codable, Equatable, Sendable {
    public var first: Int
    public var last: Int
  }

  public struct Table: Codable, Equatable, Sendable {
    public var name: String
    public var rows: Int
  }

  /// The kind is told by what is in the file, not by its name.
  public init(of url: URL) throws {
    file = url.relativePath
    // Links are followed, or the size would be the link's own.
    let path = url.resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
      throw Fault(
        .badCall, doing: "inspecting", subject: file, problem: "there is no such file")
    }
    bytes = attributes[.size] as? Int ?? 0
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw FileInspection.unreadable(file, "it is no file")
    }
    // SQLite takes an empty file for an empty database.
    guard bytes > 0 else { throw FileInspection.unreadable(file, "it is empty") }
    do {
      let connection = try SQLiteConnection(url.path, mode: .readOnly)
      let tables = try DatabaseContents.names(connection)
      if tables.contains("tiles") {
        (kind, zooms) = (.mbtiles, try ArchiveContents.zooms(connection))
        metadata = try MBTilesReader(connection, of: url).metadata()
      } else {
        (kind, self.tables) = (.sqlite, try DatabaseContents.tables(connection, tables))
        metadata = try DatabaseContents.metadata(connection, tables)
      }
    } catch {
      throw FileInspection.unreadable(file, reason(error), causes: [error])
    }
  }

  private static func unreadable(_ file: String, _ reason: String, causes: [any Error] = []) -> Fault {
    Fault(
      .badInput, doing: "inspecting", subject: file,
      problem: "it is no tile archive and no database that can be read (\(reason))",
      remedy: "Give an .mbtiles or an .sqlite that was built or downloaded whole.", causes: causes)
  }
}

private enum ArchiveContents {
  static func zooms(_ connection: SQLiteConnection) throws -> [FileInspection.Zoom] {
    try connection.prepare(
      """
      SELECT zoom_level, count(*), total(length(tile_data)), min(tile_column), max(tile_column),
        min(tile_row), max(tile_row)
      FROM tiles WHERE zoom_level BETWEEN 0 AND 29 GROUP BY zoom_level ORDER BY zoom_level
      """
    ).map { row in
      let lastRow = (1 << row.int(0)) - 1
      return FileInspection.Zoom(
        zoom: row.int(0), tiles: row.int(1), bytes: row.int(2),
        columns: FileInspection.Span(first: row.int(3), last: row.int(4)),
        rows: FileInspection.Span(first: lastRow &- row.int(6), last: lastRow &- row.int(5)))
    }
  }
}

private enum DatabaseContents {
  /// Tables and views, without those in which R-trees and text indexes keep their own affairs.
  static func names(_ connection: SQLiteConnection) throws -> [String] {
    try connection.prepare(
      """
      SELECT name FROM pragma_table_list
      WHERE schema = 'main' AND type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY name
      """
    ).map { $0.text(0) ?? "" }
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
    let rows = try connection.prepare("SELECT key, value FROM metadata").map {
      ($0.text(0) ?? "", $0.text(1) ?? "")
    }
    return Dictionary(rows) { first, _ in first }
  }
}

internal import ArchiveIO
internal import Core
public import Foundation
internal import SQLiteIO

/// Converts an archive of any origin to the other format. The tiles keep their bytes.
public enum ArchiveConversion {
  /// Writes a new file. The caller moves it to its final name.
  public static func write(
    _ source: any TileSource, as kind: ArchiveKind, to scratch: URL,
    advanced: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> ArchiveSummary {
    let rows = try checkedRows(of: source)
    return switch kind {
    case .pmtiles: try PMTilesWriter.write(source, rows: rows, to: scratch, advanced: advanced)
    case .mbtiles: try writeMBTiles(source, rows, to: scratch, advanced)
    }
  }

  /// Checks the tiles and the metadata, and returns the rows of the new archive. A row `scheme` is left out: rows are counted from
  /// the south in each MBTiles file, and from the north in PMTiles, whatever other programs write into it.
  private static func checkedRows(of source: any TileSource) throws -> [String: String] {
    var rows = try source.metadata()
    guard let format = TileEncoding(row: rows["format"] ?? "") else {
      throw UserError.unknownFormat(rows["format"], in: source.url)
    }
    try source.forEachTile { tile in
      if let problem = format.problem(of: tile.data) {
        throw UserError.reading(
          source.url, "tile \(tile.id) \(problem), but the archive is \(format)",
          suggestion: "Make the archive again with all tiles as \(format.title).")
      }
    }
    let zooms = try source.summary().zooms
    guard let first = zooms.first, let last = zooms.last else {
      throw UserError.reading(source.url, "it contains no tile")
    }
    let bounds = rows["bounds"] ?? ArchiveMetadata.text(last.box)
    guard GeoBox(metadata: bounds) != nil else {
      throw UserError.reading(
        source.url,
        "its `bounds` are \"\(bounds.prefix(80))\", not west,south,east,north of a box on the earth",
        suggestion: "Correct or delete the row: without it, the bounds are those of the tiles.")
    }
    rows["scheme"] = nil
    rows["name"] = rows["name"] ?? source.url.deletingPathExtension().lastPathComponent
    (rows["format"], rows["bounds"]) = (format.rawValue, bounds)
    (rows["minzoom"], rows["maxzoom"]) = ("\(first.zoom)", "\(last.zoom)")
    return rows
  }

  private static func writeMBTiles(
    _ source: any TileSource, _ rows: [String: String], to scratch: URL,
    _ advanced: (Int, Int) throws -> Void
  ) throws -> ArchiveSummary {
    let total = try source.summary().tiles
    let writer = try MBTilesWriter(creating: scratch, isOrdered: true)
    var done = 0
    try source.forEachTile { tile in
      try writer.add(tile)
      done += 1
      if done.isMultiple(of: 256) { try advanced(done, total) }
    }
    return try writer.finish(rows: rows)
  }
}

extension TileEncoding {
  fileprivate var title: String { isVector ? "vector tiles compressed with gzip" : "\(self) images" }

  /// Why a tile cannot be in an archive of this format. The writers report empty tiles.
  fileprivate func problem(of tile: [UInt8]) -> String? {
    if tile.isEmpty || (isVector && Gzip.isCompressed(tile)) { return nil }
    let found = TileEncoding(image: tile)
    if isVector { return found.map { "is \($0)" } ?? "is not compressed with gzip" }
    return found == self ? nil : found.map { "is \($0)" } ?? "does not begin like an image"
  }
}

/// The archive formats that this program reads and writes.
public enum ArchiveKind: String, CaseIterable, Sendable {
  case mbtiles, pmtiles

  /// The name shown to users.
  public var title: String { self == .mbtiles ? "MBTiles" : "PMTiles" }

  /// Detects the format by the first bytes, not by the file's name. Nil if it is neither PMTiles nor SQLite, which may contain
  /// MBTiles.
  public init?(contentsOf url: URL) {
    guard let start = try? url.firstBytes(16) else { return nil }
    if start.starts(with: PMTilesHeader.magic) {
      self = .pmtiles
    } else if start.starts(with: Array("SQLite format 3\0".utf8)) {
      self = .mbtiles
    } else {
      return nil
    }
  }

  /// Opens an archive of either format.
  public static func open(_ url: URL) throws -> any TileSource {
    switch ArchiveKind(contentsOf: url) {
    case .pmtiles: try PMTilesReader(opening: url)
    // For files in neither format, the reader of the commoner format reports the error.
    case .mbtiles, nil: try MBTilesReader(opening: url)
    }
  }
}

extension UserError {
  /// Converts errors of writing to an archive into user errors.
  static func writing<T>(_ archive: URL, _ body: () throws -> T) throws -> T {
    return try explaining({ writing(archive, $0) }) { try body() }
  }

  static let endlessView = "a view in it does not end, or has more rows than the file can hold"

  /// Explains SQLite's error of opening or reading an archive.
  static func reading(_ archive: URL, _ error: SQLiteError) -> UserError {
    if let suggestion = error.suggestion {
      return reading(archive, error.message, [error], suggestion: suggestion)
    }
    if error.isEndless { return reading(archive, endlessView) }
    if error.isOfSchema {
      return reading(archive, "its tables or views cannot be read (\(error.message))", [error])
    }
    return reading(
      archive,
      error.isUnopened ? "the file cannot be opened" : "the database is damaged, or not an MBTiles archive",
      [error])
  }

  static func unknownFormat(_ format: String?, in archive: URL) -> UserError {
    reading(
      archive, "its `format` is \(format.map { "\"\($0)\"" } ?? "missing"), not \(TileEncoding.list)",
      suggestion:
        "Correct the row `format` of its metadata, or make the archive again in one of these formats.")
  }

  static func impossible(_ tile: StoredTile, in archive: URL) -> UserError {
    reading(
      archive, "zoom \(tile.zoom), column \(tile.column), row \(tile.tmsRow) is not a valid tile",
      suggestion: "Delete it, or make the archive again.")
  }

  /// An error of writing an archive: its folder is missing, the disk is full, or the file cannot be written.
  static func writing(_ archive: URL, _ error: any Error) -> UserError {
    if let fault = error as? UserError { return fault }
    let folder = archive.deletingLastPathComponent()
    guard folder.kindOnDisk == .folder else {
      return UserError(
        .failed, operation: "writing a tile archive into", path: folder.path,
        reason: folder.missingFolderReason, suggestion: "Create the folder, or choose another one.",
        causes: [error])
    }
    let isFull = (error as? SQLiteError)?.isFull ?? ((error as? CocoaError)?.code == .fileWriteOutOfSpace)
    return UserError(
      .failed, operation: "writing the tile archive", path: archive.path,
      reason: isFull ? "the disk is full" : "the file cannot be written",
      suggestion: isFull
        ? "Free some space, or write to a folder on another disk."
        : "Check the folder's permissions and the free space.",
      causes: [error])
  }

  static func inTheWay(_ archive: URL) -> UserError {
    UserError(
      .failed, operation: "writing the tile archive", path: archive.path,
      reason: "a file of this name exists already", suggestion: "Remove it, or choose another name.")
  }

  static func reading(
    _ archive: URL, _ problem: String, _ causes: [any Error] = [], suggestion: String? = nil
  ) -> UserError {
    UserError(
      .badInput, operation: "reading the tile archive", path: archive.path, reason: problem,
      suggestion: suggestion ?? "Use a complete .mbtiles or .pmtiles file.", causes: causes)
  }
}

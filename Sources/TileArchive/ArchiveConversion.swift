internal import Core
public import Foundation
internal import Pipeline
internal import SQLiteIO

/// Converts an archive to the other format.
public enum ArchiveConversion {
  /// Writes a new file. The caller moves it to its final name.
  public static func write(
    _ source: any TileSource, as kind: ArchiveKind, to scratch: URL,
    advanced: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> ArchiveSummary {
    guard PatchSpan(metadata: try source.metadata()) == nil else { throw UserError.isPatch(source.url) }
    return switch kind {
    case .pmtiles: try PMTilesWriter.write(source, to: scratch, advanced: advanced)
    case .mbtiles: try writeMBTiles(source, to: scratch, advanced)
    }
  }

  private static func writeMBTiles(
    _ source: any TileSource, to scratch: URL, _ advanced: (Int, Int) throws -> Void
  ) throws -> ArchiveSummary {
    let summary = try source.summary()
    let metadata = try ArchiveMetadata(rows: source.metadata(), of: source.url, zooms: summary.zooms)
    let writer = try MBTilesWriter(creating: scratch)
    var done = 0
    try source.forEachTile { tile in
      try writer.add(tile)
      done += 1
      if done.isMultiple(of: 256) { try advanced(done, summary.tiles) }
    }
    return try writer.finish(metadata)
  }
}

extension ArchiveMetadata {
  /// Makes the metadata from another archive's rows. Missing rows stay empty.
  fileprivate init(rows: [String: String], of url: URL, zooms: [ZoomSummary]) throws {
    guard let first = zooms.first, let last = zooms.last else {
      throw UserError.reading(url, "it contains no tile")
    }
    guard let bounds = rows["bounds"].flatMap({ GeoBox(metadata: $0) }) else {
      throw UserError.reading(url, "its bounds are not a box on the earth")
    }
    self.init(
      name: rows["name"] ?? url.deletingPathExtension().lastPathComponent, format: rows["format"] ?? "",
      bounds: bounds, adjustedBounds: GeoBox(adjustedIn: rows), minZoom: first.zoom, maxZoom: last.zoom,
      attribution: rows["attribution"] ?? "",
      description: rows["description"] ?? "", version: rows["version"] ?? "",
      type: rows["type"] ?? "overlay", extra: rows)
  }
}

/// The archive formats that this program reads and writes.
public enum ArchiveKind: String, CaseIterable, Sendable {
  case mbtiles
  case pmtiles

  /// The name shown to users.
  public var title: String { self == .mbtiles ? "MBTiles" : "PMTiles" }

  /// Detects the format by the first bytes, not by the file's name. Nil if it is neither PMTiles nor SQLite, which may contain
  /// MBTiles.
  public init?(contentsOf url: URL) {
    guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
    defer { try? handle.close() }
    let start = (try? handle.read(upToCount: 16)).flatMap(\.self) ?? Data()
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
    do {
      return try body()
    } catch {
      throw writing(archive, error)
    }
  }

  /// Converts SQLite errors of reading an open archive into user errors.
  static func readingDatabase<T>(_ archive: URL, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw reading(archive, "the database is damaged, or not an MBTiles archive", [error])
    }
  }

  static func isPatch(_ archive: URL) -> UserError { reading(archive, "it is a patch, not an archive") }

  static func impossible(_ tile: StoredTile, in archive: URL) -> UserError {
    reading(
      archive, "zoom \(tile.zoom), column \(tile.column), row \(tile.tmsRow) is not a valid tile")
  }

  /// An error of writing an archive: the disk is full, or the file cannot be written.
  static func writing(_ archive: URL, _ error: any Error) -> UserError {
    if let fault = error as? UserError { return fault }
    let isFull = (error as? SQLiteError)?.isFull ?? ((error as? CocoaError)?.code == .fileWriteOutOfSpace)
    return UserError(
      .failed, operation: "writing the tile archive", path: archive.path,
      reason: isFull ? "the disk is full" : "the file cannot be written",
      suggestion: isFull
        ? "Free some space, or choose a folder on another disk with --work."
        : "Check the folder's permissions and the free space.",
      causes: [error])
  }

  static func inTheWay(_ archive: URL) -> UserError {
    UserError(
      .failed, operation: "writing the tile archive", path: archive.path,
      reason: "a file of this name exists already", suggestion: "Remove it, or choose another name.")
  }

  static func reading(_ archive: URL, _ problem: String, _ causes: [any Error] = []) -> UserError {
    UserError(
      .badInput, operation: "reading the tile archive", path: archive.path, reason: problem,
      suggestion: "Use a complete .mbtiles or .pmtiles file.", causes: causes)
  }
}

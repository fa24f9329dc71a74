public import Foundation

/// The formats of archives that are read and written here.
public enum ArchiveKind: String, CaseIterable, Sendable {
  case mbtiles
  case pmtiles

  /// What people call it.
  public var title: String { self == .mbtiles ? "MBTiles" : "PMTiles" }

  /// By the first bytes, whatever the file's name; nil for what is neither PMTiles nor SQLite, which may hold MBTiles.
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

  /// Opens an archive of either kind.
  public static func open(_ url: URL) throws -> any TileSource {
    switch ArchiveKind(contentsOf: url) {
    case .pmtiles: try PMTilesReader(opening: url)
    // What is no archive at all is told by the reader of the commoner kind.
    case .mbtiles, nil: try MBTilesReader(opening: url)
    }
  }
}

internal import Core
public import Foundation
internal import Pipeline
internal import SQLiteIO

/// Writes one MBTiles 1.3 archive. Used by one task at a time; memory does not grow with the number of tiles.
///
/// The same tiles and metadata give the same bytes, in whatever order the tiles come. Until `finish` returns there is
/// no archive, and a writer that is dropped before that leaves no file.
public final class MBTilesWriter {
  private let url: URL
  private let arrivals: TileArrivals
  private var finished = false

  public init(creating url: URL) throws {
    guard !FileManager.default.fileExists(atPath: url.path) else { throw UserError.inTheWay(url) }
    self.url = url
    arrivals = try UserError.writing(url) { try TileArrivals(beside: url) }
  }

  deinit {
    arrivals.discard()
    if !finished { try? FileManager.default.removeItem(at: url) }
  }

  public func add(_ tile: Tile) throws {
    guard !tile.data.isEmpty else { throw refuse(tile, "it is empty") }
    let id = tile.id
    guard StoredTile.isPossible(zoom: id.zoom, column: id.column, row: id.row) else {
      throw refuse(tile, "there is no such tile")
    }
    do {
      try arrivals.add(tile)
    } catch let error as SQLiteError where error.isConstraint {
      throw refuse(tile, "it was added before")
    } catch {
      throw UserError.writing(url, error)
    }
  }

  /// Writes the archive and closes it.
  public func finish(_ metadata: ArchiveMetadata) throws -> ArchiveSummary {
    try UserError.writing(url) {
      let file = try MBTilesFile(creating: url)
      let hash = try TileHash()
      try arrivals.forEach { tile in
        try hash.update(tile)
        try file.add(tile)
      }
      let summary = try file.finish(metadata.rows(aggregateHash: try hash.finish()))
      arrivals.discard()
      finished = true
      return summary
    }
  }

  private func refuse(_ tile: Tile, _ problem: String) -> UserError {
    UserError(
      .failed, operation: "adding tile \(tile.id) to", path: url.path, reason: problem)
  }
}

@available(*, unavailable)
extension MBTilesWriter: Sendable {}

public import Core
internal import Foundation
internal import Pipeline

/// Where the parts of a PMTiles archive lie, for a reader that gets only some of its bytes.
public struct PMTilesParts: Sendable {
  /// Header, directories and metadata, in the order of the file: what `PMTilesReader` needs to open the archive.
  public let head: [Range<Int>]

  /// - Parameter start: the first 127 bytes of the file or more.
  public init(header start: [UInt8], of name: String) throws {
    do {
      let header = try PMTilesHeader(Array(start.prefix(PMTilesHeader.byteCount)))
      let sections = [header.root, header.metadata, header.leaves].filter { $0.count > 0 }
      head =
        [0..<PMTilesHeader.byteCount]
        + sections.map { $0.offset..<$0.end }.sorted { $0.lowerBound < $1.lowerBound }
    } catch {
      throw UserError(
        .badInput, operation: "reading the tile archive", path: name, reason: error.problem,
        suggestion: "Publish the archive again.")
    }
  }
}

extension PMTilesReader {
  /// The bytes of the file that hold some tiles, each once, in the order of the file.
  public func ranges(of ids: some Sequence<TileID>) -> [Range<Int>] {
    let entries = ids.compactMap { id in
      StoredTile.isPossible(zoom: id.zoom, column: id.column, row: id.row) ? entry(id) : nil
    }
    return Set(entries).sorted { $0.lowerBound < $1.lowerBound }
  }
}

import Core
import TileArchive

/// A few tiles over San Francisco Bay; their bytes are no images, since an archive does not look into them.
enum ArchiveSamples {
  static let metadata = ArchiveMetadata(
    name: "San Francisco", format: "png",
    bounds: GeoBox(west: -122.5, south: 37, east: -121.0625, north: 38.25), minZoom: 6, maxZoom: 8,
    attribution: "FAA", description: "Not for navigation", version: "20261126",
    extra: ["chartpipe:cycle": "2612", "name": "not this one"])

  /// 29 tiles in their order, of which those in the even columns of zoom 8 are identical.
  static let tiles: [Tile] = (6...8).flatMap { zoom in
    (0..<(zoom - 4)).flatMap { column in
      (0..<(zoom - 4)).map { row in
        let id = TileID(zoom: zoom, column: (10 << (zoom - 6)) + column, row: (24 << (zoom - 6)) + row)
        return Tile(id: id, data: bytes(of: id))
      }
    }
  }

  static func bytes(of id: TileID) -> [UInt8] {
    if id.zoom == 8, id.column.isMultiple(of: 2) { return [1, 2, 3] }
    let seed = id.zoom * 7919 + id.column * 104_729 + id.row * 1_299_709
    return (0..<(500 + seed % 30_000)).map { UInt8(truncatingIfNeeded: ($0 &* seed) >> 5) }
  }
}

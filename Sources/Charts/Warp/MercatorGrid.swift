internal import Geo
internal import RasterIO

/// A rectangle of whole tiles of one zoom, as a grid of Web Mercator pixels.
struct MercatorGrid: Equatable, Sendable {
  static let tileSide = 256

  let zoom: Int
  let columns: Range<Int>
  let rows: Range<Int>

  var width: Int { columns.count * MercatorGrid.tileSide }
  var height: Int { rows.count * MercatorGrid.tileSide }

  var placing: GeoTransform {
    let corner = TileID(zoom: zoom, column: columns.lowerBound, row: rows.lowerBound).mercator
    let pixel = corner.side / Double(MercatorGrid.tileSide)
    return GeoTransform(originX: corner.west, originY: corner.north, pixelWidth: pixel, pixelHeight: -pixel)
  }

  /// All tiles of a zoom below one tile.
  init(below root: TileID, zoom: Int) {
    let depth = zoom - root.zoom
    self.init(
      zoom: zoom, columns: root.column << depth..<(root.column + 1) << depth,
      rows: root.row << depth..<(root.row + 1) << depth)
  }

  init(zoom: Int, columns: Range<Int>, rows: Range<Int>) {
    self.zoom = zoom
    self.columns = columns
    self.rows = rows
  }

  func clamped(to range: TileRange) -> MercatorGrid {
    MercatorGrid(
      zoom: zoom, columns: columns.clamped(to: Range(range.columns)),
      rows: rows.clamped(to: Range(range.rows)))
  }

  /// Rectangles of at most so many tiles a side, row by row.
  func blocks(side: Int) -> [MercatorGrid] {
    stride(from: rows.lowerBound, to: rows.upperBound, by: side).flatMap { row in
      stride(from: columns.lowerBound, to: columns.upperBound, by: side).map { column in
        MercatorGrid(
          zoom: zoom, columns: column..<min(column + side, columns.upperBound),
          rows: row..<min(row + side, rows.upperBound))
      }
    }
  }
}

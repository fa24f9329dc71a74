import Core
import Foundation
import ImageIO
import RasterIO
import Testing
import TileArchive

/// All tiles of one zoom as one picture.
struct ZoomPicture {
  let zoom: Int
  let image: RGBAImage
  let tiles: Set<TileID>
  private let column: Int
  private let row: Int

  init(_ archive: URL, zoom: Int) throws {
    var found: [(TileID, RGBAImage)] = []
    let reader = try MBTilesReader(opening: archive)
    try reader.forEachTile { if $0.id.zoom == zoom { found.append(($0.id, try PNG.decode($0.data))) } }
    try reader.close()
    let columns = found.map(\.0.column)
    let rows = found.map(\.0.row)
    column = try #require(columns.min())
    row = try #require(rows.min())
    var image = RGBAImage(
      width: (try #require(columns.max()) - column + 1) * 256,
      height: (try #require(rows.max()) - row + 1) * 256)
    for (id, tile) in found {
      image.paste(tile, column: (id.column - column) * 256, row: (id.row - row) * 256)
    }
    self.zoom = zoom
    self.image = image
    tiles = Set(found.map(\.0))
  }

  /// Where a place of the earth lies in the picture.
  func pixel(of place: GeoPoint) -> (column: Double, row: Double) {
    let (x, y) = WebMercator.project(place)
    let world = Double(256 << zoom)
    return (
      (x / WebMercator.halfWorld + 1) / 2 * world - Double(column * 256),
      (1 - y / WebMercator.halfWorld) / 2 * world - Double(row * 256)
    )
  }

  /// The centre of what is darker than the tint, within some pixels of a point; all of it must be map.
  func darkCentre(near point: (column: Double, row: Double), reach: Int) throws -> (
    column: Double, row: Double
  ) {
    var (sum, across, down) = (0.0, 0.0, 0.0)
    for line in Int(point.row) - reach...Int(point.row) + reach {
      for cell in Int(point.column) - reach...Int(point.column) + reach {
        let pixel = image[cell, line]
        // Signed, since the kernel's overshoot beside the square belongs to its centre too.
        let darkness = Double(MadeUpSheet.tint.green) - Double(pixel.green)
        sum += darkness
        across += darkness * (Double(cell) + 0.5)
        down += darkness * (Double(line) + 0.5)
      }
    }
    try #require(sum > 0)
    return (across / sum, down / sum)
  }
}

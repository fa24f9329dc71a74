import Core
import Foundation
import ImageIO
import SyntheticSheet
import TileArchive

/// All tiles of one zoom, their pixels numbered from the north-western corner of the world. Columns go round it.
struct WorldPicture {
  let zoom: Int
  let tileSize: Int
  let tiles: [TileID: RGBAImage]

  init(_ archive: URL, zoom: Int) throws {
    var tiles: [TileID: RGBAImage] = [:]
    let reader = try MBTilesReader(opening: archive)
    try reader.forEachTile { if $0.id.zoom == zoom { tiles[$0.id] = try TileImage.decode($0.data) } }
    try reader.close()
    self.zoom = zoom
    self.tiles = tiles
    tileSize = tiles.values.first?.width ?? 256
  }

  /// What is seen where archives lie on each other: of each tile the first that there is.
  init(stackedFromTop pictures: [WorldPicture]) {
    zoom = pictures[0].zoom
    tileSize = pictures[0].tileSize
    tiles = pictures.reduce(into: [:]) { tiles, picture in tiles.merge(picture.tiles) { upper, _ in upper } }
  }

  /// Red, green, blue and alpha; nothing where there is no tile.
  subscript(column: Int, row: Int) -> (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
    let around = (column + worldSize) % worldSize
    let id = TileID(zoom: zoom, column: around / tileSize, row: row / tileSize)
    return tiles[id]?[around % tileSize, row % tileSize] ?? (0, 0, 0, 0)
  }

  var worldSize: Int { tileSize << zoom }

  /// Where a place lies, in pixels.
  func pixel(of place: GeoPoint) -> (x: Double, y: Double) {
    let (x, y) = WebMercator.project(place)
    let size = Double(worldSize)
    return ((x / WebMercator.halfWorld + 1) / 2 * size, (1 - y / WebMercator.halfWorld) / 2 * size)
  }

  func place(x: Double, y: Double) -> GeoPoint {
    let size = Double(worldSize)
    return WebMercator.unproject(
      x: (x / size * 2 - 1) * WebMercator.halfWorld, y: (1 - y / size * 2) * WebMercator.halfWorld)
  }

  /// Pixels of a sheet for one of the picture.
  func sheetPixels(_ design: SheetDesign, at place: GeoPoint) -> Double {
    let metres = 2 * WebMercator.halfWorld / Double(worldSize) * cos(place.latitude * .pi / 180)
    return metres / design.metresPerPixel
  }

  /// How far the centre of a control mark's darkness lies from where it should, in pixels. Around the black disc there is
  /// white; the mark's ring is left out.
  func error(of mark: GeoPoint, whiteRadius: Double) -> (x: Double, y: Double) {
    let center = pixel(of: mark)
    let reach = Int(whiteRadius.rounded(.up))
    var sum = (weight: 0.0, x: 0.0, y: 0.0)
    for row in Int(center.y) - reach...Int(center.y) + reach {
      for column in Int(center.x) - reach...Int(center.x) + reach {
        let (dx, dy) = (Double(column) + 0.5 - center.x, Double(row) + 0.5 - center.y)
        guard dx * dx + dy * dy <= whiteRadius * whiteRadius else { continue }
        let weight = 255 - Double(self[column, row].green)
        sum = (sum.weight + weight, sum.x + weight * dx, sum.y + weight * dy)
      }
    }
    return (sum.x / sum.weight, sum.y / sum.weight)
  }
}

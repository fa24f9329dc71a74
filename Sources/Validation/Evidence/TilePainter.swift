internal import Core
internal import ImageIO

/// Draws parts of an archive as pictures. Missing tiles are transparent.
struct TilePainter {
  private let source: any TileSource
  let tileSize: Int

  /// The colour of a tile that cannot be read.
  static let broken: [UInt8] = [230, 0, 0, 255]
  private static let sideLimit: UInt32 = 2048

  init(_ source: any TileSource) throws {
    self.source = source
    let sample = try source.anyTile().flatMap(TilePainter.decode)
    tileSize = sample.map(\.width) ?? 256
  }

  func picture(zoom: Int, _ box: PixelBox) throws -> RGBAImage {
    var picture = RGBAImage(width: box.width, height: box.height)
    let side = 1 << zoom
    for row in tiles(box.row, box.height, side - 1) {
      // Columns continue around the world.
      for column in tiles(box.column, box.width, 2 * side - 1) {
        guard let data = try source.tile(TileID(zoom: zoom, column: column % side, row: row)) else {
          continue
        }
        paste(
          TilePainter.decode(data), at: (column * tileSize - box.column, row * tileSize - box.row), &picture)
      }
    }
    return picture
  }

  /// Returns the existing tile numbers of a range of pixels.
  private func tiles(_ first: Int, _ count: Int, _ last: Int) -> ClosedRange<Int> {
    let low = min(max(first, 0) / tileSize, last)
    return low...min(max(low, (first + count - 1) / tileSize), last)
  }

  private func paste(_ tile: RGBAImage?, at corner: (x: Int, y: Int), _ picture: inout RGBAImage) {
    let whole = tile.flatMap { $0.width == tileSize && $0.height == tileSize ? $0 : nil }
    picture.draw(
      whole ?? RGBAImage(width: tileSize, height: tileSize, color: TilePainter.broken), column: corner.x,
      row: corner.y)
  }

  private static func decode(_ data: [UInt8]) -> RGBAImage? {
    try? TileImage.decode(data, sideLimit: sideLimit)
  }
}

/// The pixel grid of one zoom, counted from the north-western corner of the world.
struct PixelGrid {
  let zoom: Int
  let tileSize: Int

  var worldSize: Double { Double(tileSize) * Double(1 << zoom) }
  private var pixelsPerMetre: Double { worldSize / (2 * WebMercator.halfWorld) }

  /// Metres of Web Mercator, which are longer than on the ground away from the equator.
  var metresPerPixel: Double { 1 / pixelsPerMetre }

  func place(_ point: PlanePoint) -> PlanePoint {
    PlanePoint(
      x: (point.x + WebMercator.halfWorld) * pixelsPerMetre,
      y: (WebMercator.halfWorld - point.y) * pixelsPerMetre)
  }

  func metres(_ place: PlanePoint) -> PlanePoint {
    PlanePoint(
      x: place.x / pixelsPerMetre - WebMercator.halfWorld,
      y: WebMercator.halfWorld - place.y / pixelsPerMetre)
  }

  func corners(of box: GeoBox) -> (northWest: PlanePoint, southEast: PlanePoint) {
    (
      place(GeoPoint(longitude: box.west, latitude: box.north).mercator),
      place(GeoPoint(longitude: box.east, latitude: box.south).mercator)
    )
  }

  /// Returns the pixels that touch a box, with a margin.
  func box(_ area: PlaneBox, margin: Int = 0) -> PixelBox {
    let first = place(PlanePoint(x: area.minX, y: area.maxY))
    let last = place(PlanePoint(x: area.maxX, y: area.minY))
    let (column, row) = (pixel(first.x) - margin, pixel(first.y) - margin)
    return PixelBox(
      column: column, row: row, width: pixel(last.x) + 1 + margin - column,
      height: pixel(last.y) + 1 + margin - row)
  }

  /// Returns a square around a place.
  func box(around point: PlanePoint, side: Int) -> PixelBox {
    let center = place(point)
    return PixelBox(
      column: pixel(center.x) - side / 2, row: pixel(center.y) - side / 2, width: side, height: side)
  }

  func area(_ box: PixelBox) -> PlaneBox {
    let first = metres(PlanePoint(x: Double(box.column), y: Double(box.row)))
    let last = metres(PlanePoint(x: Double(box.column + box.width), y: Double(box.row + box.height)))
    return PlaneBox(minX: first.x, minY: last.y, maxX: last.x, maxY: first.y)
  }

  /// Clamps a number, since a chart may extend beyond 180 degrees, and an invalid neatline beyond the earth.
  private func pixel(_ number: Double) -> Int {
    number.isFinite ? Int(min(max(number, 0), 2 * worldSize).rounded(.down)) : 0
  }
}

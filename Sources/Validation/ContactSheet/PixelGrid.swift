internal import Core

/// The pixels of one zoom of a pyramid, counted from the north-western corner of the world.
struct PixelGrid {
  let zoom: Int
  let tileSize: Int

  var worldSize: Double { Double(tileSize) * Double(1 << zoom) }
  private var pixelsPerMetre: Double { worldSize / (2 * WebMercator.halfWorld) }

  /// In Web Mercator, which is wider than the ground away from the equator.
  var metresPerPixel: Double { 1 / pixelsPerMetre }

  func place(_ point: (x: Double, y: Double)) -> (x: Double, y: Double) {
    ((point.x + WebMercator.halfWorld) * pixelsPerMetre, (WebMercator.halfWorld - point.y) * pixelsPerMetre)
  }

  func metres(_ place: (x: Double, y: Double)) -> (x: Double, y: Double) {
    (place.x / pixelsPerMetre - WebMercator.halfWorld, WebMercator.halfWorld - place.y / pixelsPerMetre)
  }

  /// The pixels that touch a box, with some more around it.
  func box(_ area: PlaneBox, margin: Int = 0) -> PixelBox {
    let first = place((area.minX, area.maxY))
    let last = place((area.maxX, area.minY))
    let (column, row) = (pixel(first.x) - margin, pixel(first.y) - margin)
    return PixelBox(
      column: column, row: row, width: pixel(last.x) + 1 + margin - column,
      height: pixel(last.y) + 1 + margin - row)
  }

  /// A square around a place.
  func box(around point: (x: Double, y: Double), side: Int) -> PixelBox {
    let center = place(point)
    return PixelBox(
      column: pixel(center.x) - side / 2, row: pixel(center.y) - side / 2, width: side, height: side)
  }

  func area(_ box: PixelBox) -> PlaneBox {
    let (west, north) = metres((Double(box.column), Double(box.row)))
    let (east, south) = metres((Double(box.column + box.width), Double(box.row + box.height)))
    return PlaneBox(minX: west, minY: south, maxX: east, maxY: north)
  }

  /// A chart may run on beyond 180 degrees; a neatline that somebody else wrote may lie off the earth altogether.
  private func pixel(_ number: Double) -> Int {
    number.isFinite ? Int(min(max(number, 0), 2 * worldSize).rounded(.down)) : 0
  }
}

/// A rectangle of a zoom's pixels.
struct PixelBox: Equatable {
  var column: Int
  var row: Int
  var width: Int
  var height: Int
}

internal import Core

/// Rectangles in metres of Web Mercator.
extension PlaneBox {
  init(of tile: TileID) {
    let (west, north, side) = tile.mercator
    self.init(minX: west, minY: north - side, maxX: west + side, maxY: north)
  }

  init(mercator box: GeoBox) {
    let southWest = WebMercator.project(GeoPoint(longitude: box.west, latitude: box.south))
    let northEast = WebMercator.project(GeoPoint(longitude: box.east, latitude: box.north))
    self.init(minX: southWest.x, minY: southWest.y, maxX: northEast.x, maxY: northEast.y)
  }

  /// The same place after so many turns round the world, eastward.
  func turned(by turns: Int) -> PlaneBox {
    let way = 2 * WebMercator.halfWorld * Double(turns)
    return PlaneBox(minX: minX + way, minY: minY, maxX: maxX + way, maxY: maxY)
  }
}

internal import Geo

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
}

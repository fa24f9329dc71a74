import Core
import Testing

@Suite struct WebMercatorTests {
  /// Pinned from `gdaltransform -s_srs EPSG:4326 -t_srs EPSG:3857`.
  @Test(arguments: [
    (-122.115, 37.461_111_1, -13_593_779.618_220_6, 4_503_576.111_399_57),
    (151.2093, -33.8688, 16_832_542.279_207_3, -4_011_198.647_307_57),
    (-147.7164, 64.8378, -16_443_714.429_815_5, 9_565_776.432_258_51), (0, 0, 0, 0),
  ])
  func agreesWithPROJ(longitude: Double, latitude: Double, x: Double, y: Double) {
    let point = WebMercator.project(GeoPoint(longitude: longitude, latitude: latitude))
    #expect(abs(point.x - x) < 1e-6 && abs(point.y - y) < 1e-6)
  }

  @Test func comesBackFromEveryPartOfTheWorld() {
    for longitude in stride(from: -180.0, through: 180, by: 7.5) {
      for latitude in stride(from: -85.0, through: 85, by: 2.5) {
        let there = WebMercator.project(GeoPoint(longitude: longitude, latitude: latitude))
        let back = WebMercator.unproject(x: there.x, y: there.y)
        #expect(abs(back.longitude - longitude) < 1e-11 && abs(back.latitude - latitude) < 1e-11)
      }
    }
  }

  @Test func polesAreDrawnAtTheEdgeOfTheSquareWorld() {
    let pole = WebMercator.project(GeoPoint(longitude: 180, latitude: 90))
    #expect(abs(pole.y - WebMercator.halfWorld) < 1e-6)
    #expect(abs(pole.x - WebMercator.halfWorld) < 1e-6)
  }

  @Test func resolutionHalvesWithEachZoom() {
    #expect(abs(WebMercator.resolution(zoom: 0) - 156_543.033_928_040_97) < 1e-9)
    #expect(WebMercator.resolution(zoom: 12) == WebMercator.resolution(zoom: 11) / 2)
    #expect(WebMercator.resolution(zoom: 11, tileSize: 512) == WebMercator.resolution(zoom: 12))
  }
}

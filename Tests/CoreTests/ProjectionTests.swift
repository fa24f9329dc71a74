import Core
import Foundation
import Testing

@Suite struct WebMercatorTests {
  /// Pinned from `gdaltransform -s_srs EPSG:4326 -t_srs EPSG:3857`.
  @Test(arguments: [
    (-122.115, 37.461_111_1, -13_593_779.618_220_6, 4_503_576.111_399_57),
    (151.2093, -33.8688, 16_832_542.279_207_3, -4_011_198.647_307_57),
    (-147.7164, 64.8378, -16_443_714.429_815_5, 9_565_776.432_258_51), (0, 0, 0, 0),
  ])
  func `agrees with PROJ`(longitude: Double, latitude: Double, x: Double, y: Double) {
    let point = WebMercator.project(GeoPoint(longitude: longitude, latitude: latitude))
    #expect(abs(point.x - x) < 1e-6 && abs(point.y - y) < 1e-6)
  }

  @Test func `Web Mercator unprojects every part of the world`() {
    for longitude in stride(from: -180.0, through: 180, by: 7.5) {
      for latitude in stride(from: -85.0, through: 85, by: 2.5) {
        let there = WebMercator.project(GeoPoint(longitude: longitude, latitude: latitude))
        let back = WebMercator.unproject(x: there.x, y: there.y)
        #expect(abs(back.longitude - longitude) < 1e-11 && abs(back.latitude - latitude) < 1e-11)
      }
    }
  }

  @Test func `poles are at the edge of the map`() {
    let pole = WebMercator.project(GeoPoint(longitude: 180, latitude: 90))
    #expect(abs(pole.y - WebMercator.halfWorld) < 1e-6)
    #expect(abs(pole.x - WebMercator.halfWorld) < 1e-6)
  }

  @Test func `the resolution halves with each zoom`() {
    #expect(abs(WebMercator.resolution(zoom: 0) - 156_543.033_928_040_97) < 1e-9)
    #expect(WebMercator.resolution(zoom: 12) == WebMercator.resolution(zoom: 11) / 2)
    #expect(WebMercator.resolution(zoom: 11, tileSize: 512) == WebMercator.resolution(zoom: 12))
  }
}

/// The projections of three real sheets: two plain ones, and one that spans 180 degrees.
private let sanFrancisco = LambertConformal(
  standardParallels: (38 + 40.0 / 60, 33 + 20.0 / 60),
  origin: GeoPoint(longitude: -121.41667, latitude: 38.33333))
private let miami = LambertConformal(
  standardParallels: (30 + 40.0 / 60, 25 + 20.0 / 60), origin: GeoPoint(longitude: -80.3, latitude: 25.7))
private let aleutians = LambertConformal(
  standardParallels: (54 + 40.0 / 60, 49 + 20.0 / 60), origin: GeoPoint(longitude: 178, latitude: 52))

/// A position on a sheet, and PROJ's coordinates.
struct PinnedPlace: Sendable {
  let sheet: LambertConformal
  let longitude: Double
  let latitude: Double
  let x: Double
  let y: Double
}

/// Pinned from `gdaltransform` of GDAL 3.6.2: `+proj=longlat +ellps=GRS80` to
/// `+proj=lcc +ellps=GRS80 +lat_1= +lat_2= +lat_0= +lon_0=`.
private let pinned = [
  PinnedPlace(
    sheet: sanFrancisco, longitude: -122.115, latitude: 37.461_111_1, x: -61_734.695_366_013_5,
    y: -96_539.272_618_004_6),
  PinnedPlace(
    sheet: sanFrancisco, longitude: -125, latitude: 40, x: -306_345.982_104_525, y: 190_754.858_156_139),
  PinnedPlace(
    sheet: sanFrancisco, longitude: -118, latitude: 36, x: 307_664.352_690_325, y: -253_351.504_016_168),
  PinnedPlace(
    sheet: sanFrancisco, longitude: -121, latitude: 34.5, x: 38_238.814_350_947_5, y: -424_921.965_527_457),
  PinnedPlace(sheet: sanFrancisco, longitude: -121.41667, latitude: 38.33333, x: 0, y: 0),
  PinnedPlace(
    sheet: miami, longitude: -80.2906, latitude: 25.7932, x: 942.430_060_953_451, y: 10_321.957_599_446_6),
  PinnedPlace(sheet: miami, longitude: -83, latitude: 28, x: -265_269.283_973_425, y: 257_572.525_746_155),
  PinnedPlace(sheet: miami, longitude: -77, latitude: 24, x: 336_187.357_907_454, y: -183_849.297_670_85),
  PinnedPlace(
    sheet: aleutians, longitude: 179.9, latitude: 52, x: 130_332.400_299_612, y: 1_703.604_902_535_57),
  PinnedPlace(
    sheet: aleutians, longitude: -179.5, latitude: 51.5, x: 173_386.795_627_011, y: -52_589.804_417_826_5),
  PinnedPlace(
    sheet: aleutians, longitude: -175, latitude: 53.25, x: 466_122.348_029_71, y: 161_422.272_652_346),
  PinnedPlace(
    sheet: aleutians, longitude: 172, latitude: 52.75, x: -404_281.297_645_897, y: 100_064.089_282_255),
]

@Suite struct LambertConformalTests {
  @Test(arguments: pinned)
  func `agrees with PROJ to a micrometre`(place: PinnedPlace) {
    let point = place.sheet.project(GeoPoint(longitude: place.longitude, latitude: place.latitude))
    #expect(abs(point.x - place.x) < 1e-6 && abs(point.y - place.y) < 1e-6)
  }

  @Test(arguments: pinned)
  func `unprojects PROJ's positions`(place: PinnedPlace) {
    let back = place.sheet.unproject(x: place.x, y: place.y)
    #expect(abs((back.longitude - place.longitude).remainder(dividingBy: 360)) < 1e-11)
    #expect(abs(back.latitude - place.latitude) < 1e-11)
  }

  @Test func `unprojects positions all over a sheet`() {
    for longitude in stride(from: -126.0, through: -117, by: 0.25) {
      for latitude in stride(from: 34.0, through: 41, by: 0.25) {
        let there = sanFrancisco.project(GeoPoint(longitude: longitude, latitude: latitude))
        let back = sanFrancisco.unproject(x: there.x, y: there.y)
        #expect(abs(back.longitude - longitude) < 1e-11 && abs(back.latitude - latitude) < 1e-11)
      }
    }
  }

  @Test func `continues across the antimeridian`() {
    let west = aleutians.project(GeoPoint(longitude: 179.999_999, latitude: 52))
    let east = aleutians.project(GeoPoint(longitude: -179.999_999, latitude: 52))
    #expect(east.x - west.x > 0 && east.x - west.x < 0.2)
    let same = aleutians.project(GeoPoint(longitude: 181, latitude: 52))
    let wrapped = aleutians.project(GeoPoint(longitude: -179, latitude: 52))
    #expect(abs(same.x - wrapped.x) < 1e-9 && abs(same.y - wrapped.y) < 1e-9)
  }

  @Test func `the scale is 1 on both standard parallels`() {
    for latitude in [38 + 40.0 / 60, 33 + 20.0 / 60] {
      let a = sanFrancisco.project(GeoPoint(longitude: -121.41767, latitude: latitude))
      let b = sanFrancisco.project(GeoPoint(longitude: -121.41567, latitude: latitude))
      #expect(abs((b.x - a.x) / parallelLength(degrees: 0.002, latitude: latitude) - 1) < 1e-8)
    }
  }

  @Test func `one standard parallel and the southern hemisphere work`() {
    let tangent = LambertConformal(standardParallels: (45, 45), origin: GeoPoint(longitude: 10, latitude: 45))
    let south = LambertConformal(
      standardParallels: (-30, -40), origin: GeoPoint(longitude: 20, latitude: -35))
    for sheet in [tangent, south] {
      let place = GeoPoint(longitude: sheet.origin.longitude + 2, latitude: sheet.origin.latitude - 1.5)
      let there = sheet.project(place)
      let back = sheet.unproject(x: there.x, y: there.y)
      #expect(there.x > 0 && there.y < 0)
      #expect(abs(back.longitude - place.longitude) < 1e-11 && abs(back.latitude - place.latitude) < 1e-11)
    }
  }

  /// Metres along a parallel of the GRS80 ellipsoid.
  private func parallelLength(degrees: Double, latitude: Double) -> Double {
    let sine = sin(latitude * .pi / 180)
    let radius =
      6_378_137 * (1 - sine * sine).squareRoot() / (1 - 0.006_694_380_022_900_787 * sine * sine).squareRoot()
    return radius * degrees * .pi / 180
  }
}

struct MagneticFieldTests {
  /// The FAA's values for these airports: San Francisco, New York, Chicago, Anchorage, Honolulu, San Juan, Guam.
  @Test(arguments: [
    (-122.3754, 37.6188, 14.0), (-73.7787, 40.6399, -13), (-87.9081, 41.9769, -3), (-149.9981, 61.1741, 16),
    (-157.9202, 21.3178, 11), (-66.0021, 18.4394, -11), (144.7971, 13.484, 2),
  ])
  func `the declination is near the FAA's values`(longitude: Double, latitude: Double, published: Double) {
    let field = MagneticField.declination(at: GeoPoint(longitude: longitude, latitude: latitude))
    #expect(abs(field - published) < 5)
  }

  @Test func `the magnetic field is defined at the poles`() {
    for latitude in [-90.0, 90] {
      #expect(MagneticField.declination(at: GeoPoint(longitude: 0, latitude: latitude)).isFinite)
    }
  }
}

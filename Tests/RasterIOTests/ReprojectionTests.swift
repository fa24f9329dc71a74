import Core
import RasterIO
import Testing

@Suite("Projections")
struct ProjectionTests {
  private let cone = LambertConformal(
    standardParallels: (38 + 2.0 / 3, 33 + 1.0 / 3), origin: GeoPoint(longitude: -121, latitude: 36))
  private let wkt = """
    PROJCS["made up",GEOGCS["NAD83",DATUM["North_American_Datum_1983",
    SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],
    PROJECTION["Lambert_Conformal_Conic_2SP"],PARAMETER["latitude_of_origin",36],
    PARAMETER["central_meridian",-121],PARAMETER["standard_parallel_1",38.6666666666667],
    PARAMETER["standard_parallel_2",33.3333333333333],PARAMETER["false_easting",0],
    PARAMETER["false_northing",0],UNIT["metre",1]]
    """

  @Test func `a sheet on NAD83 is projected to Web Mercator without a datum shift`() throws {
    let sheet = try SpatialReference(wkt: wkt).onWGS84()
    let toMercator = try CoordinateTransform(from: sheet, to: try SpatialReference(epsg: 3857))
    let toDegrees = try CoordinateTransform(from: sheet, to: try SpatialReference(epsg: 4326))
    for place in [(-124.9, 32.5), (-121, 36), (-117.2, 40.3)] {
      let truth = GeoPoint(longitude: place.0, latitude: place.1)
      let (x, y) = cone.project(truth)
      let mercator = try #require(toMercator(x: x, y: y))
      let found = WebMercator.unproject(x: mercator.x, y: mercator.y)
      #expect(abs(found.longitude - truth.longitude) < 1e-8)
      #expect(abs(found.latitude - truth.latitude) < 1e-8)
      let degrees = try #require(toDegrees(x: x, y: y))
      #expect(abs(degrees.x - truth.longitude) < 1e-8)
      #expect(abs(degrees.y - truth.latitude) < 1e-8)
    }
  }

  @Test func `an unreadable projection is an error`() {
    #expect(throws: GDALError.self) { _ = try SpatialReference(wkt: "PROJCS[nonsense") }
    #expect(throws: GDALError.self) { _ = try SpatialReference(wkt: "") }
    #expect(throws: GDALError.self) { _ = try SpatialReference(epsg: 1) }
  }

  @Test func `returns nil for a place outside the projection`() throws {
    let toMercator = try CoordinateTransform(
      from: try SpatialReference(epsg: 4326), to: try SpatialReference(epsg: 3857))
    #expect(toMercator(x: 0, y: 400) == nil)
  }

  @Test func `library versions are numbers`() {
    #expect(projVersion().split(separator: ".").count == 3)
    #expect(gdalVersion().first?.isNumber == true)
  }
}

@Suite("GDAL warper")
struct ReprojectionTests {
  /// The same projection on both sides, so that only the kernel changes pixels.
  private func warp(
    _ pixels: [UInt8], width: Int, height: Int, opaque: Bool, factor: Int = 1, tolerance: Double = 0
  ) throws -> [UInt8] {
    let mercator = try SpatialReference(epsg: 3857)
    let reprojection = try Reprojection(source: mercator, target: mercator)
    let metres = 100.0
    let scale = 1 / Double(factor)
    return try reprojection.warp(
      pixels, width: width, height: height,
      placing: GeoTransform(originX: 5000, originY: 9000, pixelWidth: metres, pixelHeight: -metres),
      isOpaque: opaque,
      to: (
        width / factor, height / factor,
        GeoTransform(originX: 5000, originY: 9000, pixelWidth: metres / scale, pixelHeight: -metres / scale)
      ), scale: (scale, scale), tolerance: tolerance)
  }

  /// Opaque pixels of many colours.
  private func pattern(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { (index: Int) -> [UInt8] in
      [UInt8(index * 7 % 251), UInt8(index * 31 % 256), UInt8(index % 83), 255]
    }
  }

  @Test func `warping to the same grid changes no pixel`() throws {
    let pixels = pattern(40 * 30)
    #expect(try warp(pixels, width: 40, height: 30, opaque: true) == pixels)
    #expect(try warp(pixels, width: 40, height: 30, opaque: false) == pixels)
  }

  @Test func `transparent pixels do not bleed into opaque ones`() throws {
    let side = 64
    let pixels = (0..<side * side).flatMap { index -> [UInt8] in
      index % side < 32 ? [90, 160, 60, 255] : [255, 0, 0, 0]
    }
    let warped = try warp(pixels, width: side, height: side, opaque: false, factor: 2)
    for start in stride(from: 0, to: warped.count, by: 4) where warped[start + 3] > 0 {
      #expect(Array(warped[start..<start + 3]) == [90, 160, 60])
    }
    #expect(warped[(16 * 32 + 4) * 4 + 3] == 255)
    #expect(warped[(16 * 32 + 28) * 4 + 3] == 0)
  }

  @Test func `weighting opaque alphas changes nothing`() throws {
    let pixels = pattern(64 * 64)
    let plain = try warp(pixels, width: 64, height: 64, opaque: true, factor: 2)
    let weighed = try warp(pixels, width: 64, height: 64, opaque: false, factor: 2)
    let largest = zip(plain, weighed).map { abs(Int($0) - Int($1)) }.max()
    #expect(try #require(largest) <= 1)
  }

  @Test func `a black square keeps its centre when the picture is reduced`() throws {
    let side = 96
    let pixels = (0..<side * side).flatMap { index -> [UInt8] in
      let isBlack = (37..<46).contains(index % side) && (50..<59).contains(index / side)
      return isBlack ? [0, 0, 0, 255] : [255, 255, 255, 255]
    }
    let warped = try warp(pixels, width: side, height: side, opaque: true, factor: 3)
    var (sum, across, down) = (0.0, 0.0, 0.0)
    for index in 0..<32 * 32 {
      let darkness = 255 - Double(warped[index * 4])
      sum += darkness
      across += darkness * (Double(index % 32) + 0.5)
      down += darkness * (Double(index / 32) + 0.5)
    }
    #expect(abs(across / sum * 3 - 41.5) < 0.05)
    #expect(abs(down / sum * 3 - 54.5) < 0.05)
  }
}

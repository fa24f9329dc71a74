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

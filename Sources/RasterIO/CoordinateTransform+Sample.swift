internal import Foundation

extension CoordinateTransform {
  /// Takes one point of a chart-like projection to Web Mercator and gives its error in metres: a working PROJ, with
  /// its database in place, is off by less than a millimetre.
  public static func lambertSample() throws(GDALError) -> Double {
    let wkt = """
      PROJCS["sample",GEOGCS["NAD83",DATUM["North_American_Datum_1983",
      SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],
      PROJECTION["Lambert_Conformal_Conic_2SP"],PARAMETER["latitude_of_origin",38],
      PARAMETER["central_meridian",-121],PARAMETER["standard_parallel_1",38.6666666666667],
      PARAMETER["standard_parallel_2",33.3333333333333],PARAMETER["false_easting",0],
      PARAMETER["false_northing",0],UNIT["metre",1]]
      """
    let transform = try CoordinateTransform(
      from: try SpatialReference(wkt: wkt).onWGS84(), to: try SpatialReference(epsg: 3857))
    guard let origin = transform(x: 0, y: 0) else {
      throw GDALError(doing: "projecting a point", message: "PROJ gives no answer")
    }
    // The origin of the one, by the other's own formula.
    let radius = 6_378_137.0
    let (x, y) = (radius * -121 * .pi / 180, radius * asinh(tan(38 * .pi / 180)))
    return hypot(origin.x - x, origin.y - y)
  }
}

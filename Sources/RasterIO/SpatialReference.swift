internal import CGDAL
internal import Foundation

/// A coordinate reference system. Axes are always in map order: east or longitude first.
public final class SpatialReference {
  let handle: OGRSpatialReferenceH

  public convenience init(wkt: String) throws(GDALError) {
    try self.init(taking: OSRNewSpatialReference(wkt), doing: "reading the projection")
    guard !isEmpty else { throw GDALError(doing: "reading the projection", message: "it is empty") }
  }

  public convenience init(epsg code: Int) throws(GDALError) {
    try self.init(taking: OSRNewSpatialReference(nil), doing: "making EPSG:\(code)")
    try SpatialReference.check(OSRImportFromEPSG(handle, Int32(code)), "making EPSG:\(code)")
  }

  /// The horizontal part of the same system, without a vertical datum.
  public func withoutHeights() throws(GDALError) -> SpatialReference {
    let doing = "reading the projection"
    let flat = try SpatialReference(taking: OSRClone(handle), doing: doing)
    if OSRIsCompound(flat.handle) != 0 {
      try SpatialReference.check(OSRStripVertical(flat.handle), doing)
    }
    return flat
  }

  private init(taking handle: OGRSpatialReferenceH?, doing: String) throws(GDALError) {
    self.handle = try GDAL.check(handle, doing)
    OSRSetAxisMappingStrategy(self.handle, OAMS_TRADITIONAL_GIS_ORDER)
  }

  deinit { OSRDestroySpatialReference(handle) }

  public var isProjected: Bool { OSRIsProjected(handle) != 0 }

  public var isGeographic: Bool { OSRIsGeographic(handle) != 0 }

  private var isEmpty: Bool { !isProjected && !isGeographic }

  /// The number of its angular units in a turn around the earth.
  public var turnLength: Double { 2 * .pi / OSRGetAngularUnits(handle, nil) }

  /// Whether longitudes count from Greenwich, in degrees.
  public var isOfGreenwich: Bool {
    OSRGetPrimeMeridian(handle, nil) == 0 && abs(turnLength - 360) < 1e-9
  }

  public func isSame(as other: SpatialReference) -> Bool { OSRIsSame(handle, other.handle) != 0 }

  /// The semi-major axis in metres, and the inverse flattening.
  public var ellipsoid: (semiMajor: Double, inverseFlattening: Double) {
    (OSRGetSemiMajor(handle, nil), OSRGetInvFlattening(handle, nil))
  }

  /// In degrees and metres. Nil for any projection other than Lambert conformal conic with two standard parallels, in metres.
  public var lambertConformal:
    (
      standardParallels: [Double], longitude: Double, latitude: Double, falseEasting: Double,
      falseNorthing: Double
    )?
  {
    guard let name = OSRGetAttrValue(handle, "PROJECTION", 0),
      String(cString: name) == SRS_PT_LAMBERT_CONFORMAL_CONIC_2SP, OSRGetLinearUnits(handle, nil) == 1
    else { return nil }
    func parameter(_ name: String) -> Double { OSRGetNormProjParm(handle, name, 0, nil) }
    return (
      [parameter(SRS_PP_STANDARD_PARALLEL_1), parameter(SRS_PP_STANDARD_PARALLEL_2)],
      parameter(SRS_PP_CENTRAL_MERIDIAN), parameter(SRS_PP_LATITUDE_OF_ORIGIN),
      parameter(SRS_PP_FALSE_EASTING), parameter(SRS_PP_FALSE_NORTHING)
    )
  }

  public var wkt: String {
    var text: UnsafeMutablePointer<CChar>?
    defer { VSIFree(text) }
    guard OSRExportToWkt(handle, &text) == OGRERR_NONE, let text else { return "" }
    return String(cString: text)
  }

  /// The same projection on WGS84 instead of its own datum, with the numbers unchanged.
  ///
  /// From NAD83, PROJ would choose a shift of up to two metres separately for each request, and neighbouring tiles could get
  /// different ones. On WGS84 there is no choice.
  public func onWGS84() throws(GDALError) -> SpatialReference {
    let doing = "putting the projection on WGS84"
    let moved = try SpatialReference(taking: OSRClone(handle), doing: doing)
    let wgs84 = try SpatialReference(epsg: 4326)
    try SpatialReference.check(OSRCopyGeogCSFrom(moved.handle, wgs84.handle), doing)
    return moved
  }

  private static func check(_ code: OGRErr, _ doing: String) throws(GDALError) {
    guard code == OGRERR_NONE else { throw GDAL.lastError(doing) }
  }
}

@available(*, unavailable)
extension SpatialReference: Sendable {}

/// The version of the linked PROJ, since it can change the positions of pixels.
public func projVersion() -> String {
  var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
  OSRGetPROJVersion(&major, &minor, &patch)
  return "\(major).\(minor).\(patch)"
}

/// Converts coordinates from one reference system to another. Creating one takes milliseconds, using it nanoseconds. Each
/// worker has its own.
public final class CoordinateTransform {
  private let handle: OGRCoordinateTransformationH

  public init(from source: SpatialReference, to target: SpatialReference) throws(GDALError) {
    GDAL.begin()
    handle = try GDAL.check(
      OCTNewCoordinateTransformation(source.handle, target.handle), "relating two projections")
  }

  deinit { OCTDestroyCoordinateTransformation(handle) }

  /// Nil if the target system has no such place.
  public func callAsFunction(x: Double, y: Double) -> (x: Double, y: Double)? {
    var (x, y, success) = (x, y, Int32(0))
    apply(count: 1, x: &x, y: &y, success: &success)
    return success != 0 && x.isFinite && y.isFinite ? (x, y) : nil
  }

  /// Converts many coordinates in place. Those without a place in the target system become NaN.
  public func callAsFunction(x: inout [Double], y: inout [Double]) {
    precondition(x.count == y.count && x.count <= Int32.max)
    var success = [Int32](repeating: 0, count: x.count)
    apply(count: Int32(x.count), x: &x, y: &y, success: &success)
    for index in x.indices where success[index] == 0 || !x[index].isFinite || !y[index].isFinite {
      (x[index], y[index]) = (.nan, .nan)
    }
  }

  private func apply(
    count: Int32, x: UnsafeMutablePointer<Double>, y: UnsafeMutablePointer<Double>,
    success: UnsafeMutablePointer<Int32>
  ) {
    _ = OCTTransformEx(handle, count, x, y, nil, success)  // `success` is more precise than the return value
  }
}

@available(*, unavailable)
extension CoordinateTransform: Sendable {}

extension CoordinateTransform {
  /// Projects one point of a chart-like projection to Web Mercator and returns its error in metres. With a working PROJ and its
  /// database, the error is less than a millimetre.
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
    // The origin, by the formula of the target projection.
    let radius = 6_378_137.0
    let (x, y) = (radius * -121 * .pi / 180, radius * asinh(tan(38 * .pi / 180)))
    return hypot(origin.x - x, origin.y - y)
  }
}

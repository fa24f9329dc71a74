internal import CGDAL

/// A coordinate reference system. Axes are always in the order of maps: east or longitude first.
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

  private init(taking handle: OGRSpatialReferenceH?, doing: String) throws(GDALError) {
    self.handle = try GDAL.check(handle, doing)
    OSRSetAxisMappingStrategy(self.handle, OAMS_TRADITIONAL_GIS_ORDER)
  }

  deinit { OSRDestroySpatialReference(handle) }

  public var isProjected: Bool { OSRIsProjected(handle) != 0 }

  private var isEmpty: Bool { OSRIsProjected(handle) == 0 && OSRIsGeographic(handle) == 0 }

  /// Metres, and one over the flattening.
  public var ellipsoid: (semiMajor: Double, inverseFlattening: Double) {
    (OSRGetSemiMajor(handle, nil), OSRGetInvFlattening(handle, nil))
  }

  /// Nil for any other projection than Lambert's conformal conic with two standard parallels, in metres.
  public var lambertConformal: LambertParameters? {
    guard let name = OSRGetAttrValue(handle, "PROJECTION", 0),
      String(cString: name) == SRS_PT_LAMBERT_CONFORMAL_CONIC_2SP, OSRGetLinearUnits(handle, nil) == 1
    else { return nil }
    func parameter(_ name: String) -> Double { OSRGetNormProjParm(handle, name, 0, nil) }
    return LambertParameters(
      standardParallels: (
        parameter(SRS_PP_STANDARD_PARALLEL_1), parameter(SRS_PP_STANDARD_PARALLEL_2)
      ),
      longitude: parameter(SRS_PP_CENTRAL_MERIDIAN), latitude: parameter(SRS_PP_LATITUDE_OF_ORIGIN),
      falseEasting: parameter(SRS_PP_FALSE_EASTING), falseNorthing: parameter(SRS_PP_FALSE_NORTHING))
  }

  public var wkt: String {
    var text: UnsafeMutablePointer<CChar>?
    defer { VSIFree(text) }
    guard OSRExportToWkt(handle, &text) == OGRERR_NONE, let text else { return "" }
    return String(cString: text)
  }

  /// The same projection with WGS84 under it in place of its own datum, the numbers unchanged.
  ///
  /// From NAD83, PROJ would choose a shift of up to two metres for each request anew, and neighbouring tiles could
  /// get different ones. Relabelled, there is nothing to choose.
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

/// Degrees, and metres.
public struct LambertParameters: Sendable {
  public let standardParallels: (Double, Double)
  /// Of the origin.
  public let longitude: Double
  public let latitude: Double
  public let falseEasting: Double
  public let falseNorthing: Double
}

/// The version of PROJ that is linked, since it can change where a pixel falls.
public func projVersion() -> String {
  var major: Int32 = 0
  var minor: Int32 = 0
  var patch: Int32 = 0
  OSRGetPROJVersion(&major, &minor, &patch)
  return "\(major).\(minor).\(patch)"
}

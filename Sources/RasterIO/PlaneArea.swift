internal import CGDAL

/// Polygons of a plane that can be cut out of each other. GEOS does it, through GDAL.
public final class PlaneArea {
  public typealias Ring = [(x: Double, y: Double)]

  let handle: OGRGeometryH

  /// What one ring encloses. It may not cross itself; its first point is not repeated.
  public convenience init(_ ring: Ring) throws(GDALError) {
    GDAL.begin()
    let doing = "making a polygon"
    self.init(taking: try GDAL.check(OGR_G_CreateGeometry(wkbPolygon), doing))
    let line = try GDAL.check(OGR_G_CreateGeometry(wkbLinearRing), doing)
    for point in ring { OGR_G_AddPoint_2D(line, point.x, point.y) }
    OGR_G_CloseRings(line)
    OGR_G_AddGeometryDirectly(handle, line)  // the polygon now owns the line
  }

  private init(taking handle: OGRGeometryH) { self.handle = handle }

  deinit { OGR_G_DestroyGeometry(handle) }

  public func subtracting(_ other: PlaneArea) throws(GDALError) -> PlaneArea {
    GDAL.begin()
    return PlaneArea(taking: try GDAL.check(OGR_G_Difference(handle, other.handle), "cutting a polygon"))
  }

  public func intersection(_ other: PlaneArea) throws(GDALError) -> PlaneArea {
    GDAL.begin()
    return PlaneArea(taking: try GDAL.check(OGR_G_Intersection(handle, other.handle), "cutting a polygon"))
  }

  /// The rings of each polygon, the outer one first; their order, start and sense are GEOS's own affair.
  public var polygons: [[Ring]] { PlaneArea.polygons(in: handle) }

  private static func polygons(in geometry: OGRGeometryH) -> [[Ring]] {
    let parts = (0..<OGR_G_GetGeometryCount(geometry)).compactMap { OGR_G_GetGeometryRef(geometry, $0) }
    guard OGR_GT_Flatten(OGR_G_GetGeometryType(geometry)) == wkbPolygon else {
      return parts.flatMap { polygons(in: $0) }
    }
    return parts.isEmpty ? [] : [parts.map { ring(of: $0) }]
  }

  private static func ring(of line: OGRGeometryH) -> Ring {
    (0..<max(0, OGR_G_GetPointCount(line) - 1)).map { (OGR_G_GetX(line, $0), OGR_G_GetY(line, $0)) }
  }
}

@available(*, unavailable)
extension PlaneArea: Sendable {}

/// The version of GEOS that GDAL uses, since it can change where two edges cross.
public func geosVersion() -> String {
  var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
  guard OGRGetGEOSVersion(&major, &minor, &patch) else { return "none" }
  return "\(major).\(minor).\(patch)"
}

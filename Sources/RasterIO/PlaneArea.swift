internal import CGDAL

/// Polygons of a plane that can be cut out of each other. GEOS does it, through GDAL.
public final class PlaneArea {
  public typealias Ring = [(x: Double, y: Double)]

  let handle: OGRGeometryH

  /// What one ring encloses. It may not cross itself; its first point is not repeated.
  public convenience init(_ ring: Ring) throws(GDALError) {
    GDAL.begin()
    self.init(taking: try PlaneArea.polygon([ring]))
  }

  init(taking handle: OGRGeometryH) { self.handle = handle }

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

  /// A polygon of an outer ring and its holes.
  static func polygon(_ rings: [Ring]) throws(GDALError) -> OGRGeometryH {
    let doing = "making a polygon"
    let polygon = try GDAL.check(OGR_G_CreateGeometry(wkbPolygon), doing)
    for ring in rings {
      let line = try GDAL.check(OGR_G_CreateGeometry(wkbLinearRing), doing)
      for point in ring { OGR_G_AddPoint_2D(line, point.x, point.y) }
      OGR_G_CloseRings(line)
      OGR_G_AddGeometryDirectly(polygon, line)  // the polygon now owns the line
    }
    return polygon
  }

  static func polygons(in geometry: OGRGeometryH) -> [[Ring]] {
    let parts = (0..<OGR_G_GetGeometryCount(geometry)).compactMap { OGR_G_GetGeometryRef(geometry, $0) }
    guard OGR_GT_Flatten(OGR_G_GetGeometryType(geometry)) == wkbPolygon else {
      return parts.flatMap { polygons(in: $0) }
    }
    return parts.isEmpty ? [] : [parts.map { ring(of: $0) }]
  }

  private static func ring(of line: OGRGeometryH) -> Ring {
    let count = Int(OGR_G_GetPointCount(line))
    guard count > 1 else { return [] }
    var ring = Ring(repeating: (0, 0), count: count)
    ring.withUnsafeMutableBytes { bytes in
      let stride = Int32(2 * MemoryLayout<Double>.stride)
      let y = bytes.baseAddress.map { $0 + MemoryLayout<Double>.stride }
      _ = OGR_G_GetPoints(line, bytes.baseAddress, stride, y, stride, nil, 0)
    }
    return Array(ring.dropLast())
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

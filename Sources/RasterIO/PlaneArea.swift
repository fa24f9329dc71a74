internal import CGDAL

/// Polygons in a plane that can be combined. GEOS computes the result, through GDAL.
public final class PlaneArea {
  public typealias Ring = [(x: Double, y: Double)]

  let handle: OGRGeometryH

  /// The area inside one ring. It must not cross itself; its first point is not repeated.
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

  /// The rings of each polygon, the outer one first. GEOS determines their order, start and orientation.
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

extension PlaneArea {
  /// Several polygons, each an outer ring and its holes.
  public convenience init(polygons: [[Ring]]) throws(GDALError) {
    GDAL.begin()
    guard polygons.count != 1 else {
      self.init(taking: try PlaneArea.polygon(polygons[0]))
      return
    }
    self.init(taking: try GDAL.check(OGR_G_CreateGeometry(wkbMultiPolygon), "making a polygon"))
    // The collection owns each polygon added to it.
    for rings in polygons { OGR_G_AddGeometryDirectly(handle, try PlaneArea.polygon(rings)) }
  }

  public func union(_ other: PlaneArea) throws(GDALError) -> PlaneArea {
    GDAL.begin()
    return PlaneArea(taking: try GDAL.check(OGR_G_Union(handle, other.handle), "joining polygons"))
  }

  /// The points that are at most so far from the area. Round corners are cut, by a tenth of the distance at most.
  public func widened(by distance: Double) throws(GDALError) -> PlaneArea {
    GDAL.begin()
    return PlaneArea(taking: try GDAL.check(OGR_G_Buffer(handle, distance, 2), "widening a polygon"))
  }

  public var isEmpty: Bool { OGR_G_IsEmpty(handle) != 0 || area == 0 }

  /// Lines and points have an area of 0.
  public var area: Double { OGR_G_Area(handle) }

  /// Whether all rings touch themselves or others in single points at most.
  public var isValid: Bool {
    GDAL.begin()
    return OGR_G_IsValid(handle) != 0
  }

  /// The same area as valid polygons: crossing rings are cut where they cross. Remaining lines and points are not among its
  /// `polygons`.
  public func repaired() throws(GDALError) -> PlaneArea {
    GDAL.begin()
    return PlaneArea(taking: try GDAL.check(OGR_G_MakeValid(handle), "repairing a polygon"))
  }
}

/// Burns a polygon into a mask of 0 and 255. A pixel belongs to the polygon if its centre does, or if the polygon touches it.
///
/// Pixels in a hole are cleared. Holes may overlap each other and reach beyond the ring. The vertices are in pixels from the
/// mask's upper left corner, and may lie far outside.
public func polygonMask(
  _ ring: [(x: Double, y: Double)], holes: [[(x: Double, y: Double)]] = [], width: Int, height: Int,
  isTouchingEnough: Bool = false
) throws(GDALError) -> [UInt8] {
  var mask = [UInt8](repeating: 0, count: width * height)
  let polygons = try [PlaneArea(ring)] + holes.map { hole throws(GDALError) in try PlaneArea(hole) }
  let code: Result<CPLErr, GDALError> = mask.withUnsafeMutableBytes { bytes in
    Result { () throws(GDALError) in
      let dataset = try RasterDataset.memory(over: bytes, width: width, height: height)
      var band: Int32 = 1
      var geometries: [OGRGeometryH?] = polygons.map(\.handle)
      var values = [255.0] + holes.map { _ in 0.0 }
      return withExtendedLifetime(polygons) {
        withStringList(isTouchingEnough ? ["ALL_TOUCHED=TRUE"] : []) { options in
          GDALRasterizeGeometries(
            dataset.handle, 1, &band, Int32(geometries.count), &geometries, pixelsAreCoordinates, nil,
            &values,
            options, nil, nil)
        }
      }
    }
  }
  try GDAL.check(try code.get(), "drawing the mask")
  return mask
}

/// The transformer of a raster whose coordinates are its pixels.
private let pixelsAreCoordinates: GDALTransformerFunc = { _, _, count, _, _, _, success in
  guard let success else { return 0 }
  for index in 0..<Int(count) { success[index] = 1 }
  return 1
}

internal import CGDAL

/// A rectangle in a plane, y upward.
public struct PlaneRectangle: Sendable {
  public let west: Double
  public let south: Double
  public let east: Double
  public let north: Double

  public init(west: Double, south: Double, east: Double, north: Double) {
    (self.west, self.south, self.east, self.north) = (west, south, east, north)
  }

  fileprivate func contains(_ box: OGREnvelope) -> Bool {
    west <= box.MinX && box.MaxX <= east && south <= box.MinY && box.MaxY <= north
  }

  fileprivate func intersects(_ box: OGREnvelope) -> Bool {
    west <= box.MaxX && box.MinX <= east && south <= box.MaxY && box.MinY <= north
  }
}

/// A point, lines or areas in a plane: the shape of a feature of a vector tile.
public final class PlaneShape {
  public typealias Point = (x: Double, y: Double)

  let handle: OGRGeometryH

  init(taking handle: OGRGeometryH) { self.handle = handle }

  deinit { OGR_G_DestroyGeometry(handle) }

  public convenience init(point: Point) throws(GDALError) {
    GDAL.begin()
    let handle = try GDAL.check(OGR_G_CreateGeometry(wkbPoint), "making a point")
    OGR_G_SetPoint_2D(handle, 0, point.x, point.y)
    self.init(taking: handle)
  }

  public convenience init(lines: [[Point]]) throws(GDALError) {
    GDAL.begin()
    let doing = "making a line"
    self.init(taking: try GDAL.check(OGR_G_CreateGeometry(wkbMultiLineString), doing))
    for points in lines {
      let line = try GDAL.check(OGR_G_CreateGeometry(wkbLineString), doing)
      for point in points { OGR_G_AddPoint_2D(line, point.x, point.y) }
      OGR_G_AddGeometryDirectly(handle, line)  // the collection now owns the line
    }
  }

  /// - Parameters:
  ///   - geoJSON: lines or areas in degrees.
  ///   - project: converts longitude and latitude to the plane.
  public convenience init(
    geoJSON: String, project: (_ longitude: Double, _ latitude: Double) -> Point
  ) throws(GDALError) {
    GDAL.begin()
    self.init(taking: try GDAL.check(OGR_G_CreateGeometryFromJson(geoJSON), "reading a shape"))
    PlaneShape.convert(handle, project)
  }

  /// Whether it has no points.
  public var isEmpty: Bool { OGR_G_IsEmpty(handle) != 0 }

  private static func convert(_ geometry: OGRGeometryH, _ project: (Double, Double) -> Point) {
    for index in 0..<OGR_G_GetGeometryCount(geometry) {
      OGR_G_GetGeometryRef(geometry, index).map { convert($0, project) }
    }
    // Only the lines and rings have points of their own.
    for index in 0..<OGR_G_GetPointCount(geometry) {
      let point = project(OGR_G_GetX(geometry, index), OGR_G_GetY(geometry, index))
      OGR_G_SetPoint_2D(geometry, index, point.x, point.y)
    }
  }

  /// Returns the part inside a rectangle: of an area only areas, of a line only lines. Nil if there is none.
  ///
  /// An area that is not valid, since straight sides bend between the sphere and the plane, is repaired: GDAL's encoder would leave it out.
  public func clipped(to rectangle: PlaneRectangle) throws(GDALError) -> PlaneShape? {
    GDAL.begin()
    var box = OGREnvelope()
    OGR_G_GetEnvelope(handle, &box)
    guard !isEmpty, rectangle.intersects(box) else { return nil }
    let dimension = OGR_G_GetDimension(handle)
    guard dimension > 0 else { return self }
    let valid = dimension < 2 || OGR_G_IsValid(handle) != 0 ? self : try repaired()
    guard !rectangle.contains(box) else { return valid }
    let area = try PlaneArea([
      (rectangle.west, rectangle.south), (rectangle.east, rectangle.south), (rectangle.east, rectangle.north),
      (rectangle.west, rectangle.north),
    ])
    let part = PlaneShape(
      taking: try GDAL.check(OGR_G_Intersection(valid.handle, area.handle), "cutting a shape"))
    return try part.parts(ofDimension: dimension)
  }

  private func repaired() throws(GDALError) -> PlaneShape {
    let whole = PlaneShape(taking: try GDAL.check(OGR_G_MakeValid(handle), "repairing a shape"))
    return try whole.parts(ofDimension: 2) ?? whole
  }

  /// Cutting leaves points and lines where areas only touch.
  private func parts(ofDimension dimension: Int32) throws(GDALError) -> PlaneShape? {
    let parts = PlaneShape(
      taking: try GDAL.check(
        OGR_G_CreateGeometry(dimension == 2 ? wkbMultiPolygon : wkbMultiLineString), "making a shape"))
    PlaneShape.collect(handle, dimension == 2 ? wkbPolygon : wkbLineString, into: parts.handle)
    return parts.isEmpty ? nil : parts
  }

  private static func collect(
    _ geometry: OGRGeometryH, _ type: OGRwkbGeometryType, into parts: OGRGeometryH
  ) {
    if OGR_GT_Flatten(OGR_G_GetGeometryType(geometry)) == type {
      OGR_G_AddGeometry(parts, geometry)
    } else if OGR_G_GetPointCount(geometry) == 0 {
      for index in 0..<OGR_G_GetGeometryCount(geometry) {
        OGR_G_GetGeometryRef(geometry, index).map { collect($0, type, into: parts) }
      }
    }
  }
}

@available(*, unavailable)
extension PlaneShape: Sendable {}

internal import CGDAL

extension PlaneArea {
  /// Several polygons, each an outer ring and its holes.
  public convenience init(polygons: [[Ring]]) throws(GDALError) {
    GDAL.begin()
    guard polygons.count != 1 else {
      self.init(taking: try PlaneArea.polygon(polygons[0]))
      return
    }
    self.init(taking: try GDAL.check(OGR_G_CreateGeometry(wkbMultiPolygon), "making a polygon"))
    // The whole owns each part that it is given.
    for rings in polygons { OGR_G_AddGeometryDirectly(handle, try PlaneArea.polygon(rings)) }
  }

  public func union(_ other: PlaneArea) throws(GDALError) -> PlaneArea {
    GDAL.begin()
    return PlaneArea(taking: try GDAL.check(OGR_G_Union(handle, other.handle), "joining polygons"))
  }

  public var isEmpty: Bool { OGR_G_IsEmpty(handle) != 0 || area == 0 }

  /// Lines and points have none.
  public var area: Double { OGR_G_Area(handle) }

  /// Whether no ring crosses or touches itself or another, but in single points.
  public var isValid: Bool {
    GDAL.begin()
    return OGR_G_IsValid(handle) != 0
  }

  /// The same area in valid polygons: crossing rings are cut where they cross. Lines and points that are left over are not
  /// among its `polygons`.
  public func mended() throws(GDALError) -> PlaneArea {
    GDAL.begin()
    return PlaneArea(taking: try GDAL.check(OGR_G_MakeValid(handle), "mending a polygon"))
  }
}

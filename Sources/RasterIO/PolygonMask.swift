internal import CGDAL

/// Burns a polygon into a mask of 0 and 255; a pixel belongs to it when its centre does.
///
/// The vertices are in pixels from the mask's upper left corner, and may lie far outside of it.
public func polygonMask(
  _ ring: [(column: Double, row: Double)], width: Int, height: Int
) throws(GDALError) -> [UInt8] {
  GDAL.begin()
  var mask = [UInt8](repeating: 0, count: width * height)
  let polygon = try makePolygon(ring)
  defer { OGR_G_DestroyGeometry(polygon) }
  let code: Result<CPLErr, GDALError> = mask.withUnsafeMutableBytes { bytes in
    Result { () throws(GDALError) in
      let dataset = try RasterDataset.memory(over: bytes, width: width, height: height, bands: 1)
      var band: Int32 = 1
      var geometry: OGRGeometryH? = polygon
      var value = 255.0
      return GDALRasterizeGeometries(
        dataset.handle, 1, &band, 1, &geometry, pixelsAreCoordinates, nil, &value, nil, nil, nil)
    }
  }
  try GDAL.check(try code.get(), "drawing the mask")
  return mask
}

private func makePolygon(_ ring: [(column: Double, row: Double)]) throws(GDALError) -> OGRGeometryH {
  let line = try GDAL.check(OGR_G_CreateGeometry(wkbLinearRing), "making a polygon")
  for point in ring { OGR_G_AddPoint_2D(line, point.column, point.row) }
  OGR_G_CloseRings(line)
  let polygon = try GDAL.check(OGR_G_CreateGeometry(wkbPolygon), "making a polygon")
  OGR_G_AddGeometryDirectly(polygon, line)  // the polygon now owns the line
  return polygon
}

/// The transformer of a raster whose coordinates are its pixels.
private let pixelsAreCoordinates: GDALTransformerFunc = { _, _, count, _, _, _, success in
  guard let success else { return 0 }
  for index in 0..<Int(count) { success[index] = 1 }
  return 1
}

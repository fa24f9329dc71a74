internal import CGDAL

/// Burns a polygon into a mask of 0 and 255; a pixel belongs to it when its centre does.
///
/// What lies in one of the holes is cleared again: they may overlap, and reach beyond the ring. The vertices are in pixels
/// from the mask's upper left corner, and may lie far outside of it.
public func polygonMask(
  _ ring: [(x: Double, y: Double)], holes: [[(x: Double, y: Double)]] = [], width: Int, height: Int
) throws(GDALError) -> [UInt8] {
  var mask = [UInt8](repeating: 0, count: width * height)
  let polygons = try [PlaneArea(ring)] + holes.map { hole throws(GDALError) in try PlaneArea(hole) }
  let code: Result<CPLErr, GDALError> = mask.withUnsafeMutableBytes { bytes in
    Result { () throws(GDALError) in
      let dataset = try RasterDataset.memory(over: bytes, width: width, height: height, bands: 1)
      var band: Int32 = 1
      var geometries: [OGRGeometryH?] = polygons.map(\.handle)
      var values = [255.0] + holes.map { _ in 0.0 }
      return withExtendedLifetime(polygons) {
        GDALRasterizeGeometries(
          dataset.handle, 1, &band, Int32(geometries.count), &geometries, pixelsAreCoordinates, nil, &values,
          nil, nil, nil)
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

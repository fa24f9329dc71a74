internal import CGDAL

extension RasterDataset {
  /// Makes a new 8-bit raster with a driver of GDAL's (`GTiff`, `MEM`).
  public static func create(
    _ path: String, driver: String, width: Int, height: Int, bands: Int, options: [String] = []
  ) throws(GDALError) -> RasterDataset {
    GDAL.begin()
    let driverHandle = try GDAL.check(GDALGetDriverByName(driver), "finding GDAL's \(driver) driver")
    let handle = withStringList(options) {
      GDALCreate(driverHandle, path, Int32(width), Int32(height), Int32(bands), GDT_Byte, $0)
    }
    return RasterDataset(
      takingOwnershipOf: try GDAL.check(handle, "creating \(path)"), name: path)
  }
}

/// Passes strings as the null-ended list that GDAL's calls take, and frees it afterwards.
func withStringList<T>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> T
) -> T {
  var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  for string in strings { list = CSLAddString(list, string) }
  defer { CSLDestroy(list) }
  return body(list)
}

/// The names of the drivers that may open a file, as GDAL's calls take them; without names any of them may.
func withDriverList<T>(
  _ drivers: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> T
) -> T {
  withStringList(drivers) { list in
    body(list.map { UnsafeRawPointer($0).assumingMemoryBound(to: UnsafePointer<CChar>?.self) })
  }
}

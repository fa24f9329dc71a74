internal import CGDAL

/// An open GDAL raster. Each worker opens its own by path: a handle is never shared between threads.
public final class RasterDataset {
  let handle: GDALDatasetH
  public let name: String

  /// Opens a file, or any path of GDAL's virtual file system, for reading.
  ///
  /// Callers name the allowed drivers for untrusted files, since some of GDAL's formats are text that opens other files.
  public init(opening path: String, drivers: [String] = []) throws(GDALError) {
    GDAL.begin()
    let opened = withDriverList(drivers) { chartpipe_open_raster(path, $0) }
    handle = try GDAL.check(opened, "opening \(path)")
    name = path
  }

  /// Opens a GeoTIFF so that its blocks are the strips or tiles of the file. Reading pixels this way could decode a whole sheet
  /// at once.
  convenience init(openingStoredBlocksOf path: String) throws(GDALError) {
    let option = "GDAL_ENABLE_TIFF_SPLIT"
    CPLSetThreadLocalConfigOption(option, "NO")
    defer { CPLSetThreadLocalConfigOption(option, nil) }
    try self.init(opening: path, drivers: ["GTiff"])
  }

  init(takingOwnershipOf handle: GDALDatasetH, name: String) { (self.handle, self.name) = (handle, name) }

  deinit { GDALClose(handle) }

  public var width: Int { Int(GDALGetRasterXSize(handle)) }
  public var height: Int { Int(GDALGetRasterYSize(handle)) }
  public var bandCount: Int { Int(GDALGetRasterCount(handle)) }
  /// Whether a band has 8-bit samples.
  public func isEightBit(band number: Int = 1) throws(GDALError) -> Bool {
    GDALGetRasterDataType(try band(number)) == GDT_Byte
  }

  public var projectionWKT: String { GDALGetProjectionRef(handle).map { String(cString: $0) } ?? "" }

  /// A text that the file has beside its pixels.
  public func metadata(_ item: String) -> String? {
    GDALGetMetadataItem(handle, item, nil).map { String(cString: $0) }
  }

  /// Nil if the raster is not georeferenced. Some writers store the identity then.
  public var geoTransform: GeoTransform? {
    var six = [Double](repeating: 0, count: 6)
    guard GDALGetGeoTransform(handle, &six) == CE_None, six != [0, 1, 0, 0, 0, 1] else { return nil }
    return GeoTransform(six)
  }

  func band(_ number: Int) throws(GDALError) -> GDALRasterBandH {
    GDAL.begin()
    return try GDAL.check(GDALGetRasterBand(handle, Int32(number)), "band \(number) of \(name)")
  }
}

@available(*, unavailable)
extension RasterDataset: Sendable {}

/// Passes strings as the null-terminated list that GDAL's calls take, and frees it afterwards.
func withStringList<T>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> T
) -> T {
  var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  for string in strings { list = CSLAddString(list, string) }
  defer { CSLDestroy(list) }
  return body(list)
}

/// The names of the allowed drivers in the form of GDAL's calls. An empty list allows all.
func withDriverList<T>(
  _ drivers: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> T
) -> T {
  withStringList(drivers) { list in
    body(list.map { UnsafeRawPointer($0).assumingMemoryBound(to: UnsafePointer<CChar>?.self) })
  }
}

extension RasterDataset {
  /// A raster of one band over memory of the caller. It must not outlive the memory.
  static func memory(
    over bytes: UnsafeMutableRawBufferPointer, width: Int, height: Int
  ) throws(GDALError) -> RasterDataset {
    precondition(bytes.count == width * height)
    GDAL.begin()
    let handle = GDALCreate(GDALGetDriverByName("MEM"), "", Int32(width), Int32(height), 0, GDT_Byte, nil)
    let dataset = RasterDataset(
      takingOwnershipOf: try GDAL.check(handle, "making a raster in memory"), name: "")
    let options = ["DATAPOINTER=0x\(String(UInt(bitPattern: bytes.baseAddress), radix: 16))"]
    let code = withStringList(options) { GDALAddBand(dataset.handle, GDT_Byte, $0) }
    try GDAL.check(code, "making a raster in memory")
    return dataset
  }
}

internal import CGDAL
public import RasterIO

/// Writes a GeoTIFF of bytes, for samples and tests. The program only reads rasters.
public final class RasterWriter {
  private let handle: GDALDatasetH
  private let path: String
  private var isClosed = false

  public init(
    _ path: String, width: Int, height: Int, bands: Int, options: [String] = []
  ) throws(RasterWritingError) {
    _ = gdalVersion()  // prepares GDAL like the program, which keeps it from writing files beside the image
    let driver = try check(GDALGetDriverByName("GTiff"), "finding GDAL's GTiff driver")
    let list = options.reduce(nil) { CSLAddString($0, $1) }
    defer { CSLDestroy(list) }
    handle = try check(
      GDALCreate(driver, path, Int32(width), Int32(height), Int32(bands), GDT_Byte, list), "creating \(path)")
    self.path = path
  }

  deinit {
    if !isClosed { GDALClose(handle) }
  }

  /// Flushes and closes. A write that failed late is reported here. (`GDALClose` returns nothing before GDAL 3.7.)
  public func close() throws(RasterWritingError) {
    guard !isClosed else { return }
    CPLErrorReset()
    GDALFlushCache(handle)
    let error = CPLGetLastErrorType() == CE_Failure ? RasterWritingError("flushing \(path)") : nil
    GDALClose(handle)
    isClosed = true
    if let error { throw error }
  }

  public func setGeoreference(_ transform: GeoTransform, wkt: String) throws(RasterWritingError) {
    var six = transform.six
    try check(GDALSetGeoTransform(handle, &six), "setting the geotransform of \(path)")
    try check(GDALSetProjection(handle, wkt), "setting the projection of \(path)")
  }

  public func setPalette(_ colors: [PaletteColor], band number: Int = 1) throws(RasterWritingError) {
    let band = try band(number)
    let table = try check(GDALCreateColorTable(GPI_RGB), "making a palette")
    defer { GDALDestroyColorTable(table) }
    for (index, color) in colors.enumerated() {
      var entry = GDALColorEntry(
        c1: Int16(color.red), c2: Int16(color.green), c3: Int16(color.blue), c4: Int16(color.alpha))
      GDALSetColorEntry(table, Int32(index), &entry)
    }
    try check(GDALSetRasterColorTable(band, table), "setting the palette of \(path)")
  }

  public func writeBytes(_ bytes: [UInt8], band number: Int, window: PixelWindow) throws(RasterWritingError) {
    precondition(bytes.count == window.width * window.height)
    let band = try band(number)
    var bytes = bytes
    let code = GDALRasterIO(
      band, GF_Write, Int32(window.column), Int32(window.row), Int32(window.width),
      Int32(window.height), &bytes, Int32(window.width), Int32(window.height), GDT_Byte, 0, 0)
    try check(code, "writing \(path)")
  }

  private func band(_ number: Int) throws(RasterWritingError) -> GDALRasterBandH {
    try check(GDALGetRasterBand(handle, Int32(number)), "band \(number) of \(path)")
  }
}

@available(*, unavailable)
extension RasterWriter: Sendable {}

/// The message of a failed GDAL call.
public struct RasterWritingError: Error, CustomStringConvertible {
  public let description: String

  init(_ doing: String) {
    description = "\(doing): \(CPLGetLastErrorMsg().map { String(cString: $0) } ?? "")"
  }
}

private func check(_ code: CPLErr, _ doing: String) throws(RasterWritingError) {
  guard code == CE_None || code == CE_Debug || code == CE_Warning else { throw RasterWritingError(doing) }
}

private func check<Handle>(_ handle: Handle?, _ doing: String) throws(RasterWritingError) -> Handle {
  guard let handle else { throw RasterWritingError(doing) }
  return handle
}

internal import CGDAL

/// What the bands of a raster mean.
extension RasterDataset {
  /// GDAL's name of what a band shows, in lower case: `undefined`, `gray`, `palette`, `red`, `alpha`, or one such as `cyan`.
  public func colorName(band number: Int) throws(GDALError) -> String {
    let color = GDALGetRasterColorInterpretation(try band(number))
    return GDALGetColorInterpretationName(color).map { String(cString: $0).lowercased() } ?? "unknown"
  }

  /// GDAL's name of a band's type, such as `Byte` or `UInt16`.
  public func typeName(band number: Int) throws(GDALError) -> String {
    GDALGetDataTypeName(GDALGetRasterDataType(try band(number))).map { String(cString: $0) } ?? "unknown"
  }

  public func isComplex(band number: Int) throws(GDALError) -> Bool {
    GDALDataTypeIsComplex(GDALGetRasterDataType(try band(number))) != 0
  }

  /// How a band marks pixels without data.
  public enum Mask: Sendable {
    /// All pixels are valid.
    case none
    /// An alpha band or a mask for all bands.
    case shared
    /// A value of the band that means no data.
    case ofBand
  }

  public func mask(band number: Int) throws(GDALError) -> Mask {
    let flags = GDALGetMaskFlags(try band(number))
    if flags & GMF_ALL_VALID != 0 { return .none }
    return flags & GMF_PER_DATASET != 0 ? .shared : .ofBand
  }

  /// Nil if the band has no such value.
  public func noDataValue(band number: Int) throws(GDALError) -> Double? {
    var isThere: Int32 = 0
    let value = GDALGetRasterNoDataValue(try band(number), &isThere)
    return isThere != 0 ? value : nil
  }

  /// What a band's values mean: value times scale plus offset, in GDAL's name of the unit, which may be empty.
  public func scaling(band number: Int) throws(GDALError) -> (scale: Double, offset: Double, unit: String) {
    let band = try band(number)
    let unit = GDALGetRasterUnitType(band).map { String(cString: $0) } ?? ""
    return (GDALGetRasterScale(band, nil), GDALGetRasterOffset(band, nil), unit)
  }

  /// The number of points that tie the image to the earth in place of a geotransform.
  public var controlPointCount: Int { Int(GDALGetGCPCount(handle)) }

  /// The geotransform through all control points, and their reference system; nil if no geotransform passes within a quarter of
  /// a pixel of each.
  public var controlPointPlacing: (placing: GeoTransform, wkt: String)? {
    var six = [Double](repeating: 0, count: 6)
    let count = GDALGetGCPCount(handle)
    guard count > 0, GDALGCPsToGeoTransform(count, GDALGetGCPs(handle), &six, 0) != 0 else { return nil }
    return (GeoTransform(six), GDALGetGCPProjection(handle).map { String(cString: $0) } ?? "")
  }

  /// The names of the images inside a container such as NetCDF or HDF; empty for a plain image.
  public var subdatasets: [String] {
    guard let list = GDALGetMetadata(handle, "SUBDATASETS") else { return [] }
    return (0..<Int(CSLCount(list))).compactMap { list[$0].map { String(cString: $0) } }
      .filter { $0.contains("_NAME=") }.map { String($0.drop { $0 != "=" }.dropFirst()) }
  }

  /// The paths of all files that the image was read from, the image itself included.
  public var fileList: [String] {
    guard let list = GDALGetFileList(handle) else { return [] }
    defer { CSLDestroy(list) }
    return (0..<Int(CSLCount(list))).compactMap { list[$0].map { String(cString: $0) } }
  }
}

/// Reading pixels of any type.
extension RasterDataset {
  /// Reads a window of some bands, interleaved by pixel.
  ///
  /// - Parameters:
  ///   - asFloats: whether samples are `Float`s in memory, instead of bytes.
  ///   - pixelBytes: from one pixel of the buffer to the next.
  public func read(
    bands: [Int], window: PixelWindow, asFloats: Bool, into buffer: UnsafeMutableRawBufferPointer,
    pixelBytes: Int
  ) throws(GDALError) {
    let bytes = asFloats ? 4 : 1
    precondition(buffer.count >= (window.width * window.height - 1) * pixelBytes + bands.count * bytes)
    GDAL.begin()
    var numbers = bands.map { Int32($0) }
    let code = GDALDatasetRasterIOEx(
      handle, GF_Read, Int32(window.column), Int32(window.row), Int32(window.width), Int32(window.height),
      buffer.baseAddress, Int32(window.width), Int32(window.height), asFloats ? GDT_Float32 : GDT_Byte,
      Int32(bands.count), &numbers, Int64(pixelBytes), Int64(pixelBytes * window.width), Int64(bytes), nil)
    try GDAL.check(code, "reading \(name)")
  }

  /// Reads a window of one band, row by row.
  public func readFloats(band number: Int, window: PixelWindow) throws(GDALError) -> [Float] {
    var samples = [Float](repeating: 0, count: window.width * window.height)
    let read: Result<Void, GDALError> = samples.withUnsafeMutableBytes { buffer in
      Result { () throws(GDALError) in
        try self.read(bands: [number], window: window, asFloats: true, into: buffer, pixelBytes: 4)
      }
    }
    try read.get()
    return samples
  }

  /// Reads a window of a band's mask: 0 for pixels without data, 255 for others, or the alpha.
  public func readMask(
    band number: Int, window: PixelWindow, into buffer: UnsafeMutableRawBufferPointer
  ) throws(GDALError) {
    precondition(buffer.count == window.width * window.height)
    let mask = try GDAL.check(GDALGetMaskBand(try band(number)), "reading the mask of \(name)")
    let code = GDALRasterIOEx(
      mask, GF_Read, Int32(window.column), Int32(window.row), Int32(window.width), Int32(window.height),
      buffer.baseAddress, Int32(window.width), Int32(window.height), GDT_Byte, 1,
      Int64(window.width), nil)
    try GDAL.check(code, "reading the mask of \(name)")
  }
}

extension RasterDataset {
  /// Opens a local image of any format of GDAL, with the files beside it: world files, masks, metadata.
  ///
  /// Formats that read other places than the file are not allowed: services, databases and lists of other files.
  ///
  /// - Parameter ignoringMetadata: whether `.aux.xml` files, which GDAL's programs write, are not read.
  public convenience init(openingImage path: String, ignoringMetadata: Bool = false) throws(GDALError) {
    GDAL.begin()
    let options = [
      "GDAL_DISABLE_READDIR_ON_OPEN": "NO", "GDAL_PAM_ENABLED": ignoringMetadata ? "NO" : "YES",
    ]
    for (key, value) in options { CPLSetThreadLocalConfigOption(key, value) }
    defer { for key in options.keys { CPLSetThreadLocalConfigOption(key, nil) } }
    try self.init(opening: path, drivers: RasterDataset.imageDrivers)
    readFilesBeside()
  }

  /// Reads what drivers read only when it is first needed. The driver of GeoTIFF opens `.aux.xml` files and masks only then, and
  /// ignores them unless the options of `init(openingImage:)` are set.
  private func readFilesBeside() {
    _ = (geoTransform, projectionWKT, controlPointCount, fileList)
    for number in 1...max(1, bandCount) { _ = (try? noDataValue(band: number), try? mask(band: number)) }
  }

  /// The drivers that read the file and files beside it only.
  private static let imageDrivers: [String] = {
    GDAL.begin()
    return (0..<GDALGetDriverCount()).compactMap { number in
      guard let driver = GDALGetDriver(number), let name = GDALGetDriverShortName(driver),
        GDALGetMetadataItem(driver, GDAL_DCAP_RASTER, nil) != nil,
        !excludedDrivers.contains(String(cString: name))
      else { return nil }
      return String(cString: name)
    }
  }()

  /// Drivers whose files name other places to read.
  private static let excludedDrivers: Set<String> = [
    "VRT", "DERIVED", "GTI", "WMS", "WCS", "WMTS", "HTTP", "OGCAPI", "STACIT", "STACTA", "PLMOSAIC",
    "PLSCENES",
    "NGW", "EEDA", "EEDAI", "DAAS", "PostGISRaster", "GeoRaster", "RDA", "MRF", "KMLSUPEROVERLAY",
  ]
}

internal import CGDAL

/// A window of whole pixels.
public struct PixelWindow: Equatable, Sendable {
  public var column: Int
  public var row: Int
  public var width: Int
  public var height: Int

  public init(column: Int, row: Int, width: Int, height: Int) {
    (self.column, self.row, self.width, self.height) = (column, row, width, height)
  }
}

extension RasterDataset {
  /// Reads a window of one 8-bit band into existing memory, row by row.
  public func readBytes(
    band number: Int, window: PixelWindow, into buffer: UnsafeMutableRawBufferPointer
  ) throws(GDALError) {
    precondition(buffer.count == window.width * window.height)
    let code = GDALRasterIO(
      try band(number), GF_Read, Int32(window.column), Int32(window.row), Int32(window.width),
      Int32(window.height), buffer.baseAddress, Int32(window.width), Int32(window.height), GDT_Byte, 0, 0)
    try GDAL.check(code, "reading \(name)")
  }

  /// Whether a GeoTIFF file has all of a band's pixels. GDAL reads the pixels of a strip that was never written as 0.
  ///
  /// Each stored strip or tile is checked for an offset in the file. GDAL's own coverage status also reports holes that a file
  /// system makes of zeros. The file is opened again, since the blocks of this handle may differ from those of the file: GDAL
  /// presents an image of more than 2,000 rows in one strip as rows.
  public func isWhole(band number: Int = 1) throws(GDALError) -> Bool {
    let stored = try RasterDataset(openingStoredBlocksOf: name)
    let (band, block) = (try stored.band(number), try stored.blockSize(of: number))
    guard block.width > 0, block.height > 0 else { return false }
    let (across, down) = (blocks(of: width, by: block.width), blocks(of: height, by: block.height))
    return (0..<down).allSatisfy { row in
      (0..<across).allSatisfy { column in
        GDALGetMetadataItem(band, "BLOCK_OFFSET_\(column)_\(row)", "TIFF") != nil
      }
    }
  }

  /// The size of a strip or tile, which is decoded as a whole, in pixels.
  public func blockSize(of number: Int = 1) throws(GDALError) -> (width: Int, height: Int) {
    var (width, height) = (Int32(0), Int32(0))
    GDALGetBlockSize(try band(number), &width, &height)
    return (Int(width), Int(height))
  }

  private func blocks(of length: Int, by side: Int) -> Int { (length + side - 1) / side }

  /// The 256 colours of a palette band, with opaque black for missing entries; nil if the band has no palette.
  public func palette(band number: Int = 1) throws(GDALError) -> [PaletteColor]? {
    guard let table = GDALGetRasterColorTable(try band(number)) else { return nil }
    let count = Int(GDALGetColorEntryCount(table))
    return (0..<256).map { index in
      guard index < count, let entry = GDALGetColorEntry(table, Int32(index))?.pointee else {
        return PaletteColor(red: 0, green: 0, blue: 0)
      }
      return PaletteColor(
        red: UInt8(clamping: entry.c1), green: UInt8(clamping: entry.c2), blue: UInt8(clamping: entry.c3),
        alpha: UInt8(clamping: entry.c4))
    }
  }
}

/// One colour of a palette. The FAA's are opaque.
public struct PaletteColor: Hashable, Sendable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8
  public var alpha: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }
}

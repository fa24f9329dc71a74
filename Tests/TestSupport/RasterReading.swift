public import RasterIO

extension RasterDataset {
  /// Reads a window of one 8-bit band, row by row.
  public func readBytes(band number: Int, window: PixelWindow) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: window.width * window.height)
    try bytes.withUnsafeMutableBytes { try readBytes(band: number, window: window, into: $0) }
    return bytes
  }
}

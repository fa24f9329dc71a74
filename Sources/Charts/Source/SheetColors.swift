internal import Core
internal import ImageIO
internal import RasterIO

/// The colours of a chart's image, and the decoding of its pixels to indexes of them.
///
/// An image of red, green and blue gets a palette of its own first, so that everything after it sees one kind of sheet.
struct SheetColors {
  /// For each index the bytes red, green, blue and alpha in memory order.
  let colors: [UInt32]
  private let image: RasterDataset
  /// The bands of red, green, blue and alpha; empty for an image with a palette.
  private let bands: [Int]
  /// The chosen palette; nil for an image with its own.
  private let palette: Palette?

  /// Rows of an image of colours that are decoded at a time.
  private static let bandRows = 32

  /// Nil for an image of another kind. Decodes all of an image of colours.
  init?(_ image: RasterDataset) throws {
    self.image = image
    if image.bandCount == 1, try image.isEightBit(), let palette = try image.palette() {
      colors = palette.map { UInt32(channels: [$0.red, $0.green, $0.blue, 255]) }
      (bands, self.palette) = ([], nil)
      return
    }
    guard let bands = try SheetColors.colorBands(of: image) else { return nil }
    self.bands = bands
    var census = ColorCensus()
    try SheetColors.forEachBand(of: image, bands, rows: 0..<image.height) { census.add($1) }
    let palette = census.sheetPalette()
    self.palette = palette
    // As many as an index of one byte can have, as in an image with a palette.
    colors = (palette.colors + Array(repeating: palette.colors[0], count: 256 - palette.colors.count)).map {
      UInt32(channels: [$0.red, $0.green, $0.blue, 255])
    }
  }

  /// Whether the image has no palette of its own.
  var isChosen: Bool { palette != nil }

  /// Decodes whole rows to indexes.
  func read(_ rows: Range<Int>, into buffer: UnsafeMutableRawBufferPointer) throws {
    guard let palette else {
      let window = PixelWindow(column: 0, row: rows.lowerBound, width: image.width, height: rows.count)
      try image.readBytes(band: 1, window: window, into: buffer)
      return
    }
    try SheetColors.forEachBand(of: image, bands, rows: rows) { band, pixels in
      let start = (band.lowerBound - rows.lowerBound) * image.width
      let part = buffer[start..<start + band.count * image.width]
      palette.findIndexes(of: pixels, into: UnsafeMutableRawBufferPointer(rebasing: part))
    }
  }

  /// Nil unless the bands are red, green and blue, 8 bits each, with or without alpha.
  private static func colorBands(of image: RasterDataset) throws -> [Int]? {
    guard (3...4).contains(image.bandCount) else { return nil }
    let numbers = 1...image.bandCount
    let names = try numbers.map { try image.colorName(band: $0) }
    let bands = ["red", "green", "blue", "alpha"].compactMap { name in
      names.firstIndex(of: name).map { $0 + 1 }
    }
    return try bands.count == image.bandCount && numbers.allSatisfy { try image.isEightBit(band: $0) }
      ? bands : nil
  }

  /// Passes pixels as red, green, blue and 255, a few rows at a time. Transparent pixels are bare paper.
  private static func forEachBand(
    of image: RasterDataset, _ bands: [Int], rows: Range<Int>,
    _ body: (_ rows: Range<Int>, UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws {
    var pixels = [UInt8](repeating: 255, count: min(bandRows, rows.count) * image.width * 4)
    for top in stride(from: rows.lowerBound, to: rows.upperBound, by: bandRows) {
      try CancellationToken.current.check()
      let band = top..<min(top + bandRows, rows.upperBound)
      let window = PixelWindow(column: 0, row: top, width: image.width, height: band.count)
      try pixels.withUnsafeMutableBytes {
        try image.read(bands: bands, window: window, asFloats: false, into: $0, pixelBytes: 4)
      }
      try pixels.withUnsafeMutableBufferPointer { pixels in
        if bands.count == 4 { putOnPaper(pixels) }
        try body(band, UnsafeBufferPointer(rebasing: pixels.prefix(band.count * image.width * 4)))
      }
    }
  }

  private static func putOnPaper(_ pixels: UnsafeMutableBufferPointer<UInt8>) {
    for start in stride(from: 0, to: pixels.count, by: 4) where pixels[start + 3] < 255 {
      let alpha = Int(pixels[start + 3])
      for channel in start..<start + 3 {
        pixels[channel] = UInt8((Int(pixels[channel]) * alpha + 255 * (255 - alpha) + 127) / 255)
      }
      pixels[start + 3] = 255
    }
  }
}

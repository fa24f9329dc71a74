/// Images as tiles hold them.
public enum TileImage {
  /// A PNG or a WebP, told by its first bytes, as RGBA.
  ///
  /// - Parameter sideLimit: the largest width and height that are read.
  public static func decode(_ bytes: [UInt8], sideLimit: UInt32 = 4096) throws(ImageError) -> RGBAImage {
    try WebP.isBegun(by: bytes)
      ? WebP.decode(bytes, sideLimit: sideLimit) : PNG.decode(bytes, sideLimit: sideLimit)
  }

  /// Writes all pixels as they are, apart from the colours of fully transparent ones; nil where nothing is visible.
  ///
  /// A PNG has a palette for up to 256 colours and is RGB or RGBA for more. A WebP is lossless.
  public static func encodeExactly(_ image: RGBAImage, isWebP: Bool) throws(ImageError) -> [UInt8]? {
    if image.isTransparent { return nil }
    if isWebP { return try WebP.encodeLossless(image) }
    if let exact = ExactPalette(image) {
      return try PNG.encode(exact, width: image.width, height: image.height)
    }
    return try PNG.encode(image)
  }

  /// The means of what would be decoded, at less cost than that.
  ///
  /// - Parameter cells: where the image lies on a sheet that it is to be compared with; nil for none.
  public static func survey(
    _ bytes: [UInt8], sideLimit: UInt32 = 4096, on cells: SheetCells? = nil
  ) throws(ImageError) -> TileSurvey {
    guard WebP.isBegun(by: bytes) else { return try PNG.survey(bytes, sideLimit: sideLimit, on: cells) }
    let image = try WebP.decode(bytes, sideLimit: sideLimit)
    return image.pixels.withUnsafeBufferPointer {
      TileSurvey(rgba: $0.baseAddress, width: image.width, height: image.height, on: cells)
    }
  }
}

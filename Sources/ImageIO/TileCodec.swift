internal import CDeflate
internal import CWebP

/// What kind of image a tile becomes.
public enum TileFormat: Sendable, Equatable {
  /// The palette's colours, each pixel shown or not. The smallest PNG.
  case png8(Palette)
  /// RGB, or RGBA where anything is transparent.
  case png32
  /// Lossy in colour; the quality is 1 to 100.
  case webp(quality: Int)
  /// The pixels of `png8`, in fewer bytes.
  case webpLossless(Palette)
}

/// Encodes tiles, for as many tasks at once as there are.
public struct TileCodec: Sendable {
  public let format: TileFormat

  public init(_ format: TileFormat) {
    self.format = format
  }

  /// Nil when there is nothing to see: such a tile is never written. Same pixels, same bytes.
  public func encode(_ image: RGBAImage) throws(ImageError) -> [UInt8]? {
    switch format {
    case .png8(let palette):
      guard let indexed = IndexedImage(image, palette) else { return nil }
      return try PNG.encode(indexed)
    case .webpLossless(let palette):
      guard let indexed = IndexedImage(image, palette) else { return nil }
      return try WebP.encodeLossless(indexed.image)
    case .png32:
      return image.isTransparent ? nil : try PNG.encode(image)
    case .webp(let quality):
      return image.isTransparent ? nil : try WebP.encode(image, quality: quality)
    }
  }
}

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

/// The libraries that images are written with. Another version may write other bytes.
public enum ImageLibraries {
  /// By their names.
  public static var versions: [String: String] {
    ["libdeflate": LIBDEFLATE_VERSION_STRING, "libwebp": webpVersion]
  }

  private static var webpVersion: String {
    let number = WebPGetEncoderVersion()
    return [16, 8, 0].map { "\(number >> $0 & 255)" }.joined(separator: ".")
  }
}

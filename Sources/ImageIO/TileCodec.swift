internal import CDeflate
internal import CWebP

/// The image format of tiles.
public enum TileFormat: Sendable, Equatable {
  /// The palette's colours; each pixel is opaque or transparent. The smallest PNG.
  case png8(Palette)
  /// RGB, or RGBA if any pixel is transparent.
  case png32
  /// The pixels of `png32`, for images of continuous tones instead of print: fewer bytes in more time.
  case png32Filtered
  /// Lossy in colour. The quality is 1 to 100.
  case webp(quality: Int)
  /// The pixels of `png8`, in fewer bytes.
  case webpLossless(Palette)
}

/// Encodes tiles, from any number of threads.
public struct TileCodec: Sendable {
  public let format: TileFormat

  public init(_ format: TileFormat) { self.format = format }

  /// Returns nil for a fully transparent image; such tiles are never written. The same pixels give the same bytes.
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
    case .png32Filtered:
      return image.isTransparent ? nil : try PNG.encodeFiltered(image)
    case .webp(let quality):
      return image.isTransparent ? nil : try WebP.encode(image, quality: quality)
    }
  }
}

/// Decodes, encodes and measures the images of tiles.
public enum TileImage {
  /// Decodes a PNG or a WebP, detected by its first bytes, to RGBA.
  ///
  /// - Parameter sideLimit: the largest supported width and height.
  public static func decode(_ bytes: [UInt8], sideLimit: UInt32 = 4096) throws(ImageError) -> RGBAImage {
    try WebP.matches(bytes)
      ? WebP.decode(bytes, sideLimit: sideLimit) : PNG.decode(bytes, sideLimit: sideLimit)
  }

  /// Encodes all pixels unchanged, except for the colours of fully transparent ones. Returns nil if nothing is visible.
  public static func losslessWebP(_ image: RGBAImage) throws(ImageError) -> [UInt8]? {
    image.isTransparent ? nil : try WebP.encodeLossless(image)
  }

  /// The same as a PNG, with a palette for up to 256 colours.
  public static func exactPNG(_ image: RGBAImage) throws(ImageError) -> [UInt8]? {
    if image.isTransparent { return nil }
    if let exact = ExactPalette(image) {
      return try PNG.encode(exact, width: image.width, height: image.height)
    }
    return try PNG.encode(image)
  }

  /// Returns the means of the decoded image, at less cost than decoding it.
  ///
  /// - Parameter cells: the image's position on the cells of a sheet to compare it with, or nil.
  public static func survey(
    _ bytes: [UInt8], sideLimit: UInt32 = 4096, on cells: SheetCells? = nil
  ) throws(ImageError) -> TileSurvey {
    let sideLimit = min(sideLimit, TileSurvey.largestSide)
    guard WebP.matches(bytes) else { return try PNG.survey(bytes, sideLimit: sideLimit, on: cells) }
    let image = try WebP.decode(bytes, sideLimit: sideLimit)
    return image.pixels.withUnsafeBufferPointer {
      TileSurvey($0.baseAddress, palette: nil, width: image.width, height: image.height, on: cells)
    }
  }
}

/// The libraries that write images. Another version may write other bytes.
public enum ImageLibraries {
  /// Versions by library name.
  public static var versions: [String: String] {
    ["libdeflate": LIBDEFLATE_VERSION_STRING, "libwebp": webpVersion]
  }

  private static var webpVersion: String {
    let number = WebPGetEncoderVersion()
    return [16, 8, 0].map { "\(number >> $0 & 255)" }.joined(separator: ".")
  }
}

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

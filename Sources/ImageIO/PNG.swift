internal import CImage

/// PNG files in memory. What is written depends on the pixels and the libraries' versions alone.
public enum PNG {
  /// Lossless, in the smallest of three kinds: up to 256 colours with a palette, opaque as RGB, else as RGBA.
  public static func encode(_ image: RGBAImage) throws(PNGError) -> [UInt8] {
    if let palette = ExactPalette(image) { return try encode(palette, of: image) }
    var layout = layout(of: image)
    layout.drops_alpha = image.isOpaque ? 1 : 0
    layout.color_type = image.isOpaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA
    layout.bit_depth = 8
    layout.filters = chartpipe_png_all_filters
    return try write(layout, image.pixels, rowBytes: image.width * 4)
  }

  /// Any kind of PNG, as RGBA.
  ///
  /// - Parameter sideLimit: the largest width and height that are read. A small file can claim a picture that fills
  ///   the memory; whole charts have a few ten thousand pixels a side.
  public static func decode(_ bytes: [UInt8], sideLimit: UInt32 = 65_536) throws(PNGError) -> RGBAImage {
    var decoded = chartpipe_png_image()
    defer { free(decoded.pixels) }
    let failure: PNGError? = bytes.withUnsafeBufferPointer { buffer in
      var stream = chartpipe_png_stream()
      stream.bytes = UnsafeMutablePointer(mutating: buffer.baseAddress)  // libpng only reads from it
      stream.count = buffer.count
      return chartpipe_png_decode(&stream, sideLimit, &decoded) == 0 ? nil : PNGError(stream)
    }
    if let failure { throw failure }
    let count = Int(decoded.width) * Int(decoded.height) * 4
    return RGBAImage(
      width: Int(decoded.width), height: Int(decoded.height),
      pixels: Array(UnsafeBufferPointer(start: decoded.pixels, count: count)))
  }

  /// The version of libpng that is linked.
  public static var libraryVersion: String { String(cString: png_get_libpng_ver(nil)) }

  /// The version of zlib that is linked: the bytes of a PNG are its work.
  public static var compressorVersion: String { String(cString: zlibVersion()) }

  private static func encode(_ palette: ExactPalette, of image: RGBAImage) throws(PNGError) -> [UInt8] {
    let colors = palette.colors.map {
      png_color(
        red: UInt8(truncatingIfNeeded: $0 >> 24), green: UInt8(truncatingIfNeeded: $0 >> 16),
        blue: UInt8(truncatingIfNeeded: $0 >> 8))
    }
    let alphas = palette.colors.map { UInt8(truncatingIfNeeded: $0) }
    var layout = layout(of: image)
    layout.color_type = PNG_COLOR_TYPE_PALETTE
    layout.bit_depth = palette.bitDepth
    // Differences between numbers of colours mean nothing, so a filter only costs.
    layout.filters = PNG_FILTER_NONE
    layout.palette_count = Int32(colors.count)
    layout.transparent_count = Int32(palette.transparentCount)
    let result: Result<[UInt8], PNGError> = colors.withUnsafeBufferPointer { colors in
      alphas.withUnsafeBufferPointer { alphas in
        layout.palette = colors.baseAddress
        layout.alphas = alphas.baseAddress
        return Result { () throws(PNGError) in
          try write(layout, palette.indexes, rowBytes: image.width)
        }
      }
    }
    return try result.get()
  }

  private static func layout(of image: RGBAImage) -> chartpipe_png_layout {
    var layout = chartpipe_png_layout()
    layout.width = UInt32(image.width)
    layout.height = UInt32(image.height)
    // On charts, zlib's level 6 takes twice the time of 3 and gains nothing.
    layout.level = 3
    return layout
  }

  private static func write(
    _ layout: chartpipe_png_layout, _ rows: [UInt8], rowBytes: Int
  ) throws(PNGError) -> [UInt8] {
    var stream = chartpipe_png_stream()
    defer { free(stream.bytes) }
    let code = withUnsafePointer(to: layout) { chartpipe_png_encode($0, rows, rowBytes, &stream) }
    guard code == 0 else { throw PNGError(stream) }
    return Array(UnsafeBufferPointer(start: stream.bytes, count: stream.count))
  }
}

extension RGBAImage {
  /// Whether no pixel lets anything through.
  public var isOpaque: Bool { alphas { $0 == 255 } }

  /// Whether there is nothing to see.
  public var isTransparent: Bool { alphas { $0 == 0 } }

  private func alphas(satisfy test: (UInt8) -> Bool) -> Bool {
    pixels.withUnsafeBytes { raw in
      stride(from: 3, to: raw.count, by: 4).allSatisfy { test(raw[$0]) }
    }
  }
}

internal import CImage
internal import CPixels

/// PNG files in memory. What is written depends on the pixels and the libraries' versions alone.
public enum PNG {
  /// As RGB when the image is opaque, else as RGBA. Lossless, but for the colours of what is fully transparent.
  public static func encode(_ image: RGBAImage) throws(ImageError) -> [UInt8] {
    let isOpaque = image.isOpaque
    var file = PNGFile(
      width: image.width, height: image.height, bitDepth: 8, colors: isOpaque ? .rgb : .rgba)
    file.append("IDAT", try channelDeflate.zlibStream(of: filteredRows(image, channels: isOpaque ? 3 : 4)))
    file.append("IEND", [])
    return file.bytes
  }

  /// The colours of a palette, nothing of the rest.
  static func encode(_ image: IndexedImage) throws(ImageError) -> [UInt8] {
    var file = PNGFile(width: image.width, height: image.height, bitDepth: image.bitDepth, colors: .palette)
    file.append("PLTE", image.entries.flatMap { [$0.red, $0.green, $0.blue] })
    if image.hasTransparency { file.append("tRNS", [0]) }
    file.append("IDAT", try paletteDeflate.zlibStream(of: image.pngRows))
    file.append("IEND", [])
    return file.bytes
  }

  /// Any kind of PNG, as RGBA.
  ///
  /// - Parameter sideLimit: the largest width and height that are read. A small file can claim a picture that fills
  ///   the memory; whole charts have a few ten thousand pixels a side.
  public static func decode(_ bytes: [UInt8], sideLimit: UInt32 = 65_536) throws(ImageError) -> RGBAImage {
    var decoded = chartpipe_png_image()
    defer { free(decoded.pixels) }
    let failure: ImageError? = bytes.withUnsafeBufferPointer { buffer in
      var stream = chartpipe_png_stream()
      stream.bytes = buffer.baseAddress
      stream.count = buffer.count
      return chartpipe_png_decode(&stream, sideLimit, &decoded) == 0 ? nil : ImageError(stream)
    }
    if let failure { throw failure }
    let count = Int(decoded.width) * Int(decoded.height) * 4
    return RGBAImage(
      width: Int(decoded.width), height: Int(decoded.height),
      pixels: Array(UnsafeBufferPointer(start: decoded.pixels, count: count)))
  }

  /// The version of libpng that is linked.
  public static var libraryVersion: String { String(cString: png_get_libpng_ver(nil)) }

  /// The version of zlib that is linked.
  public static var compressorVersion: String { String(cString: zlibVersion()) }

  private static let channelDeflate = Deflate(level: 6)
  private static let paletteDeflate = Deflate(level: 4)

  private static func filteredRows(_ image: RGBAImage, channels: Int) -> [UInt8] {
    let (width, height) = (image.width, image.height)
    let packedCount = (height + 1) * (width + 1) * channels
    let packed = [UInt8](unsafeUninitializedCapacity: packedCount) { buffer, count in
      chartpipe_pack_channels(image.pixels, width, height, channels, buffer.baseAddress)
      count = packedCount
    }
    let rowsCount = height * (1 + width * channels)
    return [UInt8](unsafeUninitializedCapacity: rowsCount + width * channels) { buffer, count in
      let scratch = buffer.baseAddress?.advanced(by: rowsCount)
      chartpipe_filter_rows(packed, width, height, channels, scratch, buffer.baseAddress)
      count = rowsCount
    }
  }
}

internal import CDeflate
internal import CImage
internal import CPixels
internal import Synchronization

/// Encodes and decodes PNG files in memory. The bytes depend on the pixels and the libraries' versions only.
public enum PNG {
  /// Encodes an opaque image as RGB, others as RGBA. Lossless, except for the colours of fully transparent pixels.
  ///
  /// - Parameter quickly: for files that only validation reads: a third of the time, for a few more bytes.
  public static func encode(_ image: RGBAImage, quickly: Bool = false) throws(ImageError) -> [UInt8] {
    let deflate = quickly ? quickDeflate : colorDeflate
    return file(of: image, try deflate.zlibStream(of: rows(image)))
  }

  /// Encodes the same pixels with filtered rows, unless that takes more bytes. Photographs and shaded maps take less than half.
  static func encodeFiltered(_ image: RGBAImage) throws(ImageError) -> [UInt8] {
    let plain = rows(image)
    let (own, filtered) = (
      try colorDeflate.zlibStream(of: plain), try filteredDeflate.zlibStream(of: filtered(plain, of: image))
    )
    return file(of: image, filtered.count < own.count ? filtered : own)
  }

  private static func file(of image: RGBAImage, _ stream: [UInt8]) -> [UInt8] {
    file(image.width, image.height, colorType: image.isOpaque ? 2 : 6, stream)
  }

  /// Writes no time and no text, so the same pixels give the same bytes.
  private static func file(
    _ width: Int, _ height: Int, colorType: UInt8, bitDepth: UInt8 = 8, palette: [UInt8] = [],
    alphas: [UInt8] = [], _ stream: [UInt8]
  ) -> [UInt8] {
    let header = bigEndian(width) + bigEndian(height) + [bitDepth, colorType, 0, 0, 0]
    return signature + chunk("IHDR", header) + (palette.isEmpty ? [] : chunk("PLTE", palette))
      + (alphas.isEmpty ? [] : chunk("tRNS", alphas)) + chunk("IDAT", stream) + chunk("IEND", [])
  }

  private static func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(kind.utf8) + content
    let checksum = body.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
    return bigEndian(content.count) + body + bigEndian(Int(checksum))
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Array($0) }
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  static let paletteType: UInt8 = 3

  /// Encodes quickly with one byte for each pixel. Colours are red, green, blue and 255 in memory order, at most 256.
  public static func encode(
    indexes: [UInt8], of colors: [UInt32], width: Int, height: Int
  ) throws(ImageError) -> [UInt8] {
    file(
      width, height, colorType: paletteType,
      palette: colors.flatMap { color in withUnsafeBytes(of: color) { Array($0.prefix(3)) } },
      try quickDeflate.zlibStream(of: unfilteredRows(indexes, width: width)))
  }

  private static func unfilteredRows(_ indexes: [UInt8], width: Int) -> [UInt8] {
    stride(from: 0, to: indexes.count, by: width).flatMap { [0] + indexes[$0..<$0 + width] }
  }

  /// Encodes the colours of a palette.
  static func encode(_ image: IndexedImage) throws(ImageError) -> [UInt8] {
    file(
      image.width, image.height, colorType: paletteType, bitDepth: image.bitDepth,
      palette: image.entries.flatMap { [$0.red, $0.green, $0.blue] },
      alphas: image.hasTransparency ? [0] : [], try indexDeflate.zlibStream(of: image.pngRows))
  }

  /// Encodes all pixels unchanged.
  static func encode(_ image: ExactPalette, width: Int, height: Int) throws(ImageError) -> [UInt8] {
    file(
      width, height, colorType: paletteType, palette: image.colors.flatMap { $0.prefix(3) },
      alphas: image.colors.map { $0[3] }.filter { $0 < 255 },
      try indexDeflate.zlibStream(of: unfilteredRows(image.indexes, width: width)))
  }

  /// Decodes any kind of PNG to RGBA.
  ///
  /// - Parameter sideLimit: the largest supported width and height. A small file can claim a picture that fills the memory;
  ///   whole charts have a few ten thousand pixels on a side.
  public static func decode(_ bytes: [UInt8], sideLimit: UInt32 = 65_536) throws(ImageError) -> RGBAImage {
    if let tile = IndexedPNG(bytes, sideLimit: sideLimit) { return tile.image }
    return try read(bytes, sideLimit, keepingPalette: false) { decoded in
      let (width, height) = (Int(decoded.width), Int(decoded.height))
      return RGBAImage(
        width: width, height: height,
        pixels: Array(UnsafeBufferPointer(start: decoded.pixels, count: width * height * 4)))
    }
  }

  /// Computes the means of any kind of PNG. Palette images are not expanded.
  static func survey(
    _ bytes: [UInt8], sideLimit: UInt32, on cells: SheetCells?
  ) throws(ImageError) -> TileSurvey {
    if let tile = IndexedPNG(bytes, sideLimit: sideLimit) {
      return TileSurvey(
        tile.indexes, palette: tile.palette, width: tile.width, height: tile.height, on: cells)
    }
    return try read(bytes, sideLimit, keepingPalette: true) { decoded in
      let (width, height) = (Int(decoded.width), Int(decoded.height))
      guard decoded.is_indexed != 0 else {
        return TileSurvey(decoded.pixels, palette: nil, width: width, height: height, on: cells)
      }
      return withUnsafeBytes(of: decoded.palette) { palette in
        TileSurvey(
          decoded.pixels, palette: palette.bindMemory(to: UInt8.self).baseAddress, width: width,
          height: height, on: cells)
      }
    }
  }

  private static func read<T>(
    _ bytes: [UInt8], _ sideLimit: UInt32, keepingPalette: Bool, _ use: (chartpipe_png_image) -> T
  ) throws(ImageError) -> T {
    var decoded = chartpipe_png_image()
    defer { free(decoded.pixels) }
    let failure: ImageError? = bytes.withUnsafeBufferPointer { buffer in
      var stream = chartpipe_png_stream()
      stream.bytes = buffer.baseAddress
      stream.count = buffer.count
      return chartpipe_png_decode(&stream, sideLimit, keepingPalette ? 1 : 0, &decoded) == 0
        ? nil : ImageError(stream)
    }
    if let failure { throw failure }
    return use(decoded)
  }

  /// The version of the linked libpng.
  public static var libraryVersion: String { String(cString: png_get_libpng_ver(nil)) }

  /// For a chart's tiles of indexes, level 1 takes 2.9 % more bytes than level 2 in 0.7 times the time, and level 3 takes 1.7 % fewer
  /// in 1.15 times the time.
  private static let indexDeflate = Deflate(level: 1)
  /// For colours, level 2 takes 1.7 % more bytes than level 4 in 0.76 times the time, and level 3 takes 0.5 % more in 0.9 times the
  /// time.
  private static let colorDeflate = Deflate(level: 2)
  /// For filtered rows of smooth images, level 2 takes 7 % more bytes.
  private static let filteredDeflate = Deflate(level: 4)
  private static let quickDeflate = Deflate(level: 1)

  /// Writes rows without a filter. Charts are flat tints and repeated lettering, which differences between neighbours hide.
  /// Least-sum filters cost an eighth more bytes, also at small zooms.
  private static func rows(_ image: RGBAImage) -> [UInt8] {
    let channels = channels(image)
    let size = image.height * (1 + image.width * channels)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      chartpipe_pack_channels(image.pixels, image.width, image.height, channels, buffer.baseAddress)
      count = size
    }
  }

  private static func filtered(_ rows: [UInt8], of image: RGBAImage) -> [UInt8] {
    let channels = channels(image)
    return [UInt8](unsafeUninitializedCapacity: rows.count) { buffer, count in
      chartpipe_filter_rows(rows, image.width * channels, image.height, channels, buffer.baseAddress)
      count = rows.count
    }
  }

  private static func channels(_ image: RGBAImage) -> Int { image.isOpaque ? 3 : 4 }
}

/// Writes zlib streams with libdeflate, from many threads at once.
///
/// A compressor has a megabyte of tables to set up, so idle ones are kept for the next tile.
final class Deflate: Sendable {
  private let level: Int32
  private let idle = Mutex<[Compressor]>([])

  init(level: Int32) { self.level = level }

  func zlibStream(of bytes: [UInt8]) throws(ImageError) -> [UInt8] {
    guard let compressor = idle.withLock({ $0.popLast() }) ?? Compressor(level: level) else {
      throw ImageError(message: "out of memory")
    }
    defer { idle.withLock { $0.append(compressor) } }
    return compressor.zlibStream(of: bytes)
  }
}

/// Unchecked, since the list of idle compressors passes each to one thread at a time.
private final class Compressor: @unchecked Sendable {
  private let handle: OpaquePointer

  init?(level: Int32) {
    guard let handle = libdeflate_alloc_compressor(level) else { return nil }
    self.handle = handle
  }

  deinit { libdeflate_free_compressor(handle) }

  func zlibStream(of bytes: [UInt8]) -> [UInt8] {
    let bound = libdeflate_zlib_compress_bound(handle, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      count = libdeflate_zlib_compress(handle, bytes, bytes.count, buffer.baseAddress, bound)
    }
  }
}

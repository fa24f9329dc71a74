internal import CDeflate
internal import CPixels

/// Decodes PNGs of the form in which tiles are written: a palette and one stream of unfiltered rows. libdeflate inflates it in
/// less than half the time that libpng takes with zlib.
struct IndexedPNG {
  let width: Int
  let height: Int
  /// 256 colours, RGBA.
  let palette: [UInt8]
  let indexes: [UInt8]

  /// Larger images are decoded by libpng, which reads row by row.
  private static let mostPixels = 1 << 24

  /// Nil if anything has another form or is damaged. libpng then decodes the image or reports the error.
  init?(_ bytes: [UInt8], sideLimit: UInt32) {
    guard var chunks = PNGChunks(bytes), let header = chunks.next("IHDR").map(Array.init),
      header.count == 13, header[9...] == [PNG.paletteType, 0, 0, 0],
      let colors = chunks.next("PLTE").map(Array.init), colors.count.isMultiple(of: 3),
      (3...768).contains(colors.count)
    else { return nil }
    let alphas = Array(chunks.next("tRNS") ?? [])
    guard alphas.count <= colors.count / 3, let stream = chunks.next("IDAT"), chunks.next("IEND") == [],
      chunks.isAtEnd
    else { return nil }
    (width, height) = (PNGChunks.number(header[0..<4]), PNGChunks.number(header[4..<8]))
    guard (1...Int(sideLimit)).contains(width), (1...Int(sideLimit)).contains(height),
      width * height <= IndexedPNG.mostPixels,
      let indexes = IndexedPNG.indexes(
        stream, width: width, height: height, depth: Int(header[8]), colors: colors.count / 3)
    else { return nil }
    self.indexes = indexes
    var palette = [UInt8](repeating: 0, count: 1024)
    for color in 0..<256 {
      for channel in 0..<3 where 3 * color < colors.count {
        palette[4 * color + channel] = colors[3 * color + channel]
      }
      palette[4 * color + 3] = color < alphas.count ? alphas[color] : 255
    }
    self.palette = palette
  }

  var image: RGBAImage {
    RGBAImage(
      width: width, height: height,
      pixels: [UInt8](unsafeUninitializedCapacity: indexes.count * 4) { buffer, count in
        chartpipe_paint_indexes(indexes, indexes.count, Array(0...255), palette, buffer.baseAddress)
        count = indexes.count * 4
      })
  }

  private static func indexes(
    _ stream: ArraySlice<UInt8>, width: Int, height: Int, depth: Int, colors: Int
  ) -> [UInt8]? {
    guard [1, 2, 4, 8].contains(depth) else { return nil }
    guard let rows = inflate(stream, count: height * (1 + (width * depth + 7) / 8)) else { return nil }
    var isPlain = false
    let indexes = [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
      isPlain =
        chartpipe_unpack_indexes(rows, width, height, Int32(depth), Int32(colors), buffer.baseAddress) != 0
      count = width * height
    }
    return isPlain ? indexes : nil
  }

  /// Nil unless the whole stream has exactly this number of bytes.
  private static func inflate(_ stream: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
    defer { libdeflate_free_decompressor(decompressor) }
    var (used, result) = (0, LIBDEFLATE_BAD_DATA)
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
      stream.withUnsafeBytes { stream in
        result = libdeflate_zlib_decompress_ex(
          decompressor, stream.baseAddress, stream.count, buffer.baseAddress, count, &used, &written)
      }
    }
    return result == LIBDEFLATE_SUCCESS && used == stream.count && bytes.count == count ? bytes : nil
  }
}

/// Iterates over the chunks of a PNG and verifies their checksums.
struct PNGChunks {
  private let bytes: [UInt8]
  private var position = PNG.signature.count

  /// Nil if the bytes are not a PNG.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: PNG.signature) else { return nil }
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  /// Returns the content of the next chunk if it has this kind and is complete.
  mutating func next(_ kind: String) -> ArraySlice<UInt8>? {
    guard bytes.count - position >= 12 else { return nil }
    let count = PNGChunks.number(bytes[position..<position + 4])
    guard count <= bytes.count - position - 12 else { return nil }
    let content = position + 8..<position + 8 + count
    guard bytes[position + 4..<content.lowerBound].elementsEqual(kind.utf8) else { return nil }
    let checksum = bytes[position + 4..<content.upperBound].withUnsafeBytes { raw in
      libdeflate_crc32(0, raw.baseAddress, raw.count)
    }
    guard Int(checksum) == PNGChunks.number(bytes[content.upperBound..<content.upperBound + 4]) else {
      return nil
    }
    position = content.upperBound + 4
    return bytes[content]
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}

/// An image as indexes into the palette's colours that it uses. If any pixel is transparent, index 0 is transparent.
struct IndexedImage {
  let width: Int
  let height: Int
  /// The used colours in the palette's order, after the transparent entry, if any.
  let entries: [RGB]
  let hasTransparency: Bool
  /// Indexes into the whole palette. `numbers` maps each to its position in the entries.
  private let indexes: [UInt8]
  private let numbers: [UInt8]

  /// Nil if the image is fully transparent.
  init?(_ image: RGBAImage, _ palette: Palette) {
    guard let leastAlpha = image.leastVisibleAlpha else { return nil }
    let (width, height) = (image.width, image.height)
    (self.width, self.height) = (width, height)
    let slack = UInt32(palette.tolerance * palette.tolerance)
    var used = [UInt8](repeating: 0, count: 256)
    indexes = [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
      chartpipe_map_colors(
        image.pixels, width, height, leastAlpha, palette.table, palette.channels, palette.colors.count,
        slack, buffer.baseAddress, &used)
      count = width * height
    }
    var entries: [RGB] = []
    var numbers = [UInt8](repeating: 0, count: 256)
    for index in used.indices where used[index] != 0 {
      numbers[index] = UInt8(entries.count)
      entries.append(index == 0 ? RGB(red: 0, green: 0, blue: 0) : palette.colors[index - 1])
    }
    (self.entries, self.numbers, hasTransparency) = (entries, numbers, used[0] != 0)
  }

  /// The smallest bit depth that PNG allows for the entries.
  var bitDepth: UInt8 {
    switch entries.count {
    case ...2: 1
    case ...4: 2
    case ...16: 4
    default: 8
    }
  }

  /// Rows in PNG's form, without a filter: differences between palette indexes are meaningless.
  var pngRows: [UInt8] {
    let depth = Int(bitDepth)
    let count = height * (1 + (width * depth + 7) / 8)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      chartpipe_pack_indexes(indexes, width, height, numbers, Int32(depth), buffer.baseAddress)
      initialized = count
    }
  }
}

extension IndexedImage {
  /// The pixels as they are displayed.
  var image: RGBAImage {
    var colors: [UInt8] = entries.flatMap { [$0.red, $0.green, $0.blue, 255] }
    if hasTransparency { colors[3] = 0 }
    return RGBAImage(
      width: width, height: height,
      pixels: [UInt8](unsafeUninitializedCapacity: indexes.count * 4) { buffer, count in
        chartpipe_paint_indexes(indexes, indexes.count, numbers, colors, buffer.baseAddress)
        count = indexes.count * 4
      })
  }
}

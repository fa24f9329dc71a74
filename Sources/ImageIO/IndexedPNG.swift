internal import CDeflate
internal import CPixels

/// A PNG of the form that tiles are written in: a palette and one stream of unfiltered rows. libdeflate inflates it in less than
/// half the time that libpng takes with zlib.
struct IndexedPNG {
  let width: Int
  let height: Int
  /// 256 colours, RGBA.
  let palette: [UInt8]
  let indexes: [UInt8]

  /// More is left to libpng, which reads row by row.
  private static let mostPixels = 1 << 24

  /// Nil where anything is of another form or damaged, whatever it is: libpng, which is asked then, knows all forms, and says what
  /// is wrong.
  init?(_ bytes: [UInt8], sideLimit: UInt32) {
    guard var chunks = PNGChunks(bytes), let header = chunks.next("IHDR").map(Array.init),
      header.count == 13, header[9...] == [PNGFile.Colors.palette.rawValue, 0, 0, 0],
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
    palette = (0..<256).flatMap { color -> [UInt8] in
      let rgb = 3 * color < colors.count ? Array(colors[3 * color..<3 * color + 3]) : [0, 0, 0]
      return rgb + [color < alphas.count ? alphas[color] : 255]
    }
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

  /// Nil unless the whole stream gives just so many bytes.
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

/// The chunks of a PNG in their order, each with the right checksum.
struct PNGChunks {
  private let bytes: [UInt8]
  private var position = PNGFile.signature.count

  /// Nil for what is no PNG.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: PNGFile.signature) else { return nil }
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  /// The content of the next chunk, if it is of this kind and whole.
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

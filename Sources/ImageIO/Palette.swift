internal import CPixels

/// A colour without transparency.
public struct RGB: Sendable, Hashable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// `#9E2068`
  public var hex: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }
}

/// Up to 255 opaque colours, and a table that finds the nearest one for any other colour.
public struct Palette: Sendable, Equatable {
  /// At least one.
  public private(set) var colors: [RGB]
  /// By the six upper bits of red, green and blue: the colour's index plus one. 0 means transparent.
  private(set) var table: [UInt8]

  /// The colours' bytes, one after the other.
  var channels: [UInt8] { colors.flatMap { [$0.red, $0.green, $0.blue] } }
  /// How far pixels may be from their own colours, in levels over the three channels together, to continue a run of one colour or
  /// to repeat the colours of the row above: usually by at most this number, and never by more than five thirds of it. It removes
  /// invisible grain and saves a third of the bytes; flat tints do not change.
  public var tolerance = 0

  public static let limit = 255
  /// The largest difference between an ink of a sheet and its colour in the palette, in levels of a channel.
  public static let inkLevels = 9.0

  /// Uses the first 255 colours. An empty list gives white.
  public init(_ colors: [RGB]) {
    self.init(colors, points: ColorTable.centers)
  }

  /// - Parameters:
  ///     - points: the mean position of the pixels within each bin.
  ///     - wanted: the bins that will be looked up; nil for all.
  init(_ colors: [RGB], points: [UInt16], wanted: [UInt8]? = nil) {
    let kept = colors.isEmpty ? [RGB(red: 255, green: 255, blue: 255)] : Array(colors.prefix(Palette.limit))
    self.colors = kept
    table = ColorTable.nearest(kept, points: points, wanted: wanted)
  }

  /// Writes for each opaque pixel of four bytes the index of the nearest colour.
  public func findIndexes(
    of pixels: UnsafeBufferPointer<UInt8>, into indexes: UnsafeMutableRawBufferPointer
  ) {
    precondition(indexes.count * 4 <= pixels.count)
    table.withUnsafeBufferPointer { table in
      for pixel in 0..<indexes.count {
        let (red, green, blue) = (pixels[pixel * 4], pixels[pixel * 4 + 1], pixels[pixel * 4 + 2])
        indexes[pixel] = table[Int(red >> 2) << 12 | Int(green >> 2) << 6 | Int(blue >> 2)] &- 1
      }
    }
  }

  /// Adds the colours of an `InkCover`. Returns false if there is no room for all inks.
  mutating func complete(
    with inks: [RGB], tints: Set<RGB>, _ mixes: PrintedMixes, limit: Int, points: [UInt16], wanted: [UInt8]?
  ) -> Bool {
    guard !inks.isEmpty else { return true }
    var cover = InkCover(colors, table: table)
    let isEnough = cover.add(inks: inks, tints: tints)
    cover.add(mixes: mixes.colors, limit: min(limit, Palette.limit))
    cover.refineInks()
    colors = cover.colors
    table = ColorTable.nearest(colors, points: points, wanted: wanted)
    cover.correct(&table)
    return isEnough
  }

  /// Numbers the colours by frequency, the most frequent first; of equal ones the first. Neighbours in the order have Huffman
  /// codes of similar lengths, so the tables of codes take fewer bytes in each tile.
  mutating func sort(by bins: [chartpipe_color_bin]) {
    var weights = [UInt64](repeating: 0, count: colors.count)
    for bin in bins { weights[Int(table[Int(bin.place)]) - 1] += bin.weight }
    let order = colors.indices.sorted { (weights[$1], $0) < (weights[$0], $1) }
    var numbers = [UInt8](repeating: 0, count: 256)
    for (number, index) in order.enumerated() { numbers[index + 1] = UInt8(number + 1) }
    colors = order.map { colors[$0] }
    table = table.map { numbers[Int($0)] }
  }
}

/// The bins of the lookup table: six bits for each channel, in the order red, green, blue.
enum ColorTable {
  static let levels = 64
  static let bins = levels * levels * levels
  /// The number of steps in a level for points.
  static let fraction = 32

  /// The middle of each bin's four values in a channel, red, green and blue of every bin.
  static let centers: [UInt16] = (0..<3 * bins).map { place in
    UInt16(((place / 3) >> (12 - 6 * (place % 3)) & 63) * 4 * fraction + 3 * fraction / 2)
  }

  /// For each bin the index of the colour nearest to its point, plus one; 0 for bins that are not wanted.
  static func nearest(_ colors: [RGB], points: [UInt16], wanted: [UInt8]? = nil) -> [UInt8] {
    let channels = colors.flatMap { [$0.red, $0.green, $0.blue] }
    var table = [UInt8](repeating: 0, count: bins)
    chartpipe_fill_table(channels, colors.count, points, wanted, &table)
    return table
  }
}

/// An image of at most 256 colours as indexes of these colours.
struct ExactPalette {
  /// Red, green, blue and alpha in memory order. Transparent colours are first, so that few alphas are stored.
  let colors: [[UInt8]]
  let indexes: [UInt8]

  /// Nil for an image with more colours. All fully transparent pixels count as one colour.
  init?(_ image: RGBAImage) {
    let pixels = stride(from: 0, to: image.pixels.count, by: 4).map { start -> UInt32 in
      let alpha = image.pixels[start + 3]
      if alpha == 0 { return 0 }
      return image.pixels[start..<start + 3].reduce(UInt32(alpha)) { $0 << 8 | UInt32($1) }
    }
    var distinct: Set<UInt32> = []
    for pixel in pixels {
      distinct.insert(pixel)
      if distinct.count > 256 { return nil }
    }
    // The alpha is the upper byte.
    let sorted = distinct.sorted()
    var numbers: [UInt32: UInt8] = [:]
    for (number, color) in sorted.enumerated() { numbers[color] = UInt8(number) }
    colors = sorted.map { color in [16, 8, 0, 24].map { UInt8(truncatingIfNeeded: color >> $0) } }
    indexes = pixels.map { numbers[$0] ?? 0 }
  }
}

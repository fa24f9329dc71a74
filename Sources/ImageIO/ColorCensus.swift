internal import CPixels

/// Counts the colours of images, finely enough to choose a palette. The order of adding does not matter.
public struct ColorCensus: Sendable {
  /// Twelve counters for each bin; see `chartpipe_count_colors`.
  private var counters = [UInt32](repeating: 0, count: ColorTable.bins * 12)

  public init() {}

  /// Counts the opaque pixels. At an edge, colours are mixed.
  public mutating func add(_ image: RGBAImage) {
    chartpipe_count_colors(image.pixels, image.width * image.height, &counters)
  }

  /// Counts pixels of four bytes.
  public mutating func add(_ pixels: UnsafeBufferPointer<UInt8>) {
    guard let start = pixels.baseAddress else { return }
    chartpipe_count_colors(start, pixels.count / 4, &counters)
  }

  /// The number of frequent colours of a sheet's own palette, and of those that have close entries in any case.
  private static let (sheetColors, sheetInks) = (192, 96)

  /// Returns a palette for a printed sheet whose pixels are all counted: the most frequent colours, among them the inks, and
  /// the colours that differ most from these.
  public func sheetPalette() -> Palette {
    let frequent = bins().filter { $0.exactColor != nil }
      .sorted { ($1.weight, $0.place) < ($0.weight, $1.place) }
    return palette(
      limit: ColorCensus.sheetColors,
      inks: frequent.prefix(ColorCensus.sheetInks).compactMap(\.exactColor))
  }

  /// Returns the palette that is nearest to the counted colours.
  ///
  /// - Parameters:
  ///     - limit: the number of colours, up to 255. There are more if inks or mixes need entries of their own.
  ///     - inks: colours that may be printed where nothing was counted. Each gets an entry that looks like it.
  ///     - tints: inks that fill areas. Inks that fill the counted pixels need not be included.
  ///     - picture: the only picture that the palette is for. Looking up all possible colours would take longer than the rest.
  public func palette(
    limit: Int = Palette.limit, inks: [RGB] = [], tints: Set<RGB> = [], for picture: RGBAImage? = nil
  ) -> Palette {
    let bins = bins()
    var points = ColorTable.centers
    for bin in bins {
      for channel in 0..<3 { points[Int(bin.place) * 3 + channel] = bin.point(channel) }
    }
    let wanted = picture?.colorBins
    let limit = min(max(limit, 1), Palette.limit)
    var population = limit
    let tints = tints.union(ColorCensus.tints(of: inks, in: bins))
    while true {
      var choice = PaletteChoice(bins: bins, points: points, limit: population)
      choice.settle()
      choice.keepExactColors()
      var palette = Palette(choice.colors, points: points, wanted: wanted)
      if palette.complete(
        with: inks, tints: tints, PrintedMixes(bins, inks), limit: limit * 4 / 3, points: points,
        wanted: wanted)
        || population <= ColorCensus.leastPopulation
      {
        palette.sort(by: bins)
        return palette
      }
      population = max(ColorCensus.leastPopulation, population - ColorCensus.leastPopulation / 2)
    }
  }

  /// The least number of colours chosen by population, however many inks a sheet has.
  private static let leastPopulation = 64

  /// Inks that fill a ten-thousandth of the counted pixels.
  private static func tints(of inks: [RGB], in bins: [chartpipe_color_bin]) -> Set<RGB> {
    let all = bins.reduce(0) { $0 + $1.weight }
    let large = Set(bins.filter { $0.weight * 10_000 >= all }.map { Int($0.place) })
    return Set(inks.filter { large.contains($0.bin) })
  }

  private func bins() -> [chartpipe_color_bin] {
    let found = chartpipe_list_bins(counters, nil)
    return [chartpipe_color_bin](unsafeUninitializedCapacity: found) { buffer, count in
      count = chartpipe_list_bins(counters, buffer.baseAddress)
    }
  }
}

extension RGBAImage {
  /// Marks each bin that contains a visible pixel.
  fileprivate var colorBins: [UInt8] {
    var bins = [UInt8](repeating: 0, count: ColorTable.bins)
    pixels.withUnsafeBufferPointer { pixels in
      for start in stride(from: 0, to: pixels.count, by: 4) where pixels[start + 3] > 0 {
        let (red, green, blue) = (Int(pixels[start]), Int(pixels[start + 1]), Int(pixels[start + 2]))
        bins[(red >> 2) << 12 | (green >> 2) << 6 | blue >> 2] = 1
      }
    }
    return bins
  }
}

extension chartpipe_color_bin {
  /// The sum of a channel over the bin's pixels.
  func sum(_ channel: Int) -> UInt64 {
    switch channel {
    case 0: sums.0
    case 1: sums.1
    default: sums.2
    }
  }

  /// The mean of a channel in the unit of the table's points. It is inside the bin even if counters have reached their limit.
  func point(_ channel: Int) -> UInt16 {
    let top = (level(channel) * 4 + 3) * ColorTable.fraction
    let mean = (sum(channel) * UInt64(ColorTable.fraction) + weight / 2) / weight
    return UInt16(min(mean, UInt64(top)))
  }

  /// The upper six bits of a channel.
  func level(_ channel: Int) -> Int { Int(place >> UInt32(12 - 6 * channel)) & 63 }

  /// The colour of most pixels in the bin, if there is one.
  var exactColor: RGB? { has_mode == 0 ? nil : RGB(red: mode.0, green: mode.1, blue: mode.2) }
}

extension [UInt8] {
  /// How often each index occurs.
  public var counts: [Int] { reduce(into: [Int](repeating: 0, count: 256)) { $0[Int($1)] += 1 } }
}

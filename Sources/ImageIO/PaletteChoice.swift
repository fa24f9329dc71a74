internal import CPixels

/// Chooses the colours of a palette for the bins of a census.
///
/// The colour cube is cut into boxes: the box whose halves differ most is halved where they differ most, until there are
/// enough. Then each colour moves to the mean of its nearest pixels, a few times. All sums are integers, and fractions are
/// compared in a fixed order, so all machines choose the same palette.
struct PaletteChoice {
  let bins: [chartpipe_color_bin]
  let points: [UInt16]
  private let isCounted: [UInt8]
  private(set) var colors: [RGB]

  /// Further rounds gain less than a hundredth of a decibel.
  private static let rounds = 12

  init(bins: [chartpipe_color_bin], points: [UInt16], limit: Int) {
    self.bins = bins
    self.points = points
    var isCounted = [UInt8](repeating: 0, count: ColorTable.bins)
    for bin in bins { isCounted[Int(bin.place)] = 1 }
    self.isCounted = isCounted
    colors = ColorCut(bins, limit: limit).boxes.map(\.total.mean)
  }

  mutating func settle() {
    for _ in 0..<PaletteChoice.rounds {
      let means = clusters().enumerated().map { $1.weight > 0 ? $1.mean : colors[$0] }
      guard means != colors else { return }
      colors = means
    }
  }

  /// Keeps the exact colour of tints and lettering that make up most of a palette entry.
  mutating func keepExactColors() {
    let table = ColorTable.nearest(colors, points: points, wanted: isCounted)
    var heaviest = [chartpipe_color_bin?](repeating: nil, count: colors.count)
    for bin in bins {
      let number = Int(table[Int(bin.place)]) - 1
      if bin.weight > heaviest[number]?.weight ?? 0 { heaviest[number] = bin }
    }
    for (number, cluster) in clusters().enumerated() {
      guard let bin = heaviest[number], bin.weight > cluster.weight / 2, let color = bin.exactColor else {
        continue
      }
      colors[number] = color
    }
  }

  /// The sums of the pixels nearest to each colour.
  private func clusters() -> [PixelSum] {
    let table = ColorTable.nearest(colors, points: points, wanted: isCounted)
    var clusters = [PixelSum](repeating: PixelSum(), count: colors.count)
    for bin in bins { clusters[Int(table[Int(bin.place)]) - 1].add(bin) }
    return clusters
  }
}

/// The sum of many pixels. It stays far below the limit of 64 bits, since a bin's counters stop at 32 bits.
struct PixelSum {
  private(set) var weight: UInt64 = 0
  private(set) var sums: SIMD4<UInt64> = .zero

  mutating func add(_ bin: chartpipe_color_bin) {
    weight += bin.weight
    sums &+= SIMD4(bin.sums.0, bin.sums.1, bin.sums.2, 0)
  }

  mutating func add(_ other: PixelSum) {
    weight += other.weight
    sums &+= other.sums
  }

  static func - (whole: PixelSum, part: PixelSum) -> PixelSum {
    var rest = whole
    rest.weight -= part.weight
    rest.sums &-= part.sums
    return rest
  }

  /// Rounded to nearest. The sum must not be empty.
  var mean: RGB {
    let rounded = (0..<3).map { UInt8(truncatingIfNeeded: (sums[$0] + weight / 2) / weight) }
    return RGB(red: rounded[0], green: rounded[1], blue: rounded[2])
  }

  /// The squared sums divided by the weight: the part of the pixels' squares that a colour at their mean explains.
  var explained: Double {
    guard weight > 0 else { return 0 }
    let (red, green, blue) = (Double(sums[0]), Double(sums[1]), Double(sums[2]))
    return (red * red + green * green + blue * blue) / Double(weight)
  }
}

/// Cuts the colour cube into boxes whose colours differ little from their mean.
struct ColorCut {
  private var bins: [chartpipe_color_bin]
  private(set) var boxes: [Box] = []

  /// Some of the bins, and the best way to cut them.
  typealias Box = (members: Range<Int>, total: PixelSum, cut: Cut?)

  /// A position between two levels of a channel, and the decrease in the sum of squared differences from the means.
  typealias Cut = (channel: Int, level: Int, gain: Double)

  init(_ bins: [chartpipe_color_bin], limit: Int) {
    self.bins = bins
    guard !bins.isEmpty else { return }
    boxes = [box(bins.indices)]
    while boxes.count < limit, let (number, cut) = best() {
      let (lower, upper) = split(boxes[number].members, at: cut)
      boxes[number] = box(lower)
      boxes.append(box(upper))
    }
  }

  /// The box with the largest gain; the first of equals.
  private func best() -> (Int, Cut)? {
    var best: (number: Int, cut: Cut)?
    for (number, box) in boxes.enumerated() {
      if let cut = box.cut, cut.gain > best?.cut.gain ?? 0 { best = (number, cut) }
    }
    return best
  }

  private mutating func split(_ members: Range<Int>, at cut: Cut) -> (Range<Int>, Range<Int>) {
    let middle = bins[members].partition { $0.level(cut.channel) > cut.level }
    return (members.lowerBound..<middle, middle..<members.upperBound)
  }

  private func box(_ members: Range<Int>) -> Box {
    var profiles = [PixelSum](repeating: PixelSum(), count: 3 * ColorTable.levels)
    var total = PixelSum()
    for bin in bins[members] {
      total.add(bin)
      for channel in 0..<3 { profiles[channel * ColorTable.levels + bin.level(channel)].add(bin) }
    }
    let cuts = (0..<3).compactMap { bestCut(of: total, channel: $0, profiles) }
    let best = cuts.reduce(nil as Cut?) { best, cut in cut.gain > best?.gain ?? 0 ? cut : best }
    return (members, total, best)
  }

  private func bestCut(of total: PixelSum, channel: Int, _ profiles: [PixelSum]) -> Cut? {
    var best: Cut?
    var lower = PixelSum()
    for level in 0..<ColorTable.levels - 1 {
      lower.add(profiles[channel * ColorTable.levels + level])
      let upper = total - lower
      guard lower.weight > 0, upper.weight > 0 else { continue }
      let gain = lower.explained + upper.explained - total.explained
      if gain > best?.gain ?? 0 { best = (channel, level, gain) }
    }
    return best
  }
}

internal import CPixels

/// Finds the colours of a palette for the bins of a census.
///
/// A cut of the colour cube gives the first guess: the box whose halves differ most is halved where they differ most,
/// until there are enough. Then each colour moves to the mean of what is nearest to it, a few times. All sums are whole
/// numbers, and fractions are compared in an order that is always the same: any machine finds the same palette.
struct PaletteChoice {
  let bins: [chartpipe_color_bin]
  let points: [UInt16]
  private let isCounted: [UInt8]
  private(set) var colors: [RGB]

  /// Later rounds gain less than a hundredth of a decibel.
  private static let rounds = 12

  init(bins: [chartpipe_color_bin], points: [UInt16], limit: Int) {
    self.bins = bins
    self.points = points
    var isCounted = [UInt8](repeating: 0, count: ColorTable.bins)
    for bin in bins { isCounted[Int(bin.place)] = 1 }
    self.isCounted = isCounted
    colors = ColorCut(bins, limit: limit).boxes.map(\.mean)
  }

  mutating func settle() {
    for _ in 0..<PaletteChoice.rounds {
      let means = clusters().enumerated().map { $1.weight > 0 ? $1.mean : colors[$0] }
      guard means != colors else { return }
      colors = means
    }
  }

  /// A tint or a type that fills most of what a colour stands for comes out as it is in the chart.
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

  /// What is nearest to each colour.
  private func clusters() -> [ColorSum] {
    let table = ColorTable.nearest(colors, points: points, wanted: isCounted)
    var clusters = [ColorSum](repeating: ColorSum(), count: colors.count)
    for bin in bins { clusters[Int(table[Int(bin.place)]) - 1].add(bin) }
    return clusters
  }
}

/// The sum of many pixels. A sum stays far below what 64 bits hold, as a bin's counters stop at 32.
struct ColorSum {
  private(set) var weight: UInt64 = 0
  private(set) var sums: SIMD4<UInt64> = .zero

  mutating func add(_ bin: chartpipe_color_bin) {
    weight += bin.weight
    sums &+= SIMD4(bin.sums.0, bin.sums.1, bin.sums.2, 0)
  }

  mutating func add(_ other: ColorSum) {
    weight += other.weight
    sums &+= other.sums
  }

  static func - (whole: ColorSum, part: ColorSum) -> ColorSum {
    var rest = whole
    rest.weight -= part.weight
    rest.sums &-= part.sums
    return rest
  }

  /// Rounded to the nearest; there must be something.
  var mean: RGB {
    let rounded = (0..<3).map { UInt8(truncatingIfNeeded: (sums[$0] + weight / 2) / weight) }
    return RGB(red: rounded[0], green: rounded[1], blue: rounded[2])
  }

  /// The squared sums over the weight: how much of the pixels' squares a colour at their mean accounts for.
  var explained: Double {
    guard weight > 0 else { return 0 }
    let (red, green, blue) = (Double(sums[0]), Double(sums[1]), Double(sums[2]))
    return (red * red + green * green + blue * blue) / Double(weight)
  }
}

internal import CPixels

/// Cuts the colour cube into boxes, so that the colours within each differ little from their mean.
struct ColorCut {
  private var bins: [chartpipe_color_bin]
  private(set) var boxes: [Box] = []

  /// Some of the bins, and the best way to cut them.
  struct Box {
    let members: Range<Int>
    let total: ColorSum
    let cut: Cut?
    var mean: RGB { total.mean }
  }

  /// Between two levels of a channel.
  struct Cut {
    var channel: Int
    var level: Int
    /// By how much the sum of squared differences from the means falls.
    var gain: Double
  }

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

  /// The box that gains most; the first of equals.
  private func best() -> (Int, Cut)? {
    var best: (number: Int, cut: Cut)?
    for (number, box) in boxes.enumerated() {
      guard let cut = box.cut, cut.gain > best?.cut.gain ?? 0 else { continue }
      best = (number, cut)
    }
    return best
  }

  private mutating func split(_ members: Range<Int>, at cut: Cut) -> (Range<Int>, Range<Int>) {
    let middle = bins[members].partition { $0.level(cut.channel) > cut.level }
    return (members.lowerBound..<middle, middle..<members.upperBound)
  }

  private func box(_ members: Range<Int>) -> Box {
    var profiles = [ColorSum](repeating: ColorSum(), count: 3 * ColorTable.levels)
    var total = ColorSum()
    for bin in bins[members] {
      total.add(bin)
      for channel in 0..<3 { profiles[channel * ColorTable.levels + bin.level(channel)].add(bin) }
    }
    let cuts = (0..<3).compactMap { bestCut(of: total, channel: $0, profiles) }
    let best = cuts.reduce(nil as Cut?) { best, cut in cut.gain > best?.gain ?? 0 ? cut : best }
    return Box(members: members, total: total, cut: best)
  }

  private func bestCut(of total: ColorSum, channel: Int, _ profiles: [ColorSum]) -> Cut? {
    var best: Cut?
    var lower = ColorSum()
    for level in 0..<ColorTable.levels - 1 {
      lower.add(profiles[channel * ColorTable.levels + level])
      let upper = total - lower
      guard lower.weight > 0, upper.weight > 0 else { continue }
      let gain = lower.explained + upper.explained - total.explained
      if gain > best?.gain ?? 0 { best = Cut(channel: channel, level: level, gain: gain) }
    }
    return best
  }
}

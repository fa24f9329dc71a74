internal import CPixels

/// The colours that the pixels of a chart have or may have beyond its inks: what was counted, and each strong ink mixed
/// with the main grounds, as thin lines are by resampling. A rare ink's mixes are in no sample of the chart.
struct PrintedMixes {
  let colors: [RGB]

  private static let groundLimit = 6
  private static let inkLimit = 32
  /// By CIEDE2000: between grounds, between inks, and from an ink to any ground.
  private static let groundsApart = 8.0
  private static let inksApart = 6.0
  private static let strength = 25.0

  init(_ bins: [chartpipe_color_bin], _ inks: [RGB]) {
    let counted = bins.map(\.mean)
    let order = bins.indices.sorted { (bins[$1].weight, $0) < (bins[$0].weight, $1) }
    let grounds = PrintedMixes.spread(
      order.lazy.map { counted[$0] }, apart: PrintedMixes.groundsApart, limit: PrintedMixes.groundLimit
    ) { $0.lightness > 60 }
    let labs = grounds.map { LabColor($0) }
    let vivid = inks.map { (color: $0, key: (LabColor($0).vividness, $0.number)) }
      .sorted { ($1.key.0, $0.key.1) < ($0.key.0, $1.key.1) }.map(\.color)
    let strong = PrintedMixes.spread(
      vivid, apart: PrintedMixes.inksApart, limit: PrintedMixes.inkLimit
    ) { ink in labs.allSatisfy { $0.difference(to: ink) > PrintedMixes.strength } }
    let mixes = grounds.flatMap { ground in
      strong.flatMap { ink in (1...3).map { ink.mixed($0, over: ground) } }
    }
    colors = counted + mixes
  }

  /// The first colours that differ from all that were taken before them.
  private static func spread(
    _ colors: some Sequence<RGB>, apart: Double, limit: Int, where isWanted: (LabColor) -> Bool
  ) -> [RGB] {
    var (kept, labs): ([RGB], [LabColor]) = ([], [])
    for color in colors where kept.count < limit {
      let lab = LabColor(color)
      guard isWanted(lab), labs.allSatisfy({ $0.difference(to: lab) > apart }) else { continue }
      kept.append(color)
      labs.append(lab)
    }
    return kept
  }
}

extension LabColor {
  /// Of colours and black more than of grounds. Whole, so that machines sort alike.
  fileprivate var vividness: Int { Int((chroma + max(0, 50 - lightness)).rounded()) }
}

extension RGB {
  /// Orders colours that are equally vivid.
  fileprivate var number: Int { Int(red) << 16 | Int(green) << 8 | Int(blue) }
}

extension chartpipe_color_bin {
  fileprivate var mean: RGB {
    let levels = (0..<3).map { UInt8((Int(point($0)) + ColorTable.fraction / 2) / ColorTable.fraction) }
    return RGB(red: levels[0], green: levels[1], blue: levels[2])
  }
}

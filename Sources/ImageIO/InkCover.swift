internal import CPixels

/// Adds missing colours to a palette: each ink of a sheet, then the mixes that are farthest from any colour, then inks that are
/// not matched closely, until all are covered or the palette is full.
///
/// A palette chosen by population alone has no entry for rare colours: a few magenta symbols among many blue ones would become
/// brown.
struct InkCover {
  /// The largest difference between an ink and its entry, hardly visible side by side.
  static let inkLimit = 3.0
  /// The same if there is room: no difference is visible, even between two large tints.
  static let closeLimit = 1.0
  /// The number of channel levels that count as one unit of CIEDE2000, which is insensitive to differences of light yellows.
  static let levelsInUnit = Palette.inkLevels / inkLimit
  /// The largest difference of a mix, such as the pixels of a thin line that are partly ground: its hue is kept. Entries are
  /// added for larger differences as long as there is room.
  static let mixLimit = 3.5
  /// A mix keeps the colour that is nearest in levels up to this difference, which preserves its hue. Most mixes have no entry within
  /// the limit above, and taking the most similar one for all of them loses up to a decibel.
  private static let hueLimit = 5.0

  private(set) var colors: [RGB]
  private var labs: [LabColor]
  private let table: [UInt8]
  private var wanted: [Wanted] = []

  /// A colour for which the palette must have a similar entry.
  fileprivate struct Wanted {
    let lab: LabColor
    let color: RGB
    let isInk: Bool
    var number: Int
    var difference: Double
  }

  /// - Parameters:
  ///     - colors: at least one.
  ///     - table: the nearest colour by bin, as in `Palette`.
  init(_ colors: [RGB], table: [UInt8]) {
    self.colors = colors
    self.table = table
    labs = colors.map { LabColor($0) }
  }

  /// Adds inks until each has an entry. Returns false if the palette is full before.
  ///
  /// - Parameter tints: inks that fill areas, where a few levels are visible. They get close entries first.
  mutating func add(inks: [RGB], tints: Set<RGB>) -> Bool {
    for ink in inks { want(ink, isInk: true) }
    return fill(upTo: InkCover.closeLimit, limit: Palette.limit) { $0.isInk && tints.contains($0.color) }
      && fill(upTo: InkCover.inkLimit, limit: Palette.limit, \.isInk)
  }

  /// Adds colours that occur or may occur, starting with those farthest from all others.
  mutating func add(mixes: [RGB], limit: Int) {
    for mix in mixes { want(mix, isInk: false) }
    _ = fill(upTo: InkCover.mixLimit, limit: limit) { !$0.isInk }
  }

  /// Brings the inks closer to their entries as long as there is room, the farthest first.
  mutating func refineInks() {
    _ = fill(upTo: InkCover.closeLimit, limit: Palette.limit, \.isInk)
  }

  /// Sets the table's entry of each ink and mix whose nearest colour looks different to the one that looks most similar. Inks
  /// come last, since they have precedence.
  func correct(_ table: inout [UInt8]) {
    for (isInk, limit) in [(false, InkCover.hueLimit), (true, InkCover.closeLimit)] {
      for known in wanted
      where known.isInk == isInk && difference(known, Int(table[known.color.bin]) - 1) > limit {
        table[known.color.bin] = UInt8(known.number + 1)
      }
    }
  }

  private mutating func want(_ color: RGB, isInk: Bool) {
    let nearest = Int(table[color.bin]) - 1
    var known = Wanted(lab: LabColor(color), color: color, isInk: isInk, number: nearest, difference: 0)
    known.difference = difference(known, nearest)
    guard isInk || known.difference > InkCover.mixLimit else { return }
    let reach = 4 * color.distance(to: colors[nearest])
    for other in colors.indices where other != nearest && color.distance(to: colors[other]) < reach {
      known.take(other, difference(known, other))
    }
    wanted.append(known)
  }

  /// By CIEDE2000; for an ink, which may be a large tint, also in levels.
  private func difference(_ known: Wanted, _ number: Int) -> Double {
    let difference = known.lab.difference(to: labs[number])
    guard known.isInk else { return difference }
    return max(difference, Double(known.color.levels(to: colors[number])) / InkCover.levelsInUnit)
  }

  /// Returns false if the palette is full too early.
  private mutating func fill(upTo enough: Double, limit: Int, _ isMeant: (Wanted) -> Bool) -> Bool {
    var open = wanted.indices.filter { wanted[$0].difference > enough && isMeant(wanted[$0]) }
    // Of equal ones the first.
    while let farthest = open.max(by: { (wanted[$0].difference, $1) < (wanted[$1].difference, $0) }) {
      guard colors.count < limit else { return false }
      colors.append(wanted[farthest].color)
      labs.append(wanted[farthest].lab)
      for index in open { wanted[index].take(colors.count - 1, difference(wanted[index], colors.count - 1)) }
      open.removeAll { wanted[$0].difference <= enough }
    }
    return true
  }
}

extension InkCover.Wanted {
  fileprivate mutating func take(_ number: Int, _ difference: Double) {
    guard difference < self.difference else { return }
    (self.number, self.difference) = (number, difference)
  }
}

extension RGB {
  /// The bin of the table that contains the colour.
  var bin: Int { Int(red >> 2) << 12 | Int(green >> 2) << 6 | Int(blue >> 2) }

  /// Squared, in levels.
  func distance(to other: RGB) -> Int {
    let (red, green, blue) = (
      Int(red) - Int(other.red), Int(green) - Int(other.green), Int(blue) - Int(other.blue)
    )
    return red * red + green * green + blue * blue
  }

  /// In the channel that differs most.
  public func levels(to other: RGB) -> Int {
    max(abs(Int(red) - Int(other.red)), abs(Int(green) - Int(other.green)), abs(Int(blue) - Int(other.blue)))
  }

  /// This colour printed over a ground with some quarters of coverage.
  func mixed(_ quarters: Int, over ground: RGB) -> RGB {
    func mix(_ ink: UInt8, _ under: UInt8) -> UInt8 {
      UInt8((Int(ink) * quarters + Int(under) * (4 - quarters) + 2) / 4)
    }
    return RGB(
      red: mix(red, ground.red), green: mix(green, ground.green), blue: mix(blue, ground.blue))
  }
}

/// The colours that a chart's pixels have or may have besides its inks: the counted ones, and each strong ink mixed with the
/// main grounds, as resampling does at thin lines. No sample of the chart contains the mixes of a rare ink.
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

  /// The first colours that differ from all colours taken before.
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
  /// Higher for colours and black than for grounds. An integer, so that machines sort alike.
  fileprivate var vividness: Int { Int((chroma + max(0, 50 - lightness)).rounded()) }
}

extension RGB {
  /// Orders colours of equal vividness.
  fileprivate var number: Int { Int(red) << 16 | Int(green) << 8 | Int(blue) }
}

extension chartpipe_color_bin {
  fileprivate var mean: RGB {
    let levels = (0..<3).map { UInt8((Int(point($0)) + ColorTable.fraction / 2) / ColorTable.fraction) }
    return RGB(red: levels[0], green: levels[1], blue: levels[2])
  }
}

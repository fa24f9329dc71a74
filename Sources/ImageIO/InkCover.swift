internal import CPixels

/// Adds to the colours of a palette what they leave out: each ink of a sheet, then the mixes that are farthest from any colour, and
/// then inks that are not quite met, until there is none or the palette is full.
///
/// A palette that is chosen by population alone has no place for what is printed rarely: a few magenta symbols among many
/// blue ones would come out brown.
struct InkCover {
  /// The largest difference of an ink from the colour that it gets: hardly to be seen side by side.
  static let inkLimit = 3.0
  /// The same where there is room: no difference is seen even between two large tints.
  static let closeLimit = 1.0
  /// So many levels of a channel count as much as one unit of CIEDE2000, which sees little between two light yellows.
  static let levelsInUnit = 3.0
  /// The same of a mix, such as the pixels of a thin line that are partly ground: its hue is kept. Places are
  /// added where it is larger, as long as there are any.
  static let mixLimit = 3.5

  private(set) var colors: [RGB]
  private var labs: [LabColor]
  private let table: [UInt8]
  private var wanted: [Wanted] = []

  /// A colour that the palette must have something like.
  fileprivate struct Wanted {
    let lab: LabColor
    let color: RGB
    let isInk: Bool
    var number: Int
    var difference: Double
  }

  /// - Parameters:
  ///   - colors: at least one.
  ///   - table: the nearest colour by bin, as `Palette` looks it up.
  init(_ colors: [RGB], table: [UInt8]) {
    self.colors = colors
    self.table = table
    labs = colors.map { LabColor($0) }
  }

  /// Adds inks until each has a place; false when the palette is full before.
  ///
  /// - Parameter tints: those that fill areas, in which a few levels are seen: they get close places, before all others.
  mutating func add(inks: [RGB], tints: Set<RGB>) -> Bool {
    for ink in inks { want(ink, isInk: true) }
    return fill(upTo: InkCover.closeLimit, limit: Palette.limit) { $0.isInk && tints.contains($0.color) }
      && fill(upTo: InkCover.inkLimit, limit: Palette.limit, \.isInk)
  }

  /// Adds colours that occur, or may occur, those first that are farthest from all others.
  mutating func add(mixes: [RGB], limit: Int) {
    for mix in mixes { want(mix, isInk: false) }
    _ = fill(upTo: InkCover.mixLimit, limit: limit) { !$0.isInk }
  }

  /// Brings the inks closer to their places, as long as there are any, the farthest first.
  mutating func refineInks() {
    _ = fill(upTo: InkCover.closeLimit, limit: Palette.limit, \.isInk)
  }

  /// Lets the table give each colour that was added or looked at the place that looks most like it. Inks come last, as they
  /// prevail.
  func correct(_ table: inout [UInt8]) {
    for isInk in [false, true] {
      for known in wanted where known.isInk == isInk { table[known.color.bin] = UInt8(known.number + 1) }
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

  /// By CIEDE2000; of an ink, which may be a large tint, in levels too.
  private func difference(_ known: Wanted, _ number: Int) -> Double {
    let difference = known.lab.difference(to: labs[number])
    guard known.isInk else { return difference }
    return max(difference, Double(known.color.levels(to: colors[number])) / InkCover.levelsInUnit)
  }

  /// False when the palette is full and not enough.
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
  /// The bin of the table that it is looked up in.
  var bin: Int { Int(red >> 2) << 12 | Int(green >> 2) << 6 | Int(blue >> 2) }

  /// Squared, in levels.
  func distance(to other: RGB) -> Int {
    let (red, green, blue) = (
      Int(red) - Int(other.red), Int(green) - Int(other.green), Int(blue) - Int(other.blue)
    )
    return red * red + green * green + blue * blue
  }

  /// In the channel that differs most.
  func levels(to other: RGB) -> Int {
    max(abs(Int(red) - Int(other.red)), abs(Int(green) - Int(other.green)), abs(Int(blue) - Int(other.blue)))
  }

  /// This colour printed over a ground, so many quarters of it.
  func mixed(_ quarters: Int, over ground: RGB) -> RGB {
    func mix(_ ink: UInt8, _ under: UInt8) -> UInt8 {
      UInt8((Int(ink) * quarters + Int(under) * (4 - quarters) + 2) / 4)
    }
    return RGB(
      red: mix(red, ground.red), green: mix(green, ground.green), blue: mix(blue, ground.blue))
  }
}

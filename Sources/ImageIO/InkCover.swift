internal import CPixels

/// Adds to the colours of a palette what they leave out: each ink of a sheet, and then the mixes that are farthest from
/// any colour, until there is none or the palette is full.
///
/// A palette that is chosen by population alone has no place for what is printed rarely: a few magenta symbols among many
/// blue ones would come out brown.
struct InkCover {
  /// The largest difference, by CIEDE2000, of an ink from the colour that it gets: hardly to be seen side by side.
  static let inkLimit = 3.0
  /// The same of a mix, such as the pixels of a thin line that are partly ground: its hue is kept. Places are
  /// added where it is larger, as long as there are any.
  static let mixLimit = 3.5

  private(set) var colors: [RGB]
  private var labs: [LabColor]
  private let table: [UInt8]
  private var wanted: [Wanted] = []

  /// A colour that the palette must have something like.
  private struct Wanted {
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
  mutating func add(inks: [RGB]) -> Bool {
    for ink in inks { want(ink, isInk: true) }
    return fill(upTo: InkCover.inkLimit, limit: Palette.limit)
  }

  /// Adds colours that occur, or may occur, those first that are farthest from all others.
  mutating func add(mixes: [RGB], limit: Int) {
    for mix in mixes { want(mix, isInk: false) }
    _ = fill(upTo: InkCover.mixLimit, limit: limit)
  }

  /// Lets the table give each colour that was added or looked at the place that looks most like it. Inks come last, as they
  /// prevail.
  func correct(_ table: inout [UInt8]) {
    for isInk in [false, true] {
      for known in wanted where known.isInk == isInk { table[known.color.bin] = UInt8(known.number + 1) }
    }
  }

  private mutating func want(_ color: RGB, isInk: Bool) {
    var number = Int(table[color.bin]) - 1
    let lab = LabColor(color)
    var difference = lab.difference(to: labs[number])
    guard difference > InkCover.mixLimit || isInk else { return }
    let reach = 4 * color.distance(to: colors[number])
    for other in colors.indices where other != number && color.distance(to: colors[other]) < reach {
      let own = lab.difference(to: labs[other])
      if own < difference { (number, difference) = (other, own) }
    }
    wanted.append(Wanted(lab: lab, color: color, isInk: isInk, number: number, difference: difference))
  }

  /// False when the palette is full and not enough.
  private mutating func fill(upTo enough: Double, limit: Int) -> Bool {
    var open = wanted.indices.filter { wanted[$0].difference > enough }
    // Of equal ones the first.
    while let farthest = open.max(by: { (wanted[$0].difference, $1) < (wanted[$1].difference, $0) }) {
      guard colors.count < limit else { return false }
      let lab = wanted[farthest].lab
      for index in open {
        let difference = wanted[index].lab.difference(to: lab)
        guard difference < wanted[index].difference else { continue }
        (wanted[index].number, wanted[index].difference) = (colors.count, difference)
      }
      colors.append(wanted[farthest].color)
      labs.append(lab)
      open.removeAll { wanted[$0].difference <= enough }
    }
    return true
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

  /// This colour printed over a ground, so many quarters of it.
  func mixed(_ quarters: Int, over ground: RGB) -> RGB {
    func mix(_ ink: UInt8, _ under: UInt8) -> UInt8 {
      UInt8((Int(ink) * quarters + Int(under) * (4 - quarters) + 2) / 4)
    }
    return RGB(
      red: mix(red, ground.red), green: mix(green, ground.green), blue: mix(blue, ground.blue))
  }
}

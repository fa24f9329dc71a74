internal import Core

/// Counts of the print along an edge, for every whole pixel outward (positive) and inward.
struct EdgeProfile {
  /// What is counted: the kinds of pixels, numbered like `PrintKind`, and more.
  enum Part: Int {
    case tint, ink, paper
    /// Pixels beyond the image.
    case off
    /// Pixels with ink in them or beside them, across the edge. A thin line that wavers by a pixel is still found.
    case nearInk
  }

  /// How far the profile reaches to either side, in pixels.
  let reach: Int
  private let kinds: PrintKinds
  /// The number of lines read.
  private(set) var lines = 0
  /// Of each part, for each offset.
  private var counts: [Int]
  private var residue = 0

  init(reach: Int, kinds: PrintKinds) {
    self.reach = reach
    self.kinds = kinds
    counts = Array(repeating: 0, count: (2 * reach + 1) * EdgeProfile.parts)
  }

  /// Joins the parts of one edge.
  init(joining parts: [EdgeProfile]) {
    self = parts[0]
    for part in parts.dropFirst() {
      lines += part.lines
      residue += part.residue
      counts = zip(counts, part.counts).map(+)
    }
  }

  private static let parts = 5

  subscript(part: Part, offset: Int) -> Int { counts[(offset + reach) * EdgeProfile.parts + part.rawValue] }

  /// The mean distance from the edge to the center of the pixel at offset 0.
  var bias: Double {
    lines == 0 ? 0 : Double(residue) / Double(lines * EdgeTrack.Crossing.unit)
  }

  /// Adds one line across the edge.
  ///
  /// - Parameter colors: the color index of each pixel, from one before the innermost to one beyond the outermost; negative
  ///   beyond the image.
  mutating func add(_ crossing: EdgeTrack.Crossing, _ colors: UnsafeBufferPointer<Int16>) {
    let unit = EdgeTrack.Crossing.unit
    let beside = (crossing.pixel(at: 0) << 16) + unit / 2 - crossing.position
    residue += crossing.stride < 0 ? -beside : beside
    lines += 1
    let (ink, beyond) = (PrintKind.ink.rawValue, UInt8(Part.off.rawValue))
    let (parts, nearInk) = (EdgeProfile.parts, Part.nearInk.rawValue)
    kinds.codes.withUnsafeBufferPointer { codes in
      counts.withUnsafeMutableBufferPointer { counts in
        func code(_ color: Int16) -> UInt8 { color < 0 ? beyond : codes[Int(color)] }
        var (before, here) = (code(colors[0]), code(colors[1]))
        for place in 0..<counts.count / parts {
          let next = code(colors[place &+ 2])
          counts[place &* parts &+ Int(here)] &+= 1
          if before == ink || here == ink || next == ink { counts[place &* parts &+ nearInk] &+= 1 }
          (before, here) = (here, next)
        }
      }
    }
  }
}

// MARK: Reading

extension EdgeProfile {
  /// The mean share over some offsets of all lines, including pixels beyond the image.
  func share(_ part: Part, _ offsets: ClosedRange<Int>) -> Double {
    guard lines > 0, offsets.overlaps(-reach...reach) else { return 0 }
    let known = offsets.clamped(to: -reach...reach)
    let sum = known.reduce(0) { $0 + self[part, $1] }
    return Double(sum) / Double(known.count * lines)
  }

  /// The shares inside the image, in hundredths; nil if most of the strip is beyond it.
  func shares(_ offsets: ClosedRange<Int>) -> Product.Cut.Shares? {
    let known = offsets.clamped(to: -reach...reach)
    func sum(_ part: Part) -> Int { known.reduce(0) { $0 + self[part, $1] } }
    let (tint, ink, paper) = (sum(.tint), sum(.ink), sum(.paper))
    let seen = tint + ink + paper
    guard seen > sum(.off) else { return nil }
    func hundredths(_ part: Int) -> Double { Double((part * 100 + seen / 2) / seen) / 100 }
    return Product.Cut.Shares(ink: hundredths(ink), paper: hundredths(paper), tint: hundredths(tint))
  }

  /// Whether the print ends before the image's rim, so that a strip of collar lies there.
  func isBlank(before rim: Double) -> Bool {
    let rim = Int(rim.rounded())
    func print(_ offsets: ClosedRange<Int>) -> Double { share(.tint, offsets) + share(.ink, offsets) }
    let inside = print(rim - 100...rim - 20)
    return inside >= 0.1 && print(rim - 8...rim - 2) * 10 <= inside
  }
}

/// The darkness of the print along an edge, for every whole pixel outward (positive) and inward.
struct EdgeShades {
  private let reach: Int
  private let kinds: PrintKinds
  /// For every offset, the number of pixels of each shade in steps of two levels. The last step includes all darker ones.
  private var counts: [Int32]
  /// How often each color occurs in the outermost pixels of the image.
  private var outermost = [Int](repeating: 0, count: 256)

  private static let steps = 64
  private static let outermostPixels = 60

  init(reach: Int, kinds: PrintKinds) {
    self.reach = reach
    self.kinds = kinds
    counts = Array(repeating: 0, count: (2 * reach + 1) * EdgeShades.steps)
  }

  /// Adds one line across the edge. `colors` is as for an `EdgeProfile`.
  mutating func add(_ colors: UnsafeBufferPointer<Int16>) {
    let (limit, steps) = (2 * reach, EdgeShades.steps)
    kinds.shades.withUnsafeBufferPointer { shades in
      counts.withUnsafeMutableBufferPointer { counts in
        for place in 0...limit where colors[place &+ 1] >= 0 {
          let step = Int(shades[Int(colors[place &+ 1])]) / 2
          counts[place &* steps &+ (step < steps ? step : steps &- 1)] &+= 1
        }
      }
    }
    var last = colors.count - 1
    while last > reach + EdgeShades.outermostPixels, colors[last] < 0 { last -= 1 }
    for place in last - EdgeShades.outermostPixels + 1...last where colors[place] >= 0 {
      outermost[Int(colors[place])] += 1
    }
  }

  /// The tint of the outermost pixels, if they have one.
  var ground: PrintKinds.Ground? { kinds.ground(of: outermost) }

  /// The median at an offset, interpolated between whole levels. Lettering on less than half of the lines does not change it.
  func median(_ offset: Int) -> Double {
    let steps = EdgeShades.steps
    let place = (min(max(offset, -reach), reach) + reach) * steps
    let seen = counts[place..<place + steps].reduce(0, +)
    guard seen > 0 else { return 0 }
    let half = Double(seen) / 2
    var below = 0.0
    for step in 0..<steps {
      let count = Double(counts[place + step])
      // Bare paper has no shade, however many pixels it covers.
      if below + count >= half { return step == 0 ? 0 : 2 * (Double(step) + (half - below) / count) }
      below += count
    }
    return Double(2 * steps)
  }
}

/// The kind of a pixel according to its color.
enum PrintKind: UInt8 {
  /// A color of the map: land, water, cities, and colored print.
  case tint
  /// Black print: frames, roads, lettering.
  case ink
  /// The bare sheet.
  case paper
}

/// The kind of each color of a sheet's palette.
struct PrintKinds {
  private let kinds: [PrintKind]
  /// Their raw values.
  let codes: [UInt8]
  /// How much each color differs from the bare sheet, in the channel where it differs most.
  let shades: [UInt8]
  private let colors: [UInt32]

  /// Black is darker than half in every channel, so that a frame's softened rims count. Blue, magenta and brown inks keep one
  /// channel above it.
  private static let inkLimit: UInt8 = 128
  /// The tint of neighboring countries is almost white, and still belongs to the map.
  private static let paperLimit: UInt8 = 250
  /// Levels by which the colors of one ground may differ in a channel: in a flat print, and in a grainy one.
  private static let groundTolerances: (flat: UInt8, grainy: UInt8) = (3, 12)

  /// - Parameter colors: for each index the bytes red, green, blue and alpha in memory order.
  init(_ colors: [UInt32]) {
    self.init(colors, sheet: [255, 255, 255], slack: 255 - PrintKinds.paperLimit)
  }

  private init(_ colors: [UInt32], sheet: [UInt8], slack: UInt8) {
    self.colors = colors
    let channels = colors.map { $0.channels.prefix(3) }
    let shades = channels.map { zip($0, sheet).map { max($0, $1) - min($0, $1) }.max() ?? 0 }
    self.shades = shades
    let kinds = zip(channels, shades).map { channels, shade -> PrintKind in
      if shade <= slack { return .paper }
      return channels.allSatisfy { $0 < PrintKinds.inkLimit } ? .ink : .tint
    }
    self.kinds = kinds
    codes = kinds.map(\.rawValue)
  }

  /// The tint of a collar.
  typealias Ground = (color: UInt8, slack: UInt8)

  /// The kinds for a sheet whose collar is tinted: colors like the ground count as the bare sheet, and white as map.
  func onGround(_ ground: Ground) -> PrintKinds {
    PrintKinds(colors, sheet: Array(colors[Int(ground.color)].channels.prefix(3)), slack: ground.slack)
  }

  /// The tint that makes up most of some pixels, if there is one. The sea may have nearly the collar's tint, so grain is
  /// allowed only where it occurs.
  ///
  /// - Parameter counts: for each index the number of pixels.
  func ground(of counts: [Int]) -> Ground? {
    let total = counts.reduce(0, +)
    guard total > 0, let mode = counts.indices.max(by: { counts[$0] < counts[$1] }),
      kinds.indices.contains(mode), kinds[mode] == .tint
    else { return nil }
    return [PrintKinds.groundTolerances.flat, PrintKinds.groundTolerances.grainy].lazy
      .map { (color: UInt8(mode), slack: $0) }
      .first { ground in
        let like = onGround(ground)
        let share = counts.indices.reduce(0) {
          $1 < kinds.count && like.kinds[$1] == .paper ? $0 + counts[$1] : $0
        }
        return share * 10 >= total * 6
      }
  }

  @inline(__always)
  subscript(index: UInt8) -> PrintKind { kinds[Int(index)] }
}

internal import Core
internal import Pipeline

/// What is printed along an edge, counted for every whole pixel outward (positive) and inward of it.
struct EdgeProfile {
  struct Counts {
    var tint = 0
    var ink = 0
    var paper = 0
    /// Pixels with ink in them or beside them, across the edge: a thin line that wavers by a pixel is a line still.
    var nearInk = 0
    /// Beyond the image.
    var off = 0

    static func + (one: Counts, other: Counts) -> Counts {
      Counts(
        tint: one.tint + other.tint, ink: one.ink + other.ink, paper: one.paper + other.paper,
        nearInk: one.nearInk + other.nearInk, off: one.off + other.off)
    }
  }

  /// How far it reaches to either side.
  let reach: Int
  private let kinds: PrintKinds
  /// How many lines were looked at.
  private(set) var lines = 0
  private var counts: [Counts]
  private var residue = 0

  init(reach: Int, kinds: PrintKinds) {
    self.reach = reach
    self.kinds = kinds
    counts = Array(repeating: Counts(), count: 2 * reach + 1)
  }

  /// Parts of one edge as a whole.
  init(joining parts: [EdgeProfile]) {
    self = parts[0]
    for part in parts.dropFirst() {
      lines += part.lines
      residue += part.residue
      counts = zip(counts, part.counts).map { $0 + $1 }
    }
  }

  subscript(offset: Int) -> Counts { counts[offset + reach] }

  /// The pixel that offset 0 stands for has its center beside the edge, on average by this much.
  var bias: Double {
    lines == 0 ? 0 : Double(residue) / Double(lines * EdgeTrack.Crossing.unit)
  }

  /// Adds one line across the edge.
  ///
  /// - Parameter colors: of each pixel from one before the innermost to one beyond the outermost, the index of its color;
  ///   negative beyond the image.
  mutating func add(_ crossing: EdgeTrack.Crossing, _ colors: UnsafeBufferPointer<Int16>) {
    let unit = EdgeTrack.Crossing.unit
    let beside = (crossing.pixel(at: 0) << 16) + unit / 2 - crossing.position
    residue += crossing.stride < 0 ? -beside : beside
    lines += 1
    let (ink, paper, beyond) = (PrintKind.ink.rawValue, PrintKind.paper.rawValue, UInt8.max)
    kinds.withCodes { codes in
      counts.withUnsafeMutableBufferPointer { counts in
        func code(_ color: Int16) -> UInt8 { color < 0 ? beyond : codes[Int(color)] }
        var (before, here) = (code(colors[0]), code(colors[1]))
        for place in 0..<counts.count {
          let next = code(colors[place &+ 2])
          if here == ink {
            counts[place].ink &+= 1
          } else if here == paper {
            counts[place].paper &+= 1
          } else if here == beyond {
            counts[place].off &+= 1
          } else {
            counts[place].tint &+= 1
          }
          if before == ink || here == ink || next == ink { counts[place].nearInk &+= 1 }
          (before, here) = (here, next)
        }
      }
    }
  }
}

// MARK: Reading

extension EdgeProfile {
  /// The mean share over some offsets, of all lines, in the image or not.
  func share(_ part: KeyPath<Counts, Int>, _ offsets: ClosedRange<Int>) -> Double {
    guard lines > 0, offsets.overlaps(-reach...reach) else { return 0 }
    let known = offsets.clamped(to: -reach...reach)
    let sum = known.reduce(0) { $0 + self[$1][keyPath: part] }
    return Double(sum) / Double(known.count * lines)
  }

  /// The shares of what is in the image, in hundredths; nil where most is beyond it.
  func shares(_ offsets: ClosedRange<Int>) -> Product.Cut.Shares? {
    let known = offsets.clamped(to: -reach...reach)
    func sum(_ part: KeyPath<Counts, Int>) -> Int { known.reduce(0) { $0 + self[$1][keyPath: part] } }
    let (tint, ink, paper) = (sum(\.tint), sum(\.ink), sum(\.paper))
    let seen = tint + ink + paper
    guard seen > sum(\.off) else { return nil }
    func hundredths(_ part: Int) -> Double { Double((part * 100 + seen / 2) / seen) / 100 }
    return Product.Cut.Shares(ink: hundredths(ink), paper: hundredths(paper), tint: hundredths(tint))
  }

  /// Whether the print within the image's rim ends before it: a strip of collar lies there.
  func isBlank(before rim: Double) -> Bool {
    let rim = Int(rim.rounded())
    func print(_ offsets: ClosedRange<Int>) -> Double { share(\.tint, offsets) + share(\.ink, offsets) }
    let inside = print(rim - 100...rim - 20)
    return inside >= 0.1 && print(rim - 8...rim - 2) * 10 <= inside
  }
}

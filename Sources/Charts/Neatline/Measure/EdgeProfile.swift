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
  }

  /// How far it reaches to either side.
  let reach: Int
  /// How many lines were looked at.
  private(set) var lines = 0
  private var counts: [Counts]
  private var residue = 0

  init(reach: Int) {
    self.reach = reach
    counts = Array(repeating: Counts(), count: 2 * reach + 1)
  }

  subscript(offset: Int) -> Counts { counts[offset + reach] }

  /// The pixel that offset 0 stands for has its centre beside the edge, on average by this much.
  var bias: Double {
    lines == 0 ? 0 : Double(residue) / Double(lines * EdgeTrack.Crossing.unit)
  }

  /// Adds one line across the edge. `kind` is nil beyond the image.
  mutating func add(_ crossing: EdgeTrack.Crossing, _ kind: (_ pixel: Int) -> PrintKind?) {
    let unit = EdgeTrack.Crossing.unit
    let beside = (crossing.pixel(at: 0) << 16) + unit / 2 - crossing.position
    residue += crossing.stride < 0 ? -beside : beside
    lines += 1
    var before = kind(crossing.pixel(at: -reach - 1))
    var here = kind(crossing.pixel(at: -reach))
    for offset in -reach...reach {
      let next = kind(crossing.pixel(at: offset + 1))
      counts.withUnsafeMutableBufferPointer { counts in
        switch here {
        case .tint: counts[offset + reach].tint += 1
        case .ink: counts[offset + reach].ink += 1
        case .paper: counts[offset + reach].paper += 1
        case nil: counts[offset + reach].off += 1
        }
        if before == .ink || here == .ink || next == .ink { counts[offset + reach].nearInk += 1 }
      }
      (before, here) = (here, next)
    }
  }

  /// The mean share over some offsets, of all lines, in the image or not.
  func share(_ part: KeyPath<Counts, Int>, _ offsets: ClosedRange<Int>) -> Double {
    let known = offsets.clamped(to: -reach...reach)
    let sum = known.reduce(0) { $0 + self[$1][keyPath: part] }
    return lines == 0 ? 0 : Double(sum) / Double(known.count * lines)
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
}

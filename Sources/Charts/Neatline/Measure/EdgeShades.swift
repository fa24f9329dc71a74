/// How dark the print along an edge is, for every whole pixel outward (positive) and inward of it.
struct EdgeShades {
  private let reach: Int
  private let kinds: PrintKinds
  /// For every offset the numbers of pixels of each shade, in steps of two levels; those darker than the last step are in it.
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

  /// Adds one line across the edge; `colors` as for an `EdgeProfile`.
  mutating func add(_ colors: UnsafeBufferPointer<Int16>) {
    let (limit, steps) = (2 * reach, EdgeShades.steps)
    kinds.withShades { shades in
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

  /// The tint that the outermost pixels are made of, if they are of one.
  var ground: PrintKinds.Ground? { kinds.ground(of: outermost) }

  /// The median at an offset, between whole levels; lettering on less than half of the lines leaves it as it is.
  func median(_ offset: Int) -> Double {
    let steps = EdgeShades.steps
    let place = (min(max(offset, -reach), reach) + reach) * steps
    let seen = counts[place..<place + steps].reduce(0, +)
    guard seen > 0 else { return 0 }
    let half = Double(seen) / 2
    var below = 0.0
    for step in 0..<steps {
      let count = Double(counts[place + step])
      // Bare paper is no shade at all, however many pixels of it there are.
      if below + count >= half { return step == 0 ? 0 : 2 * (Double(step) + (half - below) / count) }
      below += count
    }
    return Double(2 * steps)
  }
}

/// The ink in a square around the place of an airport or another symbol, 0 to 1 for each pixel.
public struct SymbolInk: Sendable {
  fileprivate var ink: [Double]
  /// Pixels to each side of the airport.
  fileprivate let reach: Int
  private var side: Int { 2 * reach + 1 }

  /// Of 255. Water and the tints of land have less than `tint`; the inks of symbols exceed it by `full`.
  private static let tint = 20.0
  private static let full = 40.0
  /// The darkest channel of the tints of enroute charts.
  private static let pale = 190.0
  /// The least ink of a symbol elsewhere, the largest share of it at the airport's own place, and in a square twice as wide.
  private static let leastSymbol = 0.45
  private static let mostOwn = 0.25
  private static let mostWide = 0.65

  fileprivate init(reach: Int) {
    self.reach = reach
    ink = [Double](repeating: 0, count: (2 * reach + 1) * (2 * reach + 1))
  }

  /// - Parameters:
  ///   - view: a square of `reach` pixels to each side around a symbol's place.
  ///   - ofAnyColor: whether every ink counts, as on enroute charts, instead of blue and magenta.
  public init(_ view: RGBAImage, reach: Int, ofAnyColor: Bool = false) {
    self.init(reach: reach)
    let pixels = view.pixels
    for index in ink.indices {
      let channels = (0..<3).map { Double(pixels[index * 4 + $0]) }
      let excess = ofAnyColor ? SymbolInk.pale - (channels.min() ?? 0) : channels[2] - channels[1]
      ink[index] = min(max((excess - SymbolInk.tint) / SymbolInk.full, 0), 1)
    }
  }

  /// The mean ink of a square of pixels, and its middle.
  fileprivate typealias Square = (column: Int, row: Int, ink: Double)

  /// Returns where the airport's symbol is drawn, eastward and southward, if nothing is drawn at the airport's place.
  ///
  /// - Parameter others: the places of other airports, relative to this one.
  public func stray(radius: Int, others: [(x: Double, y: Double)]) -> (x: Double, y: Double)? {
    let squares = squares(radius)
    let far = squares.filter { square in
      let (x, y) = (square.column - reach, square.row - reach)
      return max(abs(x), abs(y)) > radius
        && !others.contains { max(abs($0.x - Double(x)), abs($0.y - Double(y))) <= Double(3 * radius) }
    }
    guard let own = squares.first(where: { $0.column == reach && $0.row == reach }),
      let best = far.max(by: { $0.ink < $1.ink }), best.ink >= SymbolInk.leastSymbol,
      own.ink <= SymbolInk.mostOwn * best.ink,
      let wide = self.squares(2 * radius).first(where: { $0.column == best.column && $0.row == best.row }),
      wide.ink <= SymbolInk.mostWide * best.ink
    else { return nil }
    return middle(of: best, radius, ground: 0)
  }

  /// Returns the centre of the ink in a square that exceeds the ground's; nil where none does.
  fileprivate func middle(of square: Square, _ radius: Int, ground: Double) -> (x: Double, y: Double)? {
    var (weight, x, y) = (0.0, 0.0, 0.0)
    for row in square.row - radius...square.row + radius {
      for column in square.column - radius...square.column + radius {
        let own = max(0, ink[row * side + column] - ground)
        (weight, x, y) = (weight + own, x + own * Double(column), y + own * Double(row))
      }
    }
    guard weight > 0 else { return nil }
    let middle = Double(reach)
    return (x / weight - middle, y / weight - middle)
  }

  /// Returns all squares with this half side.
  fileprivate func squares(_ radius: Int) -> [Square] {
    let side = side
    var sums = [Double](repeating: 0, count: (side + 1) * (side + 1))
    for row in 0..<side {
      var line = 0.0
      for column in 0..<side {
        line += ink[row * side + column]
        sums[(row + 1) * (side + 1) + column + 1] = sums[row * (side + 1) + column + 1] + line
      }
    }
    let area = Double((2 * radius + 1) * (2 * radius + 1))
    let places = radius..<side - radius
    return places.flatMap { row in
      places.map { column in
        let (top, bottom) = ((row - radius) * (side + 1), (row + radius + 1) * (side + 1))
        let (left, right) = (column - radius, column + radius + 1)
        let sum = sums[bottom + right] - sums[bottom + left] - sums[top + right] + sums[top + left]
        return (column, row, sum / area)
      }
    }
  }
}

/// The surroundings of many airports: other print averages out, and the symbols remain.
public struct SymbolStack: Sendable {
  private var sum: SymbolInk
  public private(set) var count = 0

  /// The least ink in the symbols' square: that of one airport in seven, and half more than at any other place.
  private static let leastInk = 0.15
  private static let leastLead = 1.5

  public init(reach: Int) { sum = SymbolInk(reach: reach) }

  public mutating func add(_ view: SymbolInk) {
    for index in sum.ink.indices { sum.ink[index] += view.ink[index] }
    count += 1
  }

  /// Returns the common centre of the symbols, eastward and southward; nil where they are not prominent.
  ///
  /// - Parameter radius: the radius of a symbol, in pixels.
  public func center(radius: Int) -> (x: Double, y: Double)? {
    let squares = sum.squares(radius)
    guard let best = squares.max(by: { $0.ink < $1.ink }) else { return nil }
    let sorted = squares.map(\.ink).sorted()
    let ground = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    let other =
      squares.filter { max(abs($0.column - best.column), abs($0.row - best.row)) > 3 * radius }
      .map(\.ink).max() ?? ground
    guard best.ink - ground > SymbolStack.leastInk * Double(count),
      best.ink - ground > SymbolStack.leastLead * (other - ground)
    else { return nil }
    return sum.middle(of: best, radius, ground: ground)
  }
}

internal import ImageIO

/// The surroundings of many airports laid on top of each other: what is printed beside them fades, and their symbols stay.
struct AirportStack {
  /// Mean ink of blue or magenta, of 1, in a square around the airports' places.
  private var ink: [Double]
  private(set) var count = 0
  /// Pixels to each side of an airport.
  private let reach: Int
  private var side: Int { 2 * reach + 1 }

  /// Of 255: water and the tints of land have less, the inks of symbols have more by twice as much.
  private static let tint = 20.0
  private static let full = 40.0
  /// Of the symbols' square: as much ink as that of one airport in seven, and half as much again as anywhere else.
  private static let leastInk = 0.15
  private static let leastStanding = 1.5

  init(reach: Int) {
    self.reach = reach
    ink = [Double](repeating: 0, count: (2 * reach + 1) * (2 * reach + 1))
  }

  /// - Parameter view: a square of `reach` pixels to each side around an airport.
  mutating func add(_ view: RGBAImage) {
    let pixels = view.pixels
    for index in ink.indices {
      let (green, blue) = (Double(pixels[index * 4 + 1]), Double(pixels[index * 4 + 2]))
      ink[index] += min(max((blue - green - AirportStack.tint) / AirportStack.full, 0), 1)
    }
    count += 1
  }

  /// The symbols' common centre, eastward and southward; nil where none stands out.
  ///
  /// - Parameter radius: of a symbol, in pixels.
  func center(radius: Int) -> (x: Double, y: Double)? {
    let side = side
    let squares = squares(radius)
    guard let best = squares.max(by: { $0.ink < $1.ink }) else { return nil }
    let ground = squares.map(\.ink).median
    let other =
      squares.filter { max(abs($0.column - best.column), abs($0.row - best.row)) > 3 * radius }
      .map(\.ink).max() ?? ground
    guard best.ink - ground > AirportStack.leastInk,
      best.ink - ground > AirportStack.leastStanding * (other - ground)
    else { return nil }
    var (weight, x, y) = (0.0, 0.0, 0.0)
    for row in best.row - radius...best.row + radius {
      for column in best.column - radius...best.column + radius {
        let own = max(0, ink[row * side + column] / Double(count) - ground)
        (weight, x, y) = (weight + own, x + own * Double(column), y + own * Double(row))
      }
    }
    guard weight > 0 else { return nil }
    let middle = Double(reach)
    return (x / weight - middle, y / weight - middle)
  }

  /// The mean ink of all squares with this half side.
  private func squares(_ radius: Int) -> [(column: Int, row: Int, ink: Double)] {
    let side = side
    var sums = [Double](repeating: 0, count: (side + 1) * (side + 1))
    for row in 0..<side {
      var line = 0.0
      for column in 0..<side {
        line += ink[row * side + column]
        sums[(row + 1) * (side + 1) + column + 1] = sums[row * (side + 1) + column + 1] + line
      }
    }
    let area = Double((2 * radius + 1) * (2 * radius + 1) * count)
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

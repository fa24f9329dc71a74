/// Finds by how much a picture is shifted against what it should show, by the correlation of their lightness: that hangs on
/// neither brightness nor contrast, nor on how soft a resampling makes the print.
struct ShiftSearch {
  struct Peak {
    /// Pixels, eastward and southward.
    var x: Double
    var y: Double
    /// At the best whole shift, of 1.
    var correlation: Double
    /// By how much the correlation falls beside the peak, in the direction in which it falls less; zero at the rim of what
    /// was searched, where nobody knows whether it is a peak.
    var sharpness: Double
  }

  private let found: PieceView
  private let expected: PieceView
  private let reach: Int
  private let mean: Double
  private let spread: Double

  /// - Parameter expected: reaches this far beyond what was found, at least, on each side.
  init(_ found: PieceView, in expected: PieceView, reach: Int) {
    (self.found, self.expected, self.reach) = (found, expected, reach)
    let count = Double(found.light.count)
    let mean = found.light.reduce(0, +) / count
    self.mean = mean
    spread = found.light.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  func peak() -> Peak {
    let side = 2 * reach + 1
    var values: [Double] = []
    for y in -reach...reach { for x in -reach...reach { values.append(correlation(x, y)) } }
    let best = values.indices.max { values[$0] < values[$1] } ?? 0
    let (column, row) = (best % side, best / side)
    guard (1..<side - 1).contains(column), (1..<side - 1).contains(row) else {
      return Peak(
        x: Double(column - reach), y: Double(row - reach), correlation: values[best], sharpness: 0)
    }
    let (across, fallAcross) = ShiftSearch.vertex(values[best - 1], values[best], values[best + 1])
    let (down, fallDown) = ShiftSearch.vertex(values[best - side], values[best], values[best + side])
    return Peak(
      x: Double(column - reach) + across, y: Double(row - reach) + down, correlation: values[best],
      sharpness: min(fallAcross, fallDown))
  }

  /// Of the parabola through three neighbours, and the fall from the middle to their mean.
  private static func vertex(_ before: Double, _ middle: Double, _ after: Double) -> (Double, Double) {
    let fall = middle - (before + after) / 2
    return (fall > 0 ? (after - before) / (4 * fall) : 0, fall)
  }

  /// Of what was found with what is expected so far to the north-west.
  private func correlation(_ x: Int, _ y: Int) -> Double {
    let box = found.box
    let start =
      (box.row - y - expected.box.row) * expected.box.width + box.column - x - expected.box.column
    var (sum, squares, products) = (0.0, 0.0, 0.0)
    found.light.withUnsafeBufferPointer { found in
      expected.light.withUnsafeBufferPointer { expected in
        for row in 0..<box.height {
          let (own, other) = (row * box.width, start + row * self.expected.box.width)
          for column in 0..<box.width {
            let value = expected[other + column]
            sum += value
            squares += value * value
            products += value * found[own + column]
          }
        }
      }
    }
    let count = Double(found.light.count)
    let variance = (squares - sum * sum / count) * spread
    return variance > 0 ? (products - sum * mean) / variance.squareRoot() : 0
  }
}

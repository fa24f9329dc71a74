/// Finds the shift between a picture and its expected content by the correlation of lightness, which depends neither on brightness
/// and contrast, nor on the softness of the resampling.
public struct ShiftSearch: Sendable {
  public struct Peak: Sendable {
    /// Pixels, eastward and southward.
    public var x: Double
    public var y: Double
    /// The correlation at the best whole shift, up to 1.
    public var correlation: Double
    /// The fall of the correlation beside the peak, in the direction in which it falls less; zero at the edge of the search, where
    /// it may not be a peak.
    public var sharpness: Double
    /// The mean square residual at the peak, and its rise beside the peak, in 255ths.
    public var residual: Double
    public var residualRise: Double
    /// The smallest whole shift that explains the picture as well as the peak.
    public var nearest: (x: Int, y: Int)

    /// Whether no shift explains the picture as well as the peak.
    public var isUnshifted: Bool { nearest == (0, 0) }
  }

  /// The mean square change, in 255ths, by a palette, `tolerance` and resampling.
  private static let noise = 25.0

  private let found: PatchView
  private let expected: PatchView
  private let reach: Int
  private let mean: Double
  private let spread: Double
  /// The larger variance of the found and the expected lightness.
  private let variance: Double

  /// - Parameter expected: extends at least `reach` pixels beyond `found` on each side.
  public init(_ found: PatchView, in expected: PatchView, reach: Int) {
    (self.found, self.expected, self.reach) = (found, expected, reach)
    let count = Double(found.light.count)
    let mean = found.light.reduce(0, +) / count
    self.mean = mean
    spread = found.light.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let contrast = expected.part(found.box).contrast
    variance = max(spread / count, contrast * contrast)
  }

  public func peak() -> Peak {
    let side = 2 * reach + 1
    var values: [Double] = []
    for y in -reach...reach { for x in -reach...reach { values.append(correlation(x, y)) } }
    let best = values.indices.max { values[$0] < values[$1] } ?? 0
    let (column, row) = (best % side, best / side)
    let residuals = values.map(residual)
    var peak = Peak(
      x: Double(column - reach), y: Double(row - reach), correlation: values[best], sharpness: 0,
      residual: residuals[best], residualRise: 0, nearest: nearest(residuals, to: residuals[best]))
    guard (1..<side - 1).contains(column), (1..<side - 1).contains(row) else { return peak }
    let (across, fallAcross) = ShiftSearch.vertex(values[best - 1], values[best], values[best + 1])
    let (down, fallDown) = ShiftSearch.vertex(values[best - side], values[best], values[best + side])
    peak.x += across
    peak.y += down
    peak.sharpness = min(fallAcross, fallDown)
    peak.residualRise =
      min(
        (residuals[best - 1] + residuals[best + 1]) / 2, (residuals[best - side] + residuals[best + side]) / 2
      )
      - residuals[best]
    return peak
  }

  private func residual(_ correlation: Double) -> Double {
    variance * (1 - max(0, correlation) * max(0, correlation))
  }

  private func nearest(_ residuals: [Double], to least: Double) -> (x: Int, y: Int) {
    let side = 2 * reach + 1
    let shifts = residuals.indices.filter { residuals[$0] <= 2 * least + ShiftSearch.noise }
      .map { (x: $0 % side - reach, y: $0 / side - reach) }
    return shifts.min { $0.x * $0.x + $0.y * $0.y < $1.x * $1.x + $1.y * $1.y } ?? (0, 0)
  }

  /// Returns the vertex of the parabola through three neighbours, and the fall from the middle to their mean.
  private static func vertex(_ before: Double, _ middle: Double, _ after: Double) -> (Double, Double) {
    let fall = middle - (before + after) / 2
    return (fall > 0 ? (after - before) / (4 * fall) : 0, fall)
  }

  /// Returns the correlation with the expected part this far to the north-west.
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

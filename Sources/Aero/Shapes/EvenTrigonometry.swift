/// Sine, cosine and arc tangent made of plain arithmetic, which is the same on every processor; those of the C library
/// may differ in the last digit from one to the next, and with it a vertex that lies between two millionths of a degree.
enum EvenTrigonometry {
  private static let quarter = Double.pi / 2
  /// What the quarter turn above lacks.
  private static let quarterRest = 6.123233995736766e-17

  static func sine(_ angle: Double) -> Double { sineAndCosine(angle).sine }
  static func cosine(_ angle: Double) -> Double { sineAndCosine(angle).cosine }

  /// Exact to a few times 1e-16 within some turns.
  static func sineAndCosine(_ angle: Double) -> (sine: Double, cosine: Double) {
    let quarters = (angle / quarter).rounded()
    let rest = angle - quarters * quarter - quarters * quarterRest
    let square = rest * rest
    let (sine, cosine) = (rest * series(square, from: 2), series(square, from: 1))
    switch quarters - 4 * (quarters / 4).rounded(.down) {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
  }

  /// 1 - x/(f(f+1)) + x²/(f(f+1)(f+2)(f+3)) ...: the cosine's series from 1 on, the sine's from 2 on.
  private static func series(_ square: Double, from first: Double) -> Double {
    var (sum, term, factor) = (1.0, 1.0, first)
    for _ in 0..<9 {
      term *= -square / (factor * (factor + 1))
      sum += term
      factor += 2
    }
    return sum
  }

  /// The angle of a direction, within half a turn to either side.
  static func angle(y: Double, x: Double) -> Double {
    let (small, large) = (min(abs(x), abs(y)), max(abs(x), abs(y)))
    guard large > 0 else { return 0 }
    var angle = arcTangent(small / large)
    if abs(y) > abs(x) { angle = quarter - angle }
    if x < 0 { angle = .pi - angle }
    return y < 0 ? -angle : angle
  }

  /// Of a ratio from 0 to 1: halved twice, then by its series.
  private static func arcTangent(_ ratio: Double) -> Double {
    var ratio = ratio
    for _ in 0..<2 { ratio /= 1 + (1 + ratio * ratio).squareRoot() }
    var (sum, power, divisor) = (0.0, ratio, 1.0)
    for _ in 0..<12 {
      sum += power / divisor
      power *= -ratio * ratio
      divisor += 2
    }
    return 4 * sum
  }
}

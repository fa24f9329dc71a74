/// A segment of a boundary in AIXM.
enum PathSegment: Equatable, Sendable {
  case line([ShapePoint])
  /// Angles in degrees from east, anticlockwise. The arc goes from the first to the second, clockwise where the second is smaller.
  case arc(center: ShapePoint, metres: Double, from: Double, to: Double)
  case circle(center: ShapePoint, metres: Double)
}

/// Converts segments of a boundary to corners.
///
/// The corners of an arc are on the circle on the ellipsoid, so close that the sides are at most 5 m inside it. Where an arc meets a line,
/// the end of the line is the corner: the angles of arcs are rounded and miss it by metres or even kilometres.
struct RingPath {
  /// Larger than any in use. The formulas are exact up to here.
  static let largestRadius = 1_000_000.0
  private static let chordError = 5.0
  /// The maximum difference in degrees between the end of a line and the angle of an arc.
  private static let snap = 20.0

  private let segments: [PathSegment]
  private let turnsLongArcs: Bool

  /// An arc from 350 to 10 degrees may mean the short way through 0. The FAA's data do not state it, but the boundary then crosses itself the
  /// long way: try it again with such arcs reversed.
  init(_ segments: [PathSegment], turningLongArcs: Bool = false) {
    self.segments = segments
    turnsLongArcs = turningLongArcs
  }

  /// Whether an arc is longer than half a circle.
  var hasLongArcs: Bool {
    segments.contains { segment in
      if case .arc(_, _, let from, let to) = segment { abs(to - from) > 180 } else { false }
    }
  }

  var ring: ShapeRing {
    var ring: ShapeRing = []
    for (index, segment) in segments.enumerated() {
      switch segment {
      case .line(let points): ring += points
      case .circle(let center, let metres):
        ring += corners(GeodesicCircle(center: center, metres: metres), from: 0, to: 360).dropLast()
      case .arc(let center, let metres, let from, let to):
        ring += arc(GeodesicCircle(center: center, metres: metres), from, to, at: index)
      }
    }
    return ring
  }

  /// The corners between the ends of the neighbouring lines, or the ends of the arc where there is no line.
  private func arc(_ circle: GeodesicCircle, _ from: Double, _ to: Double, at index: Int) -> ShapeRing {
    let count = segments.count
    let before = lineEnd((index + count - 1) % count) { $0.last }
    let after = lineEnd((index + 1) % count) { $0.first }
    var (from, to) = (from, to)
    if turnsLongArcs, abs(to - from) > 180 { to += to < from ? 360 : -360 }
    if runsBackwards(circle, from, to, before, after) { swap(&from, &to) }
    let start = before.flatMap { snapped(from, to: $0, circle) }
    let end = after.flatMap { snapped(to, to: $0, circle) }
    var corners = corners(circle, from: start ?? from, to: end ?? to)
    if before != nil { corners.removeFirst() }
    if after != nil, !corners.isEmpty { corners.removeLast() }
    return corners
  }

  private func lineEnd(_ index: Int, _ end: ([ShapePoint]) -> ShapePoint?) -> ShapePoint? {
    if case .line(let points) = segments[index] { end(points) } else { nil }
  }

  /// Whether the end of the arc is at the previous segment.
  private func runsBackwards(
    _ circle: GeodesicCircle, _ from: Double, _ to: Double, _ before: ShapePoint?, _ after: ShapePoint?
  ) -> Bool {
    guard let before, let after else { return false }
    let (first, last) = (angle(of: before, circle), angle(of: after, circle))
    let straight = apart(from, first) + apart(to, last)
    return apart(from, last) + apart(to, first) < straight - RingPath.snap
  }

  /// The angle to a corner that is near the angle of the arc, else nil.
  private func snapped(_ angle: Double, to corner: ShapePoint, _ circle: GeodesicCircle) -> Double? {
    let exact = self.angle(of: corner, circle)
    guard apart(angle, exact) <= RingPath.snap else { return nil }
    return exact + 360 * ((angle - exact) / 360).rounded()
  }

  private func apart(_ one: Double, _ other: Double) -> Double {
    let difference = abs(one - other)
    return abs(difference - 360 * (difference / 360).rounded())
  }

  /// The angle from the centre to a position, in degrees from east, on a sphere, which is exact enough for the ends.
  private func angle(of place: ShapePoint, _ circle: GeodesicCircle) -> Double {
    let (here, there) = (circle.center.radians, place.radians)
    let (own, other) = (
      PortableTrigonometry.sineAndCosine(here.latitude), PortableTrigonometry.sineAndCosine(there.latitude)
    )
    let across = PortableTrigonometry.sineAndCosine(there.longitude - here.longitude)
    let azimuth = PortableTrigonometry.angle(
      y: across.sine * other.cosine,
      x: own.cosine * other.sine - own.sine * other.cosine * across.cosine)
    return 90 - azimuth * 180 / .pi
  }

  private func corners(_ circle: GeodesicCircle, from: Double, to: Double) -> ShapeRing {
    let sweep = min(360, max(-360, to - from))
    let step = min(5, (8 * RingPath.chordError / circle.metres).squareRoot() * 180 / .pi)
    let count = max(1, Int((abs(sweep) / step).rounded(.up)))
    return (0...count).map { index in
      let angle = from + sweep * Double(index) / Double(count)
      return circle.point(azimuth: (90 - angle) * .pi / 180)
    }
  }
}

/// The points at a distance from a position on the ellipsoid, with Vincenty's direct solution (Survey Review 23, 1975), exact to less than
/// a millimetre.
struct GeodesicCircle {
  // GRS80, which differs from WGS84 by a tenth of a millimetre.
  private static let semiMajor = 6_378_137.0
  private static let flattening = 1 / 298.257_222_101
  private static let semiMinor = semiMajor * (1 - flattening)

  let center: ShapePoint
  let metres: Double
  private let reduced: (sine: Double, cosine: Double)

  init(center: ShapePoint, metres: Double) {
    self.center = center
    self.metres = metres
    let latitude = PortableTrigonometry.sineAndCosine(center.radians.latitude)
    let tangent = (1 - GeodesicCircle.flattening) * latitude.sine / latitude.cosine
    let cosine = 1 / (1 + tangent * tangent).squareRoot()
    reduced = (tangent * cosine, cosine)
  }

  /// The point at an azimuth, in radians clockwise from north.
  func point(azimuth: Double) -> ShapePoint {
    let (sine, cosine) = PortableTrigonometry.sineAndCosine(azimuth)
    let first = PortableTrigonometry.angle(y: reduced.sine, x: reduced.cosine * cosine)
    let equator = reduced.cosine * sine
    let slant = 1 - equator * equator
    let sigma = distance(first, slant)
    let (sineSigma, cosineSigma) = PortableTrigonometry.sineAndCosine(sigma)
    let depth = reduced.sine * sineSigma - reduced.cosine * cosineSigma * cosine
    let latitude = PortableTrigonometry.angle(
      y: reduced.sine * cosineSigma + reduced.cosine * sineSigma * cosine,
      x: (1 - GeodesicCircle.flattening) * (equator * equator + depth * depth).squareRoot())
    let lambda = PortableTrigonometry.angle(
      y: sineSigma * sine, x: reduced.cosine * cosineSigma - reduced.sine * sineSigma * cosine)
    let f = GeodesicCircle.flattening
    let c = f / 16 * slant * (4 + f * (4 - 3 * slant))
    let middle = PortableTrigonometry.cosine(2 * first + sigma)
    let excess = sigma + c * sineSigma * (middle + c * cosineSigma * (2 * middle * middle - 1))
    let longitude = lambda - (1 - c) * f * equator * excess
    return ShapePoint(
      x: center.x + ShapePoint.millionths(radians: longitude), y: ShapePoint.millionths(radians: latitude))
  }

  /// The radius as an angle at the centre of the earth.
  private func distance(_ first: Double, _ slant: Double) -> Double {
    let (a, b) = (GeodesicCircle.semiMajor, GeodesicCircle.semiMinor)
    let u = slant * (a * a - b * b) / (b * b)
    let wide = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)))
    let narrow = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
    var sigma = metres / (b * wide)
    // Each step adds three digits or more.
    for _ in 0..<6 {
      let middle = PortableTrigonometry.cosine(2 * first + sigma)
      let (sine, cosine) = PortableTrigonometry.sineAndCosine(sigma)
      let inner =
        cosine * (2 * middle * middle - 1)
        - narrow / 6 * middle * (4 * sine * sine - 3) * (4 * middle * middle - 3)
      sigma = metres / (b * wide) + narrow * sine * (middle + narrow / 4 * inner)
    }
    return sigma
  }
}

/// Sine, cosine and arc tangent in plain arithmetic, with equal results on every processor. Those of the C libraries can differ in the last
/// digit, which can move a vertex by a millionth of a degree.
enum PortableTrigonometry {
  private static let quarter = Double.pi / 2
  /// The rounding error of `quarter`.
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

  /// 1 - x/(f(f+1)) + x²/(f(f+1)(f+2)(f+3)) ...: the series of the cosine for f = 1, of the sine for f = 2.
  private static func series(_ square: Double, from first: Double) -> Double {
    var (sum, term, factor) = (1.0, 1.0, first)
    for _ in 0..<9 {
      term *= -square / (factor * (factor + 1))
      sum += term
      factor += 2
    }
    return sum
  }

  /// The angle of a direction, from -π to π.
  static func angle(y: Double, x: Double) -> Double {
    let (small, large) = (min(abs(x), abs(y)), max(abs(x), abs(y)))
    guard large > 0 else { return 0 }
    var angle = arcTangent(small / large)
    if abs(y) > abs(x) { angle = quarter - angle }
    if x < 0 { angle = .pi - angle }
    return y < 0 ? -angle : angle
  }

  /// The arc tangent of a ratio from 0 to 1: two halvings, then its series.
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

/// A piece of a boundary as AIXM draws it.
enum PathSegment: Equatable, Sendable {
  case line([ShapePoint])
  /// Angles in degrees from east, anticlockwise; it runs from the first to the second, clockwise where that is smaller.
  case arc(center: ShapePoint, metres: Double, from: Double, to: Double)
  case circle(center: ShapePoint, metres: Double)
}

/// Turns pieces of a boundary into corners.
///
/// The corners of an arc lie on the true circle on the ellipsoid, so close together that the sides between them are at
/// most 5 m inside it. Where an arc meets a line, the line's end is the corner: the angles of an arc are rounded,
/// and miss it by metres or even kilometres.
struct RingPath {
  /// Nobody flies by a larger one, and the mathematics are exact up to here.
  static let largestRadius = 1_000_000.0
  private static let chordError = 5.0
  /// How far in degrees a line's end may be from where the arc's angle says.
  private static let snap = 20.0

  private let segments: [PathSegment]
  private let turnsLongArcs: Bool

  /// An arc from 350 to 10 degrees may be meant the short way round, through 0. Nothing in the FAA's data says so but a
  /// boundary that crosses itself when it goes the long way: then try it with such arcs turned.
  init(_ segments: [PathSegment], turningLongArcs: Bool = false) {
    self.segments = segments
    turnsLongArcs = turningLongArcs
  }

  /// Whether an arc of it goes more than half around.
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

  /// What lies between the neighbours' ends; where there is no line, the arc's own end.
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

  /// Whether the arc's end lies where the boundary comes from.
  private func runsBackwards(
    _ circle: GeodesicCircle, _ from: Double, _ to: Double, _ before: ShapePoint?, _ after: ShapePoint?
  ) -> Bool {
    guard let before, let after else { return false }
    let (first, last) = (angle(of: before, circle), angle(of: after, circle))
    let straight = apart(from, first) + apart(to, last)
    return apart(from, last) + apart(to, first) < straight - RingPath.snap
  }

  /// The angle to a corner, near the one that the arc has.
  private func snapped(_ angle: Double, to corner: ShapePoint, _ circle: GeodesicCircle) -> Double? {
    let exact = self.angle(of: corner, circle)
    guard apart(angle, exact) <= RingPath.snap else { return nil }
    return exact + 360 * ((angle - exact) / 360).rounded()
  }

  private func apart(_ one: Double, _ other: Double) -> Double {
    let difference = abs(one - other)
    return abs(difference - 360 * (difference / 360).rounded())
  }

  /// The angle from the centre to a place, in degrees from east; on a sphere, which is near enough to begin and to end.
  private func angle(of place: ShapePoint, _ circle: GeodesicCircle) -> Double {
    let (here, there) = (circle.center.radians, place.radians)
    let (own, other) = (
      EvenTrigonometry.sineAndCosine(here.latitude), EvenTrigonometry.sineAndCosine(there.latitude)
    )
    let across = EvenTrigonometry.sineAndCosine(there.longitude - here.longitude)
    let azimuth = EvenTrigonometry.angle(
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

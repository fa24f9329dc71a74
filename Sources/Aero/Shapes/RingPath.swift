internal import Foundation
internal import RasterIO

/// A segment of a boundary in AIXM.
enum PathSegment: Equatable, Sendable {
  case line([ShapePoint])
  /// Angles in degrees from east, anticlockwise. The arc goes from the first to the second, clockwise where the second is smaller.
  case arc(center: ShapePoint, metres: Double, from: Double, to: Double)
  case circle(center: ShapePoint, metres: Double)
}

/// Converts segments of a boundary to corners.
///
/// The corners of an arc are on the circle on the ellipsoid, so close that the sides are at most `chordError` inside it. Where an arc meets a line,
/// the end of the line is the corner: the angles of arcs are rounded and miss it by metres or even kilometres.
struct RingPath {
  /// Larger than any in use.
  static let largestRadius = 1_000_000.0
  /// Metres.
  private let chordError: Double
  /// The maximum difference in degrees between the end of a line and the angle of an arc.
  private static let snap = 20.0

  private let segments: [PathSegment]
  private let turnsLongArcs: Bool

  /// An arc from 350 to 10 degrees may mean the short way through 0. The FAA's data do not state it, but the boundary then crosses itself the
  /// long way: try it again with such arcs reversed.
  init(_ segments: [PathSegment], turningLongArcs: Bool = false, chordError: Double = 5) {
    (self.segments, turnsLongArcs, self.chordError) = (segments, turningLongArcs, chordError)
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
    let across = there.longitude - here.longitude
    let azimuth = atan2(
      sin(across) * cos(there.latitude),
      cos(here.latitude) * sin(there.latitude) - sin(here.latitude) * cos(there.latitude) * cos(across))
    return 90 - azimuth * 180 / .pi
  }

  private func corners(_ circle: GeodesicCircle, from: Double, to: Double) -> ShapeRing {
    let sweep = min(360, max(-360, to - from))
    let step = min(5, (8 * chordError / circle.metres).squareRoot() * 180 / .pi)
    let count = max(1, Int((abs(sweep) / step).rounded(.up)))
    return (0...count).map { index in
      let angle = from + sweep * Double(index) / Double(count)
      return circle.point(azimuth: 90 - angle)
    }
  }
}

/// The points at a distance from a position on the ellipsoid.
struct GeodesicCircle {
  let center: ShapePoint
  let metres: Double

  /// The point at an azimuth, in degrees clockwise from north.
  func point(azimuth: Double) -> ShapePoint {
    let point = Geodesic.point(latitude: ShapePoint.degrees(center.y), azimuth: azimuth, metres: metres)
    return ShapePoint(
      x: center.x + ShapePoint.millionths(point.longitude), y: ShapePoint.millionths(point.latitude))
  }
}

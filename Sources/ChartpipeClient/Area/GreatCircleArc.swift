internal import Foundation

/// The shorter part of a great circle between two places, or a single place.
struct GreatCircleArc {
  let start: UnitVector
  let end: UnitVector
  /// The pole of the great circle; nil for a single place.
  let pole: UnitVector?

  init(_ start: UnitVector, _ end: UnitVector) {
    (self.start, self.end) = (start, end)
    let product = start.cross(end)
    pole = product.length > 1e-12 ? product * (1 / product.length) : nil
  }

  /// Radians from a place to the nearest point of the arc.
  func distance(to place: UnitVector) -> Double {
    guard let pole, isAbreast(place, pole) else {
      return min(start.angle(to: place), end.angle(to: place))
    }
    let sine = abs(place.dot(pole))
    return atan2(sine, (max(0, 1 - sine * sine)).squareRoot())
  }

  /// Whether a place of the great circle lies on the arc.
  func contains(onCircle place: UnitVector) -> Bool { pole.map { isAbreast(place, $0) } ?? false }

  /// Whether the foot of the perpendicular from a place lies on the arc.
  private func isAbreast(_ place: UnitVector, _ pole: UnitVector) -> Bool {
    place.dot(pole.cross(start)) >= 0 && place.dot(end.cross(pole)) >= 0
  }
}

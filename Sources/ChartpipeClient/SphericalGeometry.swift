public import Core
internal import Foundation

extension Coordinate {
  /// Whether the latitude is from -90 to 90 and the longitude from -180 to 180.
  public var isValid: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }

  /// Nautical miles along the great circle.
  public func distance(to other: Coordinate) -> Double {
    UnitVector(self).angle(to: UnitVector(other)) * earthRadius
  }

  /// The position at a fraction of the great circle, from 0 to 1, to another position.
  public func point(at share: Double, to other: Coordinate) -> Coordinate {
    let (from, to) = (UnitVector(self), UnitVector(other))
    let angle = from.angle(to: to)
    guard sin(angle) > 1e-12 else { return self }
    return (from * sin((1 - share) * angle) + to * sin(share * angle)).coordinate
  }
}

/// The mean radius of the earth, 6,371,008.8 m, in nautical miles of 1,852 m.
let earthRadius = 6_371_008.8 / 1_852

/// A direction from the centre of the earth.
struct UnitVector {
  var x: Double
  var y: Double
  var z: Double

  init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  init(_ place: Coordinate) {
    self.init(latitude: place.latitude.radians, longitude: place.longitude.radians)
  }

  /// From radians.
  init(latitude: Double, longitude: Double) {
    self.init(x: cos(latitude) * cos(longitude), y: cos(latitude) * sin(longitude), z: sin(latitude))
  }

  var latitude: Double { atan2(z, (x * x + y * y).squareRoot()) }
  var longitude: Double { atan2(y, x) }
  var length: Double { (x * x + y * y + z * z).squareRoot() }
  var coordinate: Coordinate {
    Coordinate(latitude: latitude * 180 / .pi, longitude: longitude * 180 / .pi)
  }

  func dot(_ other: UnitVector) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: UnitVector) -> UnitVector {
    UnitVector(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  /// Radians, exact for small and for large angles.
  func angle(to other: UnitVector) -> Double { atan2(cross(other).length, dot(other)) }

  static func + (left: UnitVector, right: UnitVector) -> UnitVector {
    UnitVector(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
  }

  static func * (vector: UnitVector, factor: Double) -> UnitVector {
    UnitVector(x: vector.x * factor, y: vector.y * factor, z: vector.z * factor)
  }
}

extension Double {
  var radians: Double { self * .pi / 180 }
}

/// The shorter arc of a great circle between two positions, or a single position.
struct GreatCircleArc {
  let start: UnitVector
  let end: UnitVector
  /// The pole of the great circle; nil for a single position.
  let pole: UnitVector?

  init(_ start: UnitVector, _ end: UnitVector) {
    (self.start, self.end) = (start, end)
    let product = start.cross(end)
    pole = product.length > 1e-12 ? product * (1 / product.length) : nil
  }

  /// Radians from a position to the nearest point of the arc.
  func distance(to place: UnitVector) -> Double {
    guard let pole, isAbreast(place, pole) else {
      return min(start.angle(to: place), end.angle(to: place))
    }
    let sine = abs(place.dot(pole))
    return atan2(sine, (max(0, 1 - sine * sine)).squareRoot())
  }

  /// Whether a position on the great circle is on the arc.
  func contains(onCircle place: UnitVector) -> Bool { pole.map { isAbreast(place, $0) } ?? false }

  /// Whether the foot of the perpendicular from a position is on the arc.
  private func isAbreast(_ place: UnitVector, _ pole: UnitVector) -> Bool {
    place.dot(pole.cross(start)) >= 0 && place.dot(end.cross(pole)) >= 0
  }
}

/// A cell between two meridians and two parallels, such as a tile of a Web Mercator map.
///
/// The distance to a great circle has a closed form: the nearest point is an end of the arc, a corner of the cell, or the point of a
/// parallel next to the northernmost or southernmost point of the great circle.
struct GraticuleCell {
  /// Radians. `east` is larger than `west` and may be beyond 180 degrees.
  let west: Double
  let east: Double
  let south: Double
  let north: Double

  /// From degrees. An east that is not larger than the west is beyond 180 degrees.
  init(west: Double, south: Double, east: Double, north: Double) {
    self.west = west.radians
    self.east = (east > west ? east : east + 360).radians
    self.south = south.radians
    self.north = north.radians
  }

  init(_ box: BoundingBox) {
    self.init(west: box.west, south: box.south, east: box.east, north: box.north)
  }

  func contains(_ place: UnitVector) -> Bool {
    (south...north).contains(place.latitude) && contains(longitude: place.longitude)
  }

  /// Whether the two share more than an edge.
  func overlaps(_ other: GraticuleCell) -> Bool {
    guard south < other.north, other.south < north else { return false }
    let ahead = (other.west - west).fullTurn
    return ahead < east - west || 2 * .pi - ahead < other.east - other.west
  }

  /// Radians from a position to the nearest point of the cell.
  func distance(to place: UnitVector) -> Double {
    if contains(longitude: place.longitude) {
      return max(0, south - place.latitude, place.latitude - north)
    }
    return meridians.map { $0.distance(to: place) }.min() ?? .infinity
  }

  /// Radians between the nearest points of the cell and an arc; 0 where they intersect.
  func distance(to arc: GreatCircleArc) -> Double {
    let ends = min(distance(to: arc.start), distance(to: arc.end))
    guard ends > 0, let pole = arc.pole else { return ends }
    if crossesMeridian(arc, pole) || crossesParallel(arc, pole) { return 0 }
    return (corners + turningPoints(pole)).map(arc.distance).reduce(ends, min)
  }

  private func contains(longitude: Double) -> Bool { (longitude - west).fullTurn <= east - west }

  private var corners: [UnitVector] {
    [south, north].flatMap { latitude in
      [west, east].map { UnitVector(latitude: latitude, longitude: $0) }
    }
  }

  /// The western and the eastern edge, each in two parts, since a whole edge can be half a circle.
  private var meridians: [GreatCircleArc] {
    [west, east].flatMap { longitude in
      let points = [south, (south + north) / 2, north].map {
        UnitVector(latitude: $0, longitude: longitude)
      }
      return [GreatCircleArc(points[0], points[1]), GreatCircleArc(points[1], points[2])]
    }
  }

  /// The points of the southern and the northern edge at which the distance to the great circle is a minimum or a maximum.
  private func turningPoints(_ pole: UnitVector) -> [UnitVector] {
    [pole.longitude, pole.longitude + .pi].filter(contains(longitude:)).flatMap { longitude in
      [south, north].map { UnitVector(latitude: $0, longitude: longitude) }
    }
  }

  private func crossesMeridian(_ arc: GreatCircleArc, _ pole: UnitVector) -> Bool {
    [west, east].contains { longitude in
      let crossing = pole.cross(UnitVector(x: -sin(longitude), y: cos(longitude), z: 0))
      guard crossing.length > 1e-15 else { return false }
      return [1 / crossing.length, -1 / crossing.length].contains { factor in
        let place = crossing * factor
        return place.x * cos(longitude) + place.y * sin(longitude) > 0
          && (south...north).contains(place.latitude) && arc.contains(onCircle: place)
      }
    }
  }

  private func crossesParallel(_ arc: GreatCircleArc, _ pole: UnitVector) -> Bool {
    let breadth = (pole.x * pole.x + pole.y * pole.y).squareRoot()
    return [south, north].contains { latitude in
      let cosine = -sin(latitude) * pole.z / (cos(latitude) * breadth)
      guard cosine.magnitude <= 1 else { return false }
      return [acos(cosine), -acos(cosine)].contains { turn in
        let longitude = pole.longitude + turn
        return contains(longitude: longitude)
          && arc.contains(onCircle: UnitVector(latitude: latitude, longitude: longitude))
      }
    }
  }
}

extension Double {
  /// The same angle from 0 up to a full turn.
  fileprivate var fullTurn: Double {
    let rest = truncatingRemainder(dividingBy: 2 * .pi)
    return rest < 0 ? rest + 2 * .pi : rest
  }
}

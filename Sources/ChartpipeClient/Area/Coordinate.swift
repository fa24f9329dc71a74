internal import Foundation

/// A place on the earth in degrees, south and west negative.
public struct Coordinate: Codable, Hashable, Sendable {
  public var latitude: Double
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether there is such a place: a latitude from -90 to 90 and a longitude from -180 to 180.
  public var isValid: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }

  /// Nautical miles along the great circle.
  public func distance(to other: Coordinate) -> Double {
    UnitVector(self).angle(to: UnitVector(other)) * Earth.radius
  }

  /// The place that lies a share of the way, from 0 to 1, along the great circle to another.
  public func point(at share: Double, to other: Coordinate) -> Coordinate {
    let (from, to) = (UnitVector(self), UnitVector(other))
    let angle = from.angle(to: to)
    guard sin(angle) > 1e-12 else { return self }
    return (from * sin((1 - share) * angle) + to * sin(share * angle)).coordinate
  }
}

/// The sphere on which distances are measured.
enum Earth {
  /// The mean radius of the earth, 6,371,008.8 m, in nautical miles of 1,852 m.
  static let radius = 6_371_008.8 / 1_852
}

/// A direction from the middle of the earth.
struct UnitVector {
  var x: Double
  var y: Double
  var z: Double

  init(x: Double, y: Double, z: Double) {
    (self.x, self.y, self.z) = (x, y, z)
  }

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

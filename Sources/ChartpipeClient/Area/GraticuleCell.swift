internal import Foundation

/// A cell between two meridians and two parallels, such as a tile of a Web Mercator map.
///
/// The distance to a great circle has a closed form: the nearest point lies at an end of the arc, at a corner of the cell, or where
/// a parallel passes the northernmost or southernmost point of the great circle.
struct GraticuleCell {
  /// Radians. `east` is larger than `west`, and may run on beyond 180 degrees.
  let west: Double
  let east: Double
  let south: Double
  let north: Double

  /// From degrees. An east that is not larger than the west lies beyond 180 degrees.
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

  /// Whether the two have more in common than an edge.
  func overlaps(_ other: GraticuleCell) -> Bool {
    guard south < other.north, other.south < north else { return false }
    let ahead = (other.west - west).fullTurn
    return ahead < east - west || 2 * .pi - ahead < other.east - other.west
  }

  /// Radians from a place to the nearest point of the cell.
  func distance(to place: UnitVector) -> Double {
    if contains(longitude: place.longitude) {
      return max(0, south - place.latitude, place.latitude - north)
    }
    return meridians.map { $0.distance(to: place) }.min() ?? .infinity
  }

  /// Radians between the nearest points of the cell and of an arc; 0 where they meet.
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

  /// The western and the eastern edge, each in two parts: between the poles they would be half a circle.
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

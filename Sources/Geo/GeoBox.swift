/// A place on the WGS84 (or NAD83: here they are one) ellipsoid, in degrees.
public struct GeoPoint: Hashable, Codable, Sendable {
  public var longitude: Double
  public var latitude: Double

  public init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
  }
}

/// A box of longitudes and latitudes. It never wraps: a chart across 180 degrees is two boxes.
public struct GeoBox: Hashable, Codable, Sendable {
  public var west: Double
  public var south: Double
  public var east: Double
  public var north: Double

  public init(west: Double, south: Double, east: Double, north: Double) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }

  /// The smallest box around some points; nil without points.
  public init?(around points: [GeoPoint]) {
    guard let first = points.first else { return nil }
    self.init(
      west: first.longitude, south: first.latitude, east: first.longitude, north: first.latitude)
    for point in points {
      west = min(west, point.longitude)
      south = min(south, point.latitude)
      east = max(east, point.longitude)
      north = max(north, point.latitude)
    }
  }

  public var center: GeoPoint {
    GeoPoint(longitude: (west + east) / 2, latitude: (south + north) / 2)
  }

  public func contains(_ point: GeoPoint) -> Bool {
    (west...east).contains(point.longitude) && (south...north).contains(point.latitude)
  }

  public func intersects(_ other: GeoBox) -> Bool {
    west <= other.east && other.west <= east && south <= other.north && other.south <= north
  }

  public func contains(_ other: GeoBox) -> Bool {
    west <= other.west && other.east <= east && south <= other.south && other.north <= north
  }

  public func union(_ other: GeoBox) -> GeoBox {
    GeoBox(
      west: min(west, other.west), south: min(south, other.south),
      east: max(east, other.east), north: max(north, other.north))
  }
}

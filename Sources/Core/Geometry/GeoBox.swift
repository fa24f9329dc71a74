internal import Foundation

/// A position in degrees, WGS84 or NAD83, which count as equal.
public struct GeoPoint: Hashable, Codable, Sendable {
  public var longitude: Double
  public var latitude: Double

  public init(longitude: Double, latitude: Double) { (self.longitude, self.latitude) = (longitude, latitude) }

  public init(latitude: Double, longitude: Double) { self.init(longitude: longitude, latitude: latitude) }
}

/// A box of longitudes and latitudes. It never wraps: a chart across 180 degrees is two boxes or, where documented, one with an east
/// beyond 180.
public struct GeoBox: Hashable, Codable, Sendable {
  public var west: Double
  public var south: Double
  public var east: Double
  public var north: Double

  public init(west: Double, south: Double, east: Double, north: Double) {
    (self.west, self.south, self.east, self.north) = (west, south, east, north)
  }

  /// The smallest box around the points; nil without points.
  public init?(around points: [GeoPoint]) {
    guard let first = points.first else { return nil }
    self.init(west: first.longitude, south: first.latitude, east: first.longitude, north: first.latitude)
    for point in points {
      west = min(west, point.longitude)
      south = min(south, point.latitude)
      east = max(east, point.longitude)
      north = max(north, point.latitude)
    }
  }

  /// The longitude is between -180 and 180, also when the east of the box is beyond 180.
  public var center: GeoPoint {
    let middle = (west + east) / 2
    return GeoPoint(
      longitude: middle > 180 ? (middle - 360).withoutNoise : middle, latitude: (south + north) / 2)
  }

  public func contains(_ point: GeoPoint) -> Bool {
    west <= point.longitude && point.longitude <= east && south <= point.latitude && point.latitude <= north
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

  /// The smallest box around boxes anywhere on the earth. Its east is beyond 180 where a box across that meridian is smaller. Nil
  /// without boxes.
  public init?(aroundWorld boxes: [GeoBox]) {
    let choices = boxes.map { first in
      boxes.reduce(first) { whole, box in
        let turn = box.west < first.west ? 360.0 : 0
        let turned = GeoBox(
          west: box.west + turn, south: box.south, east: (box.east + turn).withoutNoise, north: box.north)
        return GeoBox(
          west: whole.west, south: min(whole.south, turned.south), east: max(whole.east, turned.east),
          north: max(whole.north, turned.north))
      }
    }
    guard let best = choices.min(by: { ($0.east - $0.west, $0.west) < ($1.east - $1.west, $1.west) }) else {
      return nil
    }
    self =
      best.east - best.west < 360 ? best : GeoBox(west: -180, south: best.south, east: 180, north: best.north)
  }

  /// The box as one or two boxes between -180 and 180. Its east may be beyond 180.
  public var windows: [GeoBox] {
    guard east > 180 else { return [self] }
    return [
      GeoBox(west: west, south: south, east: 180, north: north),
      GeoBox(west: -180, south: south, east: (east - 360).withoutNoise, north: north),
    ]
  }
}

extension Double {
  /// Rounded to 1e-9 degrees, a tenth of a millimetre, which removes the rounding errors of adding 360.
  fileprivate var withoutNoise: Double { (self * 1_000_000_000).rounded() / 1_000_000_000 }
}

/// The polygons of a GeoJSON Polygon or MultiPolygon. Each is an array of rings, the outer ring first; each ring is an array of
/// positions; each position is longitude and latitude.
public struct GeoJSONPolygons: Codable, Sendable {
  public let polygons: [[[[Double]]]]

  private enum Key: String, CodingKey {
    case type
    case coordinates
  }

  public init(_ polygons: [[[[Double]]]]) { self.polygons = polygons }

  /// Returns nil unless the text is a JSON polygon with closed rings of positions with two coordinates.
  public init?(text: String) {
    guard let decoded = try? JSONDecoder().decode(GeoJSONPolygons.self, from: Data(text.utf8)),
      decoded.isValid
    else { return nil }
    self = decoded
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    polygons =
      switch try container.decode(String.self, forKey: .type) {
      case "Polygon": [try container.decode([[[Double]]].self, forKey: .coordinates)]
      case "MultiPolygon": try container.decode([[[[Double]]]].self, forKey: .coordinates)
      default: []
      }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode("MultiPolygon", forKey: .type)
    try container.encode(polygons, forKey: .coordinates)
  }

  private var isValid: Bool {
    !polygons.isEmpty && polygons.allSatisfy { !$0.isEmpty }
      && polygons.joined().allSatisfy { ring in
        ring.count >= 4 && ring.first == ring.last && ring.allSatisfy { $0.count >= 2 }
      }
  }
}

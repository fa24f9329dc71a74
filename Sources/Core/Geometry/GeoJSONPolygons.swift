internal import Foundation

/// The polygons of a GeoJSON Polygon or MultiPolygon: of each the rings, the outer one first, of each the places, of each the
/// longitude and the latitude.
public struct GeoJSONPolygons: Codable, Sendable {
  public let polygons: [[[[Double]]]]

  private enum Key: String, CodingKey {
    case type
    case coordinates
  }

  public init(_ polygons: [[[[Double]]]]) { self.polygons = polygons }

  /// Nil for what is no JSON, no polygon, or has a ring that does not close or a place without its two coordinates.
  public init?(text: String) {
    guard let read = try? JSONDecoder().decode(GeoJSONPolygons.self, from: Data(text.utf8)), read.isSound
    else {
      return nil
    }
    self = read
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

  private var isSound: Bool {
    !polygons.isEmpty && polygons.allSatisfy { !$0.isEmpty }
      && polygons.joined().allSatisfy { ring in
        ring.count >= 4 && ring.first == ring.last && ring.allSatisfy { $0.count >= 2 }
      }
  }
}

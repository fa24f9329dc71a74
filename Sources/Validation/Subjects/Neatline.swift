internal import Foundation
internal import Geo

/// The edge of a chart as its archive tells it, in metres of Web Mercator.
struct Neatline {
  let edges: [(from: (x: Double, y: Double), to: (x: Double, y: Double))]

  enum Relation {
    case inside
    case outside
    case crossing
  }

  /// How far a tile may lie off the edge before its presence or absence says something: the cut is made in the pixels
  /// of the sheet, and the warp looks a few pixels beyond each.
  static func tolerance(zoom: Int) -> Double { 4 * WebMercator.resolution(zoom: zoom) }

  /// Reads a Polygon or a MultiPolygon, with holes or without.
  init?(geoJSON text: String) {
    guard let shape = try? JSONDecoder().decode(Shape.self, from: Data(text.utf8)),
      let rings = shape.rings.map({ $0.map { $0.map { GeoPoint(longitude: $0[0], latitude: $0[1]) } } })
    else { return nil }
    edges = rings.flatMap { ring in
      let corners = ring.map { WebMercator.project($0) }
      return zip(corners, corners.dropFirst()).map { (from: $0, to: $1) }
    }
  }

  /// For an archive that does not tell where it was cut.
  init(around box: MercatorBox) {
    let corners = [
      (x: box.west, y: box.north), (x: box.east, y: box.north), (x: box.east, y: box.south),
      (x: box.west, y: box.south), (x: box.west, y: box.north),
    ]
    edges = zip(corners, corners.dropFirst()).map { (from: $0, to: $1) }
  }

  func relation(to box: MercatorBox) -> Relation {
    if edges.contains(where: { box.touches(from: $0.from, to: $0.to) }) { return .crossing }
    return contains(box.center) ? .inside : .outside
  }

  /// By the number of edges that lie to the east: holes and several parts need no special care.
  func contains(_ point: (x: Double, y: Double)) -> Bool {
    !crossings(y: point.y).count { $0 > point.x }.isMultiple(of: 2)
  }

  /// Where the line of one height cuts the edges.
  func crossings(y: Double) -> [Double] {
    edges.compactMap { edge in
      guard (edge.from.y > y) != (edge.to.y > y) else { return nil }
      return edge.from.x + (y - edge.from.y) / (edge.to.y - edge.from.y) * (edge.to.x - edge.from.x)
    }
  }

  /// Where an upright line cuts the edges.
  func crossings(x: Double) -> [Double] {
    edges.compactMap { edge in
      guard (edge.from.x > x) != (edge.to.x > x) else { return nil }
      return edge.from.y + (x - edge.from.x) / (edge.to.x - edge.from.x) * (edge.to.y - edge.from.y)
    }
  }
}

/// A GeoJSON geometry as far as a neatline needs one.
private struct Shape: Decodable {
  /// Nil when a ring does not close or a place lacks a coordinate.
  let rings: [[[Double]]]?

  private enum Key: String, CodingKey {
    case type
    case coordinates
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let found =
      switch try container.decode(String.self, forKey: .type) {
      case "Polygon": try container.decode([[[Double]]].self, forKey: .coordinates)
      case "MultiPolygon": try container.decode([[[[Double]]]].self, forKey: .coordinates).flatMap(\.self)
      default: [[[Double]]]()
      }
    let isSound =
      !found.isEmpty
      && found.allSatisfy { ring in
        ring.count >= 4 && ring.first == ring.last && ring.allSatisfy { $0.count >= 2 }
      }
    rings = isSound ? found : nil
  }
}

internal import Geo

/// The neatline as lines to be drawn and places to be looked at.
extension Neatline {
  typealias Place = (x: Double, y: Double)

  /// Of outlines and holes alike.
  var edges: [(from: Place, to: Place)] {
    polygons.flatMap { [$0.outline] + $0.holes }.flatMap { ring in
      ring.points.indices.map { index in
        let (from, to) = (ring.points[index], ring.points[(index + 1) % ring.points.count])
        return (from: (x: from.x, y: from.y), to: (x: to.x, y: to.y))
      }
    }
  }

  func contains(_ place: Place) -> Bool {
    polygons.contains { $0.contains(PlanePoint(x: place.x, y: place.y)) }
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

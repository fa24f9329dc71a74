internal import Core

/// The neatline as lines to be drawn and places to be looked at.
extension Neatline {
  typealias Place = (x: Double, y: Double)

  /// Of outlines and holes alike. Where the parts of a chart across 180 degrees meet it has no edge.
  var edges: [(from: Place, to: Place)] {
    let (seam, slack) = (WebMercator.halfWorld, 1.0)
    let isAcross = polygons.contains { ($0.outline.box?.maxX ?? 0) > seam + slack }
    return polygons.flatMap { [$0.outline] + $0.holes }.flatMap { ring in
      ring.points.indices.compactMap { index in
        let (from, to) = (ring.points[index], ring.points[(index + 1) % ring.points.count])
        if isAcross, abs(from.x - seam) < slack, abs(to.x - seam) < slack { return nil }
        return (from: (x: from.x, y: from.y), to: (x: to.x, y: to.y))
      }
    }
  }

  /// What lies to the west of a line is put a turn farther east.
  func unrolled(from west: Double) -> Neatline {
    Neatline(
      polygons: polygons.map { polygon in
        guard let box = polygon.outline.box, box.center.x < west else { return polygon }
        return PlanePolygon(outline: polygon.outline.turned, holes: polygon.holes.map(\.turned))
      })
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

extension PlaneRing {
  /// The same ring after one turn round the world, eastward.
  fileprivate var turned: PlaneRing {
    PlaneRing(points.map { PlanePoint(x: $0.x + 2 * WebMercator.halfWorld, y: $0.y) })
  }
}

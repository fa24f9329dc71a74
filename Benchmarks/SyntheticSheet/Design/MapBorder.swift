internal import Core
internal import Pipeline

/// The lines around the map in pixels: the outline, and a ring for each mask. It uses `LambertConformal` alone.
struct MapBorder: Sendable {
  let rings: [[PixelPoint]]

  init(_ design: SheetDesign) {
    let solver = EdgeSolver(design: design)
    rings = ([design.neatline.outline] + design.neatline.masks).map(solver.ring)
  }
}

/// Finds where the edges of a design run and where they meet.
struct EdgeSolver {
  let design: SheetDesign

  typealias Edge = NeatlineDefinition.Edge

  func ring(_ edges: [Edge]) -> [PixelPoint] {
    let corners = edges.indices.map { corner(edges[($0 + edges.count - 1) % edges.count], edges[$0]) }
    return edges.indices.flatMap { side in
      line(edges[side], from: corners[side], to: corners[(side + 1) % edges.count])
    }
  }

  /// Newton's method; over a sheet the projection is so nearly linear that a few rounds are exact.
  func corner(_ first: Edge, _ second: Edge) -> PixelPoint {
    var point = PixelPoint(x: Double(design.width) / 2, y: Double(design.height) / 2)
    for _ in 0..<12 {
      let (f, g) = (gradient(first, point), gradient(second, point))
      let determinant = f.x * g.y - f.y * g.x
      precondition(determinant != 0, "two edges of the design run side by side")
      point = point.offset(
        (g.value * f.y - f.value * g.y) / determinant, (f.value * g.x - g.value * f.x) / determinant)
    }
    return point
  }

  private func gradient(_ edge: Edge, _ point: PixelPoint) -> (value: Double, x: Double, y: Double) {
    let value = distance(edge, point)
    return (value, distance(edge, point.offset(1, 0)) - value, distance(edge, point.offset(0, 1)) - value)
  }

  /// Zero on the edge: degrees or pixels beside it.
  private func distance(_ edge: Edge, _ point: PixelPoint) -> Double {
    switch edge {
    case .meridian(let value): (design.place(of: point).longitude - value).remainder(dividingBy: 360)
    case .parallel(let value): design.place(of: point).latitude - value
    case .column(let value): point.x - value
    case .row(let value): point.y - value
    case .columnThrough(let place): point.x - design.pixel(of: place).x
    case .rowThrough(let place): point.y - design.pixel(of: place).y
    case .straight(let a, let b): beside(point, design.pixel(of: a), design.pixel(of: b))
    }
  }

  private func beside(_ point: PixelPoint, _ a: PixelPoint, _ b: PixelPoint) -> Double {
    ((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)) / a.distance(to: b)
  }

  /// All edges but the parallels are straight on the sheet; those are broken every fourth pixel, where the chord is off
  /// by less than a ten-thousandth.
  private func line(_ edge: Edge, from start: PixelPoint, to end: PixelPoint) -> [PixelPoint] {
    guard case .parallel(let latitude) = edge else { return [start] }
    let pieces = max(1, Int(start.distance(to: end) / 4))
    let west = design.place(of: start).longitude
    let reach = (design.place(of: end).longitude - west).remainder(dividingBy: 360)
    return (0..<pieces).map { piece in
      let longitude = west + reach * Double(piece) / Double(pieces)
      return design.pixel(of: GeoPoint(longitude: longitude, latitude: latitude))
    }
  }
}

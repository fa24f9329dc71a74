internal import Geo
internal import Pipeline

/// Draws a chart's neatline from its four edges.
struct NeatlineBuilder {
  let projection: SheetProjection
  /// The chart's product id, for faults.
  let subject: String

  /// How far a chord may be from the edge that it stands for, in pixels.
  private static let chordError = 0.25

  private struct Side {
    let name: String
    let edge: NeatlineDefinition.Edge
    /// Western or eastern.
    let isUpright: Bool
  }

  func build(_ definition: NeatlineDefinition) throws -> Neatline {
    guard definition.outline.count == 4 else { throw fault("it must have four edges") }
    let west = Side(name: "western", edge: definition.outline[0], isUpright: true)
    let south = Side(name: "southern", edge: definition.outline[1], isUpright: false)
    let east = Side(name: "eastern", edge: definition.outline[2], isUpright: true)
    let north = Side(name: "northern", edge: definition.outline[3], isUpright: false)
    try check([west, south, east, north])
    let northWest = try corner(north, west)
    let southWest = try corner(south, west)
    let southEast = try corner(south, east)
    let northEast = try corner(north, east)
    let sides = try [
      (west, northWest, southWest), (south, southWest, southEast), (east, southEast, northEast),
      (north, northEast, northWest),
    ].map { side, start, end in
      Neatline.Side(name: "\(side.name) edge", edge: side.edge, vertices: try line(side, start, end))
    }
    let ring = sides.flatMap(\.vertices)
    guard area(ring) > 0, let bounds = GeoBox(around: ring.map(\.place.rounded)) else {
      throw fault("its edges enclose nothing: west must lie left of east, and south below north")
    }
    guard bounds.west >= -180, bounds.east <= 180 else {
      throw Fault(
        .failed, doing: "cutting the chart at its neatline", subject: subject,
        problem: "it lies across 180 degrees, and such charts cannot be built yet",
        remedy: "Leave it out with --only.")
    }
    return Neatline(sides: sides, bounds: bounds)
  }

  private func check(_ sides: [Side]) throws {
    for side in sides {
      switch side.edge {
      case .meridian, .column, .columnThrough, .straight:
        guard side.isUpright else { throw fault("its \(side.name) edge must be a parallel or a row") }
      case .parallel, .row, .rowThrough:
        guard !side.isUpright else { throw fault("its \(side.name) edge must be a meridian or a column") }
      }
    }
  }

  // MARK: Corners

  /// Where two edges meet, by Newton's method from the middle of the sheet: over a sheet the projection is so nearly
  /// linear that each round gains several digits.
  private func corner(_ first: Side, _ second: Side) throws -> Neatline.Vertex {
    let nowhere = fault("its \(first.name) and \(second.name) edges do not meet on the sheet")
    var point = PixelPoint(column: Double(projection.width) / 2, row: Double(projection.height) / 2)
    for _ in 0..<30 {
      guard let step = newtonStep(first.edge, second.edge, at: point) else { throw nowhere }
      point.column -= step.column
      point.row -= step.row
      guard abs(step.column) + abs(step.row) < 1e-7 else { continue }
      guard let place = projection.place(of: point) else { throw nowhere }
      return Neatline.Vertex(pixel: point, place: place)
    }
    throw nowhere
  }

  private func newtonStep(
    _ first: NeatlineDefinition.Edge, _ second: NeatlineDefinition.Edge, at point: PixelPoint
  ) -> PixelPoint? {
    func gradient(_ edge: NeatlineDefinition.Edge) -> (value: Double, column: Double, row: Double)? {
      let right = PixelPoint(column: point.column + 1, row: point.row)
      let below = PixelPoint(column: point.column, row: point.row + 1)
      guard let value = distance(edge, at: point), let across = distance(edge, at: right),
        let down = distance(edge, at: below)
      else { return nil }
      return (value, across - value, down - value)
    }
    guard let f = gradient(first), let g = gradient(second) else { return nil }
    let determinant = f.column * g.row - f.row * g.column
    guard determinant != 0, determinant.isFinite else { return nil }
    return PixelPoint(
      column: (f.value * g.row - g.value * f.row) / determinant,
      row: (g.value * f.column - f.value * g.column) / determinant)
  }

  /// Zero on the edge: degrees or pixels beside it.
  private func distance(_ edge: NeatlineDefinition.Edge, at pixel: PixelPoint) -> Double? {
    switch edge {
    case .column(let value): pixel.column - value
    case .row(let value): pixel.row - value
    case .meridian(let value):
      projection.place(of: pixel).map { ($0.longitude - value).remainder(dividingBy: 360) }
    case .parallel(let value): projection.place(of: pixel).map { $0.latitude - value }
    case .columnThrough(let place): projection.pixel(of: place).map { pixel.column - $0.column }
    case .rowThrough(let place): projection.pixel(of: place).map { pixel.row - $0.row }
    case .straight: nil
    }
  }

  // MARK: Lines

  /// The edge's vertices from one corner up to, but without, the other.
  private func line(_ side: Side, _ start: Neatline.Vertex, _ end: Neatline.Vertex) throws -> [Neatline
    .Vertex]
  {
    let vertices = try [start] + between(side, start, end, depth: 0)
    let slack = 0.5
    // The column tells whether an upright edge is in the image, the row whether a level one is; the other of the
    // two is the neighbours' affair, and they are to be blamed for it.
    let length = side.isUpright ? projection.width : projection.height
    for vertex in vertices + [end] {
      let value = side.isUpright ? vertex.pixel.column : vertex.pixel.row
      guard (-slack...Double(length) + slack).contains(value) else {
        throw fault(
          "its \(side.name) edge leaves the image: it goes to \(side.isUpright ? "column" : "row") "
            + "\(Int(value.rounded())) of \(length)")
      }
    }
    return vertices
  }

  /// Halves the edge until each chord is near enough.
  private func between(
    _ side: Side, _ start: Neatline.Vertex, _ end: Neatline.Vertex, depth: Int
  ) throws -> [Neatline.Vertex] {
    guard let middle = middle(side.edge, start, end), let error = projection.chordError(start, middle, end)
    else {
      throw fault("its \(side.name) edge cannot be drawn in the sheet's projection")
    }
    // One halving is always made: an edge could bend one way and then the other, and look straight from its middle.
    guard depth < 1 || (error > NeatlineBuilder.chordError && depth < 16) else { return [] }
    return try between(side, start, middle, depth: depth + 1) + [middle]
      + between(side, middle, end, depth: depth + 1)
  }

  private func middle(
    _ edge: NeatlineDefinition.Edge, _ start: Neatline.Vertex, _ end: Neatline.Vertex
  ) -> Neatline.Vertex? {
    switch edge {
    case .column, .row, .columnThrough, .rowThrough, .straight:
      let pixel = PixelPoint(
        column: (start.pixel.column + end.pixel.column) / 2, row: (start.pixel.row + end.pixel.row) / 2)
      return projection.place(of: pixel).map { Neatline.Vertex(pixel: pixel, place: $0) }
    case .meridian, .parallel:
      let place = GeoPoint(
        longitude: (start.place.longitude + end.place.longitude) / 2,
        latitude: (start.place.latitude + end.place.latitude) / 2)
      return projection.pixel(of: place).map { Neatline.Vertex(pixel: $0, place: place) }
    }
  }

  /// In square pixels; positive when the ring runs anticlockwise (rows count downward).
  private func area(_ ring: [Neatline.Vertex]) -> Double {
    ring.indices.reduce(0) { sum, index in
      let (a, b) = (ring[index].pixel, ring[(index + 1) % ring.count].pixel)
      return sum - (a.column * b.row - b.column * a.row) / 2
    }
  }

  private func fault(_ problem: String) -> Fault {
    Fault(
      .badInput, doing: "cutting the chart at its neatline", subject: subject, problem: problem,
      remedy: "Mend `neatline` in the definition; docs/CHARTS.md shows its form.")
  }
}

extension GeoPoint {
  /// To a millionth of a degree, a tenth of a metre: what a corner solved for 125 W has beyond that is noise.
  fileprivate var rounded: GeoPoint {
    GeoPoint(
      longitude: (longitude * 1_000_000).rounded() / 1_000_000,
      latitude: (latitude * 1_000_000).rounded() / 1_000_000)
  }
}

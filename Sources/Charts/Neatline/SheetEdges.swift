internal import Core

extension SheetProjection {
  /// How far the middle of an edge is from its chord: on the sheet, and on a map of longitudes and latitudes.
  func chordError(
    _ start: Neatline.Vertex, _ middle: Neatline.Vertex, _ end: Neatline.Vertex
  ) -> Double? {
    let onSheet = foot(start.pixel.plane, middle.pixel.plane, end.pixel.plane)
    let onEarth = foot(start.place.plane, middle.place.plane, end.place.plane)
    return pixel(of: GeoPoint(longitude: onEarth.x, latitude: onEarth.y)).map { earthly in
      max(onSheet.distance(to: middle.pixel.plane), earthly.distance(to: middle.pixel))
    }
  }
}

/// The nearest point of a chord to a point.
private func foot(_ a: PlanePoint, _ point: PlanePoint, _ b: PlanePoint) -> PlanePoint {
  let (dx, dy) = (b.x - a.x, b.y - a.y)
  let square = dx * dx + dy * dy
  guard square > 0 else { return a }
  let share = ((point.x - a.x) * dx + (point.y - a.y) * dy) / square
  return PlanePoint(x: a.x + share * dx, y: a.y + share * dy)
}

/// Edges that are given slightly outside the image follow its rim instead. Places in definitions are accurate to about a
/// hundredth of a degree, and the FAA cuts the images of some sheets at the map's edge.
extension SheetProjection {
  /// The share of the image's width or height by which an edge may leave it.
  private static let slack = 0.02
  /// Vertices that are nearer to each other than this, in pixels, are one.
  private static let leastLength = 0.01

  func isNearlyWithin(_ value: Double, _ length: Int) -> Bool {
    let slack = Double(length) * SheetProjection.slack + 0.5
    return (-slack...Double(length) + slack).contains(value)
  }

  func nearlyHolds(_ pixel: PixelPoint) -> Bool {
    isNearlyWithin(pixel.column, width) && isNearlyWithin(pixel.row, height)
  }

  /// Returns the image's rim for a column or row slightly outside; any other edge unchanged.
  func clamped(_ edge: NeatlineDefinition.Edge) -> NeatlineDefinition.Edge {
    switch edge {
    case .column(let column):
      return isNearlyWithin(column, width) && !isWithin(column, width) ? .column(onto(column, width)) : edge
    case .row(let row):
      return isNearlyWithin(row, height) && !isWithin(row, height) ? .row(onto(row, height)) : edge
    case .columnThrough(let place):
      guard let column = pixel(of: place)?.column, case let rim = clamped(.column(column)),
        rim != .column(column)
      else { return edge }
      return rim
    case .rowThrough(let place):
      guard let row = pixel(of: place)?.row, case let rim = clamped(.row(row)), rim != .row(row) else {
        return edge
      }
      return rim
    case .meridian, .parallel, .straight: return edge
    }
  }

  /// Returns a side without the parts beyond the image.
  ///
  /// - Parameters:
  ///     - end: the corner at which the next side begins.
  ///     - edge: the given edge.
  ///     - isMoved: whether the side was moved to the rim because it was outside the image.
  func clamped(
    _ side: Neatline.Side, to end: Neatline.Vertex, edge: NeatlineDefinition.Edge, isMoved: Bool
  ) -> Neatline.Side {
    let chain = side.vertices + [end]
    let isClamped = isMoved || leaves(chain.map(\.pixel))
    let vertices = zip(chain, chain.dropFirst()).flatMap { start, end in
      [clamped(start)] + (holds(start.pixel) && holds(end.pixel) ? [] : rimCrossings(start.pixel, end.pixel))
    }
    let corner = clamped(end)
    var distinct = [vertices[0]]
    for vertex in vertices.dropFirst() {
      let others = [distinct[distinct.count - 1], corner]
      if others.allSatisfy({ vertex.pixel.distance(to: $0.pixel) > SheetProjection.leastLength }) {
        distinct.append(vertex)
      }
    }
    return Neatline.Side(name: side.name, edge: edge, vertices: distinct, isClamped: isClamped)
  }

  /// Removes the spikes that a corner beyond the image leaves on its rim.
  func withoutSpikes(_ sides: [Neatline.Side]) -> [Neatline.Side] {
    var chains = sides.map(\.vertices)
    for index in chains.indices {
      let before = (index + chains.count - 1) % chains.count
      let next = chains[index].count > 1 ? chains[index][1] : chains[(index + 1) % chains.count][0]
      guard let last = chains[before].last, isSpike(last.pixel, chains[index][0].pixel, next.pixel) else {
        continue
      }
      if chains[before].count > 1 {
        chains[index][0] = chains[before].removeLast()
      } else if chains[index].count > 1 {
        chains[index].removeFirst()
      }
    }
    return zip(sides, chains).map {
      Neatline.Side(name: $0.name, edge: $0.edge, vertices: $1, isClamped: $0.isClamped)
    }
  }

  private func isSpike(_ a: PixelPoint, _ b: PixelPoint, _ c: PixelPoint) -> Bool {
    let (first, second) = ((b.column - a.column, b.row - a.row), (c.column - b.column, c.row - b.row))
    return abs(first.0 * second.1 - first.1 * second.0) < 1e-6
      && first.0 * second.0 + first.1 * second.1 < 0
  }

  /// Whether an edge goes beyond the rim that it runs along. Its corners may lie beyond the other rims because of its
  /// neighbors.
  private func leaves(_ chain: [PixelPoint]) -> Bool {
    guard let start = chain.first, let end = chain.last else { return false }
    let isUpright = abs(end.row - start.row) > abs(end.column - start.column)
    return chain.contains { isUpright ? !isWithin($0.column, width) : !isWithin($0.row, height) }
  }

  /// Where a chord crosses the image's rim.
  private func rimCrossings(_ start: PixelPoint, _ end: PixelPoint) -> [Neatline.Vertex] {
    func shares(_ from: Double, _ to: Double, _ length: Int) -> [Double] {
      from == to ? [] : [0, Double(length)].map { ($0 - from) / (to - from) }
    }
    let all = shares(start.column, end.column, width) + shares(start.row, end.row, height)
    return all.filter { 0 < $0 && $0 < 1 }.sorted().compactMap { share in
      let pixel = start.point(share, to: end)
      return holds(pixel) ? vertex(at: pixel) : nil
    }
  }

  private func clamped(_ vertex: Neatline.Vertex) -> Neatline.Vertex {
    guard !holds(vertex.pixel) else { return vertex }
    let pixel = PixelPoint(column: onto(vertex.pixel.column, width), row: onto(vertex.pixel.row, height))
    return self.vertex(at: pixel) ?? vertex
  }

  private func onto(_ value: Double, _ length: Int) -> Double { min(max(value, 0), Double(length)) }
}

internal import Core
internal import Pipeline

/// Draws one closed line of edges: a chart's outline, or one of its masks.
struct RingBuilder {
  let projection: SheetProjection
  let edges: [NeatlineDefinition.Edge]
  /// `western edge`, one for each.
  let names: [String]
  let fault: (_ problem: String) -> UserError

  /// How far a chord may be from the edge that it stands for, in pixels.
  private static let chordError = 0.25

  /// What is shorter than this is two corners that were meant to be one.
  private static let leastLength = 0.01

  /// Each side moved outward by so many pixels, where that is asked.
  func sides(offsets: [Double] = []) throws -> [Neatline.Side] {
    var lines = try edges.indices.map(line)
    var corners = try lines.indices.map { try corner(lines, $0, from: lattice) }
    if offsets.contains(where: { $0 != 0 }) {
      for index in lines.indices.prefix(offsets.count) {
        lines[index] = try moved(
          lines[index], corners[index], corners[after(index)], by: offsets[index], names[index])
      }
      corners = try lines.indices.map { try corner(lines, $0, from: [corners[$0].pixel]) }
    }
    return try edges.indices.map { try side(lines[$0], $0, from: corners[$0], to: corners[after($0)]) }
  }

  private func line(_ index: Int) throws -> SheetLine {
    if let line = SheetLine(edges[index], on: projection) { return line }
    throw fault("its \(names[index]) goes through a place that is nowhere on the sheet")
  }

  private func side(
    _ line: SheetLine, _ index: Int, from start: Neatline.Vertex, to end: Neatline.Vertex
  ) throws -> Neatline.Side {
    guard start.pixel.distance(to: end.pixel) > RingBuilder.leastLength else {
      throw fault("its \(names[index]) has no length")
    }
    let between = try between(line, names[index], start, end, depth: 0)
    return Neatline.Side(name: names[index], edge: edges[index], vertices: [start] + between)
  }

  private func after(_ index: Int) -> Int { (index + 1) % edges.count }

  /// The middle of the sheet, and then other places: two edges that run alongside each other in the middle may yet meet
  /// near a rim.
  private var lattice: [PixelPoint] {
    let shares = [0.5, 1.0 / 6, 5.0 / 6]
    let (width, height) = (Double(projection.width), Double(projection.height))
    return shares.flatMap { down in
      shares.map { across in PixelPoint(column: across * width, row: down * height) }
    }
  }

  // What is marked to stay out of line makes the optimiser of Swift 6.3 crash when it is inlined into `sides`.

  /// Where a side begins: the edge before it meets its own there. A meeting on the image is preferred.
  @inline(never)
  private func corner(_ lines: [SheetLine], _ index: Int, from starts: [PixelPoint]) throws -> Neatline.Vertex
  {
    let before = (index + lines.count - 1) % lines.count
    var elsewhere: Neatline.Vertex?
    for start in starts {
      guard let pixel = lines[before].crossing(lines[index], from: start),
        let place = projection.place(of: pixel)
      else { continue }
      let vertex = Neatline.Vertex(pixel: pixel, place: place)
      if projection.holds(pixel) { return vertex }
      elsewhere = elsewhere ?? vertex
    }
    guard let elsewhere else {
      throw fault("its \(names[before]) and its \(names[index]) do not meet on the sheet")
    }
    return elsewhere
  }

  @inline(never)
  private func moved(
    _ line: SheetLine, _ start: Neatline.Vertex, _ end: Neatline.Vertex, by pixels: Double, _ name: String
  ) throws -> SheetLine {
    // The ring runs anticlockwise, so outward is to the right; rows count downward.
    let outward = PixelPoint(
      column: start.pixel.row - end.pixel.row, row: end.pixel.column - start.pixel.column)
    guard pixels.isFinite, let foot = line.foot(of: start.pixel.halfway(to: end.pixel)),
      let moved = line.moved(by: pixels, toward: outward, near: foot)
    else { throw fault("its \(name) cannot be moved by \(pixels) pixels") }
    return moved
  }

  /// Halves the edge until each chord is near enough.
  @inline(never)
  private func between(
    _ line: SheetLine, _ name: String, _ start: Neatline.Vertex, _ end: Neatline.Vertex, depth: Int
  ) throws -> [Neatline.Vertex] {
    guard let pixel = line.foot(of: start.pixel.halfway(to: end.pixel)),
      let place = projection.place(of: pixel)
    else { throw fault("its \(name) cannot be drawn in the sheet's projection") }
    let middle = Neatline.Vertex(pixel: pixel, place: place)
    guard let error = projection.chordError(start, middle, end) else {
      throw fault("its \(name) cannot be drawn in the sheet's projection")
    }
    // One halving is always made: an edge could bend one way and then the other, and look straight from its middle.
    guard depth < 1 || (error > RingBuilder.chordError && depth < 16) else { return [] }
    return try between(line, name, start, middle, depth: depth + 1) + [middle]
      + between(line, name, middle, end, depth: depth + 1)
  }
}

extension SheetProjection {
  /// Whether a point is on the image, or so near beside it that no pixel is lost.
  func holds(_ pixel: PixelPoint) -> Bool {
    isWithin(pixel.column, width) && isWithin(pixel.row, height)
  }

  func isWithin(_ value: Double, _ length: Int) -> Bool {
    let slack = 0.5
    return (-slack...Double(length) + slack).contains(value)
  }
}

internal import Core

/// Draws a chart's neatline from the edges of its definition.
struct NeatlineBuilder {
  let projection: SheetProjection
  /// The chart's product id, for errors.
  let subject: String

  private var isLeaning: Bool { projection.placing.isLeaning }

  /// Draws the neatline. Each side of the outline may be moved along its normal on the sheet, by pixels outward (positive) or
  /// inward.
  func build(_ definition: NeatlineDefinition, offsets: [Double] = []) throws -> Neatline {
    try checkUsualFour(definition)
    let sides = try outline(definition, offsets)
    let masks = try definition.masks.indices.map { try mask(definition.masks[$0], number: $0 + 1) }
    let ring = sides.flatMap(\.vertices)
    let area = try NeatlineArea(
      outline: ring.map(\.place), masks: masks.map { $0.map(\.place) },
      degreesPerPixel: (ring.area(\.place.plane) / ring.area(\.pixel.plane)).magnitude.squareRoot(),
      userError: userError)
    return Neatline(
      sides: sides.map { side in
        Neatline.Side(
          name: side.name, edge: side.edge, vertices: side.vertices.map { $0.turned(by: area.turn) },
          isClamped: side.isClamped)
      },
      masks: masks.map { $0.map { $0.turned(by: area.turn) } }, area: area)
  }

  /// Checks the usual four sides separately, since their errors can be described in simpler words.
  private func checkUsualFour(_ definition: NeatlineDefinition) throws {
    guard definition.outline.count >= 3 else { throw userError("an outline has at least three edges") }
    guard definition.outline.count == 4 else { return }
    for (index, edge) in definition.outline.enumerated() {
      let isUpright = index.isMultiple(of: 2)
      let name = definition.name(ofSide: index, isLeaning: isLeaning)
      switch edge {
      case .straight: continue
      case .meridian, .column, .columnThrough:
        guard isUpright else { throw userError("its \(name) must be a parallel or a row") }
      case .parallel, .row, .rowThrough:
        guard !isUpright else { throw userError("its \(name) must be a meridian or a column") }
      }
    }
  }

  // MARK: Rings

  private func outline(_ definition: NeatlineDefinition, _ offsets: [Double]) throws -> [Neatline.Side] {
    let names = definition.outline.indices.map { definition.name(ofSide: $0, isLeaning: isLeaning) }
    let lines = definition.outline.map(projection.clamped)
    var sides = try RingBuilder(projection: projection, edges: lines, names: names, userError: userError)
      .sides(offsets: offsets)
    try checkOnImage(sides)
    let corners = sides.map { $0.vertices[0] }
    sides = projection.withoutSpikes(
      sides.indices.map { index in
        projection.clamped(
          sides[index], to: corners[(index + 1) % corners.count], edge: definition.outline[index],
          isMoved: lines[index] != definition.outline[index])
      })
    try checkRing(
      sides.flatMap(\.vertices), name: "its outline",
      hint: names.count == 4
        ? "west must lie left of east, and south below north" : "they must run anticlockwise")
    return sides
  }

  /// A mask may reach beyond the outline, and even beyond the image.
  private func mask(_ edges: [NeatlineDefinition.Edge], number: Int) throws -> [Neatline.Vertex] {
    let ring = NeatlineDefinition(outline: edges)
    guard edges.count >= 3 else { throw userError("its mask \(number) has less than three edges") }
    let names = edges.indices.map { "mask \(number)'s \(ring.name(ofSide: $0, isLeaning: isLeaning))" }
    let vertices = try RingBuilder(projection: projection, edges: edges, names: names, userError: userError)
      .sides().flatMap(\.vertices)
    try checkRing(vertices, name: "its mask \(number)", hint: "they must run anticlockwise")
    return vertices
  }

  private func checkRing(_ ring: [Neatline.Vertex], name: String, hint: String) throws {
    guard !PlaneRing(ring.map(\.pixel.plane)).meetsItself else {
      throw userError("\(name) crosses itself: each edge must meet the next one, and no other")
    }
    // Rows count downward, so a visually anticlockwise ring has a negative area.
    guard ring.area(\.pixel.plane) < 0 else { throw userError("\(name)'s edges enclose nothing: \(hint)") }
  }

  /// Checks that each edge is on the image: the column of an upright edge, the row of a level one. An error in the other
  /// coordinate is caused by a neighbouring edge, and is reported there.
  private func checkOnImage(_ sides: [Neatline.Side]) throws {
    for (index, side) in sides.enumerated() {
      let vertices = side.vertices + sides[(index + 1) % sides.count].vertices.prefix(1)
      guard let start = vertices.first?.pixel, let end = vertices.last?.pixel else { continue }
      let isUpright = abs(end.row - start.row) > abs(end.column - start.column)
      let length = isUpright ? projection.width : projection.height
      for vertex in vertices {
        let value = isUpright ? vertex.pixel.column : vertex.pixel.row
        guard projection.isNearlyWithin(value, length) else {
          throw userError(
            "its \(side.name) leaves the image: it goes to \(isUpright ? "column" : "row") "
              + "\(whole(value)) of \(length)")
        }
      }
    }
    for side in sides where !side.vertices.allSatisfy({ projection.nearlyHolds($0.pixel) }) {
      throw userError("its \(side.name) leaves the image")
    }
  }

  /// Formats a number as an integer. A definition may contain numbers beyond all integers.
  private func whole(_ value: Double) -> String {
    Int(exactly: value.rounded()).map { "\($0)" } ?? "\(value)"
  }

  private func userError(_ problem: String) -> UserError {
    UserError(
      .badInput, operation: "cutting the chart at its neatline", path: subject, reason: problem,
      suggestion: "Correct `neatline` in the definition; docs/CHARTS.md shows its form.")
  }
}

extension [Neatline.Vertex] {
  fileprivate func area(_ point: (Neatline.Vertex) -> PlanePoint) -> Double {
    PlaneRing(map(point)).signedArea
  }
}

extension Neatline.Vertex {
  fileprivate func turned(by degrees: Double) -> Neatline.Vertex {
    Neatline.Vertex(
      pixel: pixel, place: GeoPoint(longitude: place.longitude + degrees, latitude: place.latitude))
  }
}

/// Draws one closed line of edges: a chart's outline, or one of its masks.
struct RingBuilder {
  let projection: SheetProjection
  let edges: [NeatlineDefinition.Edge]
  /// `western edge`, one for each.
  let names: [String]
  let userError: (_ problem: String) -> UserError

  /// How far a chord may be from its edge, in pixels.
  private static let chordError = 0.25

  /// Two corners that are nearer than this were meant to be one.
  private static let leastLength = 0.01

  /// The sides, each moved outward by its offset in pixels, if any.
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
    throw userError("its \(names[index]) crosses a point that is not on the sheet")
  }

  private func side(
    _ line: SheetLine, _ index: Int, from start: Neatline.Vertex, to end: Neatline.Vertex
  ) throws -> Neatline.Side {
    guard start.pixel.distance(to: end.pixel) > RingBuilder.leastLength else {
      throw userError("its \(names[index]) has no length")
    }
    let between = try between(line, names[index], start, end, depth: 0)
    return Neatline.Side(name: names[index], edge: edges[index], vertices: [start] + between)
  }

  private func after(_ index: Int) -> Int { (index + 1) % edges.count }

  /// The middle of the sheet, and then other points: two edges that are parallel in the middle may still meet near a rim.
  private var lattice: [PixelPoint] {
    let shares = [0.5, 1.0 / 6, 5.0 / 6]
    let (width, height) = (Double(projection.width), Double(projection.height))
    return shares.flatMap { down in
      shares.map { across in PixelPoint(column: across * width, row: down * height) }
    }
  }

  // The optimiser of Swift 6.3 crashes when functions marked `@inline(never)` are inlined into `sides`.

  /// Where a side begins: where the previous edge meets its own. An intersection on the image is preferred.
  @inline(never)
  private func corner(_ lines: [SheetLine], _ index: Int, from starts: [PixelPoint]) throws -> Neatline.Vertex
  {
    let before = (index + lines.count - 1) % lines.count
    var elsewhere: Neatline.Vertex?
    for start in starts {
      guard let pixel = lines[before].crossing(lines[index], from: start),
        let vertex = projection.vertex(at: pixel)
      else { continue }
      if projection.holds(pixel) { return vertex }
      elsewhere = elsewhere ?? vertex
    }
    guard let elsewhere else {
      throw userError("its \(names[before]) and its \(names[index]) do not meet on the sheet")
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
    else { throw userError("its \(name) cannot be moved by \(pixels) pixels") }
    return moved
  }

  /// Halves the edge until each chord is accurate enough.
  @inline(never)
  private func between(
    _ line: SheetLine, _ name: String, _ start: Neatline.Vertex, _ end: Neatline.Vertex, depth: Int
  ) throws -> [Neatline.Vertex] {
    guard let pixel = line.foot(of: start.pixel.halfway(to: end.pixel)),
      let middle = projection.vertex(at: pixel), let error = projection.chordError(start, middle, end)
    else { throw userError("its \(name) cannot be drawn in the sheet's projection") }
    // The edge is halved at least once. An edge that bends in both directions looks straight from its middle.
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

/// One edge of a neatline as a curve on the sheet.
struct SheetLine {
  private let projection: SheetProjection
  private let course: Course
  /// How far the curve is moved along its normal, in pixels.
  private var shift = 0.0

  private enum Course {
    case meridian(Double)
    case parallel(Double)
    /// Through a point, with a direction one pixel long.
    case straight(PixelPoint, along: PixelPoint)
  }

  /// The position of a point relative to the curve: its distance in pixels, and the direction in which that grows fastest.
  private typealias RelativePosition = (distance: Double, normal: PixelPoint)

  /// Rounds of Newton's method. The projection is so nearly linear over a sheet that each round gains several digits.
  private static let rounds = 30
  /// In pixels.
  private static let exactness = 1e-7

  /// Nil if a place on the edge is not on the sheet's side of the earth.
  init?(_ edge: NeatlineDefinition.Edge, on projection: SheetProjection) {
    self.projection = projection
    let (upright, level) = (PixelPoint(column: 0, row: 1), PixelPoint(column: 1, row: 0))
    switch edge {
    case .meridian(let value): course = .meridian(value)
    case .parallel(let value): course = .parallel(value)
    case .column(let value): course = .straight(PixelPoint(column: value, row: 0), along: upright)
    case .row(let value): course = .straight(PixelPoint(column: 0, row: value), along: level)
    case .columnThrough(let place):
      guard let pixel = projection.pixel(of: place) else { return nil }
      course = .straight(pixel, along: upright)
    case .rowThrough(let place):
      guard let pixel = projection.pixel(of: place) else { return nil }
      course = .straight(pixel, along: level)
    case .straight(let a, let b):
      guard let start = projection.pixel(of: a), let end = projection.pixel(of: b) else { return nil }
      let length = start.distance(to: end)
      guard length > 0 else { return nil }
      course = .straight(
        start,
        along: PixelPoint(column: (end.column - start.column) / length, row: (end.row - start.row) / length))
    }
  }

  /// The curve moved by some pixels, to the side that the direction points to.
  func moved(by pixels: Double, toward direction: PixelPoint, near point: PixelPoint) -> SheetLine? {
    guard let relative = relativePosition(of: point) else { return nil }
    var moved = self
    let along = relative.normal.column * direction.column + relative.normal.row * direction.row
    moved.shift += along < 0 ? -pixels : pixels
    return moved
  }

  /// The nearest point of the curve.
  func foot(of point: PixelPoint) -> PixelPoint? {
    var point = point
    for _ in 0..<SheetLine.rounds {
      guard let relative = relativePosition(of: point) else { return nil }
      point.column -= relative.distance * relative.normal.column
      point.row -= relative.distance * relative.normal.row
      if abs(relative.distance) < SheetLine.exactness { return point }
    }
    return nil
  }

  /// Where two curves meet, searched for from a starting point.
  func crossing(_ other: SheetLine, from start: PixelPoint) -> PixelPoint? {
    var point = start
    for _ in 0..<SheetLine.rounds {
      guard let f = relativePosition(of: point), let g = other.relativePosition(of: point) else { return nil }
      let determinant = f.normal.column * g.normal.row - f.normal.row * g.normal.column
      // Nearly parallel curves have no useful intersection.
      guard abs(determinant) > 1e-6 else { return nil }
      let column = (f.distance * g.normal.row - g.distance * f.normal.row) / determinant
      let row = (g.distance * f.normal.column - f.distance * g.normal.column) / determinant
      point.column -= column
      point.row -= row
      if abs(column) + abs(row) < SheetLine.exactness { return point }
    }
    return nil
  }

  private func relativePosition(of point: PixelPoint) -> RelativePosition? {
    if case .straight(let origin, let along) = course {
      let (column, row) = (point.column - origin.column, point.row - origin.row)
      return (
        column * along.row - row * along.column - shift, PixelPoint(column: along.row, row: -along.column)
      )
    }
    guard let value = degrees(at: point),
      let right = degrees(at: PixelPoint(column: point.column + 1, row: point.row)),
      let below = degrees(at: PixelPoint(column: point.column, row: point.row + 1))
    else { return nil }
    let slope = PixelPoint(column: right - value, row: below - value)
    let steepness = slope.distance(to: PixelPoint(column: 0, row: 0))
    guard steepness > 0 else { return nil }
    return (
      value / steepness - shift, PixelPoint(column: slope.column / steepness, row: slope.row / steepness)
    )
  }

  /// Degrees beside a line of the graticule.
  private func degrees(at point: PixelPoint) -> Double? {
    guard let place = projection.place(of: point) else { return nil }
    return switch course {
    case .meridian(let value): (place.longitude - value).remainder(dividingBy: 360)
    case .parallel(let value): place.latitude - value
    case .straight: nil
    }
  }
}

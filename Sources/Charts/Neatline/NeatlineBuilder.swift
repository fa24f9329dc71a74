internal import Core
internal import Pipeline
internal import RasterIO

/// Draws a chart's neatline from the edges that its definition gives.
struct NeatlineBuilder {
  let projection: SheetProjection
  /// The chart's product id, for faults.
  let subject: String

  /// Each side of the outline may be moved outward, along its normal on the sheet, by so many pixels; inward by a negative
  /// number.
  func build(_ definition: NeatlineDefinition, offsets: [Double] = []) throws -> Neatline {
    try checkUsualFour(definition)
    let sides = try outline(definition, offsets)
    let masks = try definition.masks.indices.map { try mask(definition.masks[$0], number: $0 + 1) }
    let ring = sides.flatMap(\.vertices)
    let area = try NeatlineArea(
      outline: ring.map(\.place), masks: masks.map { $0.map(\.place) },
      degreesPerPixel: (ring.area(\.place.plane) / ring.area(\.pixel.plane)).magnitude.squareRoot(),
      fault: fault)
    return Neatline(
      sides: sides.map { side in
        Neatline.Side(
          name: side.name, edge: side.edge, vertices: side.vertices.map { $0.turned(by: area.turn) },
          isClamped: side.isClamped)
      },
      masks: masks.map { $0.map { $0.turned(by: area.turn) } }, area: area)
  }

  /// Most sheets have four sides, and what is wrong with one of those can be said in simpler words.
  private func checkUsualFour(_ definition: NeatlineDefinition) throws {
    guard definition.outline.count >= 3 else { throw fault("an outline has at least three edges") }
    guard definition.outline.count == 4 else { return }
    for (index, edge) in definition.outline.enumerated() {
      let isUpright = index.isMultiple(of: 2)
      let name = definition.name(ofSide: index)
      switch edge {
      case .straight: continue
      case .meridian, .column, .columnThrough:
        guard isUpright else { throw fault("its \(name) must be a parallel or a row") }
      case .parallel, .row, .rowThrough:
        guard !isUpright else { throw fault("its \(name) must be a meridian or a column") }
      }
    }
  }

  // MARK: Rings

  private func outline(_ definition: NeatlineDefinition, _ offsets: [Double]) throws -> [Neatline.Side] {
    let names = definition.outline.indices.map { definition.name(ofSide: $0) }
    let lines = definition.outline.map(projection.clamped)
    var sides = try RingBuilder(projection: projection, edges: lines, names: names, fault: fault)
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
    guard edges.count >= 3 else { throw fault("its mask \(number) has less than three edges") }
    let names = edges.indices.map { "mask \(number)'s \(ring.name(ofSide: $0))" }
    let vertices = try RingBuilder(projection: projection, edges: edges, names: names, fault: fault)
      .sides().flatMap(\.vertices)
    try checkRing(vertices, name: "its mask \(number)", hint: "they must run anticlockwise")
    return vertices
  }

  private func checkRing(_ ring: [Neatline.Vertex], name: String, hint: String) throws {
    guard !PlaneRing(ring.map(\.pixel.plane)).meetsItself else {
      throw fault("\(name) crosses itself: each edge must meet the next one, and no other")
    }
    // Rows count downward, so what runs anticlockwise for the eye has a negative area.
    guard ring.area(\.pixel.plane) < 0 else { throw fault("\(name)'s edges enclose nothing: \(hint)") }
  }

  /// The column tells whether an upright edge is on the image, the row whether a level one is; the other of the two is the
  /// neighbours' affair, and they are to be blamed for it.
  private func checkOnImage(_ sides: [Neatline.Side]) throws {
    for (index, side) in sides.enumerated() {
      let vertices = side.vertices + sides[(index + 1) % sides.count].vertices.prefix(1)
      guard let start = vertices.first?.pixel, let end = vertices.last?.pixel else { continue }
      let isUpright = abs(end.row - start.row) > abs(end.column - start.column)
      let length = isUpright ? projection.width : projection.height
      for vertex in vertices {
        let value = isUpright ? vertex.pixel.column : vertex.pixel.row
        guard projection.isNearlyWithin(value, length) else {
          throw fault(
            "its \(side.name) leaves the image: it goes to \(isUpright ? "column" : "row") "
              + "\(whole(value)) of \(length)")
        }
      }
    }
    for side in sides where !side.vertices.allSatisfy({ projection.nearlyHolds($0.pixel) }) {
      throw fault("its \(side.name) leaves the image")
    }
  }

  /// A definition may hold any number, so this one may be beyond all integers.
  private func whole(_ value: Double) -> String {
    Int(exactly: value.rounded()).map { "\($0)" } ?? "\(value)"
  }

  private func fault(_ problem: String) -> UserError {
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

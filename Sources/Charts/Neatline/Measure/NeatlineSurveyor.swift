internal import Geo
internal import Pipeline

/// Cuts a chart out of its sheet: draws the neatline, compares it with the print, and moves each edge to where the map is
/// seen to end.
struct NeatlineSurveyor {
  private let image: SheetImage
  private let projection: SheetProjection
  private let survey: EdgeSurvey
  private let builder: NeatlineBuilder

  /// - Parameter subject: the chart's product id, for faults.
  init(_ image: SheetImage, subject: String) throws {
    self.image = image
    projection = try SheetProjection(ChartSheet(image))
    survey = EdgeSurvey(image)
    builder = NeatlineBuilder(projection: projection, subject: subject)
  }

  /// - Parameters:
  ///   - definition: nil where the definition file has no neatline: its edges are then looked for.
  ///   - insets: those that the definition lists.
  ///   - fit: the kind of lines that those edges usually are.
  func cut(
    _ definition: NeatlineDefinition?, insets: [InsetDefinition] = [], fit: ChartFamily.Fit? = nil
  ) throws -> (neatline: Neatline, cut: Product.Cut) {
    if let definition { return try cut(definition, .given, insets) }
    let fit = NeatlineFit(projection: projection, survey: survey, preferred: fit, subject: builder.subject)
    let found = try cut(try fit.definition(try PooledSheet(image)), .auto, insets)
    try fit.check(found.cut)
    return found
  }

  private func cut(
    _ definition: NeatlineDefinition, _ source: Product.Cut.Source, _ insets: [InsetDefinition]
  ) throws -> (neatline: Neatline, cut: Product.Cut) {
    let given = try builder.build(definition)
    let (lines, distances, measured) = try locate(definition, try measure(given, definition))
    var edges = measured.indices.map { measured[$0].record(of: definition.outline[$0], at: distances[$0]) }
    let offsets = zip(edges, distances).map { $0.shift - $1 }
    let isMoved = edges.contains { $0.shift != 0 }
    let moved = isMoved ? try builder.build(lines, offsets: offsets) : given
    let found = try InsetSurvey(image, projection).survey(moved, expecting: insets)
    var neatline = moved
    if !found.masks.isEmpty {
      var masked = isMoved ? lines : definition
      masked.masks += found.masks
      neatline = try builder.build(masked, offsets: isMoved ? offsets : [])
    }
    for index in edges.indices
    where measured[index].isUneven(except: { point in
      !neatline.contains(point) || found.insets.contains { $0.covers(point) }
    }) {
      edges[index].flags.append(.uneven)
    }
    let cut = Product.Cut(source: source, edges: edges, insets: found.insets.isEmpty ? nil : found.insets)
    return (neatline, cut)
  }

  /// Replaces each meridian and parallel that is printed some way off by the one that is printed, and measures that: the two
  /// are not the same curve, moved aside.
  ///
  /// - Returns: the edges to start from, by how many pixels they lie outward of the given ones, and what was measured of them.
  private func locate(
    _ definition: NeatlineDefinition, _ measured: [MeasuredEdge]
  ) throws -> (lines: NeatlineDefinition, distances: [Double], measured: [MeasuredEdge]) {
    var (lines, measured) = (definition, measured)
    var distances = [Double](repeating: 0, count: measured.count)
    for (index, edge) in measured.enumerated() {
      guard let line = edge.printedLine(on: projection) else { continue }
      lines.outline[index] = line
      distances[index] = edge.evidence.offset
    }
    guard lines != definition else { return (lines, distances, measured) }
    let again = try measure(try builder.build(lines), lines)
    for index in measured.indices where distances[index] != 0 {
      if again[index].evidence.kind == .unclear {
        (lines.outline[index], distances[index]) = (definition.outline[index], 0)
        measured[index].evidence = .unclear
      } else {
        measured[index] = again[index]
      }
    }
    return (lines, distances, measured)
  }

  private func measure(_ neatline: Neatline, _ definition: NeatlineDefinition) throws -> [MeasuredEdge] {
    let sides = neatline.sides
    return try sides.indices.map { index in
      try MeasuredEdge(
        sides[index], to: sides[(index + 1) % sides.count].vertices[0], on: projection, survey: survey,
        unmeasured: definition.unmeasured[index])
    }
  }
}

extension Product.Cut.Inset {
  /// Whether a point of the sheet lies in it or in its white band.
  fileprivate func covers(_ point: PixelPoint) -> Bool {
    guard let columns, let rows, columns.count == 2, rows.count == 2 else { return false }
    let play = 2.0
    return point.column >= Double(columns[0]) - play && point.column <= Double(columns[1]) + play
      && point.row >= Double(rows[0]) - play && point.row <= Double(rows[1]) + play
  }
}

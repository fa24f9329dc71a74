internal import Pipeline

/// Cuts a chart out of its sheet: draws the neatline, holds it against what is printed, and moves each edge to where
/// the map is seen to end.
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
  ///   - definition: nil where nobody has written the neatline down: its edges are then looked for.
  ///   - insets: those that the definition lists.
  func cut(
    _ definition: NeatlineDefinition?, insets: [InsetDefinition] = []
  ) throws -> (neatline: Neatline, cut: Product.Cut) {
    if let definition { return try cut(definition, .given, insets) }
    let fit = NeatlineFit(projection: projection, survey: survey, subject: builder.subject)
    let found = try cut(try fit.definition(try PooledSheet(image)), .auto, insets)
    try fit.check(found.neatline, found.cut)
    return found
  }

  private func cut(
    _ definition: NeatlineDefinition, _ source: Product.Cut.Source, _ insets: [InsetDefinition]
  ) throws -> (neatline: Neatline, cut: Product.Cut) {
    let given = try builder.build(definition)
    let edges = try measure(given).map(\.record)
    let offsets = edges.map(\.shift)
    let moved = offsets.contains { $0 != 0 } ? try builder.build(definition, offsets: offsets) : given
    let found = try InsetSurvey(image, projection).survey(moved, expecting: insets)
    let cut = Product.Cut(source: source, edges: edges, insets: found.insets.isEmpty ? nil : found.insets)
    guard !found.masks.isEmpty else { return (moved, cut) }
    var masked = definition
    masked.masks += found.masks
    return (try builder.build(masked, offsets: offsets), cut)
  }

  private func measure(_ neatline: Neatline) throws -> [MeasuredEdge] {
    let sides = neatline.sides
    return try sides.indices.map { index in
      let side = sides[index]
      let end = sides[(index + 1) % sides.count].vertices[0]
      let middle = side.vertices[side.vertices.count / 2].place
      return try MeasuredEdge(
        side, to: end, on: projection, survey: survey,
        reach: side.edge.reach(near: middle, on: projection))
    }
  }
}

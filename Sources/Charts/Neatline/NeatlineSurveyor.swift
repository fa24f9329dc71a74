internal import Core
internal import ImageIO

/// Cuts a chart out of its sheet: draws the neatline, compares it with the print, and moves each edge to where the map ends.
struct NeatlineSurveyor {
  private let image: SheetImage
  private let projection: SheetProjection
  private let survey: EdgeSurvey
  private let builder: NeatlineBuilder

  /// - Parameter subject: the chart's product id, for errors.
  init(_ image: SheetImage, subject: String) throws {
    self.image = image
    projection = try SheetProjection(image.sheet)
    survey = EdgeSurvey(image)
    builder = NeatlineBuilder(projection: projection, subject: subject)
  }

  /// - Parameters:
  ///     - definition: nil if the definition file has no neatline. Its edges are then searched for.
  ///     - insets: the insets listed in the definition.
  ///     - fit: the usual kind of edges.
  func cut(
    _ definition: NeatlineDefinition?, insets: [InsetDefinition] = [], fit: ChartFamily.Fit? = nil
  ) throws -> (neatline: Neatline, cut: Product.Cut) {
    if let definition { return try cut(definition, .given, insets) }
    func fitted(_ ground: PrintKinds.Ground?, tilted: Bool = false) throws -> (
      neatline: Neatline, cut: Product.Cut
    ) {
      let fit = NeatlineFit(
        projection: projection, survey: survey, preferred: fit, subject: builder.subject, ground: ground)
      let sheet = try PooledSheet(image, ground: ground)
      let definition = tilted ? try TiltedFit(fit).definition(sheet) : try fit.definition(sheet)
      let found = try cut(definition, .auto, insets)
      try fit.check(found.cut)
      return found
    }
    do {
      return try fitted(nil)
    } catch let error as UserError {
      // The error of the usual fit is more useful than those of the rarer kinds.
      let ground = try survey.rimGround()
      let others = [(ground, false), (nil, true), (ground, true)].filter { $0.0 != nil || $0.1 }
      for (ground, isTilted) in others {
        do { return try fitted(ground, tilted: isTilted) } catch is UserError { continue }
      }
      throw error
    }
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
    let found =
      try InsetSurvey(image, projection, moved)?.survey(expecting: insets) ?? (insets: [], masks: [])
    var neatline = moved
    if !found.masks.isEmpty {
      var masked = isMoved ? lines : definition
      masked.masks += found.masks
      neatline = try builder.build(masked, offsets: isMoved ? offsets : [])
    }
    for index in edges.indices {
      let hidden = measured[index].parts { point in
        !neatline.contains(point) || found.insets.contains { $0.covers(point) }
      }
      if measured[index].hasCollar(except: hidden) { edges[index].flags.insert(.collarLeft, at: 0) }
      if measured[index].isUneven(except: hidden) { edges[index].flags.append(.uneven) }
    }
    let cut = Product.Cut(source: source, edges: edges, insets: found.insets.isEmpty ? nil : found.insets)
    return (neatline, cut)
  }

  /// Replaces each meridian or parallel that is printed at a distance by the printed one, and measures that. The two are
  /// different curves, so moving one is not enough.
  ///
  /// - Returns: the edges to start from, the pixels they lie outward of the given ones, and their measurements.
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
    func measured(_ index: Int, ground: PrintKinds.Ground? = nil) throws -> MeasuredEdge {
      try MeasuredEdge(
        sides[index], to: sides[(index + 1) % sides.count].vertices[0], on: projection, survey: survey,
        unmeasured: definition.unmeasured[index], ground: ground)
    }
    var edges = try sides.indices.map { try measured($0) }
    // A collar that is tinted on one side of the sheet is tinted on all sides. A narrow one does not show by itself.
    if let ground = edges.compactMap(\.ground).first {
      for index in edges.indices where !edges[index].evidence.showsCollar {
        let again = try measured(index, ground: ground)
        if again.ground != nil { edges[index] = again }
      }
    }
    return edges
  }
}

extension Product.Cut.Inset {
  /// Whether a point of the sheet lies in the inset or in its white band.
  fileprivate func covers(_ point: PixelPoint) -> Bool {
    guard let columns, let rows, columns.count == 2, rows.count == 2 else { return false }
    let slack = 2.0
    return point.column >= Double(columns[0]) - slack && point.column <= Double(columns[1]) + slack
      && point.row >= Double(rows[0]) - slack && point.row <= Double(rows[1]) + slack
  }
}

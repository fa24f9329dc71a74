internal import Core
internal import ImageIO

/// Finds the four edges of a map without a definition: roughly on a reduced picture, then precisely on the pixels.
struct NeatlineFit {
  let projection: SheetProjection
  let survey: EdgeSurvey
  /// The usual kind of edges in the chart's family.
  let preferred: ChartFamily.Fit?
  /// The chart's product id, for errors.
  let subject: String
  /// The color of the collar, if it is tinted.
  var ground: PrintKinds.Ground?

  func definition(_ sheet: PooledSheet) throws -> NeatlineDefinition {
    NeatlineDefinition(outline: try SheetSide.allCases.map { try edge($0, of: sheet) })
  }

  func userError(_ problem: String) -> UserError {
    UserError(
      .badInput, operation: "looking for the neatline", path: subject, reason: problem,
      suggestion: "Write `neatline` into the definition; docs/CHARTS.md shows its form.")
  }

  /// A line, its clarity, and how much more of the map's colors lies inside than outside, on the reduced picture.
  private typealias Candidate = (edge: NeatlineDefinition.Edge, clarity: Double, contrast: Int)

  private func edge(_ side: SheetSide, of sheet: PooledSheet) throws -> NeatlineDefinition.Edge {
    // The face of a leaning sheet is a rectangle of its pixels.
    let families = projection.placing.isLeaning ? [.grid] : SheetSide.Family.allCases
    let candidates = try families.compactMap { try candidate($0, side, of: sheet) }
    // A rule in the collar may be sharper than the map's edge, but it separates less.
    let most = candidates.map(\.contrast).max() ?? 0
    let likely = candidates.filter { $0.contrast * 10 >= most * NeatlineFit.leastContrast }
    guard let best = likely.max(by: { $0.clarity < $1.clarity }) else {
      throw userError("its \(side.name(on: projection)) is not clear on the sheet")
    }
    return best.edge
  }

  /// The reduced picture shows a line to two cells; a slanted one less accurately.
  private static let reach = Double(3 * PooledSheet.cell)
  /// The least share of the greatest contrast that an edge must have, in tenths.
  private static let leastContrast = 9
  /// The additional clarity of a line of the usual kind.
  private static let preference = 0.3

  /// The best line of one family; nil if none is clear.
  private func candidate(
    _ family: SheetSide.Family, _ side: SheetSide, of sheet: PooledSheet
  ) throws -> Candidate? {
    let lines = side.positions(on: projection).compactMap { side.line(family, at: $0, on: projection) }
    let marked = lines.map { (line: $0, contrast: contrast($0.side, side, of: sheet)) }
    guard let best = marked.max(by: { $0.contrast < $1.contrast }), best.contrast > 0 else { return nil }
    let measured = try MeasuredEdge(
      best.line.side, to: best.line.end, on: projection, survey: survey, ground: ground)
    guard measured.evidence.kind != .unclear, abs(measured.evidence.offset) <= NeatlineFit.reach,
      let pixel = measured.foundPixel,
      let found = side.edge(family, through: pixel, on: projection)
    else { return nil }
    let whole = found.quarter.flatMap { side.nearness(of: $0, to: pixel, on: projection) <= 6 ? $0 : nil }
    // If both families fit about as well, the line at a round number is more likely.
    let clarity =
      measured.clarity + (whole == nil ? 0 : 0.02)
      + (family == usual(side) ? NeatlineFit.preference : 0)
    return (whole ?? found.rounded, clarity, best.contrast)
  }

  /// The usual kind of a side in the family's sheets.
  private func usual(_ side: SheetSide) -> SheetSide.Family? {
    switch preferred {
    case nil: nil
    case .grid: .grid
    case .graticule: side == .west || side == .south ? .graticule : .grid
    }
  }

  /// How much more of the map's colours lies inside a line than outside, in pixels of cells.
  private func contrast(_ line: Neatline.Side, _ side: SheetSide, of sheet: PooledSheet) -> Int {
    line.vertices.reduce(0) { sum, vertex in
      let column = NeatlineFit.cell(vertex.pixel.column, sheet.width)
      let row = NeatlineFit.cell(vertex.pixel.row, sheet.height)
      return (2...13).reduce(sum) { sum, step in
        func tint(_ step: Int) -> Int {
          side.isUpright
            ? sheet.tint(column: column + step, row: row) : sheet.tint(column: column, row: row + step)
        }
        return sum + tint(-side.outward * step) - tint(side.outward * step)
      }
    }
  }

  /// The cell of a pixel. Lines may leave the image.
  private static func cell(_ pixel: Double, _ limit: Int) -> Int {
    Int(min(max(pixel / Double(PooledSheet.cell), -100), Double(limit + 100)).rounded(.down))
  }
}

extension NeatlineFit {
  /// Throws if the sheet does not have four clear edges. The reduced picture shows the middle of an edge only. If the map's
  /// border has a step, a part of the edge has paper inside it, or map outside.
  func check(_ cut: Product.Cut) throws {
    if let unclear = cut.edges.first(where: { $0.evidence == .unclear }) {
      throw userError("its \(unclear.name) is not clear on the sheet")
    }
    if let uneven = cut.edges.first(where: { $0.flags.contains(.uneven) }) {
      throw userError("its \(uneven.name) is no single line: the map's border has a step there, or an inset")
    }
  }
}

extension NeatlineDefinition.Edge {
  /// The nearest line of the graticule at a quarter of a degree.
  fileprivate var quarter: NeatlineDefinition.Edge? {
    graticuleLine { degrees, _ in (degrees * 4).rounded() / 4 }
  }

  /// Rounded to a tenth of a pixel or about a fifth of one, to be readable in a definition.
  fileprivate var rounded: NeatlineDefinition.Edge {
    switch self {
    case .meridian, .parallel: graticuleLine { degrees, _ in (degrees * 10_000).rounded() / 10_000 } ?? self
    case .column(let column): .column((column * 10).rounded() / 10)
    case .row(let row): .row((row * 10).rounded() / 10)
    case .columnThrough, .rowThrough, .straight: self
    }
  }
}

/// One of a sheet's four sides, and the lines that may be the map's edge there.
enum SheetSide: CaseIterable {
  case west
  case south
  case east
  case north

  /// Edges are either lines of the graticule or of the image's own grid.
  enum Family: CaseIterable {
    case graticule
    case grid
  }

  func name(on projection: SheetProjection) -> String {
    let names = NeatlineDefinition.names(isLeaning: projection.placing.isLeaning)
    return switch self {
    case .west: names[0]
    case .south: names[1]
    case .east: names[2]
    case .north: names[3]
    }
  }

  var isUpright: Bool { self == .west || self == .east }

  /// The outward direction along a row or a column.
  var outward: Int { self == .west || self == .north ? -1 : 1 }

  /// The largest share of the sheet that a collar takes.
  private static let widestCollar = 0.45
  /// Only the middle of a line is read. At its ends it may run through the collars of its neighbours.
  private static let middle = (from: 0.2, to: 0.8)
  private static let samples = 32

  /// Positions on the sheet's middle line, from the rim inward, one cell apart.
  func positions(on projection: SheetProjection) -> [Double] {
    let length = isUpright ? projection.width : projection.height
    let steps = Int(Double(length) * SheetSide.widestCollar) / PooledSheet.cell
    return (0...steps).map { step in
      let inward = Double(step * PooledSheet.cell)
      return outward < 0 ? inward : Double(length) - inward
    }
  }

  /// The line of a family through a position, as a side that runs anticlockwise, and its last vertex.
  func line(
    _ family: Family, at position: Double, on projection: SheetProjection
  ) -> (side: Neatline.Side, end: Neatline.Vertex)? {
    let length = Double(isUpright ? projection.height : projection.width)
    func point(_ share: Double) -> PixelPoint {
      isUpright
        ? PixelPoint(column: position, row: share * length)
        : PixelPoint(column: share * length, row: position)
    }
    guard let edge = edge(family, through: point(0.5), on: projection) else { return nil }
    let runsUp = self == .east || self == .north
    let vertices = (0...SheetSide.samples).compactMap { sample -> Neatline.Vertex? in
      let part = Double(runsUp ? SheetSide.samples - sample : sample) / Double(SheetSide.samples)
      let share = SheetSide.middle.from + part * (SheetSide.middle.to - SheetSide.middle.from)
      return vertex(edge, beside: point(share), on: projection)
    }
    guard let end = vertices.last, vertices.count > SheetSide.samples else { return nil }
    return (Neatline.Side(name: name(on: projection), edge: edge, vertices: vertices.dropLast()), end)
  }

  /// The edge of a family through a pixel.
  func edge(
    _ family: Family, through pixel: PixelPoint, on projection: SheetProjection
  ) -> NeatlineDefinition.Edge? {
    switch family {
    case .grid: isUpright ? .column(pixel.column) : .row(pixel.row)
    case .graticule:
      projection.place(of: pixel).map { isUpright ? .meridian($0.longitude) : .parallel($0.latitude) }
    }
  }

  /// The distance between an edge and a pixel, in pixels.
  func nearness(
    of edge: NeatlineDefinition.Edge, to pixel: PixelPoint, on projection: SheetProjection
  ) -> Double {
    vertex(edge, beside: pixel, on: projection)?.pixel.distance(to: pixel) ?? .infinity
  }

  private func vertex(
    _ edge: NeatlineDefinition.Edge, beside pixel: PixelPoint, on projection: SheetProjection
  ) -> Neatline.Vertex? {
    guard let vertex = projection.vertex(at: pixel) else { return nil }
    guard let place = edge.graticulePlace(beside: vertex.place) else { return vertex }
    return projection.pixel(of: place).map { Neatline.Vertex(pixel: $0, place: place) }
  }
}

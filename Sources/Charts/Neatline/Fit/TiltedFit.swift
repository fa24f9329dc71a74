internal import Core
internal import Pipeline

/// Finds the four edges of a map that is printed tilted: a rectangle whose sides are straight lines on the sheet, but neither
/// rows nor columns.
struct TiltedFit {
  private let fit: NeatlineFit

  /// Stretches at the ends of a side, as shares of its length, whose offsets give the side's slope.
  private static let stretches = [0.08...0.38, 0.62...0.92]
  /// Less than this slope is no tilt: such edges are rows and columns.
  private static let leastSlope = 0.01

  init(_ fit: NeatlineFit) { self.fit = fit }

  func definition(_ sheet: PooledSheet) throws -> NeatlineDefinition {
    guard let edges = try edges(sheet) else { throw fit.fault("its map is no tilted rectangle") }
    return NeatlineDefinition(outline: edges)
  }

  private func edges(_ sheet: PooledSheet) throws -> [NeatlineDefinition.Edge]? {
    guard let region = PooledRegion(sheet), let rectangle = TiltedRectangle(around: region),
      rectangle.slope >= TiltedFit.leastSlope
    else { return nil }
    var lines: [Line] = []
    for (index, side) in rectangle.sides.enumerated() {
      guard let coarse = side.fitted(to: sheet),
        let line = try measured(coarse, NeatlineDefinition.usualNames[index])
      else { return nil }
      lines.append(line)
    }
    let corners = lines.indices.compactMap { lines[$0].crossing(lines[($0 + 3) % lines.count]) }
    guard corners.count == lines.count else { return nil }
    let edges = corners.indices.compactMap { edge(corners[$0], corners[($0 + 1) % corners.count]) }
    return edges.count == corners.count ? edges : nil
  }

  /// The line that is printed along a side, to a fraction of a pixel.
  private func measured(_ side: TiltedSide, _ name: String) throws -> Line? {
    var points: [PixelPoint] = []
    for stretch in TiltedFit.stretches {
      let (from, to) = (side.point(stretch.lowerBound), side.point(stretch.upperBound))
      guard let start = vertex(from), let end = vertex(to), let edge = edge(from, to) else { return nil }
      let measured = try MeasuredEdge(
        Neatline.Side(name: name, edge: edge, vertices: [start]), to: end, on: fit.projection,
        survey: fit.survey, ground: fit.ground)
      guard measured.evidence.kind != .unclear else { return nil }
      points.append(side.moved(from.halfway(to: to), outward: measured.evidence.offset))
    }
    return Line(from: points[0], to: points[1])
  }

  private func vertex(_ pixel: PixelPoint) -> Neatline.Vertex? {
    fit.projection.place(of: pixel).map { Neatline.Vertex(pixel: pixel, place: $0) }
  }

  /// In degrees to five digits, about a metre, so that it can be written down.
  private func edge(_ from: PixelPoint, _ to: PixelPoint) -> NeatlineDefinition.Edge? {
    func rounded(_ pixel: PixelPoint) -> GeoPoint? {
      fit.projection.place(of: pixel).map {
        GeoPoint(
          longitude: ($0.longitude * 100_000).rounded() / 100_000,
          latitude: ($0.latitude * 100_000).rounded() / 100_000)
      }
    }
    guard let a = rounded(from), let b = rounded(to) else { return nil }
    return .straight(a, b)
  }

  /// A line through two points.
  private struct Line {
    let from: PixelPoint
    let to: PixelPoint

    func crossing(_ other: Line) -> PixelPoint? {
      let (across, down) = (to.column - from.column, to.row - from.row)
      let (otherAcross, otherDown) = (other.to.column - other.from.column, other.to.row - other.from.row)
      let turn = across * otherDown - down * otherAcross
      guard turn != 0 else { return nil }
      let share =
        ((other.from.column - from.column) * otherDown - (other.from.row - from.row) * otherAcross) / turn
      return PixelPoint(column: from.column + share * across, row: from.row + share * down)
    }
  }
}

internal import Core

/// Finds the four edges of a map that is printed tilted: a rectangle whose sides are straight lines on the sheet, but neither
/// rows nor columns.
struct TiltedFit {
  private let fit: NeatlineFit

  /// Stretches at the ends of a side, as shares of its length. Their offsets give the side's slope.
  private static let stretches = [0.08...0.38, 0.62...0.92]
  /// A smaller slope is not a tilt: such edges are rows and columns.
  private static let leastSlope = 0.01

  init(_ fit: NeatlineFit) { self.fit = fit }

  func definition(_ sheet: PooledSheet) throws -> NeatlineDefinition {
    guard let edges = try edges(sheet) else { throw fit.userError("its map is not a tilted rectangle") }
    return NeatlineDefinition(outline: edges)
  }

  private func edges(_ sheet: PooledSheet) throws -> [NeatlineDefinition.Edge]? {
    guard let region = sheet.region(), let sides = TiltedFit.rectangle(around: region.hull, region.area),
      sides[1].slope >= TiltedFit.leastSlope
    else { return nil }
    let names = NeatlineDefinition.names(isLeaning: fit.projection.placing.isLeaning)
    var lines: [TiltedSide] = []
    for (index, side) in sides.enumerated() {
      guard let coarse = side.fitted(to: sheet),
        let line = try measured(coarse, names[index])
      else { return nil }
      lines.append(line)
    }
    let corners = lines.indices.compactMap { lines[$0].crossing(lines[($0 + 3) % lines.count]) }
    guard corners.count == lines.count else { return nil }
    let edges = corners.indices.compactMap { edge(corners[$0], corners[($0 + 1) % corners.count]) }
    return edges.count == corners.count ? edges : nil
  }

  /// The line that is printed along a side, to a fraction of a pixel.
  private func measured(_ side: TiltedSide, _ name: String) throws -> TiltedSide? {
    var points: [PixelPoint] = []
    for stretch in TiltedFit.stretches {
      let (from, to) = (side.point(stretch.lowerBound), side.point(stretch.upperBound))
      guard let start = fit.projection.vertex(at: from), let end = fit.projection.vertex(at: to),
        let edge = edge(from, to)
      else { return nil }
      let measured = try MeasuredEdge(
        Neatline.Side(name: name, edge: edge, vertices: [start]), to: end, on: fit.projection,
        survey: fit.survey, ground: fit.ground)
      guard measured.evidence.kind != .unclear else { return nil }
      points.append(side.moved(from.halfway(to: to), outward: measured.evidence.offset))
    }
    return TiltedSide(from: points[0], to: points[1])
  }

  /// In degrees to five digits, about a metre, to be readable in a definition.
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

}

/// The rectangle of least area around a region of a sheet.
extension TiltedFit {
  /// The least share of the rectangle that the region must fill. Other shapes are not rectangles.
  private static let leastShare = 0.85

  /// Returns the western, southern, eastern and northern side; nil if the region is not a rectangle.
  private static func rectangle(around hull: [PixelPoint], _ area: Double) -> [TiltedSide]? {
    let boxes = hull.indices.compactMap { box(along: hull[$0], hull[($0 + 1) % hull.count], hull) }
    guard let best = boxes.min(by: { $0.area < $1.area }), area >= leastShare * best.area else { return nil }
    let corners = best.corners
    return corners.indices.map { TiltedSide(from: corners[$0], to: corners[($0 + 1) % corners.count]) }
  }

  /// The box that has a side on the line through two points.
  private static func box(
    along a: PixelPoint, _ b: PixelPoint, _ hull: [PixelPoint]
  ) -> (area: Double, corners: [PixelPoint])? {
    let length = a.distance(to: b)
    guard length > 0 else { return nil }
    // The eastward direction of the map: at most 45 degrees from that of the image.
    var (across, down) = ((b.column - a.column) / length, (b.row - a.row) / length)
    if abs(down) > abs(across) { (across, down) = (down, -across) }
    if across < 0 { (across, down) = (-across, -down) }
    let eastward = hull.map { $0.column * across + $0.row * down }
    let southward = hull.map { $0.row * across - $0.column * down }
    guard let west = eastward.min(), let east = eastward.max(), let north = southward.min(),
      let south = southward.max()
    else { return nil }
    func corner(_ east: Double, _ south: Double) -> PixelPoint {
      PixelPoint(column: east * across - south * down, row: east * down + south * across)
    }
    return (
      (east - west) * (south - north),
      [corner(west, north), corner(west, south), corner(east, south), corner(east, north)]
    )
  }
}

/// One side of a tilted rectangle. Outward is to the right of its direction, as rows count downward.
struct TiltedSide {
  let from: PixelPoint
  let to: PixelPoint

  /// Samples along the side, without its ends.
  private static let samples = 96
  private static let ends = 0.06
  /// Cells on both sides in which the map's end is searched for, and over which the loss of tint is measured.
  private static let reach = 16
  private static let span = 4
  /// The share of a full loss that is required, on enough of the samples.
  private static let leastLoss = 0.4
  private static let leastShown = 0.5

  func point(_ share: Double) -> PixelPoint { from.point(share, to: to) }

  /// How far it rises for each pixel of its length along the rows, or the other way around.
  var slope: Double {
    let (across, down) = (abs(to.column - from.column), abs(to.row - from.row))
    return min(across, down) / max(across, down, 1)
  }

  /// Where the lines through two sides meet.
  func crossing(_ other: TiltedSide) -> PixelPoint? {
    let (across, down) = (to.column - from.column, to.row - from.row)
    let (otherAcross, otherDown) = (other.to.column - other.from.column, other.to.row - other.from.row)
    let turn = across * otherDown - down * otherAcross
    guard turn != 0 else { return nil }
    return point(
      ((other.from.column - from.column) * otherDown - (other.from.row - from.row) * otherAcross) / turn)
  }

  func moved(_ point: PixelPoint, outward distance: Double) -> PixelPoint {
    let length = from.distance(to: to)
    return PixelPoint(
      column: point.column - distance * (to.row - from.row) / length,
      row: point.row + distance * (to.column - from.column) / length)
  }

  /// The line along which most tint ends on the reduced picture; nil if there is none.
  func fitted(to sheet: PooledSheet) -> TiltedSide? {
    let cell = Double(PooledSheet.cell)
    let found = (0..<TiltedSide.samples).compactMap { sample -> (share: Double, offset: Double)? in
      let share =
        TiltedSide.ends + (1 - 2 * TiltedSide.ends) * Double(sample) / Double(TiltedSide.samples - 1)
      return loss(at: point(share), sheet).map { (share, $0 * cell) }
    }
    guard Double(found.count) >= TiltedSide.leastShown * Double(TiltedSide.samples) else { return nil }
    // Medians, so that names and boxes beside the edge do not bend the line.
    let slopes = found.indices.flatMap { one in
      found[(one + 1)...].map { ($0.offset - found[one].offset) / ($0.share - found[one].share) }
    }
    let slope = slopes.upperMedian
    let base = found.map { $0.offset - slope * $0.share }.upperMedian
    return TiltedSide(from: moved(from, outward: base), to: moved(to, outward: base + slope))
  }

  /// The number of cells outward after which most tint ends.
  private func loss(at point: PixelPoint, _ sheet: PooledSheet) -> Double? {
    let (reach, span, cell) = (TiltedSide.reach, TiltedSide.span, PooledSheet.cell)
    let tints = (-reach - span...reach + span).map { step -> Int in
      let place = moved(point, outward: Double(step * cell))
      return sheet.tint(
        column: Int((place.column / Double(cell)).rounded(.down)),
        row: Int((place.row / Double(cell)).rounded(.down)))
    }
    let losses = (0...2 * reach).map { place in
      tints[place..<place + span].reduce(0, +) - tints[place + span + 1...place + 2 * span].reduce(0, +)
    }
    guard let most = losses.max(), Double(most) >= TiltedSide.leastLoss * Double(span * cell * cell),
      let first = losses.firstIndex(of: most), let last = losses.lastIndex(of: most)
    else { return nil }
    return Double(first + last) / 2 - Double(reach)
  }
}

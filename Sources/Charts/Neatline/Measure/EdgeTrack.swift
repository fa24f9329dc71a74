internal import Core
internal import Pipeline

/// Where an edge runs over the sheet's pixels.
///
/// An edge that is more upright than level is crossed along rows, any other along columns; steps along such a line are
/// lengthened so that they count pixels at a right angle to the edge.
struct EdgeTrack {
  /// One line of pixels, and where the edge crosses it.
  struct Crossing {
    /// The row of an upright edge, the column of a level one.
    let line: Int
    /// The place of the edge on that line, in units of a pixel's 65,536th.
    let position: Int
    /// One pixel outward, in the same units.
    let stride: Int

    static let unit = 65_536

    /// The pixel so many pixels outward.
    @inline(__always)
    func pixel(at offset: Int) -> Int { (position + offset * stride) >> 16 }
  }

  let isUpright: Bool
  let crossings: [Crossing]
  /// From the first line that is crossed to the last one.
  private let lines: ClosedRange<Int>

  /// Near its corners an edge's surroundings are those of the next one.
  private static let cornerShare = 0.03
  private static let crossingLimit = 600
  /// Rows must be decoded whole, so an upright edge is looked at in some places only.
  private static let bandCount = 32
  private static let bandHeight = 12

  /// - Parameter end: the corner at which the next side begins.
  init(_ side: Neatline.Side, to end: Neatline.Vertex, on projection: SheetProjection) {
    let points = (side.vertices + [end]).map(\.pixel)
    let (first, last) = (points[0], end.pixel)
    let (across, down) = (last.column - first.column, last.row - first.row)
    let isUpright = abs(down) >= abs(across)
    let (start, length) = isUpright ? (first.row, down) : (first.column, across)
    let stride = isUpright ? -EdgeTrack.stride(down, across) : EdgeTrack.stride(across, down)
    let lines = EdgeTrack.lines(
      from: start + length * EdgeTrack.cornerShare, to: start + length * (1 - EdgeTrack.cornerShare),
      limit: isUpright ? projection.height : projection.width, inBands: isUpright)
    self.isUpright = isUpright
    crossings = lines.compactMap { line in
      guard let chord = EdgeTrack.crossing(points, at: Double(line) + 0.5, isUpright) else { return nil }
      let point = projection.onto(side.edge, chord)
      // A 256th is far more than the corners' noise, which could else decide between two pixels.
      let place = ((isUpright ? point.column : point.row) * 256).rounded()
      // A line that is only tried may leave the image by any distance.
      guard abs(place) < 1e9 else { return nil }
      return Crossing(line: line, position: Int(place) * Crossing.unit / 256, stride: stride)
    }
    let crossed = crossings.map(\.line)
    self.lines = (crossed.min() ?? 0)...(crossed.max() ?? 0)
  }

  /// The number of the part in which a crossing lies, of some parts of equal length from the image's upper or left end on.
  func part(of crossing: Crossing, among parts: Int) -> Int {
    (crossing.line - lines.lowerBound) * parts / lines.count
  }

  /// The point so many pixels outward of the edge.
  func point(_ crossing: Crossing, at offset: Double) -> PixelPoint {
    let unit = Double(Crossing.unit)
    let place = (Double(crossing.position) + offset * Double(crossing.stride)) / unit
    let line = Double(crossing.line) + 0.5
    return isUpright ? PixelPoint(column: place, row: line) : PixelPoint(column: line, row: place)
  }

  /// One pixel to the right of a way that is longer in one direction than in the other; rows count downward, and the
  /// ring runs anticlockwise, so that is outward.
  private static func stride(_ long: Double, _ short: Double) -> Int {
    guard long != 0 else { return Crossing.unit }
    let slope = short / long
    let length = ((1 + slope * slope).squareRoot() * Double(Crossing.unit)).rounded()
    return long > 0 ? Int(length) : -Int(length)
  }

  /// The rows or columns of the image between two places, or a good part of them.
  private static func lines(from a: Double, to b: Double, limit: Int, inBands: Bool) -> [Int] {
    let (start, end) = (min(a, b), max(a, b))
    guard start < Double(limit), end > 0 else { return [] }
    let low = Int(max(start, 0).rounded(.up))
    let high = Int(min(end, Double(limit)).rounded(.down))
    guard low < high else { return [] }
    guard inBands, high - low > bandCount * bandHeight else {
      return Array(Swift.stride(from: low, to: high, by: (high - low) / crossingLimit + 1))
    }
    return (0..<bandCount).flatMap { band in
      let top = low + (high - low - bandHeight) * band / (bandCount - 1)
      return top..<top + bandHeight
    }
  }

  /// Where a chain of chords crosses a line through the middle of pixels.
  private static func crossing(_ points: [PixelPoint], at line: Double, _ isUpright: Bool) -> PixelPoint? {
    func along(_ point: PixelPoint) -> Double { isUpright ? point.row : point.column }
    for (a, b) in zip(points, points.dropFirst()) {
      let (from, to) = (along(a), along(b))
      guard from != to, min(from, to) <= line, line <= max(from, to) else { continue }
      let share = (line - from) / (to - from)
      return PixelPoint(
        column: a.column + share * (b.column - a.column), row: a.row + share * (b.row - a.row))
    }
    return nil
  }
}

extension SheetProjection {
  /// The point of the true edge beside a point of its chord: chords may lie a quarter of a pixel off.
  fileprivate func onto(_ edge: NeatlineDefinition.Edge, _ point: PixelPoint) -> PixelPoint {
    guard var place = place(of: point) else { return point }
    switch edge {
    case .meridian(let degrees): place.longitude = degrees
    case .parallel(let degrees): place.latitude = degrees
    case .column, .row, .columnThrough, .rowThrough, .straight: return point
    }
    guard let exact = pixel(of: place), exact.distance(to: point) < 1 else { return point }
    return exact
  }
}

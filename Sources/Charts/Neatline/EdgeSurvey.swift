internal import ImageIO

/// Reads the pixels along edges. It decodes only the rows that it needs.
struct EdgeSurvey {
  private let image: SheetImage
  private let kinds: PrintKinds

  init(_ image: SheetImage) {
    self.init(image, PrintKinds(image.colors))
  }

  private init(_ image: SheetImage, _ kinds: PrintKinds) { (self.image, self.kinds) = (image, kinds) }

  /// Returns the same survey for a sheet whose collar is tinted.
  func onGround(_ ground: PrintKinds.Ground) -> EdgeSurvey { EdgeSurvey(image, kinds.onGround(ground)) }

  /// The number of bands of rows that show the image's left and right rims.
  private static let rimBands = 24
  private static let rimDepth = 16

  /// The tint of most of the image's rim: that of its collar, unless the map runs to the rim.
  func rimGround() throws -> PrintKinds.Ground? {
    var counts = [Int](repeating: 0, count: 256)
    let depth = min(EdgeSurvey.rimDepth, image.width / 2, image.height / 2)
    func add(_ rows: Range<Int>, _ columns: [Range<Int>]) throws {
      let band = try image.rows(rows)
      for row in 0..<rows.count {
        for column in columns.joined() { counts[Int(band.indexes[row * band.width + column])] += 1 }
      }
    }
    try add(0..<depth, [0..<image.width])
    try add(image.height - depth..<image.height, [0..<image.width])
    for band in 0..<EdgeSurvey.rimBands {
      let top = image.height * band / EdgeSurvey.rimBands
      try add(top..<min(top + depth, image.height), [0..<depth, image.width - depth..<image.width])
    }
    return kinds.ground(of: counts)
  }

  /// A tilted edge needs rows from all over the sheet. They are read in groups of at most this many.
  private static let rowLimit = 1024

  /// - Returns: a profile for each part of equal length, from the image's upper or left end on, and the shades of all.
  func profiles(
    _ track: EdgeTrack, reach: Int, parts: Int
  ) throws -> (parts: [EdgeProfile], shades: EdgeShades) {
    var profiles = Array(repeating: EdgeProfile(reach: reach, kinds: kinds), count: parts)
    var shades = EdgeShades(reach: reach, kinds: kinds)
    var colors = [Int16](repeating: -1, count: 2 * reach + 3)
    for piece in pieces(track, reach: reach) {
      let rows = try image.rows(piece.rows)
      for crossing in piece.crossings {
        crossing.read(
          rows.indexes, width: rows.width, rows: rows.range, isUpright: track.isUpright, into: &colors)
        colors.withUnsafeBufferPointer { colors in
          profiles[track.part(of: crossing, among: parts)].add(crossing, colors)
          shades.add(colors)
        }
      }
    }
    return (profiles, shades)
  }

  /// Groups the crossings whose rows are near each other.
  private func pieces(_ track: EdgeTrack, reach: Int) -> [(rows: Range<Int>, crossings: [EdgeCrossing])] {
    var pieces: [(rows: Range<Int>, crossings: [EdgeCrossing])] = []
    for crossing in track.crossings {
      let rows = rows(of: crossing, track, reach: reach)
      guard !rows.isEmpty else { continue }
      if let last = pieces.last?.rows, rows.lowerBound <= last.upperBound, last.lowerBound <= rows.upperBound
      {
        let both = min(last.lowerBound, rows.lowerBound)..<max(last.upperBound, rows.upperBound)
        if both.count <= max(EdgeSurvey.rowLimit, rows.count) {
          pieces[pieces.count - 1].rows = both
          pieces[pieces.count - 1].crossings.append(crossing)
          continue
        }
      }
      pieces.append((rows, [crossing]))
    }
    return pieces
  }

  /// The rows of the image that one crossing touches.
  private func rows(of crossing: EdgeCrossing, _ track: EdgeTrack, reach: Int) -> Range<Int> {
    guard !track.isUpright else { return crossing.line..<crossing.line + 1 }
    let (a, b) = (crossing.pixel(at: -reach - 1), crossing.pixel(at: reach + 1))
    let all = min(a, b)..<max(a, b) + 1
    return all.clamped(to: 0..<image.height)
  }
}

/// The course of an edge over the sheet's pixels.
///
/// An edge that is more upright than level is crossed along rows, any other along columns. Steps along such a line are
/// lengthened so that they count pixels at a right angle to the edge.
struct EdgeTrack {
  let isUpright: Bool
  let crossings: [EdgeCrossing]
  /// From the first line crossed to the last one.
  private let lines: ClosedRange<Int>

  /// Near its corners, an edge is surrounded by the content of the next edge.
  private static let cornerShare = 0.03
  private static let crossingLimit = 600
  /// Rows are decoded as a whole, so an upright edge is read in some places only.
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
      // A 256th of a pixel is far more than the corners' rounding noise, which could otherwise decide between two pixels.
      let place = ((isUpright ? point.column : point.row) * 256).rounded()
      // A line that is only a candidate may be any distance outside the image.
      guard abs(place) < 1e9 else { return nil }
      return EdgeCrossing(line: line, position: Int(place) * EdgeCrossing.unit / 256, stride: stride)
    }
    let crossed = crossings.map(\.line)
    self.lines = (crossed.min() ?? 0)...(crossed.max() ?? 0)
  }

  /// The index of the part that contains a crossing. Parts have equal length, from the image's upper or left end on.
  func part(of crossing: EdgeCrossing, among parts: Int) -> Int {
    (crossing.line - lines.lowerBound) * parts / lines.count
  }

  /// The point at some distance outward from the edge, in pixels.
  func point(_ crossing: EdgeCrossing, at offset: Double) -> PixelPoint {
    let unit = Double(EdgeCrossing.unit)
    let place = (Double(crossing.position) + offset * Double(crossing.stride)) / unit
    let line = Double(crossing.line) + 0.5
    return isUpright ? PixelPoint(column: place, row: line) : PixelPoint(column: line, row: place)
  }

  /// One pixel to the right of a direction that is longer in one coordinate than in the other. Rows count downward, and the
  /// ring runs anticlockwise, so that is outward.
  private static func stride(_ long: Double, _ short: Double) -> Int {
    guard long != 0 else { return EdgeCrossing.unit }
    let slope = short / long
    let length = ((1 + slope * slope).squareRoot() * Double(EdgeCrossing.unit)).rounded()
    return long > 0 ? Int(length) : -Int(length)
  }

  /// The rows or columns of the image between two positions, or a sample of them.
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
      return a.point((line - from) / (to - from), to: b)
    }
    return nil
  }
}

extension SheetProjection {
  /// Moves a point of a chord onto the true edge. Chords may be off by a quarter of a pixel.
  fileprivate func onto(_ edge: NeatlineDefinition.Edge, _ point: PixelPoint) -> PixelPoint {
    let exact = place(of: point).flatMap(edge.graticulePlace).flatMap(pixel)
    return exact.flatMap { $0.distance(to: point) < 1 ? $0 : nil } ?? point
  }
}

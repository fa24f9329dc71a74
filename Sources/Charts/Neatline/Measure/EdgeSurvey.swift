/// Looks at the sheet along edges, and decodes no more of it than that needs.
struct EdgeSurvey {
  private let image: SheetImage
  private let kinds: PrintKinds

  init(_ image: SheetImage) {
    self.init(image, PrintKinds(image.colors))
  }

  private init(_ image: SheetImage, _ kinds: PrintKinds) {
    self.image = image
    self.kinds = kinds
  }

  /// The same for a sheet whose collar is tinted.
  func onGround(_ ground: PrintKinds.Ground) -> EdgeSurvey { EdgeSurvey(image, kinds.onGround(ground)) }

  /// Rows that show the image's left and right rims, and pixels of each rim.
  private static let rimBands = 24
  private static let rimDepth = 16

  /// The tint that most of the image's rim has: that of its collar, unless the map runs to the rim.
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

  /// A tilted edge needs rows from all over the sheet; they are taken piece by piece.
  private static let rowLimit = 1024

  /// - Returns: a profile for each of some parts of equal length, from the image's upper or left end on, and the shades of all.
  func profiles(
    _ track: EdgeTrack, reach: Int, parts: Int
  ) throws -> (parts: [EdgeProfile], shades: EdgeShades) {
    var profiles = Array(repeating: EdgeProfile(reach: reach, kinds: kinds), count: parts)
    var shades = EdgeShades(reach: reach, kinds: kinds)
    var colors = [Int16](repeating: -1, count: 2 * reach + 3)
    for piece in pieces(track, reach: reach) {
      let rows = try image.rows(piece.rows)
      for crossing in piece.crossings {
        EdgeSurvey.read(crossing, track, rows, into: &colors)
        colors.withUnsafeBufferPointer { colors in
          profiles[track.part(of: crossing, among: parts)].add(crossing, colors)
          shades.add(colors)
        }
      }
    }
    return (profiles, shades)
  }

  /// Reads the pixels across an edge, from the inside outward.
  private static func read(
    _ crossing: EdgeTrack.Crossing, _ track: EdgeTrack, _ rows: SheetRows, into colors: inout [Int16]
  ) {
    let reach = (colors.count - 3) / 2
    rows.indexes.withUnsafeBufferPointer { indexes in
      colors.withUnsafeMutableBufferPointer { colors in
        let (width, height, top) = (rows.width, rows.range.count, rows.range.lowerBound)
        let line = crossing.line
        var position = crossing.position - (reach + 1) * crossing.stride
        for place in 0..<colors.count {
          let pixel = position >> 16
          let column = track.isUpright ? pixel : line
          let row = (track.isUpright ? line : pixel) &- top
          let isKnown = row >= 0 && row < height && column >= 0 && column < width
          colors[place] = isKnown ? Int16(indexes[row &* width &+ column]) : -1
          position &+= crossing.stride
        }
      }
    }
  }

  private struct Piece {
    var rows: Range<Int>
    var crossings: [EdgeTrack.Crossing]
  }

  /// The crossings in groups whose rows lie together.
  private func pieces(_ track: EdgeTrack, reach: Int) -> [Piece] {
    var pieces: [Piece] = []
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
      pieces.append(Piece(rows: rows, crossings: [crossing]))
    }
    return pieces
  }

  /// The rows that one crossing touches, in the image.
  private func rows(of crossing: EdgeTrack.Crossing, _ track: EdgeTrack, reach: Int) -> Range<Int> {
    guard !track.isUpright else { return crossing.line..<crossing.line + 1 }
    let (a, b) = (crossing.pixel(at: -reach - 1), crossing.pixel(at: reach + 1))
    let all = min(a, b)..<max(a, b) + 1
    return all.clamped(to: 0..<image.height)
  }
}

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

  /// The same for a sheet whose collar has the color of an index.
  func onGround(_ ground: UInt8) -> EdgeSurvey { EdgeSurvey(image, kinds.onGround(ground)) }

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

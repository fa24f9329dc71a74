/// Looks at the sheet along edges, and decodes no more of it than that needs.
struct EdgeSurvey {
  private let image: SheetImage
  private let kinds: PrintKinds

  init(_ image: SheetImage) {
    self.image = image
    kinds = PrintKinds(image.colors)
  }

  /// A tilted edge needs rows from all over the sheet; they are taken piece by piece.
  private static let rowLimit = 1024

  func profile(_ track: EdgeTrack, reach: Int) throws -> EdgeProfile {
    try profiles(track, reach: reach, parts: 1)[0]
  }

  /// One for each of some parts of equal length, from the image's upper or left end on.
  func profiles(_ track: EdgeTrack, reach: Int, parts: Int) throws -> [EdgeProfile] {
    var profiles = Array(repeating: EdgeProfile(reach: reach), count: parts)
    let lines = track.crossings.map(\.line)
    let (first, count) = (lines.min() ?? 0, (lines.max() ?? 0) - (lines.min() ?? 0) + 1)
    for piece in pieces(track, reach: reach) {
      let rows = try image.rows(piece.rows)
      rows.indexes.withUnsafeBufferPointer { indexes in
        for crossing in piece.crossings {
          profiles[(crossing.line - first) * parts / count].add(crossing) { pixel in
            let (column, row) = track.isUpright ? (pixel, crossing.line) : (crossing.line, pixel)
            guard piece.rows.contains(row), (0..<rows.width).contains(column) else { return nil }
            return kinds[indexes[(row - piece.rows.lowerBound) * rows.width + column]]
          }
        }
      }
    }
    return profiles
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

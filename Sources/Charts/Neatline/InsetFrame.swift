internal import Core
internal import ImageIO

/// Finds listed insets on white ground, where no print shows the borders of their white bands: by their frames.
extension InsetSurvey {
  /// A run of ink along a column or a row.
  private typealias Line = (place: Int, span: Range<Int>)

  /// A sheet has a few dozen long lines. Only a dark or striped one has more.
  private static let mostLines = 200
  /// Pixels without ink that do not end a line, and by which the lines of a frame may miss its corners.
  private static let gap = 2
  private static let cornerSlack = 8
  /// The widest white band, and its width where no print shows it.
  private static let widestBand = 128
  private static let usualBand = 40
  /// In a line of the band, one pixel of so many may be printed.
  private static let bandShare = 256

  /// Returns the largest level frame near a box on the earth that has a white band on all sides.
  func framed(near box: GeoBox) throws -> FoundInset? {
    let places = box.lattice.compactMap { projection.pixel(of: $0) }
    let columns = InsetSurvey.stretch(places.map(\.column)).clamped(to: 0..<image.width)
    let rows = InsetSurvey.stretch(places.map(\.row)).clamped(to: map.rows)
    guard min(columns.count, rows.count) >= InsetCandidate.leastSide else { return nil }
    let sheet = try image.rows(rows)
    func kind(_ across: Int, _ along: Int, _ isUpright: Bool) -> PrintKind {
      let (column, row) = isUpright ? (across, along) : (along, across)
      return kinds[Int(sheet.indexes[(row - rows.lowerBound) * image.width + column])]
    }
    let uprights = InsetSurvey.lines(columns, rows) { kind($0, $1, true) == .ink }
    let levels = InsetSurvey.lines(rows, columns) { kind($0, $1, false) == .ink }
    guard let frame = InsetSurvey.largestFrame(uprights, levels) else { return nil }
    /// The last line of the white band beyond a line of the frame.
    func end(_ first: Int, _ step: Int, _ isUpright: Bool) -> Int? {
      let (limits, side) = isUpright ? (columns, frame.rows) : (rows, frame.columns)
      let width = (1...InsetSurvey.widestBand).first { width in
        let line = first + step * width
        return !limits.contains(line)
          || side.count { kind(line, $0, isUpright) != .paper } * InsetSurvey.bandShare > side.count
      }
      let band = width.map { $0 - 1 } ?? InsetSurvey.usualBand
      return band >= InsetBand.leastWidth ? first + step * band : nil
    }
    guard let left = end(frame.columns.lowerBound, -1, true), let top = end(frame.rows.lowerBound, -1, false),
      let right = end(frame.columns.upperBound - 1, 1, true),
      let bottom = end(frame.rows.upperBound - 1, 1, false),
      let candidate = InsetCandidate(
        left: InsetPost(points: [(0, top, left)]), right: InsetPost(points: [(0, top, right + 1)]))
    else { return nil }
    return FoundInset(candidate, upper: InsetBorder(row: top), lower: InsetBorder(row: bottom + 1), map: map)
  }

  /// The range of some places, and a quarter more on each side.
  private static func stretch(_ places: [Double]) -> Range<Int> {
    guard let low = places.min(), let high = places.max(), abs(low) < 1e7, abs(high) < 1e7 else {
      return 0..<0
    }
    let margin = (high - low) / 4 + Double(usualBand)
    return Int(low - margin)..<Int(high + margin)
  }

  /// The longest runs of ink along some lines, at least as long as the side of an inset.
  private static func lines(
    _ places: Range<Int>, _ along: Range<Int>, _ isInk: (_ place: Int, _ along: Int) -> Bool
  ) -> [Line] {
    let lines = places.flatMap { place in
      along.filter { isInk(place, $0) }.reduce(into: [Range<Int>]()) { runs, step in
        if let last = runs.last, step - last.upperBound <= gap {
          runs[runs.count - 1] = last.lowerBound..<step + 1
        } else {
          runs.append(step..<step + 1)
        }
      }.filter { $0.count >= InsetCandidate.leastSide }.map { Line(place, $0) }
    }
    return Array(lines.sorted { ($1.span.count, $0.place) < ($0.span.count, $1.place) }.prefix(mostLines))
  }

  private static func largestFrame(
    _ uprights: [Line], _ levels: [Line]
  ) -> (columns: Range<Int>, rows: Range<Int>)? {
    let frames = uprights.flatMap { left in
      uprights.compactMap { right -> (columns: Range<Int>, rows: Range<Int>)? in
        let rows = left.span.clamped(to: right.span)
        guard right.place - left.place >= InsetCandidate.leastSide,
          max(left.span.count, right.span.count) - rows.count <= 2 * cornerSlack,
          [rows.lowerBound, rows.upperBound - 1].allSatisfy({ row in
            levels.contains {
              abs($0.place - row) <= cornerSlack && $0.span.lowerBound <= left.place + cornerSlack
                && $0.span.upperBound >= right.place - cornerSlack
            }
          })
        else { return nil }
        return (left.place..<right.place + 1, rows)
      }
    }
    return frames.max { $0.columns.count * $0.rows.count < $1.columns.count * $1.rows.count }
  }
}

internal import Core
internal import ImageIO

/// Finds listed insets on white ground, where no print shows the borders of their white bands: by their frames.
extension InsetSurvey {
  /// A run of ink along a row or a column.
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
    return sheet.indexes.withUnsafeBufferPointer { indexes in
      let print = { (column: Int, row: Int) in
        kinds[Int(indexes[(row - rows.lowerBound) * image.width + column])]
      }
      let uprights = InsetSurvey.lines(columns, rows) { print($0, $1) == .ink }
      let levels = InsetSurvey.lines(rows, columns) { print($1, $0) == .ink }
      guard let frame = InsetSurvey.largestFrame(uprights, levels) else { return nil }
      func band(
        _ side: Range<Int>, _ first: Int, _ step: Int, in limits: Range<Int>, _ isPaper: (Int, Int) -> Bool
      ) -> Int {
        let end = (1...InsetSurvey.widestBand).first { distance in
          let line = first + step * distance
          return !limits.contains(line)
            || side.count { !isPaper($0, line) } * InsetSurvey.bandShare > side.count
        }
        return end.map { $0 - 1 } ?? InsetSurvey.usualBand
      }
      let upright = { (row: Int, column: Int) in print(column, row) == .paper }
      let level = { (column: Int, row: Int) in print(column, row) == .paper }
      let (left, right) = (
        band(frame.rows, frame.columns.lowerBound, -1, in: columns, upright),
        band(frame.rows, frame.columns.upperBound - 1, 1, in: columns, upright)
      )
      let (above, below) = (
        band(frame.columns, frame.rows.lowerBound, -1, in: rows, level),
        band(frame.columns, frame.rows.upperBound - 1, 1, in: rows, level)
      )
      guard min(left, right, above, below) >= InsetBand.leastWidth else { return nil }
      return FoundInset(
        columns: frame.columns.lowerBound - left..<frame.columns.upperBound + right,
        rows: frame.rows.lowerBound - above..<frame.rows.upperBound + below, map: map)
    }
  }

  /// The range of some places, and a quarter more on each side.
  private static func stretch(_ places: [Double]) -> Range<Int> {
    guard let low = places.min(), let high = places.max(), abs(low) < 1e7, abs(high) < 1e7 else {
      return 0..<0
    }
    let margin = (high - low) / 4 + Double(usualBand)
    return Int(low - margin)..<Int(high + margin)
  }

  /// The runs of ink along some lines that are as long as the side of an inset.
  private static func lines(
    _ places: Range<Int>, _ along: Range<Int>, _ isInk: (_ place: Int, _ along: Int) -> Bool
  ) -> [Line] {
    var lines: [Line] = []
    for place in places {
      var (start, last) = (along.lowerBound, along.lowerBound - gap - 2)
      func end() {
        if last + 1 - start >= InsetCandidate.leastSide { lines.append((place, start..<last + 1)) }
      }
      for step in along where isInk(place, step) {
        if step - last > gap + 1 {
          end()
          start = step
        }
        last = step
      }
      end()
    }
    return Array(lines.sorted { ($1.span.count, $0.place) < ($0.span.count, $1.place) }.prefix(mostLines))
  }

  private static func largestFrame(
    _ uprights: [Line], _ levels: [Line]
  ) -> (columns: Range<Int>, rows: Range<Int>)? {
    var best: (columns: Range<Int>, rows: Range<Int>)?
    for left in uprights {
      for right in uprights where right.place - left.place >= InsetCandidate.leastSide {
        let rows = left.span.clamped(to: right.span)
        func isLevel(_ row: Int) -> Bool {
          levels.contains {
            abs($0.place - row) <= cornerSlack && $0.span.lowerBound <= left.place + cornerSlack
              && $0.span.upperBound >= right.place - cornerSlack
          }
        }
        guard max(left.span.count, right.span.count) - rows.count <= 2 * cornerSlack,
          rows.count * (right.place + 1 - left.place) > (best.map { $0.rows.count * $0.columns.count } ?? 0),
          isLevel(rows.lowerBound), isLevel(rows.upperBound - 1)
        else { continue }
        best = (left.place..<right.place + 1, rows)
      }
    }
    return best
  }
}

extension FoundInset {
  /// A level rectangle with white bands on all sides.
  fileprivate init?(columns: Range<Int>, rows: Range<Int>, map: MapSpans) {
    func post(_ column: Int) -> InsetPost {
      InsetPost(points: [(0, (rows.lowerBound + rows.upperBound) / 2, column)])
    }
    guard let candidate = InsetCandidate(left: post(columns.lowerBound), right: post(columns.upperBound))
    else {
      return nil
    }
    self.init(
      candidate, upper: InsetBorder(row: rows.lowerBound), lower: InsetBorder(row: rows.upperBound), map: map)
  }
}

internal import ImageIO

/// The white bands, colours and meridians in one sampled band of the sheet's rows.
struct InsetBand {
  /// A position where a meridian of the chart was searched for, and whether it is printed there.
  typealias Sight = (meridian: Int, row: Int, column: Int, isSeen: Bool)

  let rows: Range<Int>
  var middle: Int { (rows.lowerBound + rows.upperBound) / 2 }
  /// Columns where the map's print ends at a run of paper, to the right and to the left.
  let lefts: [Int]
  let rights: [Int]
  let sights: [Sight]
  /// For each cell of columns, the counts of tint and of all pixels in the cells before it.
  private let tints: [Int]
  private let totals: [Int]

  /// White bands are about 40 pixels wide, and a hundred in Alaska.
  static let leastWidth = 16
  /// Within this distance of a white run, the map's print must begin. Prints are blurred.
  private static let blur = 5
  private static let cell = 32
  private static let lineStep = 4

  /// - Parameter spans: the columns between which the map lies in these rows.
  init(_ rows: SheetRows, spans: [Range<Int>], kinds: [PrintKind], lights: [Int], graticule: HostGraticule) {
    self.rows = rows.range
    let lines = Array(stride(from: 0, to: rows.range.count, by: InsetBand.lineStep))
    var paper = [Int](repeating: 0, count: rows.width)
    var cells = [(tint: Int, total: Int)](repeating: (0, 0), count: rows.width / InsetBand.cell + 1)
    rows.indexes.withUnsafeBufferPointer { indexes in
      for line in lines {
        for span in spans {
          for column in span {
            switch kinds[Int(indexes[line * rows.width + column])] {
            case .paper: paper[column] += 1
            case .tint: cells[column / InsetBand.cell].tint += 1
            case .ink: break
            }
            cells[column / InsetBand.cell].total += 1
          }
        }
      }
    }
    tints = cells.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.tint) }
    totals = cells.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.total) }
    let runs = spans.flatMap { InsetBand.runs(paper, in: $0, of: lines.count) }
    func isPrint(_ column: Int, in span: Range<Int>) -> Bool {
      span.contains(column) && paper[column] * 2 <= lines.count
    }
    let spanOf = { (run: Range<Int>) in spans.first { $0.contains(run.lowerBound) } ?? run }
    lefts = runs.filter { isPrint($0.lowerBound - InsetBand.blur, in: spanOf($0)) }.map(\.lowerBound)
    rights = runs.filter { isPrint($0.upperBound + InsetBand.blur - 1, in: spanOf($0)) }.map(\.upperBound)
    sights = InsetBand.sights(rows, spans: spans, lights: lights, graticule: graticule)
  }

  /// Columns that are paper in seven eighths of the lines, since lettering may cross a white band.
  private static func runs(_ paper: [Int], in span: Range<Int>, of lines: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start: Int?
    for column in span.lowerBound...span.upperBound {
      let isWhite = column < span.upperBound && paper[column] * 8 >= lines * 7
      if isWhite {
        start = start ?? column
      } else if let first = start {
        if column - first >= leastWidth { runs.append(first..<column) }
        start = nil
      }
    }
    return runs
  }

  private static func sights(
    _ rows: SheetRows, spans: [Range<Int>], lights: [Int], graticule: HostGraticule
  ) -> [Sight] {
    let margin = HostGraticule.reach + HostGraticule.gap + 2
    return graticule.uprights.enumerated().compactMap { number, meridian in
      let columns = rows.range.compactMap(meridian)
      guard columns.count == rows.range.count else { return nil }
      let ends = [columns[0], columns[columns.count - 1]]
      let isOnMap = spans.contains { span in
        ends.allSatisfy { span.lowerBound + margin <= $0 && $0 < span.upperBound - margin }
      }
      guard isOnMap else { return nil }
      let isSeen = rows.indexes.withUnsafeBufferPointer { indexes in
        HostGraticule.isPrinted(rows.range.count) { place, offset in
          lights[Int(indexes[place * rows.width + columns[place] + offset])]
        }
      }
      return (number, (rows.range.lowerBound + rows.range.upperBound) / 2, ends[0], isSeen)
    }
  }

  /// The share of tint between two columns, in hundredths.
  func tintHundredths(_ columns: Range<Int>) -> Int {
    let (first, last) = (columns.lowerBound / InsetBand.cell, columns.upperBound / InsetBand.cell)
    let total = totals[last] - totals[first]
    return total == 0 ? 0 : (tints[last] - tints[first]) * 100 / total
  }
}

/// The outer border of an upright white band, followed from one sampled band of rows to the next.
struct InsetPost {
  typealias Point = (band: Int, row: Int, column: Int)

  private(set) var points: [Point]

  private static let limit = 200

  var bands: ClosedRange<Int> { points[0].band...points[points.count - 1].band }

  /// Columns for each row, in 65536ths. Insets may be printed slightly tilted.
  var slope: Int {
    let (first, last) = (points[0], points[points.count - 1])
    guard points.count >= 3, abs(last.column - first.column) >= 3 else { return 0 }
    return (last.column - first.column) * 65_536 / (last.row - first.row)
  }

  /// The column at a row, from the nearest point.
  func column(atRow row: Int, slope: Int) -> Int {
    let nearest = points.min { abs($0.row - row) < abs($1.row - row) } ?? points[0]
    return nearest.column + ((row - nearest.row) * slope) >> 16
  }

  /// All borders on one side, ordered by their beginnings.
  static func all(_ bands: [InsetBand], _ edges: KeyPath<InsetBand, [Int]>) -> [InsetPost] {
    var (open, done): ([InsetPost], [InsetPost]) = ([], [])
    for (number, band) in bands.enumerated() {
      // Lettering may hide a border in one band.
      let lost = open.filter { number - $0.bands.upperBound > 2 }
      done += lost
      open.removeAll { number - $0.bands.upperBound > 2 }
      for column in band[keyPath: edges] {
        let point = (band: number, row: band.middle, column: column)
        if let index = open.indices.filter({ open[$0].leads(to: point) }).min(by: {
          open[$0].distance(to: point) < open[$1].distance(to: point)
        }) {
          open[index].points.append(point)
        } else {
          open.append(InsetPost(points: [point]))
        }
      }
    }
    // A sheet has a few dozen. Only a striped one has more, and the longest are the best evidence.
    let longest = (done + open).sorted {
      ($1.points.count, $0.points[0].row, $0.points[0].column) < (
        $0.points.count, $1.points[0].row, $1.points[0].column
      )
    }
    return longest.prefix(limit).sorted {
      ($0.points[0].row, $0.points[0].column) < ($1.points[0].row, $1.points[0].column)
    }
  }

  /// The distance from the predicted continuation of the border, in columns.
  private func distance(to point: Point) -> Int {
    let last = points[points.count - 1]
    guard let before = points.dropLast().last else { return abs(last.column - point.column) }
    let drift = (last.column - before.column) * (point.row - last.row) / (last.row - before.row)
    return abs(last.column + drift - point.column)
  }

  /// Two points define the slant of a border. Other points must lie on a straight line with them.
  private func leads(to point: Point) -> Bool {
    let last = points[points.count - 1]
    return point.band > last.band
      && distance(to: point) <= (points.count > 1 ? 4 : 3 + (point.row - last.row) / 24)
  }
}

/// Finds the upper or the lower side of a candidate in decoded rows: a level white band, or the neatline.
struct InsetBorder {
  /// The first row of the inset, or the one after its last, at its left side.
  let row: Int
  let side: Product.Cut.Inset.Side
  /// The share of paper in the band, in hundredths.
  let paper: Int

  /// Columns inside a border that must be paper.
  private static let postWidth = 12
  /// The number of rows of a level band that are read.
  private static let bandHeight = 12
  /// A side that ends this near to the neatline ends at it, since frames and their softened rims lie between.
  private static let neatlineReach = 24
  private static let sampleCount = 128

  /// A side that is known to be a white band.
  init(row: Int) { (self.row, side, paper) = (row, .band, 100) }

  /// - Parameters:
  ///     - isUpper: whether the upper side is searched for, or the lower.
  ///     - start: the row of the candidate's outermost sampled band. The search goes outward from it.
  init?(
    of candidate: InsetCandidate, isUpper: Bool, from start: Int, in rows: SheetRows, kinds: [PrintKind],
    map: MapSpans
  ) {
    let step = isUpper ? -1 : 1
    let print = PrintedRows(rows: rows, kinds: kinds, slope: candidate.slope)
    guard let width = candidate.columns(atRow: start, map)?.count else { return nil }
    let left = candidate.left.map {
      print.end(of: $0, columns: 2..<2 + InsetBorder.postWidth, from: start, step)
    }
    let right = candidate.right.map {
      print.end(of: $0, columns: -2 - InsetBorder.postWidth..<(-2), from: start, step)
        + (width * candidate.slope) >> 16
    }
    let ends = [left, right].compactMap(\.self)
    let last = (isUpper ? ends.max() : ends.min()) ?? start
    row = isUpper ? last : last + 1
    guard let columns = candidate.columns(atRow: last, map) ?? candidate.columns(atRow: start, map) else {
      return nil
    }
    let middle = columns.lowerBound + columns.count / 2
    if map.span(atRow: last + step * InsetBorder.neatlineReach, around: middle) == nil {
      (side, paper) = (.neatline, 100)
      return
    }
    guard rows.range.contains(last + step * 6) else { return nil }
    let shares = (0..<InsetBorder.bandHeight).map {
      print.paperHundredths(columns, atRow: last - step * $0, samples: InsetBorder.sampleCount)
    }
    let beyond = print.paperHundredths(columns, atRow: last + step * 6, samples: InsetBorder.sampleCount)
    guard shares.count(where: { $0 >= 85 }) >= 10, beyond <= 60 else { return nil }
    (side, paper) = (.band, shares.sorted()[2...].reduce(0, +) / (shares.count - 2))
  }
}

/// Rows of the sheet, sheared so that the level sides of a tilted inset are level.
private struct PrintedRows {
  let rows: SheetRows
  let kinds: [PrintKind]
  let slope: Int

  /// The last row, going outward, in which the border's band is white. Lettering may cross it in a few rows.
  func end(of post: InsetPost, columns: Range<Int>, from start: Int, _ step: Int) -> Int {
    var (row, end, misses) = (start, start, 0)
    while rows.range.contains(row), misses < 4 {
      let edge = post.column(atRow: row, slope: slope)
      let count = columns.count { isPaper(edge + $0, row) }
      if count * 6 >= columns.count * 5 { (end, misses) = (row, 0) } else { misses += 1 }
      row += step
    }
    return end
  }

  func isPaper(_ column: Int, _ row: Int) -> Bool {
    guard rows.range.contains(row), (0..<rows.width).contains(column) else { return false }
    return kinds[Int(rows.indexes[(row - rows.range.lowerBound) * rows.width + column])] == .paper
  }

  /// The share of paper along a level line that begins at the first column's row. 0 if a stretch longer than lettering has no
  /// paper.
  func paperHundredths(_ columns: Range<Int>, atRow row: Int, samples: Int) -> Int {
    let inner = columns.count - 16
    var (count, gap, longest) = (0, 0, 0)
    for sample in 0..<samples {
      let along = 8 + inner * sample / samples
      let isWhite = isPaper(columns.lowerBound + along, row - (along * slope) >> 16)
      (count, gap) = isWhite ? (count + 1, 0) : (count, gap + 1)
      longest = max(longest, gap)
    }
    return longest * 16 > samples ? 0 : count * 100 / samples
  }
}

/// Two upright borders, or one border and the neatline, between which an inset may lie.
struct InsetCandidate {
  /// Nil if the neatline is its side.
  let left: InsetPost?
  let right: InsetPost?
  /// The sampled bands of rows that show both.
  let bands: ClosedRange<Int>
  let slope: Int

  /// The least side of an inset with its band, in pixels.
  static let leastSide = 260

  init?(left: InsetPost?, right: InsetPost?) {
    let ranges = [left, right].compactMap(\.self).map(\.bands)
    guard let first = ranges.map(\.lowerBound).max(), let last = ranges.map(\.upperBound).min(), first <= last
    else { return nil }
    let slopes = [left, right].compactMap(\.self).map(\.slope)
    self.left = left
    self.right = right
    bands = first...last
    slope = slopes.reduce(0, +) / slopes.count
  }

  /// Its columns at a row, white bands included.
  func columns(atRow row: Int, _ map: MapSpans) -> Range<Int>? {
    let known = (left ?? right)?.column(atRow: row, slope: slope) ?? 0
    // The map's span on the inner side of the border.
    guard let span = map.span(atRow: row, around: left == nil ? known - 8 : known + 8) else { return nil }
    let start = left?.column(atRow: row, slope: slope) ?? span.lowerBound
    let end = right?.column(atRow: row, slope: slope) ?? span.upperBound
    return end - start >= InsetCandidate.leastSide ? start..<min(end, span.upperBound) : nil
  }
}

/// The map between the sides of its outline, row by row.
struct MapSpans {
  private let ring: [PixelPoint]
  private let width: Int
  let rows: Range<Int>

  init(_ neatline: Neatline, on projection: SheetProjection) {
    ring = neatline.ring.map(\.pixel)
    width = projection.width
    let (top, bottom) = (ring.map(\.row).min() ?? 0, ring.map(\.row).max() ?? 0)
    let first = max(0, Int(top.rounded(.up)))
    rows = first..<max(first, min(projection.height, Int(bottom.rounded(.down))))
  }

  /// The columns of the map at the middle of a row.
  func spans(atRow row: Int) -> [Range<Int>] {
    let line = Double(row) + 0.5
    let crossings = ring.indices.compactMap { index -> Double? in
      let (a, b) = (ring[index], ring[(index + 1) % ring.count])
      guard (a.row <= line) != (b.row <= line) else { return nil }
      return a.column + (line - a.row) / (b.row - a.row) * (b.column - a.column)
    }.sorted()
    return stride(from: 0, to: crossings.count - 1, by: 2).compactMap { index in
      let low = max(0, Int(crossings[index].rounded()))
      let high = min(width, Int(crossings[index + 1].rounded()))
      return low < high ? low..<high : nil
    }
  }

  func span(atRow row: Int, around column: Int) -> Range<Int>? {
    spans(atRow: row).first { $0.contains(column) }
  }
}

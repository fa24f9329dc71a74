/// What one sampled band of the sheet's rows shows of white bands, colours and meridians.
struct InsetBand {
  /// One place on a meridian.
  struct Sight {
    let meridian: Int
    let column: Int
    let isSeen: Bool
  }

  let rows: Range<Int>
  /// Columns where the map's print gives way to a run of paper, to the right and to the left of them.
  let lefts: [Int]
  let rights: [Int]
  let sights: [Sight]
  /// For each cell of columns, the counts of tint and of all pixels in the cells before it.
  private let tints: [Int]
  private let totals: [Int]

  /// White bands are about 40 pixels wide, and a hundred in Alaska.
  static let leastWidth = 16
  /// How far beside a white run the map's print must have set in: prints are blurred.
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

  /// Columns that are paper in seven eighths of the lines: lettering may cross a white band.
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
    let margin = PrintedLine.reach + PrintedLine.gap + 2
    return graticule.meridians.indices.compactMap { number in
      let meridian = graticule.meridians[number]
      let (first, last) = (rows.range.lowerBound, rows.range.upperBound - 1)
      let ends = [meridian.column(atRow: first), meridian.column(atRow: last)]
      let isOnMap = spans.contains { span in
        ends.allSatisfy { span.lowerBound + margin <= $0 && $0 < span.upperBound - margin }
      }
      guard isOnMap else { return nil }
      let isSeen = rows.indexes.withUnsafeBufferPointer { indexes in
        PrintedLine.isSeen(rows.range.count) { place, offset in
          lights[
            Int(indexes[place * rows.width + meridian.column(atRow: first + place) + offset])]
        }
      }
      return Sight(meridian: number, column: ends[0], isSeen: isSeen)
    }
  }

  /// The share of tint between two columns, in hundredths.
  func tintHundredths(_ columns: Range<Int>) -> Int {
    let (first, last) = (columns.lowerBound / InsetBand.cell, columns.upperBound / InsetBand.cell)
    let total = totals[last] - totals[first]
    return total == 0 ? 0 : (tints[last] - tints[first]) * 100 / total
  }
}

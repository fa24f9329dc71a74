internal import CPixels
internal import Pipeline
internal import RasterIO

/// Finds rows and columns that have a single colour across the whole map, although the map on both sides of them is printed: the
/// source has lost what was there.
struct BlankSearch: Sendable {
  private let spans: [Range<Int>]
  private let inner: (rows: Range<Int>, columns: Range<Int>)
  private var rowBlanks: [Product.Reference.Blank] = []
  private var run: Run?
  /// How often each inner column changes from one row to the next.
  private var changes: [UInt16]
  private var compared = 0

  private struct Run: Sendable {
    let first: Int
    let value: UInt8
    let isPrintedAbove: Bool
  }

  /// What is wider is some part of the map, such as open water.
  private static let widest = 64
  /// Near an edge a row may lie in the frame or in the collar.
  private static let margin = 64
  /// Less than this share of the row beside it has the blank's colour.
  private static let share = 0.75
  /// A printed column changes at least once in so many rows. On smooth ground a right column may never change beside one that
  /// rarely does.
  private static let rarest = 8
  /// Of compared rows. In fewer, the few changes of a printed column are as few as those of a right column on smooth ground.
  private static let fewestRows = 128
  private static let sideMargin = 8
  private static let columnStep = 2

  init(_ neatline: Neatline, width: Int, height: Int) {
    let spans = BlankSearch.spans(neatline.ring.map(\.pixel), width: width, height: height)
    self.spans = spans
    inner = BlankSearch.inner(spans)
    changes = [UInt16](repeating: 0, count: inner.columns.count)
  }

  /// Adds the new rows of a band, which follow those of the band before.
  mutating func add(_ band: SheetRows, _ new: Range<Int>) {
    band.indexes.withUnsafeBufferPointer { indexes in
      guard let start = indexes.baseAddress else { return }
      for row in new where row < spans.count {
        let pixels = start + (row - band.range.lowerBound) * band.width
        let above = row > band.range.lowerBound ? pixels - band.width : nil
        look(pixels, above: above, row)
        if let above { countChanges(pixels, above, row) }
      }
    }
  }

  var found: [Product.Reference.Blank] { rowBlanks + columnBlanks }

  private mutating func look(_ pixels: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>?, _ row: Int) {
    let span = spans[row]
    let isBlank = !span.isEmpty && chartpipe_is_even(pixels + span.lowerBound, span.count) != 0
    if let run, !isBlank || pixels[span.lowerBound] != run.value {
      end(run, at: row, pixels)
    }
    guard isBlank, run == nil else { return }
    let value = pixels[span.lowerBound]
    let isPrinted = above.map { row > 0 && BlankSearch.isPrinted($0, spans[row - 1], besides: value) }
    run = Run(first: row, value: value, isPrintedAbove: isPrinted ?? false)
  }

  private mutating func end(_ run: Run, at row: Int, _ pixels: UnsafePointer<UInt8>) {
    self.run = nil
    guard run.isPrintedAbove, row - run.first <= BlankSearch.widest,
      BlankSearch.isPrinted(pixels, spans[row], besides: run.value)
    else { return }
    rowBlanks.append(.init(direction: .row, first: run.first, last: row - 1))
  }

  private static func isPrinted(
    _ pixels: UnsafePointer<UInt8>, _ span: Range<Int>, besides value: UInt8
  ) -> Bool {
    let same = chartpipe_count_byte(pixels + span.lowerBound, span.count, value)
    return !span.isEmpty && Double(same) < share * Double(span.count)
  }
}

/// Columns.
extension BlankSearch {
  private mutating func countChanges(
    _ pixels: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>, _ row: Int
  ) {
    guard inner.rows.contains(row), row.isMultiple(of: BlankSearch.columnStep), !inner.columns.isEmpty else {
      return
    }
    compared += 1
    let first = inner.columns.lowerBound
    chartpipe_count_changes(pixels + first, above + first, inner.columns.count, &changes)
  }

  private var columnBlanks: [Product.Reference.Blank] {
    guard compared >= BlankSearch.fewestRows else { return [] }
    var found: [Product.Reference.Blank] = []
    var first: Int?
    let printed = compared / BlankSearch.rarest
    for index in changes.indices {
      if changes[index] == 0 {
        first = first ?? index
      } else if let start = first {
        if start > 0, index - start <= BlankSearch.widest, changes[start - 1] >= printed,
          changes[index] >= printed
        {
          found.append(
            .init(
              direction: .column, first: inner.columns.lowerBound + start,
              last: inner.columns.lowerBound + index - 1))
        }
        first = nil
      }
    }
    return found
  }
}

/// Where the map lies.
extension BlankSearch {
  /// For each row of the sheet, the columns from the map's first to its last, without those near an edge; empty near the map's
  /// northern and southern ends.
  private static func spans(_ ring: [PixelPoint], width: Int, height: Int) -> [Range<Int>] {
    var (west, east) = (
      [Double](repeating: .infinity, count: height), [Double](repeating: -.infinity, count: height)
    )
    for (index, from) in ring.enumerated() {
      let to = ring[(index + 1) % ring.count]
      let (upper, lower) = from.row < to.row ? (from, to) : (to, from)
      let rows = Int(upper.row.rounded(.up))..<max(Int(upper.row.rounded(.up)), Int(lower.row.rounded(.up)))
      for row in rows.clamped(to: 0..<height) {
        let share = (Double(row) - upper.row) / (lower.row - upper.row)
        let column = upper.column + share * (lower.column - upper.column)
        west[row] = min(west[row], column)
        east[row] = max(east[row], column)
      }
    }
    let inside = west.indices.filter { west[$0] < east[$0] }
    guard let first = inside.first, let last = inside.last else { return [] }
    return (0..<height).map { row in
      guard row >= first + margin, row <= last - margin, west[row] < east[row] else { return 0..<0 }
      let start = Int(west[row].rounded(.up)) + sideMargin
      return (start..<max(start, Int(east[row]) - sideMargin)).clamped(to: 0..<width)
    }
  }

  /// A rectangle that lies within the map: of the middle rows, the columns that all of them have.
  private static func inner(_ spans: [Range<Int>]) -> (rows: Range<Int>, columns: Range<Int>) {
    guard let first = spans.firstIndex(where: { !$0.isEmpty }),
      let last = spans.lastIndex(where: { !$0.isEmpty })
    else { return (0..<0, 0..<0) }
    let tenth = (last - first) / 10
    let rows = first + tenth..<last + 1 - tenth
    let west = spans[rows].map(\.lowerBound).max() ?? 0
    let east = spans[rows].map(\.upperBound).min() ?? 0
    return (rows, west..<max(west, east))
  }
}

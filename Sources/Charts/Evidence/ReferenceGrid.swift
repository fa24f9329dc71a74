internal import CPixels
internal import Core
internal import Foundation
internal import ImageIO
internal import RasterIO

/// A coarse picture of a sheet: the mean colour and the texture of each cell. The tiles of the product are compared with it.
///
/// It is computed with integers from the rows as they are decoded.
struct ReferenceGrid: Sendable {
  let cell: Int
  let columns: Int
  let rows: Int
  private let palette: [UInt8]
  private let lights: [UInt8]
  /// The sums of red, green and blue of each cell.
  private var colors: [UInt32]
  private var texture: [UInt32]
  /// How many rows of each row of cells were added.
  private var seen: [Int]
  private var blanks: BlankSearch
  private var hash: SheetHash
  private var next = 0

  private static let leastCell = 32
  /// The least width of a cell in pixels of the largest zoom.
  private static let leastTarget = 32
  private static let largestCell = 512
  /// Every how many rows colours are added: every row, except for sheets whose finest lines are two pixels wide.
  private let colorStep: Int
  /// Every how many rows texture is added.
  private static let textureStep = 4
  /// A sheet with this many pixels needs only every second row.
  private static let large = 1 << 25

  init(_ sheet: ChartSheet, neatline: Neatline, plan: UnitPlan) {
    let scale = plan.scales.largest << (plan.deepest - plan.maxZoom)
    let wanted = max(ReferenceGrid.leastCell, ReferenceGrid.leastTarget * scale / RowScales.unit)
    // A few cells at least, also for a small sheet at a coarse zoom.
    let limit = max(
      ReferenceGrid.leastCell, min(ReferenceGrid.largestCell, min(sheet.width, sheet.height) / 4))
    cell = min(limit, wanted) / ReferenceGrid.textureStep * ReferenceGrid.textureStep
    colorStep = sheet.width * sheet.height >= ReferenceGrid.large ? 2 : 1
    (columns, rows) = (sheet.width / cell, sheet.height / cell)
    let known = sheet.colors.flatMap(\.channels)
    palette = known + [UInt8](repeating: 0, count: max(0, 1024 - known.count))
    lights = sheet.lights.map { UInt8($0) } + [UInt8](repeating: 0, count: 256 - sheet.colors.count)
    colors = [UInt32](repeating: 0, count: columns * rows * 3)
    texture = [UInt32](repeating: 0, count: columns * rows)
    seen = [Int](repeating: 0, count: rows)
    blanks = BlankSearch(neatline, width: sheet.width, height: sheet.height)
    hash = SheetHash(sheet, palette: palette)
  }

  /// Adds the rows of a band that no earlier band contained. Bands are added from north to south.
  mutating func add(_ band: SheetRows) throws {
    let new = max(next, band.range.lowerBound)..<max(next, band.range.upperBound)
    guard !new.isEmpty else { return }
    next = new.upperBound
    blanks.add(band, new)
    try band.indexes.withUnsafeBufferPointer { indexes in
      guard let start = indexes.baseAddress else { return }
      for row in new {
        let pixels = start + (row - band.range.lowerBound) * band.width
        try hash.add(pixels, row)
        if row.isMultiple(of: colorStep), row / cell < rows { add(pixels, row) }
      }
    }
  }

  private mutating func add(_ indexes: UnsafePointer<UInt8>, _ row: Int) {
    let first = row / cell * columns
    seen[row / cell] += 1
    colors.withUnsafeMutableBufferPointer { sums in
      guard let sums = sums.baseAddress else { return }
      chartpipe_add_cell_colors(indexes, columns, cell, palette, sums + first * 3)
    }
    guard row.isMultiple(of: ReferenceGrid.textureStep) else { return }
    texture.withUnsafeMutableBufferPointer { sums in
      guard let sums = sums.baseAddress else { return }
      let pair = ReferenceGrid.firstPair(ofRow: row % cell)
      chartpipe_add_cell_texture(indexes, columns, cell, pair, lights, sums + first)
    }
  }
}

extension ReferenceGrid {
  /// The column of the first pair in a row of a cell. It alternates between even and odd, so that no upright line falls between
  /// two pairs in all rows.
  private static func firstPair(ofRow row: Int) -> Int { row / textureStep % 2 }

  /// Pairs of neighbouring pixels of a cell that were added.
  private var pairs: Int {
    stride(from: 0, to: cell, by: ReferenceGrid.textureStep).reduce(0) { sum, row in
      sum + (cell - ReferenceGrid.firstPair(ofRow: row)) / 2
    }
  }
}

extension ReferenceGrid {
  var reference: Product.Reference {
    Product.Reference(
      cell: cell, columns: columns, rows: rows, blanks: blanks.found, repeats: blanks.repeats.found,
      sheetSha256: hash.found)
  }

  /// Writes the picture and returns the file as the product lists it.
  func write(to scratch: URL, as name: String) throws -> Product.File {
    let png = try PNG.encode(picture, quickly: true)
    return try Product.File(writing: png, to: scratch, named: name, role: .reference)
  }

  /// Two pictures, one below the other, with one pixel for each cell. The upper one has the mean colours. The lower one has the
  /// texture in red, and 255 in green where all rows of the cell were added. Texture is twice the root of the mean square.
  private var picture: RGBAImage {
    guard columns > 0, rows > 0 else { return RGBAImage(width: 1, height: 1) }
    let upper = pixels { cell in
      let count = UInt32(self.cell * self.cell / colorStep)
      return (0..<3).map { UInt8((colors[cell * 3 + $0] + count / 2) / count) }
    }
    let pairs = Double(pairs)
    let lower = pixels { cell in
      let root = (4 * Double(texture[cell]) / pairs).squareRoot().rounded()
      return [UInt8(min(root, 255)), 255, 0]
    }
    return RGBAImage(width: max(1, columns), height: max(1, 2 * rows), pixels: upper + lower)
  }

  /// Black where not all rows of a cell were added.
  private func pixels(_ channels: (_ cell: Int) -> [UInt8]) -> [UInt8] {
    (0..<rows).flatMap { row in
      let isWhole = seen[row] == cell / colorStep
      return (0..<columns).flatMap { column in
        (isWhole ? channels(row * columns + column) : [0, 0, 0]) + [255]
      }
    }
  }
}

/// Finds rows and columns that have a single colour across the whole map, although the map on both sides of them is printed:
/// the source lost the content there.
struct BlankSearch: Sendable {
  private let spans: [Range<Int>]
  private let inner: (rows: Range<Int>, columns: Range<Int>)
  private var rowBlanks: [Product.Reference.Blank] = []
  private var run: (first: Int, value: UInt8, isPrintedAbove: Bool)?
  /// How often each inner column changes from one row to the next.
  private var changes: [UInt16]
  private var compared = 0
  private(set) var repeats = RepeatSearch()

  /// A wider blank is a part of the map, such as open water.
  private static let widest = 64
  /// Near an edge, a row may lie in the frame or the collar.
  private static let margin = 64
  /// The row beside a blank has the blank's colour on less than this share.
  private static let share = 0.75
  /// A printed column changes at least once in this many rows. On smooth ground, an intact column may never change beside one
  /// that rarely does.
  private static let rarest = 8
  /// The least number of compared rows. In fewer rows, a printed column changes as rarely as an intact column on smooth ground.
  private static let fewestRows = 128
  private static let sideMargin = 8
  private static let columnStep = 2

  init(_ neatline: Neatline, width: Int, height: Int) {
    let spans = BlankSearch.spans(neatline.ring.map(\.pixel), width: width, height: height)
    self.spans = spans
    inner = BlankSearch.inner(spans)
    changes = [UInt16](repeating: 0, count: inner.columns.count)
  }

  /// Adds the new rows of a band. They follow the rows of the previous band.
  mutating func add(_ band: SheetRows, _ new: Range<Int>) {
    band.indexes.withUnsafeBufferPointer { indexes in
      guard let start = indexes.baseAddress else { return }
      for row in new where row < spans.count {
        let pixels = start + (row - band.range.lowerBound) * band.width
        let above = row > band.range.lowerBound ? pixels - band.width : nil
        look(pixels, above: above, row)
        repeats.add(pixels, inner.columns, isBlank: run != nil || !inner.rows.contains(row), row)
        if let above { countChanges(pixels, above, row) }
      }
    }
  }

  var found: [Product.Reference.Blank] { rowBlanks + columnBlanks }

  private mutating func look(_ pixels: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>?, _ row: Int) {
    let span = spans[row]
    let isBlank = !span.isEmpty && chartpipe_is_even(pixels + span.lowerBound, span.count) != 0
    if let run, !isBlank || pixels[span.lowerBound] != run.value {
      self.run = nil
      if run.isPrintedAbove, row - run.first <= BlankSearch.widest,
        BlankSearch.isPrinted(pixels, span, besides: run.value)
      {
        rowBlanks.append(.init(direction: .row, first: run.first, last: row - 1))
      }
    }
    guard isBlank, run == nil else { return }
    let value = pixels[span.lowerBound]
    let isPrinted = above.map { row > 0 && BlankSearch.isPrinted($0, spans[row - 1], besides: value) }
    run = (row, value, isPrinted ?? false)
  }

  private static func isPrinted(
    _ pixels: UnsafePointer<UInt8>, _ span: Range<Int>, besides value: UInt8
  ) -> Bool {
    let same = chartpipe_count_byte(pixels + span.lowerBound, span.count, value)
    return !span.isEmpty && Double(same) < share * Double(span.count)
  }
}

/// Finds runs of rows that also occur earlier on the sheet. No two printed rows of a map are equal.
struct RepeatSearch: Sendable {
  private var seen: Set<Int> = []
  private var run: Product.Reference.Blank?
  private var runs: [Product.Reference.Blank] = []

  /// On open water, two rows may have the same few lines of the graticule.
  private static let fewestRows = 64
  private static let plain = 0.9

  /// Nil if there are none.
  var found: [Product.Reference.Blank]? {
    let long = (runs + [run].compactMap(\.self)).filter { $0.last - $0.first + 1 >= RepeatSearch.fewestRows }
    return long.isEmpty ? nil : long
  }

  mutating func add(_ pixels: UnsafePointer<UInt8>, _ columns: Range<Int>, isBlank: Bool, _ row: Int) {
    let start = pixels + columns.lowerBound
    guard !isBlank, !columns.isEmpty else { return end() }
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(start: start, count: columns.count))
    if seen.insert(hasher.finalize()).inserted || RepeatSearch.isPlain(start, columns.count) { return end() }
    run = .init(direction: .row, first: run?.first ?? row, last: row)
  }

  private mutating func end() {
    if let run { runs.append(run) }
    run = nil
  }

  private static func isPlain(_ pixels: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let most = [pixels[0], pixels[count / 2]].map { chartpipe_count_byte(pixels, count, $0) }.max() ?? 0
    return Double(most) >= plain * Double(count)
  }
}

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

extension BlankSearch {
  /// For each row of the sheet, the columns from the map's first to its last, without those near an edge. Empty near the map's
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

  /// A rectangle inside the map: the middle rows, and the columns that all of them have.
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

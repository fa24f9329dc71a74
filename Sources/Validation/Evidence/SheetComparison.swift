internal import Foundation
internal import ImageIO

/// The differences between the colours of a chart's tiles and those of its sheet, cell by cell.
struct SheetDifferences {
  let columns: Int
  let rows: Int
  /// Red, green and blue of each cell, tile minus sheet, in 16ths of a level; nil for unknown cells.
  private var differences: [SIMD3<Int32>?]

  static let unit = 16

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    differences = [SIMD3<Int32>?](repeating: nil, count: columns * rows)
  }

  mutating func set(_ column: Int, _ row: Int, _ difference: SIMD3<Int32>) {
    differences[row * columns + column] = difference
  }

  var known: Int { differences.count { $0 != nil } }

  /// The difference that three quarters of neighbouring cells do not exceed, in 16ths of a level: the noise of the format, without
  /// what a larger region has in common.
  var noise: Int {
    var counts = [Int](repeating: 0, count: 256 * SheetDifferences.unit)
    for row in 0..<rows {
      for place in row * columns + 1..<max(row * columns + 1, (row + 1) * columns) {
        guard let own = differences[place], let last = differences[place - 1] else { continue }
        let apart = own &- last
        let most = max(abs(apart.x), abs(apart.y), abs(apart.z))
        counts[min(Int(most), counts.count - 1)] += 1
      }
    }
    return counts.level(exceededByOneIn: 4)
  }

  /// The middle of a rectangle of cells, and the mean difference in it in levels: the largest of the three channels, with its sign.
  typealias Window = (middle: (column: Double, row: Double), difference: Double)

  /// Returns all windows of a size whose mean difference exceeds the limit, and of which at least three quarters are known.
  func windows(_ size: (columns: Int, rows: Int), beyond limit: Double) -> [Window] {
    var found: [Window] = []
    guard size.columns <= columns, size.rows <= rows else { return [] }
    for row in 0...rows - size.rows {
      for column in 0...columns - size.columns {
        let (sum, count) = sum(column, row, size)
        guard count > 0, 4 * count >= 3 * size.columns * size.rows else { continue }
        let most = [sum.x, sum.y, sum.z].max { abs($0) < abs($1) } ?? 0
        let mean = Double(most) / Double(count * SheetDifferences.unit)
        if abs(mean) > limit {
          let middle = (Double(column) + Double(size.columns) / 2, Double(row) + Double(size.rows) / 2)
          found.append((middle, mean))
        }
      }
    }
    return found
  }

  /// The mean difference of all cells, of the channel with the largest.
  var mean: Double {
    let sum = differences.reduce(SIMD3<Int64>()) { $0 &+ SIMD3<Int64>(truncatingIfNeeded: $1 ?? SIMD3()) }
    let most = [sum.x, sum.y, sum.z].max { abs($0) < abs($1) } ?? 0
    return Double(most) / Double(max(1, known) * SheetDifferences.unit)
  }

  /// The sum of the known cells of a rectangle, and how many there are.
  private func sum(
    _ column: Int, _ row: Int, _ size: (columns: Int, rows: Int)
  ) -> (sum: SIMD3<Int64>, count: Int) {
    var (sum, count) = (SIMD3<Int64>(), 0)
    for start in stride(from: row * columns + column, to: (row + size.rows) * columns, by: columns) {
      for case let difference? in differences[start..<start + size.columns] {
        sum &+= SIMD3(truncatingIfNeeded: difference)
        count += 1
      }
    }
    return (sum, count)
  }
}

/// Compares the fine print of the tiles with that of their sheet, cell by cell.
///
/// Resampling removes about the same share of the print everywhere, so a cell is compared with the median of its chart. Only losses
/// count: the sheet's numbers miss some print, since they sample every second pixel of every fourth row.
struct SheetPrint {
  /// The mean square differences in lightness between pixels of the tiles and their neighbours: along the sheet's rows, like the
  /// sheet's number, and eastward and southward together.
  typealias Texture = (along: Double, all: Double)

  /// The middle of a cell with less than its share of print, or of a window of such cells, and the remaining print, relative to the
  /// median of the chart.
  typealias Loss = (column: Double, row: Double, share: Double)

  private let columns: Int
  private let rows: Int
  private let isLeaning: Bool
  private var cells: [Cell?]

  private struct Cell {
    let expected: Double
    /// The texture in both directions.
    let found: Double
    /// The logarithm of the texture along the sheet's rows relative to the expected one.
    let ratio: Double

    init(expected: Double, found: Texture) {
      (self.expected, self.found) = (expected, found.all)
      ratio = SheetPrint.ratio(of: found.along, to: expected)
    }

    var isPrinted: Bool { expected >= SheetPrint.printed }
  }

  /// The mean square difference between two pixels of a printed cell.
  private static let printed = 160.0
  /// The texture that a palette gives to plain colours.
  private static let plain = 4.0
  /// With fewer printed cells the chart has no median.
  private static let leastCells = 20
  /// The least loss of a single cell and of a window, as a logarithm, and the least multiple of the usual deviation. Correct sheets
  /// stay within four fifths of it, real print within a fifth.
  private static let lost = 1.35
  /// The same of a sheet that leans: its upright lines are slanted in the tiles, which keep less of a thin line's contrast.
  private static let lostLeaning = 2.0
  private static let weak = 0.85
  private static let deviations = 5.0
  /// Cells along a side of a window, and the fewest printed cells in it.
  private static let side = 4
  private static let leastInWindow = 8

  private static func ratio(of texture: Double, to expected: Double) -> Double {
    log((texture + plain) / (expected + plain))
  }

  init(columns: Int, rows: Int, isLeaning: Bool = false) {
    (self.columns, self.rows, self.isLeaning) = (columns, rows, isLeaning)
    cells = [Cell?](repeating: nil, count: columns * rows)
  }

  mutating func set(_ column: Int, _ row: Int, expected: Double, found: Texture) {
    cells[row * columns + column] = Cell(expected: expected, found: found)
  }

  /// Cells without their print, and windows in which most of the print is weaker.
  var losses: [Loss] {
    let ratios = cells.compactMap { $0.flatMap { $0.isPrinted ? $0.ratio : nil } }
    guard ratios.count >= SheetPrint.leastCells else { return [] }
    let usual = ratios.median
    let deviation = ratios.map { abs($0 - usual) }.median
    func limit(_ least: Double) -> Double { usual - max(least, SheetPrint.deviations * deviation) }
    let lost = isLeaning ? SheetPrint.lostLeaning : SheetPrint.lost
    return lostCells(below: limit(lost), usual) + weakWindows(below: limit(SheetPrint.weak), usual)
  }

  /// Print at the edge of a cell may move to the next cell in the tiles, and a level line has eastward differences only by chance. So
  /// the cell is compared with the largest texture in any direction, of its neighbours too.
  private func lostCells(below limit: Double, _ usual: Double) -> [Loss] {
    places { column, row in
      guard let cell = cells[row * columns + column], cell.isPrinted,
        let most = most(around: column, row)
      else { return nil }
      let ratio = SheetPrint.ratio(of: most, to: cell.expected)
      guard ratio < limit else { return nil }
      return (Double(column) + 0.5, Double(row) + 0.5, exp(ratio - usual))
    }
  }

  /// Returns the largest texture of a cell and its eight neighbours; nil if not all are known.
  private func most(around column: Int, _ row: Int) -> Double? {
    guard column > 0, column + 1 < columns, row > 0, row + 1 < rows else { return nil }
    var most = 0.0
    for row in row - 1...row + 1 {
      for place in row * columns + column - 1...row * columns + column + 1 {
        guard let cell = cells[place] else { return nil }
        most = max(most, cell.found)
      }
    }
    return most
  }

  /// Returns windows in which at least three quarters of the printed cells are below the limit.
  private func weakWindows(below limit: Double, _ usual: Double) -> [Loss] {
    guard columns >= SheetPrint.side, rows >= SheetPrint.side else { return [] }
    return places { column, row in
      guard column + SheetPrint.side <= columns, row + SheetPrint.side <= rows else { return nil }
      var (sum, count, strong) = (0.0, 0, 0)
      for row in row..<row + SheetPrint.side {
        for place in row * columns + column..<row * columns + column + SheetPrint.side {
          guard let cell = cells[place], cell.isPrinted else { continue }
          sum += cell.ratio
          count += 1
          strong += cell.ratio < limit ? 0 : 1
        }
      }
      guard count >= SheetPrint.leastInWindow, strong <= count / 4 else { return nil }
      let half = Double(SheetPrint.side) / 2
      return (Double(column) + half, Double(row) + half, exp(sum / Double(count) - usual))
    }
  }

  private func places(_ loss: (_ column: Int, _ row: Int) -> Loss?) -> [Loss] {
    (0..<rows).flatMap { row in (0..<columns).compactMap { loss($0, row) } }
  }
}

/// The sums of the pixels of all tiles of the largest zoom, by cell of their sheet.
struct SheetSums {
  private let columns: Int
  private let rows: Int
  private var cells: [Cell]

  private struct Cell {
    /// Red, green, blue and alpha.
    var channels = SIMD4<Int64>()
    var count: Int64 = 0
    var east: Int64 = 0
    var south: Int64 = 0
    var pairs: Int64 = 0
  }

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = [Cell](repeating: Cell(), count: columns * rows)
  }

  mutating func add(_ sum: SheetCells.Sum) {
    guard (0..<columns).contains(sum.column), (0..<rows).contains(sum.row) else { return }
    let place = sum.row * columns + sum.column
    cells[place].channels &+= SIMD4(Int64(sum.red), Int64(sum.green), Int64(sum.blue), Int64(sum.alpha))
    cells[place].count += Int64(sum.count)
    cells[place].east += Int64(sum.east)
    cells[place].south += Int64(sum.south)
    cells[place].pairs += Int64(sum.pairs)
  }

  /// The number of pixels of a cell.
  func count(_ place: Int) -> Int { Int(cells[place].count) }

  func isHole(_ place: Int) -> Bool { cells[place].channels.w < 250 * cells[place].count }

  /// Returns the difference between a cell's mean colour and another colour, in fractions of a level.
  func difference(_ place: Int, from color: (red: Int, green: Int, blue: Int), unit: Int) -> SIMD3<Int32> {
    let cell = cells[place]
    func channel(_ sum: Int64, _ expected: Int) -> Int32 {
      Int32(Int64(unit) * sum / cell.count) - Int32(unit * expected)
    }
    return SIMD3(
      channel(cell.channels.x, color.red), channel(cell.channels.y, color.green),
      channel(cell.channels.z, color.blue))
  }

  /// Returns the mean square differences in lightness in a cell; nil without any pixels.
  ///
  /// - Parameter isLeaning: whether the sheet's rows are not those of the tiles, so that all directions count.
  func texture(_ place: Int, isLeaning: Bool) -> SheetPrint.Texture? {
    let cell = cells[place]
    guard cell.pairs > 0 else { return nil }
    let pairs = Double(cell.pairs)
    let (east, south) = (Double(cell.east) / pairs, Double(cell.south) / pairs)
    return (isLeaning ? east + south : east, east + south)
  }
}

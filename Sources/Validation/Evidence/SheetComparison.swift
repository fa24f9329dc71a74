internal import Foundation
internal import ImageIO

/// Compares the fine print of the tiles with that of their sheet, cell by cell.
///
/// Resampling removes about the same share of the print everywhere, so a cell is compared with the median of its chart. Only losses
/// count: the sheet's numbers miss some print, since they sample every second pixel of every fourth row.
struct SheetPrint {
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

    init(expected: Double, found: SheetSums.Texture) {
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

  mutating func set(_ column: Int, _ row: Int, expected: Double, found: SheetSums.Texture) {
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

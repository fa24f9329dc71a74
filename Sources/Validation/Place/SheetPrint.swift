internal import Foundation

/// Compares the fine print of the tiles with that of their sheet, cell by cell.
///
/// Resampling takes some of the print, and about the same share of it everywhere. So a cell is compared with what is usual in its
/// chart. Only losses count: the sheet's own numbers miss some print, since they have every second pixel of every fourth row.
struct SheetPrint {
  /// The mean squares of the differences in lightness between pixels of the tiles and their neighbours: eastward as the sheet's own
  /// number, and eastward and southward together.
  struct Texture {
    let east: Double
    let all: Double
  }

  /// A cell with less than its share of print, or a window of such cells.
  struct Loss {
    let column: Double
    let row: Double
    /// What is left, compared with what is usual in the chart.
    let share: Double
  }

  private let columns: Int
  private let rows: Int
  private var cells: [Cell?]

  private struct Cell {
    let expected: Double
    /// In any direction.
    let found: Double
    /// Eastward, of what is expected, as a logarithm.
    let ratio: Double

    init(expected: Double, found: Texture) {
      (self.expected, self.found) = (expected, found.all)
      ratio = SheetPrint.ratio(of: found.east, to: expected)
    }

    var isPrinted: Bool { expected >= SheetPrint.printed }
  }

  /// The mean square of the difference between two pixels in a cell that has print.
  private static let printed = 160.0
  /// What a palette does to plain colours.
  private static let plain = 4.0
  /// With fewer printed cells in the chart, nothing is usual.
  private static let leastCells = 20
  /// As a logarithm, how much less than usual is a loss: at least, in a single cell and in a window, and as many times the usual
  /// deviation. Right sheets stay within four fifths of it, real print within a fifth.
  private static let lost = 1.35
  private static let weak = 0.85
  private static let deviations = 5.0
  /// Cells along a side of a window, and how many of them have print.
  private static let side = 4
  private static let leastInWindow = 8

  private static func ratio(of texture: Double, to expected: Double) -> Double {
    log((texture + plain) / (expected + plain))
  }

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = [Cell?](repeating: nil, count: columns * rows)
  }

  mutating func set(_ column: Int, _ row: Int, expected: Double, found: Texture) {
    cells[row * columns + column] = Cell(expected: expected, found: found)
  }

  /// Cells that have lost their print, and windows in which most of the print is weaker.
  var losses: [Loss] {
    let ratios = cells.compactMap { $0.flatMap { $0.isPrinted ? $0.ratio : nil } }
    guard ratios.count >= SheetPrint.leastCells else { return [] }
    let usual = ratios.median
    let deviation = ratios.map { abs($0 - usual) }.median
    func limit(_ least: Double) -> Double { usual - max(least, SheetPrint.deviations * deviation) }
    return lostCells(below: limit(SheetPrint.lost), usual) + weakWindows(below: limit(SheetPrint.weak), usual)
  }

  /// Print at the edge of a cell may lie in the next cell of the tiles, and a level line has eastward differences by chance. So
  /// the sheet's cell is compared with the most that there is in any direction in its neighbours too.
  private func lostCells(below limit: Double, _ usual: Double) -> [Loss] {
    places { column, row in
      guard let cell = cells[row * columns + column], cell.isPrinted,
        let most = most(around: column, row)
      else { return nil }
      let ratio = SheetPrint.ratio(of: most, to: cell.expected)
      guard ratio < limit else { return nil }
      return Loss(column: Double(column) + 0.5, row: Double(row) + 0.5, share: exp(ratio - usual))
    }
  }

  /// Of a cell and its eight neighbours; nil where not all are known.
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

  /// Windows in which three quarters of the printed cells or more are weaker than they may be.
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
      return Loss(
        column: Double(column) + half, row: Double(row) + half, share: exp(sum / Double(count) - usual))
    }
  }

  private func places(_ loss: (_ column: Int, _ row: Int) -> Loss?) -> [Loss] {
    (0..<rows).flatMap { row in (0..<columns).compactMap { loss($0, row) } }
  }
}

/// Compares the coarse pictures of a sheet and of its last edition, square by square. A new edition moves a few symbols; an area that
/// was lost or exchanged shows another pattern.
struct EditionComparison {
  /// The squares that could be compared, and the first cells of those that show something else.
  private(set) var compared = 0
  private(set) var unlike: [(column: Int, row: Int)] = []

  /// Cells along a side of a square, and from one to the next.
  static let side = 8
  private static let step = 4
  /// The standard deviation of the lightness of cells, of 255, with which a square has a pattern in either edition.
  private static let leastContrast = 4.0
  /// The correlation below which a square shows something else.
  private static let leastCorrelation = 0.3

  init(_ now: SheetReference, _ before: SheetReference, within neatline: MercatorNeatline) {
    let inside = now.cells(within: neatline)
    let pairs = inside.indices.map { cell -> (now: Double, before: Double)? in
      let (column, row) = (cell % now.columns, cell / now.columns)
      guard inside[cell], now.isKnown(column, row), let old = now.cell(column, row, on: before),
        before.isKnown(old.column, old.row)
      else { return nil }
      return (now.lightness(column, row), before.lightness(old.column, old.row))
    }
    for row in stride(from: 0, through: now.rows - EditionComparison.side, by: EditionComparison.step) {
      for column in stride(from: 0, through: now.columns - EditionComparison.side, by: EditionComparison.step)
      {
        let square = (row..<row + EditionComparison.side).flatMap { row in
          pairs[row * now.columns + column..<row * now.columns + column + EditionComparison.side].compactMap(
            \.self)
        }
        guard square.count == EditionComparison.side * EditionComparison.side,
          let correlation = EditionComparison.correlation(square)
        else { continue }
        compared += 1
        if correlation < EditionComparison.leastCorrelation { unlike.append((column, row)) }
      }
    }
  }

  /// Nil without a pattern; 0 where only one edition has one.
  private static func correlation(_ pairs: [(now: Double, before: Double)]) -> Double? {
    let (now, before) = (pairs.map(\.now), pairs.map(\.before))
    let (spread, old) = (now.spread, before.spread)
    guard max(spread, old) >= leastContrast else { return nil }
    guard min(spread, old) > 0 else { return 0 }
    let (mean, oldMean) = (now.mean, before.mean)
    let sum = pairs.reduce(0) { $0 + ($1.now - mean) * ($1.before - oldMean) }
    return sum / (Double(pairs.count) * spread * old)
  }
}

extension SheetReference {
  fileprivate func lightness(_ column: Int, _ row: Int) -> Double {
    let (red, green, blue) = color(column, row)
    return Double(2 * red + 5 * green + blue) / 8
  }
}

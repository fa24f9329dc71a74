import Testing

@testable import ChartpipeKit

/// Charts of 20 x 20 cells, of which every second one has print.
@Suite("Fine print of tiles compared with the sheet")
struct SheetPrintTests {
  private static let side = 20

  /// - Parameter share: the share of the usual print in a cell of the tiles.
  private static func chart(
    isPrinted: (_ column: Int, _ row: Int) -> Bool = { column, row in (column + row).isMultiple(of: 2) },
    isLeaning: Bool = false, share: (_ column: Int, _ row: Int) -> Double
  ) -> SheetPrint {
    var chart = SheetPrint(columns: side, rows: side, isLeaning: isLeaning)
    for row in 0..<side {
      for column in 0..<side {
        let expected = isPrinted(column, row) ? 900.0 : 0
        let found = expected * 0.4 * share(column, row)
        chart.set(column, row, expected: expected, found: (found, 1.6 * found))
      }
    }
    return chart
  }

  private static func isInTile(_ column: Int, _ row: Int) -> Bool {
    (6..<12).contains(column) && (8..<14).contains(row)
  }

  @Test(arguments: [0.05, 1, 3]) func `accepts an even share of print`(share: Double) {
    #expect(Self.chart { _, _ in share }.losses.isEmpty)
  }

  @Test(arguments: [(1, 40), (40, 1)]) func `compares one column or row`(columns: Int, rows: Int) {
    var chart = SheetPrint(columns: columns, rows: rows)
    for row in 0..<rows {
      for column in 0..<columns { chart.set(column, row, expected: 900, found: (360, 576)) }
    }
    #expect(chart.losses.isEmpty)
  }

  @Test func `accepts shares that differ by half`() {
    #expect(Self.chart { column, row in (column * 7 + row * 3) % 5 < 2 ? 0.6 : 1.2 }.losses.isEmpty)
  }

  @Test(arguments: [0, 0.1, 0.28]) func `finds one tile with less than a third`(share: Double) {
    let losses = Self.chart { Self.isInTile($0, $1) ? share : 1 }.losses
    #expect(!losses.isEmpty)
    #expect(losses.allSatisfy { (6...12).contains($0.column) && (8...14).contains($0.row) })
  }

  @Test func `finds a single lost word on a plain map`() throws {
    let losses = Self.chart(isPrinted: { column, row in row == 2 || (column, row) == (9, 10) }) { _, row in
      row == 10 ? 0 : 1
    }.losses
    let loss = try #require(losses.first)
    #expect(losses.count == 1 && loss.column == 9.5 && loss.row == 10.5 && loss.share < 0.05)
  }

  @Test(arguments: [(0.2, 0), (0.05, 1)])
  func `accepts a weak line, but no lost word on a sheet that leans`(share: Double, count: Int) {
    let losses = Self.chart(
      isPrinted: { column, row in row == 2 || (column, row) == (9, 10) }, isLeaning: true
    ) {
      $1 == 10 ? share : 1
    }.losses
    #expect(losses.count == count)
  }

  @Test func `accepts print that moved to the next cell`() {
    let chart = Self.chart(isPrinted: { column, row in row == 2 || row == 10 || row == 11 }) { _, row in
      row == 11 ? 0 : 1
    }
    #expect(chart.losses.isEmpty)
  }

  @Test func `finds no loss in a chart with hardly any print`() {
    let losses = Self.chart(isPrinted: { column, row in row == 3 && column < 15 }) { column, _ in
      column < 4 ? 0 : 1
    }.losses
    #expect(losses.isEmpty)
  }
}

internal import CPixels

/// Where an image lies on the cells of a sheet. Between its corners all is linear.
public struct SheetCells: Sendable, Equatable {
  /// In cells: north-west, north-east, south-west and south-east, column and row of each.
  private let corners: [Int32]
  private let box: chartpipe_cell_box

  /// Nil for places that no sheet has.
  public init?(corners: [(column: Double, row: Double)]) {
    let numbers = corners.flatMap { [$0.column, $0.row] }
    guard corners.count == 4, numbers.allSatisfy({ abs($0) < 16_384 }) else { return nil }
    self.corners = numbers.map { Int32(($0 * 65_536).rounded()) }
    let columns = SheetCells.span(corners.map(\.column))
    let rows = SheetCells.span(corners.map(\.row))
    guard columns.count * rows.count <= SheetCells.limit else { return nil }
    box = chartpipe_cell_box(
      column: Int32(columns.lowerBound), row: Int32(rows.lowerBound), columns: Int32(columns.count),
      rows: Int32(rows.count))
  }

  private static let limit = 1 << 20

  private static func span(_ places: [Double]) -> ClosedRange<Int> {
    let (least, most) = (places.min() ?? 0, places.max() ?? 0)
    return Int(least.rounded(.down))...Int(most.rounded(.down))
  }

  public static func == (left: SheetCells, right: SheetCells) -> Bool { left.corners == right.corners }

  /// What an image shows of a cell: sums over its pixels there.
  public struct Sum: Sendable, Equatable {
    public let column: Int
    public let row: Int
    /// As they look over black.
    public let red: Int
    public let green: Int
    public let blue: Int
    public let alpha: Int
    public let count: Int
    /// The squared differences in lightness between pixels and their eastern and southern neighbours.
    public let east: Int
    public let south: Int
    /// The number of pixels in these two sums.
    public let pairs: Int
  }

  /// - Parameter palette: nil where the image is RGBA and has no indexes.
  func sums(
    _ image: UnsafePointer<UInt8>?, palette: UnsafePointer<UInt8>?, width: Int, height: Int
  ) -> [Sum] {
    let count = Int(box.columns) * Int(box.rows)
    var sums = [UInt64](repeating: 0, count: count * 8)
    chartpipe_sum_cells(image, palette, width, height, corners, box, &sums)
    return (0..<count).compactMap { cell in
      let sum = sums[cell * 8..<cell * 8 + 8].map { Int($0) }
      guard sum[4] > 0 else { return nil }
      return Sum(
        column: Int(box.column) + cell % Int(box.columns), row: Int(box.row) + cell / Int(box.columns),
        red: sum[0], green: sum[1], blue: sum[2], alpha: sum[3], count: sum[4], east: sum[5], south: sum[6],
        pairs: sum[7])
    }
  }
}

internal import Core
internal import RasterIO

/// The sheet positions of the corners of a block's cells. Positions between corners are bilinear, which is accurate to a
/// hundredth of a pixel over such a small cell. In reference systems that may bend more, cells are made small enough.
struct BlockLattice {
  let cellBits: Int
  /// In 65536ths of a sheet pixel; nil where a corner has no position.
  private let corners: [(column: Int, row: Int)?]
  /// From the least to the greatest, in the same unit.
  let columns: ClosedRange<Int>
  let rows: ClosedRange<Int>

  static let one = 1 << 16
  /// In pixels. A corner farther than this from the others lies beyond a seam of the projection.
  private static let seam = 4096
  /// Two pixels, the smallest cell.
  private static let leastBits = 1

  var cells: Int { TileID.blockSide >> cellBits }

  /// Nil if no corner has a position on the sheet.
  ///
  /// - Parameter turn: one of the turns of the sheet's form.
  init?(_ block: TileID, _ positions: SheetPositions, scale: Int, turn: Int = 0) {
    // A cell spans at most 64 pixels of the sheet, and a large sheet hardly bends over so few.
    var corners = BlockCorners(
      block, positions, cellBits: scale <= 2 * RowScales.unit ? 5 : 4, turn: turn)
    if !positions.sheet.form.isNearlyStraight {
      guard corners.mayTouch(positions.sheet) else { return nil }
      while corners.cellBits > BlockLattice.leastBits {
        let finer = BlockCorners(block, positions, cellBits: corners.cellBits - 1, turn: turn)
        if corners.areStraight(between: finer) { break }
        corners = finer
      }
      corners.removeTears(scale: scale)
    }
    cellBits = corners.cellBits
    let exact = corners.points
    guard let anchor = exact.first(where: { $0.isOnAnySheet }) else { return nil }
    self.corners = exact.map { corner in
      guard corner.isOnAnySheet, abs(corner.column - anchor.column) < Double(BlockLattice.seam),
        abs(corner.row - anchor.row) < Double(BlockLattice.seam)
      else { return nil }
      return (
        Int((corner.column * Double(BlockLattice.one)).rounded()),
        Int((corner.row * Double(BlockLattice.one)).rounded())
      )
    }
    let present = self.corners.compactMap { $0 }
    guard let west = present.map(\.column).min(), let east = present.map(\.column).max(),
      let north = present.map(\.row).min(), let south = present.map(\.row).max()
    else { return nil }
    columns = west...east
    rows = north...south
  }

  /// All pixels that a kernel of this many taps can touch. Some may lie beyond the sheet.
  func window(taps: Int) -> PixelWindow {
    let (before, after) = (taps / 2, taps / 2 + 1)
    let left = BlockLattice.pixel(columns.lowerBound) - before
    let top = BlockLattice.pixel(rows.lowerBound) - before
    return PixelWindow(
      column: left, row: top, width: BlockLattice.pixel(columns.upperBound) + after + 1 - left,
      height: BlockLattice.pixel(rows.upperBound) + after + 1 - top)
  }

  /// For the kernel: the position in the window of the first tap for a pixel at each corner.
  func firstTaps(in window: PixelWindow, taps: Int) -> [Int32] {
    let shift = BlockLattice.one / 2 + (taps / 2 - 1) * BlockLattice.one
    return corners.flatMap { corner -> [Int32] in
      // The least number lies in no window.
      guard let corner else { return [.min, .min] }
      return [
        Int32(clamping: corner.column - window.column * BlockLattice.one - shift),
        Int32(clamping: corner.row - window.row * BlockLattice.one - shift),
      ]
    }
  }

  /// The pixel whose centre is at or before a position.
  private static func pixel(_ position: Int) -> Int { (position - one / 2) >> 16 }
}

/// The exact positions of the corners of a block's cells.
private struct BlockCorners {
  let cellBits: Int
  /// Row by row.
  private(set) var points: [PixelPoint]

  /// In pixels of the sheet.
  private static let tolerance = 0.03

  private var across: Int { (TileID.blockSide >> cellBits) + 1 }

  init(_ block: TileID, _ positions: SheetPositions, cellBits: Int, turn: Int) {
    self.cellBits = cellBits
    points = positions.corners(
      zoom: block.zoom, column: block.column * TileID.blockSide, row: block.row * TileID.blockSide,
      step: 1 << cellBits, steps: TileID.blockSide >> cellBits, turn: turn)
  }

  /// False if all corners lie beyond the same edge of the sheet, with room for what bends between them.
  func mayTouch(_ sheet: ChartSheet) -> Bool {
    let slack = Double(TileID.blockSide)
    let known = points.filter(\.isOnAnySheet)
    guard known.count == points.count else { return !known.isEmpty }
    return known.contains { $0.column > -slack } && known.contains { $0.column < Double(sheet.width) + slack }
      && known.contains { $0.row > -slack } && known.contains { $0.row < Double(sheet.height) + slack }
  }

  /// Whether positions that are linear between these corners are those of cells of half the size.
  func areStraight(between finer: BlockCorners) -> Bool {
    (0..<finer.across).allSatisfy { row in
      (0..<finer.across).allSatisfy { column in
        guard row % 2 + column % 2 > 0 else { return true }
        let exact = finer.points[row * finer.across + column]
        let (top, left) = (row / 2, column / 2)
        let (bottom, right) = (top + row % 2, left + column % 2)
        let mean = point(top, left).halfway(to: point(bottom, right))
        let other = point(top, right).halfway(to: point(bottom, left))
        let distance = exact.distance(to: mean.halfway(to: other))
        return distance <= BlockCorners.tolerance || (!exact.isOnAnySheet && !mean.isOnAnySheet)
      }
    }
  }

  /// Removes neighbours that are too far apart to be neighbours on the earth: a seam of the projection is between them.
  mutating func removeTears(scale: Int) {
    let limit = Double(4 * (scale << cellBits) / RowScales.unit + 8)
    let all = points
    func separate(_ one: Int, _ other: Int) {
      guard all[one].distance(to: all[other]) > limit else { return }
      points[one] = .nowhere
      points[other] = .nowhere
    }
    for row in 0..<across {
      for column in 0..<across {
        let index = row * across + column
        if column + 1 < across { separate(index, index + 1) }
        if row + 1 < across { separate(index, index + across) }
      }
    }
  }

  private func point(_ row: Int, _ column: Int) -> PixelPoint { points[row * across + column] }
}

extension PixelPoint {
  fileprivate static let nowhere = PixelPoint(column: .nan, row: .nan)

  /// Whether the coordinates are small enough to compute with.
  fileprivate var isOnAnySheet: Bool { abs(column) < 1e9 && abs(row) < 1e9 }
}

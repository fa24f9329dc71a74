internal import Core
internal import Foundation
internal import RasterIO

/// The sheet positions of the corners of a block's cells. Positions between corners are bilinear, which is accurate to a
/// hundredth of a pixel over such a small cell.
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

  var cells: Int { WarpBlock.side >> cellBits }

  /// Nil if no corner has a position on the sheet.
  init?(_ block: WarpBlock, _ positions: SheetPositions, scale: Int) {
    // A cell spans at most 64 pixels of the sheet, and a large sheet hardly bends over so few.
    cellBits = scale <= 2 * RowScales.unit ? 5 : 4
    let side = WarpBlock.side
    let exact = positions.corners(
      zoom: block.id.zoom, column: block.id.column * side, row: block.id.row * side, step: 1 << cellBits,
      steps: side >> cellBits)
    guard let anchor = exact.first(where: { $0.isOnAnySheet }) else { return nil }
    corners = exact.map { corner in
      guard corner.isOnAnySheet, abs(corner.column - anchor.column) < Double(BlockLattice.seam),
        abs(corner.row - anchor.row) < Double(BlockLattice.seam)
      else { return nil }
      return (
        Int((corner.column * Double(BlockLattice.one)).rounded()),
        Int((corner.row * Double(BlockLattice.one)).rounded())
      )
    }
    let present = corners.compactMap { $0 }
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

extension PixelPoint {
  /// Whether the coordinates are small enough to compute with.
  fileprivate var isOnAnySheet: Bool { abs(column) < 1e9 && abs(row) < 1e9 }
}

/// Computes the sheet positions of Web Mercator points.
final class SheetPositions {
  private let placing: GeoTransform
  private let toSheet: CoordinateTransform

  init(_ sheet: ChartSheet) throws {
    placing = sheet.placing
    toSheet = try CoordinateTransform(
      from: try SpatialReference(epsg: 3857), to: try SpatialReference(wkt: sheet.projection))
  }

  /// The corners of cells of pixels, row by row. Pixels are numbered from the world's north-western corner. NaN where a corner
  /// has no position on the sheet.
  func corners(zoom: Int, column: Int, row: Int, step: Int, steps: Int) -> [PixelPoint] {
    let pixel = WarpBlock.resolution(zoom: zoom)
    var (x, y): ([Double], [Double]) = ([], [])
    for down in 0...steps {
      for across in 0...steps {
        x.append(-WebMercator.halfWorld + Double(column + across * step) * pixel)
        y.append(WebMercator.halfWorld - Double(row + down * step) * pixel)
      }
    }
    toSheet(x: &x, y: &y)
    return zip(x, y).map {
      let pixel = placing.pixel(x: $0, y: $1)
      return PixelPoint(column: pixel.column, row: pixel.row)
    }
  }

  /// The number of sheet pixels for one Web Mercator pixel, near a pixel of a zoom; nil beside the sheet.
  func scale(zoom: Int, column: Int, row: Int) -> Double? {
    let reach = 4
    let corners = corners(zoom: zoom, column: column - reach, row: row - reach, step: 2 * reach, steps: 1)
    let across = PixelPoint(
      column: corners[1].column - corners[0].column, row: corners[1].row - corners[0].row)
    let down = PixelPoint(column: corners[2].column - corners[0].column, row: corners[2].row - corners[0].row)
    let area = abs(across.column * down.row - across.row * down.column)
    return area.isFinite ? area.squareRoot() / Double(2 * reach) : nil
  }
}

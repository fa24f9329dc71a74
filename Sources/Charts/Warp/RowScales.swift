internal import Core

/// How far the kernel is widened, in pixels of the sheet for one of Web Mercator and never less than one.
///
/// Both projections are conformal, so it is the same across and down and hangs on the latitude alone. It is taken once
/// for each row of blocks: what is made in one go, and by whom, then changes no pixel.
struct RowScales: Sendable {
  /// Steps for a whole pixel: scales are rounded, so that PROJ's last digits have no say.
  static let unit = 64

  private let first: Int
  private let scales: [Int]

  /// The rows of blocks that some boxes touch, measured along the middle of the first.
  init(_ positions: SheetPositions, zoom: Int, covering boxes: [GeoBox]) {
    let ranges = boxes.map { TileRange(zoom: zoom, covering: $0) }
    let rows = (ranges.map(\.rows.lowerBound).min() ?? 0)...(ranges.map(\.rows.upperBound).max() ?? 0)
    let middle = boxes.first.map { TileID(zoom: zoom, containing: $0.center).column } ?? 0
    first = rows.lowerBound
    scales = rows.map { row in
      let scale = positions.scale(
        zoom: zoom, column: middle * WarpBlock.side + WarpBlock.side / 2,
        row: row * WarpBlock.side + WarpBlock.side / 2)
      let rounded = ((scale ?? 1) * Double(RowScales.unit)).rounded()
      return Int(min(max(rounded, Double(RowScales.unit)), Double(1 << 20)))
    }
  }

  /// In `unit`s.
  subscript(row: Int) -> Int { scales[min(max(row - first, 0), scales.count - 1)] }

  var largest: Int { scales.max() ?? RowScales.unit }
}

internal import Core

/// Tells which rows of a sheet tiles are made from.
struct SourceNeeds {
  let positions: SheetPositions
  let sheet: ChartSheet
  let blockZoom: Int
  /// The widest kernel's, in `RowScales.unit`s.
  let scale: Int

  /// From the first to the last row that one of the tiles needs.
  func rows(under tiles: [TileID]) -> Range<Int> {
    let all = tiles.compactMap(rows)
    guard let first = all.map(\.lowerBound).min(), let last = all.map(\.upperBound).max() else {
      return 0..<0
    }
    return first..<last
  }

  /// Nil for a tile that lies beside the sheet.
  private func rows(under tile: TileID) -> Range<Int>? {
    let blocks = 1 << (blockZoom - tile.zoom)
    let corners = positions.corners(
      zoom: blockZoom, column: tile.column * blocks * WarpBlock.side, row: tile.row * blocks * WarpBlock.side,
      step: WarpBlock.side, steps: blocks)
    let present = corners.filter { abs($0.column) < 1e9 && abs($0.row) < 1e9 }
    guard let top = present.map(\.row).min(), let bottom = present.map(\.row).max(),
      let left = present.map(\.column).min(), let right = present.map(\.column).max()
    else { return nil }
    let slack = slack + (present.count < corners.count ? WarpBlock.side * scale / RowScales.unit : 0)
    guard Int(right) + slack > 0, Int(left) - slack < sheet.width else { return nil }
    let rows = (Int(top) - slack..<Int(bottom) + slack).clamped(to: 0..<sheet.height)
    return rows.isEmpty ? nil : rows
  }

  /// The kernel's reach, and what the edge of a block may bow out between its corners: a few pixels at most.
  private var slack: Int { 3 * scale / RowScales.unit + 24 }
}

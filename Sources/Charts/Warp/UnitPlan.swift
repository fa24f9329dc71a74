internal import Core

/// The subtrees of the pyramid to render, their order, and the rows of the sheet that each needs.
struct UnitPlan: Sendable {
  /// Units side by side, from west to east.
  struct Row: Sendable {
    let units: [TileID]
    let sourceRows: Range<Int>
  }

  let minZoom: Int
  let maxZoom: Int
  /// The zoom that is warped: the largest, or a deeper one if a kernel for the largest would span hundreds of sheet pixels. All
  /// other zooms are averages of their children.
  let deepest: Int
  let tileSize: Int
  let scales: RowScales
  /// From north to south.
  let rows: [Row]
  /// A few tiles of the deepest zoom from all over the chart, for the choice of a palette.
  let survey: [Row]
  /// The tiles that the chart touches, by zoom. The kernel's faint last pixel may reach beyond them.
  private let ranges: [[TileRange]]

  /// Four tiles on a side at the deepest zoom: enough work for one unit, and few enough that a row of units does not need a
  /// large part of the sheet.
  private static let depth = 2
  /// Pixels of the sheet for one of the deepest zoom, at most.
  private static let coarsest = 4
  private static let zoomLimit = 24
  /// The decoded rows that a row of units should not exceed. Three such rows are in memory at a time. The largest chart needs a
  /// tenth of this.
  private static let rowBytesLimit = 256 << 20

  /// - Parameter windows: boxes that contain the chart and do not cross 180 degrees.
  init(_ settings: TileSettings, covering windows: [GeoBox], on sheet: ChartSheet) throws {
    let positions = try SheetPositions(sheet)
    var deepest = max(settings.maxZoom, sheet.form.leastZoom)
    var scales = RowScales(positions, zoom: settings.blockZoom(deepest), covering: windows)
    while scales.largest > UnitPlan.coarsest * RowScales.unit, deepest < UnitPlan.zoomLimit {
      deepest += 1
      scales = RowScales(positions, zoom: settings.blockZoom(deepest), covering: windows)
    }
    minZoom = settings.minZoom
    maxZoom = settings.maxZoom
    tileSize = settings.size
    self.deepest = deepest
    self.scales = scales
    ranges = (0...deepest).map { zoom in windows.map { TileRange(zoom: zoom, covering: $0) } }
    let row = { [blockZoom = settings.blockZoom(deepest), scale = scales.largest] (tiles: [TileID]) in
      Row(units: tiles, sourceRows: positions.rows(under: tiles, blockZoom: blockZoom, scale: scale))
    }
    rows = UnitPlan.units(settings, ranges, deepest: deepest, rowBytes: sheet.rowBytes, row)
    survey = UnitPlan.sample(of: ranges[deepest]).map(row)
  }

  /// The largest units whose rows of the sheet fit into the memory for one row of units.
  private static func units(
    _ settings: TileSettings, _ ranges: [[TileRange]], deepest: Int, rowBytes: Int,
    _ row: ([TileID]) -> Row
  ) -> [Row] {
    var rows: [Row] = []
    for depth in (0...UnitPlan.depth).reversed() {
      rows = self.rows(of: ranges[max(settings.minZoom, deepest - depth)]).map(row)
      let most = rows.map(\.sourceRows.count).max() ?? 0
      if most * rowBytes <= UnitPlan.rowBytesLimit { break }
    }
    return rows
  }

  func contains(_ tile: TileID) -> Bool { ranges[tile.zoom].contains { $0.contains(tile) } }

  /// Tiles of the deepest zoom.
  var leafCount: Int { ranges[deepest].map(\.count).reduce(0, +) }

  private static func rows(of ranges: [TileRange]) -> [[TileID]] {
    let tiles = Set(
      ranges.flatMap { range in
        range.rows.flatMap { row in
          range.columns.map { TileID(zoom: range.zoom, column: $0, row: row) }
        }
      })
    return Dictionary(grouping: tiles, by: \.row).sorted { $0.key < $1.key }
      .map { $0.value.sorted { $0.column < $1.column } }
  }

  /// About 3 % of a large chart, and all of a small one.
  private static func sample(of ranges: [TileRange]) -> [[TileID]] {
    let sampledRows = 6
    let tiles = max(8, ranges.map(\.count).reduce(0, +) * 3 / 100 / sampledRows)
    return spread(sampledRows, over: rows(of: ranges)).enumerated().map { number, row in
      // Rows start at different tiles, so that columns do not repeat.
      spread(tiles, over: row.count > tiles ? Array(row.dropFirst(number % 3)) : row)
    }
  }

  /// Returns `count` evenly spaced elements, away from both ends, or all if there are no more.
  private static func spread<Element>(_ count: Int, over all: [Element]) -> [Element] {
    guard all.count > count else { return all }
    return (0..<count).map { all[(2 * $0 + 1) * all.count / (2 * count)] }
  }
}

extension TileSettings {
  /// The zoom of the 256-pixel blocks: one deeper for tiles of 512 pixels.
  func blockZoom(_ zoom: Int) -> Int { size == 2 * TileID.blockSide ? zoom + 1 : zoom }
}

extension SheetPositions {
  /// From the first to the last row that one of the tiles needs.
  ///
  /// - Parameter scale: of the widest kernel, in `RowScales.unit`s.
  func rows(under tiles: [TileID], blockZoom: Int, scale: Int) -> Range<Int> {
    tiles.flatMap { rows(under: $0, blockZoom: blockZoom, scale: scale) }.hull ?? 0..<0
  }

  /// For each turn. None for a tile beside the sheet.
  private func rows(under tile: TileID, blockZoom: Int, scale: Int) -> [Range<Int>] {
    let blocks = 1 << (blockZoom - tile.zoom)
    let steps = sheet.form.isNearlyStraight ? blocks : blocks * SheetPositions.steps
    return sheet.form.turns.compactMap { turn in
      rows(
        corners(
          zoom: blockZoom, column: tile.column * blocks * TileID.blockSide,
          row: tile.row * blocks * TileID.blockSide, step: blocks * TileID.blockSide / steps, steps: steps,
          turn: turn
        ), scale: scale)
    }
  }

  private func rows(_ corners: [PixelPoint], scale: Int) -> Range<Int>? {
    let present = corners.filter { abs($0.column) < 1e9 && abs($0.row) < 1e9 }
    guard let top = present.map(\.row).min(), let bottom = present.map(\.row).max(),
      let left = present.map(\.column).min(), let right = present.map(\.column).max()
    else { return nil }
    // The kernel's reach, and a few pixels by which the edge of a block may bow between its corners.
    let reach = 3 * scale / RowScales.unit + 24
    let slack = reach + (present.count < corners.count ? TileID.blockSide * scale / RowScales.unit : 0)
    guard Int(right) + slack > 0, Int(left) - slack < sheet.width else { return nil }
    let rows = (Int(top) - slack..<Int(bottom) + slack).clamped(to: 0..<sheet.height)
    return rows.isEmpty ? nil : rows
  }

  /// Along each side of a block, for a reference system that may bend.
  private static let steps = 8
}

extension [Range<Int>] {
  /// From the first to the last; nil without any.
  fileprivate var hull: Range<Int>? {
    guard let first = map(\.lowerBound).min(), let last = map(\.upperBound).max() else { return nil }
    return first..<last
  }
}

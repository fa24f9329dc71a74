internal import Core
internal import Pipeline

/// Which subtrees of the pyramid are worked on, in which order, and which rows of the sheet they are made from.
struct UnitPlan: Sendable {
  /// Units side by side, from west to east.
  struct Row: Sendable {
    let units: [TileID]
    let sourceRows: Range<Int>
  }

  let minZoom: Int
  let maxZoom: Int
  /// The zoom that is warped: the largest, or a deeper one where its pixels would be so coarse that a kernel for them
  /// took hundreds of pixels for one. All others are means of their children.
  let deepest: Int
  let tileSize: Int
  let scales: RowScales
  /// From north to south.
  let rows: [Row]
  /// A few tiles of the deepest zoom from all over the chart, for a look at its colours: some rows, some of each.
  let survey: [Row]
  /// Which tiles the chart touches, by zoom. The kernel's faint last pixel may reach past them.
  private let ranges: [[TileRange]]

  /// Four tiles a side at the deepest zoom: enough work to be worth a task, and few enough that a row of units
  /// needs no large part of the sheet.
  private static let depth = 2
  /// Pixels of the sheet for one of the deepest zoom.
  private static let coarsest = 4
  private static let zoomLimit = 24

  /// - Parameter windows: boxes that hold the chart and never wrap.
  init(_ settings: TileSettings, covering windows: [GeoBox], on sheet: ChartSheet) throws {
    let positions = try SheetPositions(sheet)
    var deepest = settings.maxZoom
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
    let needs = SourceNeeds(
      positions: positions, sheet: sheet, blockZoom: settings.blockZoom(deepest), scale: scales.largest)
    rows = UnitPlan.rows(of: ranges[max(settings.minZoom, deepest - UnitPlan.depth)]).map { units in
      Row(units: units, sourceRows: needs.rows(under: units))
    }
    survey = UnitPlan.sample(of: ranges[deepest]).map { tiles in
      Row(units: tiles, sourceRows: needs.rows(under: tiles))
    }
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

  /// About three hundredths of a large chart, and all of a small one.
  private static func sample(of ranges: [TileRange]) -> [[TileID]] {
    let sampledRows = 6
    let tiles = max(8, ranges.map(\.count).reduce(0, +) * 3 / 100 / sampledRows)
    return spread(sampledRows, over: rows(of: ranges)).enumerated().map { number, row in
      // Rows begin at tiles of their own, so that columns do not repeat.
      spread(tiles, over: row.count > tiles ? Array(row.dropFirst(number % 3)) : row)
    }
  }

  /// So many elements at the same distances, away from both ends; all, where there are no more.
  private static func spread<Element>(_ count: Int, over all: [Element]) -> [Element] {
    guard all.count > count else { return all }
    return (0..<count).map { all[(2 * $0 + 1) * all.count / (2 * count)] }
  }
}

extension TileSettings {
  /// The zoom whose blocks are the quarters of a tile of 512 pixels, or the tiles of 256.
  func blockZoom(_ zoom: Int) -> Int { size == 2 * WarpBlock.side ? zoom + 1 : zoom }
}

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

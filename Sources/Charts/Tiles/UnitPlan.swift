internal import Geo
internal import Pipeline

/// Which subtrees of the pyramid are worked on, and in which order.
struct UnitPlan: Sendable {
  let roots: [TileID]
  let range: TileRange

  /// Eight tiles a side at the largest zoom: enough work to be worth a task, small enough for any memory.
  private static let depth = 3

  init(_ settings: TileSettings, covering bounds: GeoBox) {
    range = TileRange(zoom: settings.maxZoom, covering: bounds)
    let zoom = max(settings.minZoom, settings.maxZoom - UnitPlan.depth)
    let tiles = TileRange(zoom: zoom, covering: bounds)
    roots = tiles.rows
      .flatMap { row in tiles.columns.map { TileID(zoom: zoom, column: $0, row: row) } }
      .sorted { $0.quadtreeOrder < $1.quadtreeOrder }
  }
}

extension TileID {
  /// The bits of row and column in turn: the order in which a walk down the quadtree meets the tiles of a zoom.
  fileprivate var quadtreeOrder: UInt64 {
    var order: UInt64 = 0
    for bit in 0..<zoom {
      order |= UInt64((column >> bit) & 1) << (2 * bit)
      order |= UInt64((row >> bit) & 1) << (2 * bit + 1)
    }
    return order
  }
}

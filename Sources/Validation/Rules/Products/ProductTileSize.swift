internal import Pipeline

/// The size that a chart's description gives for its tiles, compared with a tile.
struct ProductTileSize: ProductRule {
  let name = "product-tile-size"
  let protects = "The app draws each tile as large as the ground that it shows."

  func check(_ subject: ProductUnderTest) throws -> [Finding] {
    guard subject.product.kind == .chart, let tiles = subject.tiles else { return [] }
    let (stated, found) = (subject.product.tileSize ?? 256, try TilePainter(tiles).tileSize)
    guard stated != found else { return [] }
    return [error(subject.place, "tileSize is \(stated), but its tiles have \(found) pixels a side")]
  }
}

internal import Geo
internal import ImageIO
internal import TileArchive

/// Makes all tiles below one root: the piece of work that a worker takes at a time.
///
/// Only the largest zoom is warped; every lower one is the mean of its children.
struct UnitRenderer {
  let warper: any Warper
  let maxZoom: Int
  /// The tiles of the largest zoom that the chart's bounds touch. The kernel's faint last pixel may reach past them.
  let range: TileRange

  /// Tiles a side that are warped in one go: large enough to be cheap, small enough that most blocks lie wholly
  /// inside the neatline or wholly outside.
  private static let blockSide = 2

  struct Result: Sendable {
    let root: TileID
    /// The root's own picture, from which the zooms above are made; nil when the unit is empty.
    let picture: RGBAImage?
    let tiles: [Tile]
    /// Tiles of the largest zoom that were looked at, empty or not.
    let covered: Int
  }

  func render(_ root: TileID) throws -> Result {
    let grid = MercatorGrid(below: root, zoom: maxZoom)
    let wanted = grid.clamped(to: range)
    let covered = wanted.columns.count * wanted.rows.count
    guard var picture = try warp(wanted, within: grid) else {
      return Result(root: root, picture: nil, tiles: [], covered: covered)
    }
    var tiles: [Tile] = []
    for zoom in stride(from: maxZoom, through: root.zoom, by: -1) {
      if zoom < maxZoom { picture = picture.halved() }
      tiles += try cut(picture, MercatorGrid(below: root, zoom: zoom))
    }
    return Result(root: root, picture: picture, tiles: tiles, covered: covered)
  }

  /// Nil when nothing in it is inside the neatline.
  private func warp(_ wanted: MercatorGrid, within grid: MercatorGrid) throws -> RGBAImage? {
    var picture: RGBAImage?
    for block in wanted.blocks(side: UnitRenderer.blockSide) {
      try Task.checkCancellation()
      guard let part = try warper.warp(block) else { continue }
      var whole = picture.take() ?? RGBAImage(width: grid.width, height: grid.height)
      whole.paste(
        part, column: (block.columns.lowerBound - grid.columns.lowerBound) * MercatorGrid.tileSide,
        row: (block.rows.lowerBound - grid.rows.lowerBound) * MercatorGrid.tileSide)
      picture = whole
    }
    return picture
  }

  private func cut(_ picture: RGBAImage, _ grid: MercatorGrid) throws -> [Tile] {
    try grid.blocks(side: 1).compactMap { place in
      let side = MercatorGrid.tileSide
      let image = picture.cropped(
        column: (place.columns.lowerBound - grid.columns.lowerBound) * side,
        row: (place.rows.lowerBound - grid.rows.lowerBound) * side, width: side, height: side)
      return try Tile.encoding(
        image, as: TileID(zoom: grid.zoom, column: place.columns.lowerBound, row: place.rows.lowerBound))
    }
  }
}

extension Tile {
  /// Nil for a picture with nothing to see: such a tile is never written.
  static func encoding(_ image: RGBAImage, as id: TileID) throws(ImageError) -> Tile? {
    image.isTransparent ? nil : Tile(id: id, data: try PNG.encode(image))
  }
}

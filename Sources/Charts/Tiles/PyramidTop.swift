internal import Geo
internal import ImageIO
internal import TileArchive

/// Builds the zooms above the units' roots as the roots come in.
///
/// They come in the order of a walk down the quadtree, so at each zoom only one tile is ever unfinished: when a child
/// of another one comes, the last is done, and goes up in turn.
struct PyramidTop {
  let minZoom: Int
  /// By zoom; twice a tile's side, filled by up to four children.
  private var open: [Int: (id: TileID, children: RGBAImage)] = [:]

  init(minZoom: Int) {
    self.minZoom = minZoom
  }

  /// Gives the tiles that this one completes.
  mutating func add(_ id: TileID, _ picture: RGBAImage) throws -> [Tile] {
    guard id.zoom > minZoom else { return [] }
    let parent = id.parent
    let side = MercatorGrid.tileSide
    let finished = open[parent.zoom].map { $0.id != parent } == true ? try close(parent.zoom) : []
    var children =
      open.removeValue(forKey: parent.zoom)?.children ?? RGBAImage(width: 2 * side, height: 2 * side)
    children.paste(picture, column: (id.column & 1) * side, row: (id.row & 1) * side)
    open[parent.zoom] = (parent, children)
    return finished
  }

  /// Gives the rest, once the last root has come.
  mutating func finish() throws -> [Tile] {
    var tiles: [Tile] = []
    while let deepest = open.keys.max() { tiles += try close(deepest) }
    return tiles
  }

  private mutating func close(_ zoom: Int) throws -> [Tile] {
    guard let (id, children) = open.removeValue(forKey: zoom) else { return [] }
    let picture = children.halved()
    let own = try Tile.encoding(picture, as: id).map { [$0] } ?? []
    return try own + add(id, picture)
  }
}

internal import Core
internal import ImageIO
internal import TileArchive

/// Makes all tiles below one root: the piece of work that a worker takes at a time.
///
/// Only the deepest zoom is warped; every lower one is the mean of its children, made as soon as they are there.
final class UnitRenderer {
  private let plan: UnitPlan
  private let warper: any Warper
  private let codec: TileCodec
  private var tiles: [Tile] = []
  private var covered = 0

  init(_ plan: UnitPlan, warper: any Warper, codec: TileCodec) {
    self.plan = plan
    self.warper = warper
    self.codec = codec
  }

  struct Result: Sendable {
    let root: TileID
    /// The root's own picture, from which the zooms above are made; nil when the unit is empty.
    let picture: RGBAImage?
    let tiles: [Tile]
    /// Tiles of the deepest zoom that were looked at, empty or not.
    let covered: Int
  }

  func render(_ work: UnitWork) throws -> Result {
    (tiles, covered) = ([], 0)
    let picture = try draw(work.root, from: work.rows)
    return Result(root: work.root, picture: picture, tiles: tiles, covered: covered)
  }

  /// Nil when nothing in it is inside the neatline.
  private func draw(_ id: TileID, from rows: SheetRows) throws -> RGBAImage? {
    guard plan.contains(id) else { return nil }
    let picture = id.zoom == plan.deepest ? try warp(id, from: rows) : try join(id, from: rows)
    if let picture, id.zoom <= plan.maxZoom, let tile = try codec.tile(picture, as: id) { tiles.append(tile) }
    return picture
  }

  private func join(_ id: TileID, from rows: SheetRows) throws -> RGBAImage? {
    var picture: RGBAImage?
    for child in id.children {
      guard let part = try draw(child, from: rows) else { continue }
      var whole = picture.take() ?? RGBAImage(width: plan.tileSize, height: plan.tileSize)
      whole.fillQuarter(of: child, with: part)
      picture = whole
    }
    return picture
  }

  private func warp(_ id: TileID, from rows: SheetRows) throws -> RGBAImage? {
    try CancellationToken.current.check()
    covered += 1
    return try warper.picture(of: id, size: plan.tileSize, from: rows)
  }
}

extension Warper {
  /// A tile's picture; nil where nothing is to be seen.
  func picture(of tile: TileID, size: Int, from rows: SheetRows) throws -> RGBAImage? {
    var picture = RGBAImage(width: size, height: size)
    var isEmpty = true
    for (number, block) in WarpBlock.blocks(of: tile, tileSize: size).enumerated() {
      let (column, row) = (number % 2 * WarpBlock.side, number / 2 * WarpBlock.side)
      if try warp(block, from: rows, to: &picture, column: column, row: row) { isEmpty = false }
    }
    return isEmpty ? nil : picture
  }
}

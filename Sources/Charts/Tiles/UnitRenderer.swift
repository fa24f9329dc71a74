internal import CPixels
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

/// A root and the decoded rows that everything below it is made from.
struct UnitWork: Sendable {
  let root: TileID
  let rows: SheetRows
}

/// Gives units in their order. While one row of them is worked on, the rows of the sheet for the next are decoded; those
/// of the last are released as soon as no unit has them any more.
final class UnitFeed {
  private let bands: SheetBands
  private var rest: ArraySlice<UnitPlan.Row>
  private var current: (units: ArraySlice<TileID>, rows: SheetRows)?
  /// Decodes the next row of units.
  private let decoder = ThreadPool<Result<SheetRows, any Error>>(width: 1)

  init(_ rows: [UnitPlan.Row], from bands: SheetBands) {
    self.bands = bands
    rest = rows[...]
    decodeNext()
  }

  func next() throws -> UnitWork? {
    while true {
      if let root = current?.units.popFirst(), let rows = current?.rows {
        return UnitWork(root: root, rows: rows)
      }
      current = nil
      guard let decoded = decoder.next(), let row = rest.popFirst() else { return nil }
      decodeNext()
      current = (row.units[...], try decoded.get())
    }
  }

  private func decodeNext() {
    guard let row = rest.first else { return }
    decoder.add { [bands] in Result { try bands.rows(row.sourceRows) } }
  }
}

/// Builds the zooms above the units' roots as the roots come in.
///
/// They come row by row, so at each zoom a row of tiles is open at a time. A tile is done when all of its children that
/// are in the plan have come, empty or not.
struct PyramidTop {
  private let plan: UnitPlan
  private let codec: TileCodec
  /// What the children that have come have drawn so far.
  private var open: [TileID: RGBAImage] = [:]
  /// How many children each tile still waits for.
  private var missing: [TileID: Int] = [:]

  init(_ plan: UnitPlan, codec: TileCodec) {
    self.plan = plan
    self.codec = codec
    var children = Set(plan.rows.flatMap(\.units))
    while let zoom = children.first?.zoom, zoom > plan.minZoom {
      for child in children { missing[child.parent, default: 0] += 1 }
      children = Set(children.map(\.parent))
    }
  }

  /// Gives the tiles that this one completes.
  mutating func add(_ id: TileID, _ picture: RGBAImage?) throws -> [Tile] {
    guard id.zoom > plan.minZoom else { return [] }
    let parent = id.parent
    if let picture {
      var whole =
        open.removeValue(forKey: parent) ?? RGBAImage(width: plan.tileSize, height: plan.tileSize)
      whole.fillQuarter(of: id, with: picture)
      open[parent] = whole
    }
    missing[parent, default: 1] -= 1
    guard missing[parent] == 0 else { return [] }
    let whole = open.removeValue(forKey: parent)
    let own = try whole.flatMap { parent.zoom <= plan.maxZoom ? try codec.tile($0, as: parent) : nil }
    return try (own.map { [$0] } ?? []) + add(parent, whole)
  }
}

extension RGBAImage {
  /// Half the size: each pixel the mean of four, their colours weighted by their alphas, all rounded to the nearest.
  ///
  /// Where anything is to be seen, something stays to be seen: a tile that exists then always has a parent.
  func halved() -> RGBAImage {
    var half = RGBAImage(width: width / 2, height: height / 2)
    half.fill(column: 0, row: 0, halving: self)
    return half
  }

  /// Draws a tile's picture into its quarter of its parent's.
  mutating func fillQuarter(of tile: TileID, with picture: RGBAImage) {
    fill(column: (tile.column & 1) * width / 2, row: (tile.row & 1) * height / 2, halving: picture)
  }

  private mutating func fill(column: Int, row: Int, halving picture: RGBAImage) {
    let offset = (row * width + column) * 4
    let stride = width * 4
    picture.pixels.withUnsafeBufferPointer { source in
      pixels.withUnsafeMutableBufferPointer { target in
        guard let start = target.baseAddress else { return }
        chartpipe_halve(
          source.baseAddress, picture.width * 4, start + offset, stride, picture.width / 2, picture.height / 2
        )
      }
    }
  }
}

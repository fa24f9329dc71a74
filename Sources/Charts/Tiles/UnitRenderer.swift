internal import CPixels
internal import Core
internal import ImageIO

/// Renders all tiles below one root, which is the unit of work of one worker.
///
/// Only the deepest zoom is warped. Each lower zoom is the average of its children, computed as soon as they are complete.
final class UnitRenderer {
  private let plan: UnitPlan
  private let warper: KernelWarper
  private let codec: TileCodec
  private var tiles: [Tile] = []
  private var covered = 0

  init(_ plan: UnitPlan, warper: KernelWarper, codec: TileCodec) {
    (self.plan, self.warper, self.codec) = (plan, warper, codec)
  }

  /// Returns the picture of the root, from which the zooms above are made (nil if the unit is empty), the tiles, and the number of
  /// rendered tiles of the deepest zoom, empty ones included.
  func render(
    _ root: TileID, from rows: SheetRows
  ) throws -> (root: TileID, picture: RGBAImage?, tiles: [Tile], covered: Int) {
    (tiles, covered) = ([], 0)
    let picture = try draw(root, from: rows)
    return (root, picture, tiles, covered)
  }

  /// Nil if the whole tile is outside the neatline.
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

extension KernelWarper {
  /// Warps a tile. Returns nil if all of it is transparent.
  func picture(of tile: TileID, size: Int, from rows: SheetRows) throws -> RGBAImage? {
    var picture = RGBAImage(width: size, height: size)
    var isEmpty = true
    for (number, block) in tile.blocks(tileSize: size).enumerated() {
      let (column, row) = (number % 2 * TileID.blockSide, number / 2 * TileID.blockSide)
      if try warp(block, from: rows, to: &picture, column: column, row: row) { isEmpty = false }
    }
    return isEmpty ? nil : picture
  }
}

/// Returns the roots of units in order, each with the rows that all tiles below it need. While workers render one row of units, the rows of the sheet for the next are decoded. Decoded rows
/// are released when no unit uses them.
final class UnitFeed {
  private let bands: SheetBands
  private var rest: ArraySlice<UnitPlan.Row>
  private var current: (units: ArraySlice<TileID>, rows: SheetRows)?
  /// Decodes the rows of the next row of units.
  private let decoder = ThreadPool<Result<SheetRows, any Error>>(width: 1)

  init(_ rows: [UnitPlan.Row], from bands: SheetBands) {
    self.bands = bands
    rest = rows[...]
    decodeNext()
  }

  func next() throws -> (root: TileID, rows: SheetRows)? {
    while true {
      if let root = current?.units.popFirst(), let rows = current?.rows {
        return (root, rows)
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

/// Builds the zooms above the units' roots as the roots arrive.
///
/// Roots arrive row by row, so one row of tiles is open at each zoom. A tile is complete when all of its children in the plan
/// have arrived, empty or not.
struct PyramidTop {
  private let plan: UnitPlan
  private let codec: TileCodec
  /// The pictures drawn so far from the children that have arrived.
  private var open: [TileID: RGBAImage] = [:]
  /// The number of children that each tile still waits for.
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

  /// Returns the tiles that this one completes.
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
  /// Returns the image at half the size: each pixel is the mean of four, their colours weighted by alpha, rounded to nearest.
  ///
  /// A visible pixel never becomes invisible, so every tile has a parent.
  func halved() -> RGBAImage {
    var half = RGBAImage(width: width / 2, height: height / 2)
    half.fill(column: 0, row: 0, halving: self)
    return half
  }

  /// Copies a tile's picture into its quarter of the parent.
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

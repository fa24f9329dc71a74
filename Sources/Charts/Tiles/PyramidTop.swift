internal import Core
internal import ImageIO
internal import TileArchive

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

internal import Geo
internal import ImageIO
internal import TileArchive

/// Builds the zooms above the units' roots as the roots come in.
///
/// They come row by row, so at each zoom a row of tiles is open at a time. A tile is done when all of its children that
/// are in the plan have come, empty or not.
struct PyramidTop {
  private let plan: UnitPlan
  private let codec: TileCodec
  private var open: [TileID: Parent] = [:]
  /// How many children each tile still waits for.
  private var missing: [TileID: Int] = [:]

  private struct Parent {
    var picture: RGBAImage?
  }

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
    var half = open.removeValue(forKey: parent)?.picture
    if let picture {
      var whole = half.take() ?? RGBAImage(width: plan.tileSize, height: plan.tileSize)
      whole.fillQuarter(of: id, with: picture)
      half = whole
    }
    let left = (missing[parent] ?? 1) - 1
    missing[parent] = left
    guard left == 0 else {
      open[parent] = Parent(picture: half)
      return []
    }
    let own = try half.flatMap { parent.zoom <= plan.maxZoom ? try codec.tile($0, as: parent) : nil }
    return try (own.map { [$0] } ?? []) + add(parent, half)
  }
}

internal import Core

/// How deep inside one chart the pixels of a tile lie, by a lattice of exact depths with straight lines between.
///
/// Depths are whole sixteenths of a pixel: two machines whose square roots differ in the last digit agree on the winner.
struct DepthLattice: Sendable {
  /// Pixels from one node to the next.
  static let step = 8
  /// What a pixel is in the depths of `row`.
  static let pixel: Int32 = 256

  private let nodes: [Int32]
  private let nodesAcross: Int
  let side: Int

  init(_ shape: SheetShape, over tile: TileID, side: Int) {
    let corner = tile.mercator
    let pixel = corner.side / Double(side)
    let count = side / DepthLattice.step + 1
    self.side = side
    nodesAcross = count
    nodes = (0..<count * count).map { node in
      let (down, across) = node.quotientAndRemainder(dividingBy: count)
      let depth = shape.depth(
        x: corner.west + Double(across * DepthLattice.step) * pixel,
        y: corner.north - Double(down * DepthLattice.step) * pixel)
      return Int32(max(-1e6, min(1e6, (depth / pixel * 16).rounded())))
    }
  }

  /// Whether the whole tile is inside the chart, clear of its edge.
  var isInside: Bool { nodes.allSatisfy { $0 > 16 * Int32(DepthLattice.step) } }

  /// The depth at the middle of the tile.
  var middle: Int32 { nodes[nodesAcross / 2 * nodesAcross + nodesAcross / 2] }

  /// Whether this chart is the deeper one everywhere.
  func isDeeper(than other: DepthLattice) -> Bool {
    zip(nodes, other.nodes).allSatisfy { $0 > $1 }
  }

  /// The depths of one row of pixels, taken at their middles, in a unit that is the same for all charts.
  func row(_ row: Int, into depths: inout [Int32]) {
    let (cell, within) = row.quotientAndRemainder(dividingBy: DepthLattice.step)
    let below = Int32(2 * within + 1)
    let above = Int32(2 * DepthLattice.step) - below
    let start = cell * nodesAcross
    for column in 0..<side {
      let (across, inside) = column.quotientAndRemainder(dividingBy: DepthLattice.step)
      let right = Int32(2 * inside + 1)
      let left = Int32(2 * DepthLattice.step) - right
      let node = start + across
      let upper = nodes[node] * left + nodes[node + 1] * right
      let lower = nodes[node + nodesAcross] * left + nodes[node + nodesAcross + 1] * right
      depths[column] = (upper >> 4) * above + (lower >> 4) * below
    }
  }
}

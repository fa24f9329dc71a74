/// Joins the tiles of overlapping charts. Each pixel is taken from one chart, since mixing would double the lettering along a
/// seam.
///
/// Where no chart covers a pixel completely, the parts are added. An exact seam takes the most opaque part unchanged.
public struct Seam {
  public struct Layer {
    let picture: RGBAImage
    let depths: DepthLattice
    let offsets: MiddleOffsets
    /// A chart of a lower rank lies on top. Of charts of one rank, a pixel shows the one whose middle is nearest, in proportion
    /// to its size.
    let rank: Int

    public init(picture: RGBAImage, depths: DepthLattice, offsets: MiddleOffsets, rank: Int) {
      (self.picture, self.depths, self.offsets, self.rank) = (picture, depths, offsets, rank)
    }
  }

  /// The depth of a pixel just beyond a chart's edge.
  private static let meetingDepth = -DepthLattice.pixel

  private let layers: [Layer]
  private let isExact: Bool

  public init(layers: [Layer], isExact: Bool) { (self.layers, self.isExact) = (layers, isExact) }

  /// The layer that shows everything that any layer shows, so that no other is needed. If there are several, the one whose
  /// chart's middle is nearest to the middle of the tile, then the first.
  public var completeLayer: Int? {
    layers.indices.filter { candidate in
      layers.allSatisfy { layers[candidate].picture.covers($0.picture) }
    }.min {
      (layers[$0].rank, layers[$0].offsets.middle, $0) < (layers[$1].rank, layers[$1].offsets.middle, $1)
    }
  }

  /// Returns the picture, and the only layer that contributed pixels; nil if several did.
  public func join(side: Int) -> (picture: RGBAImage, onlyLayer: Int?) {
    var picture = RGBAImage(width: side, height: side)
    var isUsed = [Bool](repeating: false, count: layers.count)
    picture.pixels.withUnsafeMutableBytes { target in
      for row in 0..<side {
        for column in 0..<side {
          let place = (row * side + column) * 4
          let color: UInt32
          if let winner = winner(column, row, place) {
            isUsed[winner] = true
            color = layers[winner].picture.color(at: place)
          } else if isExact {
            color = mostOpaque(column, row, place, &isUsed)
          } else {
            let parts = sum(place, &isUsed)
            color = parts == 0 ? bridge(column, row, &isUsed) : parts
          }
          target.storeBytes(of: color, toByteOffset: place, as: UInt32.self)
        }
      }
    }
    let used = isUsed.indices.filter { isUsed[$0] }
    return (picture, used.count == 1 ? used[0] : nil)
  }

  /// The chart that covers the pixel completely; of several, the one on top.
  private func winner(_ column: Int, _ row: Int, _ place: Int) -> Int? {
    var best: (layer: Int, rank: Int, offset: Double)?
    for layer in layers.indices where layers[layer].picture.pixels[place + 3] == 255 {
      let (rank, offset) = (layers[layer].rank, layers[layer].offsets.at(column, row))
      if let known = best, (known.rank, known.offset) <= (rank, offset) { continue }
      best = (layer, rank, offset)
    }
    return best?.layer
  }

  /// The pixel with the largest alpha; of several, the one of the chart whose middle is nearest. 0 if none is visible.
  private func mostOpaque(_ column: Int, _ row: Int, _ place: Int, _ isUsed: inout [Bool]) -> UInt32 {
    let best = layers.indices.min {
      (layers[$1].picture.pixels[place + 3], layers[$0].rank, layers[$0].offsets.at(column, row), $0)
        < (layers[$0].picture.pixels[place + 3], layers[$1].rank, layers[$1].offsets.at(column, row), $1)
    }
    guard let best, layers[best].picture.pixels[place + 3] > 0 else { return 0 }
    isUsed[best] = true
    return layers[best].picture.color(at: place)
  }

  /// Fills a one-pixel hole where charts meet. In tiles with a palette a pixel is opaque or transparent, and each chart may
  /// have less than half of it. The hole gets the colour of a neighbouring pixel.
  private func bridge(_ column: Int, _ row: Int, _ isUsed: inout [Bool]) -> UInt32 {
    func isNear(_ layer: Layer) -> Bool { layer.depths.at(column, row) > Seam.meetingDepth }
    guard layers.count(where: isNear) > 1 else { return 0 }
    let meeting = layers.indices.filter { isNear(layers[$0]) }
    let side = layers[0].depths.side
    for (x, y) in [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
      guard (0..<side).contains(column + x), (0..<side).contains(row + y) else { continue }
      let place = ((row + y) * side + column + x) * 4
      guard let layer = meeting.first(where: { layers[$0].picture.pixels[place + 3] == 255 }) else {
        continue
      }
      for layer in meeting { isUsed[layer] = true }
      return layers[layer].picture.color(at: place)
    }
    return 0
  }

  /// Adds charts that meet within a pixel: colours weighted by alpha, alphas added.
  private func sum(_ place: Int, _ isUsed: inout [Bool]) -> UInt32 {
    var colors = SIMD4<UInt32>.zero
    for layer in layers.indices {
      let pixels = layers[layer].picture.pixels
      let alpha = UInt32(pixels[place + 3])
      guard alpha > 0 else { continue }
      isUsed[layer] = true
      colors &+= SIMD4(
        UInt32(pixels[place]) * alpha, UInt32(pixels[place + 1]) * alpha, UInt32(pixels[place + 2]) * alpha,
        alpha)
    }
    let weight = colors.w
    guard weight > 0 else { return 0 }
    let bytes = (0..<3).map { UInt8((colors[$0] + weight / 2) / weight) } + [UInt8(min(255, weight))]
    return bytes.withUnsafeBytes { $0.load(as: UInt32.self) }
  }
}

extension RGBAImage {
  /// Whether no pixel is less opaque than in the other image.
  fileprivate func covers(_ other: RGBAImage) -> Bool {
    stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] >= other.pixels[$0] }
  }

  fileprivate func color(at byte: Int) -> UInt32 { pixels.color(at: byte) }
}

extension [UInt8] {
  /// One pixel's four bytes in memory order.
  public func color(at byte: Int) -> UInt32 {
    withUnsafeBytes { $0.load(fromByteOffset: byte, as: UInt32.self) }
  }
}

/// How far the pixels of a tile are from the middle of a chart: the sum of the squares of both distances, each divided by half
/// of the chart's width or height.
///
/// Two charts have the same offset along one smooth line, which is the same in all zooms. The distances to the edges would not
/// decide everywhere: neighbouring charts often end at the same parallel.
public struct MiddleOffsets: Sendable {
  private let columns: [Double]
  private let rows: [Double]

  /// - Parameter columns: the first part of the sum for the middle of each column of pixels; `rows` likewise.
  public init(columns: [Double], rows: [Double]) { (self.columns, self.rows) = (columns, rows) }

  @inline(__always)
  func at(_ column: Int, _ row: Int) -> Double { columns[column] + rows[row] }

  /// At the middle of the tile.
  var middle: Double { at(columns.count / 2, rows.count / 2) }

  /// Whether this chart's middle is nearer in the whole tile.
  public func isNearer(than other: MiddleOffsets) -> Bool {
    let across = zip(columns, other.columns).map { $0 - $1 }.max() ?? 0
    let down = zip(rows, other.rows).map { $0 - $1 }.max() ?? 0
    return across + down < 0
  }
}

/// How deep inside one chart the pixels of a tile lie. A lattice of exact depths is interpolated linearly.
///
/// Depths are integers, in sixteenths of a pixel, so that two machines whose square roots differ in the last digit agree.
public struct DepthLattice: Sendable {
  /// Pixels from one node to the next.
  public static let step = 8
  /// One pixel in the unit of `at`.
  static let pixel: Int32 = 256

  private let nodes: [Int32]
  private let nodesAcross: Int
  let side: Int

  /// - Parameter depth: the depth in pixels at a node, which lies that many pixels right of and below the tile's corner.
  public init(side: Int, _ depth: (_ column: Int, _ row: Int) -> Double) {
    let count = side / DepthLattice.step + 1
    self.side = side
    nodesAcross = count
    nodes = (0..<count * count).map { node in
      let (down, across) = node.quotientAndRemainder(dividingBy: count)
      let depth = depth(across * DepthLattice.step, down * DepthLattice.step)
      return Int32(max(-1e6, min(1e6, (depth * 16).rounded())))
    }
  }

  /// Whether the whole tile is inside the chart and clear of its edge.
  public var isInside: Bool { nodes.allSatisfy { $0 > 16 * Int32(DepthLattice.step) } }

  /// The depth at the centre of a pixel.
  func at(_ column: Int, _ row: Int) -> Int32 {
    func weights(_ pixel: Int) -> (cell: Int, near: Int32, far: Int32) {
      let (cell, within) = pixel.quotientAndRemainder(dividingBy: DepthLattice.step)
      let far = Int32(2 * within + 1)
      return (cell, Int32(2 * DepthLattice.step) - far, far)
    }
    let (across, left, right) = weights(column)
    let (down, above, below) = weights(row)
    let node = down * nodesAcross + across
    let upper = nodes[node] * left + nodes[node + 1] * right
    let lower = nodes[node + nodesAcross] * left + nodes[node + nodesAcross + 1] * right
    return (upper >> 4) * above + (lower >> 4) * below
  }
}

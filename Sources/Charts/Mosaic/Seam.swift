internal import ImageIO

/// Joins the tiles of overlapping charts: each pixel is taken from one chart, since mixing doubles the type along a seam.
///
/// Where no chart covers a pixel wholly, the parts are added up; an exact seam takes the most opaque of them as it is.
struct Seam {
  struct Layer {
    let picture: RGBAImage
    let depths: DepthLattice
  }

  enum Rule {
    /// The chart in whose inside a pixel is deepest.
    case deepest
    /// The first chart wherever it is opaque; elsewhere the deepest of the others.
    case first
  }

  struct Joined {
    let picture: RGBAImage
    /// The layer of which every pixel comes; nil when it is more than one.
    let onlyLayer: Int?
  }

  /// A pixel beyond a chart's edge, in the unit of the depths.
  private static let meetingDepth = -DepthLattice.pixel

  let rule: Rule
  let layers: [Layer]
  var isExact = false

  /// The layer that shows everything that any layer shows, so that it needs no other; of several the one whose chart is deeper at
  /// the middle of the tile, then the first.
  var completeLayer: Int? {
    layers.indices.filter { candidate in
      layers.allSatisfy { layers[candidate].picture.covers($0.picture) }
    }.max { (layers[$0].depths.middle, $1) < (layers[$1].depths.middle, $0) }
  }

  func join(side: Int) -> Joined {
    var picture = RGBAImage(width: side, height: side)
    var isUsed = [Bool](repeating: false, count: layers.count)
    var depths = [[Int32]](repeating: [Int32](repeating: 0, count: side), count: layers.count)
    picture.pixels.withUnsafeMutableBytes { target in
      for row in 0..<side {
        for (layer, content) in layers.enumerated() { content.depths.row(row, into: &depths[layer]) }
        for column in 0..<side {
          let place = (row * side + column) * 4
          let color: UInt32
          if let winner = winner(depths, column, place) {
            isUsed[winner] = true
            color = layers[winner].picture.color(at: place)
          } else if isExact {
            color = mostOpaque(depths, column, place, &isUsed)
          } else {
            let parts = sum(place, &isUsed)
            color = parts == 0 ? bridge(depths, column, row, &isUsed) : parts
          }
          target.storeBytes(of: color, toByteOffset: place, as: UInt32.self)
        }
      }
    }
    let used = isUsed.indices.filter { isUsed[$0] }
    return Joined(picture: picture, onlyLayer: used.count == 1 ? used[0] : nil)
  }

  /// The chart that covers the pixel wholly, and of several the one that the rule wants.
  private func winner(_ depths: [[Int32]], _ column: Int, _ place: Int) -> Int? {
    var best: Int?
    for layer in layers.indices where layers[layer].picture.pixels[place + 3] == 255 {
      if rule == .first, layer == 0 { return 0 }
      if let known = best, depths[known][column] >= depths[layer][column] { continue }
      best = layer
    }
    return best
  }

  /// The pixel with the largest alpha, of several the deeper one; 0 where none is visible.
  private func mostOpaque(
    _ depths: [[Int32]], _ column: Int, _ place: Int, _ isUsed: inout [Bool]
  ) -> UInt32 {
    let best = layers.indices.max {
      (layers[$0].picture.pixels[place + 3], depths[$0][column], $1)
        < (layers[$1].picture.pixels[place + 3], depths[$1][column], $0)
    }
    guard let best, layers[best].picture.pixels[place + 3] > 0 else { return 0 }
    isUsed[best] = true
    return layers[best].picture.color(at: place)
  }

  /// A hole of a pixel where charts meet: tiles with a palette show a pixel or do not, and each of them may have less than
  /// half of it. It gets the colour of a pixel beside it.
  private func bridge(_ depths: [[Int32]], _ column: Int, _ row: Int, _ isUsed: inout [Bool]) -> UInt32 {
    let meeting = layers.indices.filter { depths[$0][column] > Seam.meetingDepth }
    guard meeting.count > 1 else { return 0 }
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

  /// Charts that meet within a pixel cover it together: their colours by weight of alpha, their alphas added.
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
  /// Whether no pixel is less opaque than that of the other image.
  fileprivate func covers(_ other: RGBAImage) -> Bool {
    stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] >= other.pixels[$0] }
  }

  /// One pixel's four bytes in memory's order.
  fileprivate func color(at byte: Int) -> UInt32 {
    pixels.withUnsafeBytes { $0.load(fromByteOffset: byte, as: UInt32.self) }
  }
}

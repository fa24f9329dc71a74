/// Smooth noise over the plane: gradients hashed from whole coordinates, blended between them.
struct Noise: Sendable {
  let seed: UInt64

  private static let directions: [(Double, Double)] = [
    (1, 0), (0.924, 0.383), (0.707, 0.707), (0.383, 0.924), (0, 1), (-0.383, 0.924),
    (-0.707, 0.707), (-0.924, 0.383), (-1, 0), (-0.924, -0.383), (-0.707, -0.707),
    (-0.383, -0.924), (0, -1), (0.383, -0.924), (0.707, -0.707), (0.924, -0.383),
  ]

  /// About -0.7 to 0.7, zero at whole coordinates.
  func value(_ x: Double, _ y: Double) -> Double {
    let floorX = x.rounded(.down)
    let floorY = y.rounded(.down)
    let column = Int(floorX)
    let row = Int(floorY)
    let fx = x - floorX
    let fy = y - floorY
    let sx = fx * fx * fx * (fx * (fx * 6 - 15) + 10)
    let sy = fy * fy * fy * (fy * (fy * 6 - 15) + 10)
    let north = gradient(column, row, fx, fy) * (1 - sx) + gradient(column + 1, row, fx - 1, fy) * sx
    let south =
      gradient(column, row + 1, fx, fy - 1) * (1 - sx)
      + gradient(column + 1, row + 1, fx - 1, fy - 1) * sx
    return north * (1 - sy) + south * sy
  }

  /// Octaves of halving size and weight.
  func fractal(_ x: Double, _ y: Double, octaves: Int) -> Double {
    var sum = 0.0
    var weight = 1.0
    var scale = 1.0
    for octave in 0..<octaves {
      let shift = Double(octave) * 17.3
      sum += weight * value(x * scale + shift, y * scale - shift)
      weight *= 0.5
      scale *= 2
    }
    return sum
  }

  /// Sharp crests and broad valleys, 0 to about 2: what mountains look like from above.
  func ridged(_ x: Double, _ y: Double, octaves: Int) -> Double {
    var sum = 0.0
    var weight = 1.0
    var scale = 1.0
    var carry = 1.0
    for octave in 0..<octaves {
      let shift = Double(octave) * 11.7
      let crest = 1 - abs(value(x * scale - shift, y * scale + shift)) * 1.6
      let signal = max(0, crest) * max(0, crest) * carry
      sum += weight * signal
      carry = min(1, signal * 1.6)
      weight *= 0.5
      scale *= 2
    }
    return sum
  }

  @inline(__always)
  private func gradient(_ column: Int, _ row: Int, _ dx: Double, _ dy: Double) -> Double {
    let key =
      UInt64(bitPattern: Int64(column)) &* 0x9E37_79B9_7F4A_7C15
      ^ UInt64(bitPattern: Int64(row)) &* 0xC2B2_AE3D_27D4_EB4F ^ seed
    let (gx, gy) = Noise.directions[Int(SplitMix64.mix(key) >> 60)]
    return gx * dx + gy * dy
  }
}

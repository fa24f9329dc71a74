internal import Core
internal import Foundation

/// The fictional land: its height at every point, the same for all sheets.
///
/// A coast, a bay and some ranges have fixed positions, roughly those of central California, so that the real airports are on
/// dry land. The rest is noise.
struct Terrain: Sendable {
  /// A point in the plane of the world: degrees of latitude in both directions.
  struct Spot: Sendable {
    var u: Double
    var v: Double

    init(u: Double, v: Double) {
      self.u = u
      self.v = v
    }

    init(_ point: GeoPoint) {
      self.init(u: (point.longitude + 122) * Spot.shrink, v: point.latitude - 37.5)
    }

    /// The length of a degree of longitude relative to latitude, constant for the whole world.
    static let shrink = 0.793_353
    var point: GeoPoint { GeoPoint(longitude: u / Spot.shrink - 122, latitude: v + 37.5) }
  }

  private let rough = Noise(seed: 0x51A7)
  private let crests = Noise(seed: 0xC4E5)
  private let anchors: [(spot: Spot, elevation: Double)]

  /// The fields are dry land of about their elevation, in feet.
  init(fields: [(spot: Spot, elevation: Double)]) {
    anchors = fields.map { ($0.spot, max(4, $0.elevation)) }
  }

  /// Degrees from the nearest shore: positive on land.
  func inland(_ spot: Spot) -> Double {
    let wobble = rough.fractal(spot.u * 9, spot.v * 9, octaves: 5)
    let sea = (spot.u - Terrain.coast(at: spot.v)) * 0.8 + wobble * 0.035
    let bay = Terrain.bay.lowestGap(to: spot) + wobble * 0.02
    var inland = min(sea, bay)
    // An airport is never under water, for any noise.
    for anchor in anchors {
      let du = abs(spot.u - anchor.spot.u)
      let dv = abs(spot.v - anchor.spot.v)
      guard du < 0.04, dv < 0.04 else { continue }
      inland = max(inland, 0.022 - (du * du + dv * dv).squareRoot())
    }
    return inland
  }

  /// Feet above the sea; below zero in the water.
  func elevation(_ spot: Spot) -> Double {
    let inland = inland(spot)
    guard inland > 0 else { return inland * 6000 - 1 }
    let shore = min(1, inland / 0.05)
    let rise = shore * shore * (3 - 2 * shore)
    let hills = rough.fractal(spot.u * 5 + 7, spot.v * 5, octaves: 4) + 0.35
    let crest = crests.ridged(spot.u * 4.2, spot.v * 4.2, octaves: 7)
    let height = Terrain.ranges(spot) * (0.25 + 0.7 * crest)
    return settle(spot, 12 + rise * (90 + max(0, hills) * 210 + height))
  }

  /// Lowers the land around a field to its elevation. A field on a height stays where the noise put it.
  private func settle(_ spot: Spot, _ height: Double) -> Double {
    var height = height
    for anchor in anchors {
      let du = abs(spot.u - anchor.spot.u)
      let dv = abs(spot.v - anchor.spot.v)
      guard du < 0.08, dv < 0.08 else { continue }
      let weight = exp(-(du * du + dv * dv) / 0.0009)
      height += min(0, anchor.elevation - height) * weight
    }
    return height
  }

  /// The share of a point that is built up because of the nearness of the bay. Towns add their own.
  func urbanPull(_ spot: Spot) -> Double {
    let gap = Terrain.bay.lowestGap(to: spot)
    return 0.62 * exp(-gap * gap / 0.006)
  }

  func texture(_ spot: Spot, scale: Double) -> Double {
    rough.fractal(spot.u * scale - 31, spot.v * scale + 13, octaves: 3)
  }
}

/// A line of points with a radius (or half-width) at each: a bay, or a range of mountains.
struct Spine: Sendable {
  private let spots: [(spot: Terrain.Spot, radius: Double)]

  init(_ points: [(longitude: Double, latitude: Double, radius: Double)]) {
    spots = points.map {
      (Terrain.Spot(GeoPoint(longitude: $0.longitude, latitude: $0.latitude)), $0.radius)
    }
  }

  /// The distance to the line, and the radius at the nearest point, of the relatively nearest segment.
  func nearest(to spot: Terrain.Spot) -> (distance: Double, radius: Double) {
    var best = (distance: Double.infinity, radius: 1.0)
    for (start, end) in zip(spots, spots.dropFirst()) {
      let du = end.spot.u - start.spot.u
      let dv = end.spot.v - start.spot.v
      let pu = spot.u - start.spot.u
      let pv = spot.v - start.spot.v
      let along = min(1, max(0, (pu * du + pv * dv) / (du * du + dv * dv)))
      let gapU = pu - along * du
      let gapV = pv - along * dv
      let distance = (gapU * gapU + gapV * gapV).squareRoot()
      let radius = start.radius + (end.radius - start.radius) * along
      if distance - radius < best.distance - best.radius { best = (distance, radius) }
    }
    return best
  }
}

struct Waters: Sendable {
  let spines: [Spine]

  /// The distance to the nearest shore; negative in the water.
  func lowestGap(to spot: Terrain.Spot) -> Double {
    var lowest = Double.infinity
    for spine in spines {
      let (distance, radius) = spine.nearest(to: spot)
      lowest = min(lowest, distance - radius)
    }
    return lowest
  }
}

extension Terrain {
  static let bay = Waters(spines: [
    Spine([
      (-122.42, 38.06, 0.06), (-122.36, 37.87, 0.050), (-122.28, 37.70, 0.050),
      (-122.17, 37.56, 0.036), (-122.05, 37.47, 0.014),
    ]),
    Spine([(-122.36, 37.83, 0.014), (-122.60, 37.80, 0.022)]),
    Spine([(-122.40, 38.05, 0.02), (-121.95, 38.06, 0.014), (-121.75, 38.03, 0.006)]),
  ])

  private static let mountains: [(spine: Spine, height: Double)] = [
    (Spine([(-122.47, 37.62, 0.04), (-122.28, 37.36, 0.07), (-121.86, 37.06, 0.09)]), 2300),
    (
      Spine([
        (-122.24, 37.96, 0.04), (-121.93, 37.68, 0.08), (-121.55, 37.33, 0.15), (-121.25, 36.95, 0.16),
        (-120.75, 36.2, 0.18),
      ]), 3100
    ),
    (Spine([(-122.6, 37.9, 0.06), (-122.9, 38.6, 0.2), (-123.3, 39.6, 0.4), (-123.4, 41, 0.5)]), 4300),
    (Spine([(-121.75, 36.4, 0.08), (-121.0, 35.5, 0.16)]), 4500),
    (Spine([(-121.4, 41, 0.5), (-120.4, 39.2, 0.45), (-119.2, 37.8, 0.5), (-118.2, 36, 0.4)]), 10_400),
  ]

  static func ranges(_ spot: Spot) -> Double {
    var height = 0.0
    for mountain in mountains {
      let (distance, radius) = mountain.spine.nearest(to: spot)
      let relative = distance / radius
      if relative < 3 { height += mountain.height * exp(-relative * relative) }
    }
    return height
  }

  private static let coastLine: [(v: Double, u: Double)] = [
    (35.0, -120.9), (35.9, -121.45), (36.3, -121.9), (36.62, -121.95), (36.80, -121.80),
    (36.95, -122.03), (37.07, -122.27), (37.2, -122.41), (37.5, -122.53), (37.8, -122.54),
    (38.0, -122.88), (38.3, -123.1), (39.0, -123.7), (39.5, -123.8), (40.0, -124.1), (40.4, -124.4),
    (41.5, -124.1),
  ].map { latitude, longitude in
    let spot = Spot(GeoPoint(longitude: longitude, latitude: latitude))
    return (spot.v, spot.u)
  }

  static func coast(at v: Double) -> Double {
    var low = coastLine[0]
    for high in coastLine.dropFirst() {
      if v <= high.v {
        let part = max(0, (v - low.v) / (high.v - low.v))
        return low.u + (high.u - low.u) * part
      }
      low = high
    }
    return low.u
  }
}

/// Smooth noise over the plane: gradients hashed from integer coordinates, blended between them.
struct Noise: Sendable {
  let seed: UInt64

  private static let directions: [(Double, Double)] = [
    (1, 0), (0.924, 0.383), (0.707, 0.707), (0.383, 0.924), (0, 1), (-0.383, 0.924),
    (-0.707, 0.707), (-0.924, 0.383), (-1, 0), (-0.924, -0.383), (-0.707, -0.707),
    (-0.383, -0.924), (0, -1), (0.383, -0.924), (0.707, -0.707), (0.924, -0.383),
  ]

  /// About -0.7 to 0.7, zero at integer coordinates.
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

  /// Sharp crests and broad valleys, 0 to about 2, like mountains seen from above.
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

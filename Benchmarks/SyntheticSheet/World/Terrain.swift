internal import Core
internal import Foundation

/// The made-up land: its height at every place, the same for every sheet that shows it.
///
/// A coast, a bay and some ranges are laid down by hand, in a coarse likeness of central California so that the real
/// airports stand on dry land; the rest is noise.
struct Terrain: Sendable {
  /// The plane of the world: degrees of latitude, both ways.
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

    /// How much shorter a degree of longitude is, taken once for all of the world.
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
    // An airport is never under water, whatever the noise says.
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

  /// Draws the land down to a field's elevation around it; a field on a height is left where the noise put it.
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

  /// The share of a place that is built over, from the nearness of the bay; towns add their own.
  func urbanPull(_ spot: Spot) -> Double {
    let gap = Terrain.bay.lowestGap(to: spot)
    return 0.62 * exp(-gap * gap / 0.006)
  }

  func texture(_ spot: Spot, scale: Double) -> Double {
    rough.fractal(spot.u * scale - 31, spot.v * scale + 13, octaves: 3)
  }
}

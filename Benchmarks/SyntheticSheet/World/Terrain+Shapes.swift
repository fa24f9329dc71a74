internal import Core
internal import Foundation

/// A line of points with a radius (or half-width) at each: a bay, or a range of mountains.
struct Spine: Sendable {
  private let spots: [(spot: Terrain.Spot, radius: Double)]

  init(_ points: [(longitude: Double, latitude: Double, radius: Double)]) {
    spots = points.map {
      (Terrain.Spot(GeoPoint(longitude: $0.longitude, latitude: $0.latitude)), $0.radius)
    }
  }

  /// The distance to the line, and the radius at its nearest point, of the segment that is relatively nearest.
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

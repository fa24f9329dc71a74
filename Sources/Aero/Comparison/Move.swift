internal import Core
internal import Foundation
internal import Pipeline

/// How far something has moved, and which way.
struct Move {
  private let metres: Double
  private let bearing: Double

  private static let earthRadius = 6_371_008.8
  private static let winds = [
    "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
  ]

  init(from: GeoPoint, to: GeoPoint) {
    let middle = (from.latitude + to.latitude) / 2 * .pi / 180
    let turn = (to.longitude - from.longitude).remainder(dividingBy: 360)
    let north = (to.latitude - from.latitude) * .pi / 180 * Move.earthRadius
    let east = turn * .pi / 180 * Move.earthRadius * cos(middle)
    metres = (north * north + east * east).squareRoot()
    bearing = atan2(east, north) * 180 / .pi
  }

  /// `moved 35 m NNE`
  var text: String {
    guard metres.isFinite, metres < 1e8 else { return "moved" }
    if metres < 1 { return "moved less than 1 m" }
    let sixteenth = Int((bearing / 22.5).rounded())
    let wind = Move.winds[(sixteenth + 16) % 16]
    if metres < 2000 { return "moved \(Counts.grouped(Int(metres.rounded()))) m \(wind)" }
    let tenths = Int((metres / 185.2).rounded())
    return "moved \(Counts.grouped(tenths / 10)).\(tenths % 10) NM \(wind)"
  }
}

internal import Core
internal import Foundation

/// The way from one place to another that is near, on the ellipsoid as if it were flat there: good to a foot in ten miles.
struct FlatWay {
  let feet: Double
  /// Degrees true, 0 up to 360.
  let bearing: Double

  var nauticalMiles: Double { feet * FlatWay.metresInAFoot / 1852 }

  private static let metresInAFoot = 0.3048
  private static let radius = 6_378_137.0
  private static let flattening = 0.006_694_379_990_14

  init(from start: GeoPoint, to end: GeoPoint) {
    let middle = (start.latitude + end.latitude) / 2 * .pi / 180
    let root = (1 - FlatWay.flattening * sin(middle) * sin(middle)).squareRoot()
    let meridian = FlatWay.radius * (1 - FlatWay.flattening) / (root * root * root)
    let parallel = FlatWay.radius / root * cos(middle)
    let north = (end.latitude - start.latitude) * .pi / 180 * meridian
    let east = (end.longitude - start.longitude).remainder(dividingBy: 360) * .pi / 180 * parallel
    feet = (north * north + east * east).squareRoot() / FlatWay.metresInAFoot
    let degrees = atan2(east, north) * 180 / .pi
    bearing = degrees < 0 ? degrees + 360 : degrees
  }

  /// How far another heading is off, 0 to 180.
  func turn(to heading: Double) -> Double { abs((heading - bearing).remainder(dividingBy: 360)) }
}

internal import Foundation

/// The spherical Mercator of web maps (EPSG:3857).
public enum WebMercator {
  public static let radius = 6_378_137.0
  /// Half the width of the map in metres.
  public static let halfWorld = Double.pi * radius
  /// The latitude of the upper edge of the square map.
  public static let maxLatitude = 85.051_128_779_806_59

  public static func project(_ point: GeoPoint) -> (x: Double, y: Double) {
    let latitude = min(max(point.latitude, -maxLatitude), maxLatitude) * .pi / 180
    return (radius * point.longitude * .pi / 180, radius * asinh(tan(latitude)))
  }

  public static func unproject(x: Double, y: Double) -> GeoPoint {
    GeoPoint(longitude: x / halfWorld * 180, latitude: atan(sinh(y / radius)) * 180 / .pi)
  }

  /// Metres per pixel at a zoom, at the equator.
  public static func resolution(zoom: Int, tileSize: Int = 256) -> Double {
    2 * halfWorld / Double(tileSize) / Double(1 << zoom)
  }
}

/// The Lambert conformal conic projection with two standard parallels, on the GRS80 ellipsoid.
///
/// It implements the closed formulas (Snyder, USGS Professional Paper 1395, pages 107-109) and shares no code with PROJ, so it
/// verifies the placement of a chart independently.
public struct LambertConformal: Hashable, Sendable {
  public var standardParallels: (Double, Double) { (parallels[0], parallels[1]) }
  public let origin: GeoPoint

  private let parallels: [Double]
  private static let semiMajor = 6_378_137.0
  private static let eccentricity = (0.006_694_380_022_900_787).squareRoot()
  private let n: Double
  private let scale: Double
  private let originRadius: Double

  public init(standardParallels: (Double, Double), origin: GeoPoint) {
    (parallels, self.origin) = ([standardParallels.0, standardParallels.1], origin)
    let first = standardParallels.0 * .pi / 180
    let second = standardParallels.1 * .pi / 180
    let m1 = LambertConformal.m(first)
    let t1 = LambertConformal.t(first)
    n =
      abs(first - second) < 1e-10
      ? sin(first)
      : (log(m1) - log(LambertConformal.m(second))) / (log(t1) - log(LambertConformal.t(second)))
    scale = m1 / (n * pow(t1, n))
    originRadius =
      LambertConformal.semiMajor * scale * pow(LambertConformal.t(origin.latitude * .pi / 180), n)
  }

  /// Metres east and north of the origin.
  public func project(_ point: GeoPoint) -> (x: Double, y: Double) {
    project(radius(ofLatitude: point.latitude), direction(ofLongitude: point.longitude))
  }

  /// The same from the parts that the points of a parallel and of a meridian have in common.
  public func project(_ radius: Double, _ direction: (sine: Double, cosine: Double)) -> (x: Double, y: Double)
  {
    (radius * direction.sine, originRadius - radius * direction.cosine)
  }

  /// Returns the radius of a parallel around the cone's apex, in metres.
  public func radius(ofLatitude latitude: Double) -> Double {
    LambertConformal.semiMajor * scale * pow(LambertConformal.t(latitude * .pi / 180), n)
  }

  /// Returns the direction of a meridian from the apex.
  public func direction(ofLongitude longitude: Double) -> (sine: Double, cosine: Double) {
    let theta = n * longitudeFromOrigin(longitude) * .pi / 180
    return (sin(theta), cos(theta))
  }

  public func unproject(x: Double, y: Double) -> GeoPoint {
    let sign = n < 0 ? -1.0 : 1.0
    let rho = sign * hypot(x, originRadius - y)
    let theta = atan2(sign * x, sign * (originRadius - y))
    let t = pow(rho / (LambertConformal.semiMajor * scale), 1 / n)
    return GeoPoint(
      longitude: origin.longitude + theta / n * 180 / .pi,
      latitude: LambertConformal.latitude(t: t) * 180 / .pi)
  }

  /// Degrees from the central meridian, from -180 to 180.
  private func longitudeFromOrigin(_ longitude: Double) -> Double {
    (longitude - origin.longitude).remainder(dividingBy: 360)
  }

  private static func m(_ latitude: Double) -> Double {
    cos(latitude) / (1 - pow(eccentricity * sin(latitude), 2)).squareRoot()
  }

  private static func t(_ latitude: Double) -> Double {
    let es = eccentricity * sin(latitude)
    return tan(.pi / 4 - latitude / 2) / pow((1 - es) / (1 + es), eccentricity / 2)
  }

  /// Inverts `t` by iteration. Each step adds three digits.
  private static func latitude(t: Double) -> Double {
    var latitude = .pi / 2 - 2 * atan(t)
    for _ in 0..<8 {
      let es = eccentricity * sin(latitude)
      latitude = .pi / 2 - 2 * atan(t * pow((1 - es) / (1 + es), eccentricity / 2))
    }
    return latitude
  }
}

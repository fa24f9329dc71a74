internal import Foundation

/// The spherical Mercator of web maps (EPSG:3857).
public enum WebMercator {
  public static let radius = 6_378_137.0
  /// Half the width of the world in metres.
  public static let halfWorld = Double.pi * radius
  /// The latitude at which the square world ends.
  public static let maxLatitude = 85.051_128_779_806_59

  public static func project(_ point: GeoPoint) -> (x: Double, y: Double) {
    let latitude = min(max(point.latitude, -maxLatitude), maxLatitude) * .pi / 180
    return (radius * point.longitude * .pi / 180, radius * asinh(tan(latitude)))
  }

  public static func unproject(x: Double, y: Double) -> GeoPoint {
    GeoPoint(
      longitude: x / halfWorld * 180, latitude: atan(sinh(y / radius)) * 180 / .pi)
  }

  /// Metres a pixel of 256 px tiles at a zoom, at the equator.
  public static func resolution(zoom: Int, tileSize: Int = 256) -> Double {
    2 * halfWorld / Double(tileSize) / Double(1 << zoom)
  }
}

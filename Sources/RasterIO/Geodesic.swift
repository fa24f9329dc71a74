internal import CProj

/// Shortest lines on the ellipsoid GRS80, by PROJ. WGS84 differs from it by a tenth of a millimetre.
public enum Geodesic {
  private static let ellipsoid: geod_geodesic = {
    var ellipsoid = geod_geodesic()
    geod_init(&ellipsoid, 6_378_137, 1 / 298.257_222_101)
    return ellipsoid
  }()

  /// The point at a distance from a point on the prime meridian, in degrees.
  ///
  /// - Parameter azimuth: in degrees clockwise from north.
  public static func point(
    latitude: Double, azimuth: Double, metres: Double
  ) -> (longitude: Double, latitude: Double) {
    var (north, east, direction) = (0.0, 0.0, 0.0)
    withUnsafePointer(to: ellipsoid) {
      geod_direct($0, latitude, 0, azimuth, metres, &north, &east, &direction)
    }
    return (east, north)
  }

  /// The azimuth at the first of two points, in degrees clockwise from north, and the distance, in metres.
  public static func line(
    from start: (longitude: Double, latitude: Double), to end: (longitude: Double, latitude: Double)
  ) -> (azimuth: Double, metres: Double) {
    var (metres, azimuth, last) = (0.0, 0.0, 0.0)
    withUnsafePointer(to: ellipsoid) {
      geod_inverse($0, start.latitude, start.longitude, end.latitude, end.longitude, &metres, &azimuth, &last)
    }
    return (azimuth, metres)
  }
}

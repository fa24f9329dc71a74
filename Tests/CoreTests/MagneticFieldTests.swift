import Core
import Testing

struct MagneticFieldTests {
  /// As the FAA has it of these airports: San Francisco, New York, Chicago, Anchorage, Honolulu, San Juan, Guam.
  @Test(arguments: [
    (-122.3754, 37.6188, 14.0), (-73.7787, 40.6399, -13), (-87.9081, 41.9769, -3), (-149.9981, 61.1741, 16),
    (-157.9202, 21.3178, 11), (-66.0021, 18.4394, -11), (144.7971, 13.484, 2),
  ])
  func theFieldIsNearWhatTheFAAPublishes(longitude: Double, latitude: Double, published: Double) {
    let field = MagneticField.declination(at: GeoPoint(longitude: longitude, latitude: latitude))
    #expect(abs(field - published) < 5)
  }

  @Test func thePolesHaveAFieldToo() {
    for latitude in [-90.0, 90] {
      #expect(MagneticField.declination(at: GeoPoint(longitude: 0, latitude: latitude)).isFinite)
    }
  }
}

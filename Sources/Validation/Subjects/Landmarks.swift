internal import Geo

/// Airports that everybody knows, as the FAA had them on 2023-04-20 (APT_BASE and APT_RWY): what is wrong by a unit or a sign is
/// wrong here too. None of them was moved, raised or shortened until 2026.
struct Landmark {
  let icao: String
  let place: GeoPoint
  /// Feet above mean sea level.
  let elevation: Double
  /// Feet.
  let longestRunway: Double

  private init(_ icao: String, _ north: Double, _ east: Double, _ elevation: Double, _ longest: Double) {
    self.icao = icao
    place = GeoPoint(longitude: east, latitude: north)
    self.elevation = elevation
    longestRunway = longest
  }

  static let all = coasts + inland + overseas

  private static let coasts = [
    Landmark("KJFK", 40.6399, -73.7787, 13.0, 14_511),
    Landmark("KBOS", 42.3629, -71.0064, 19.1, 10_083),
    Landmark("KPWM", 43.6456, -70.3086, 75.7, 7_200),
    Landmark("KPHL", 39.8721, -75.2407, 35.9, 12_000),
    Landmark("KIAD", 38.9475, -77.4599, 312.3, 11_500),
    Landmark("KTEB", 40.8501, -74.0608, 8.4, 7_000),
    Landmark("KBED", 42.4699, -71.289, 132.0, 7_011),
    Landmark("KMHT", 42.9328, -71.4358, 266.4, 9_250),
    Landmark("KMIA", 25.7954, -80.2901, 9.3, 13_016),
    Landmark("KMCO", 28.4294, -81.309, 96.4, 12_005),
    Landmark("KATL", 33.6367, -84.4279, 1026.2, 12_390),
    Landmark("KLAX", 33.9425, -118.408, 127.8, 12_923),
    Landmark("KSFO", 37.6188, -122.3754, 13.1, 11_870),
    Landmark("KSAN", 32.7336, -117.1897, 16.8, 9_401),
    Landmark("KSEE", 32.8262, -116.9724, 387.5, 5_342),
    Landmark("KPAO", 37.4611, -122.1151, 6.8, 2_443),
    Landmark("KVNY", 34.2098, -118.49, 802.1, 8_001),
    Landmark("KSEA", 47.4499, -122.3118, 432.3, 11_901),
    Landmark("KPDX", 45.5887, -122.5969, 30.8, 11_000),
    Landmark("KTVL", 38.8939, -119.9953, 6268.4, 8_541),
  ]

  private static let inland = [
    Landmark("KORD", 41.9769, -87.9081, 680.0, 13_000),
    Landmark("KDEN", 39.8617, -104.6732, 5433.8, 16_000),
    Landmark("KDFW", 32.8972, -97.0377, 606.4, 13_401),
    Landmark("KIAH", 29.9844, -95.3414, 95.8, 12_001),
    Landmark("KSTL", 38.7487, -90.37, 617.3, 11_020),
    Landmark("KMSY", 29.9933, -90.259, 3.7, 10_104),
    Landmark("KBNA", 36.1245, -86.6782, 599.0, 11_030),
    Landmark("KCLE", 41.4094, -81.8547, 799.5, 9_953),
    Landmark("KDTW", 42.2124, -83.3534, 645.2, 12_003),
    Landmark("KMSP", 44.882, -93.2218, 841.8, 11_006),
    Landmark("KOSH", 43.9844, -88.557, 808.4, 8_002),
    Landmark("KPHX", 33.4343, -112.0116, 1134.8, 11_489),
    Landmark("KLAS", 36.08, -115.1522, 2181.2, 14_515),
    Landmark("KSLC", 40.7884, -111.9778, 4230.9, 12_002),
    Landmark("KABQ", 35.0389, -106.6083, 5354.9, 13_793),
    Landmark("KELP", 31.8073, -106.3764, 3961.6, 12_020),
    Landmark("KBIL", 45.8078, -108.5435, 3662.3, 10_518),
    Landmark("KAPA", 39.5701, -104.8493, 5884.9, 10_001),
    Landmark("KFFZ", 33.4608, -111.7283, 1394.0, 5_100),
    Landmark("KDVT", 33.6883, -112.0826, 1478.1, 8_196),
    Landmark("KASE", 39.2219, -106.8682, 7837.9, 8_006),
    Landmark("KLXV", 39.2195, -106.3164, 9933.5, 6_400),
  ]

  private static let overseas = [
    Landmark("PANC", 61.1741, -149.9981, 151.4, 12_400),
    Landmark("PAFA", 64.8154, -147.8567, 439.0, 11_800),
    Landmark("PAJN", 58.3547, -134.5785, 25.3, 8_857),
    Landmark("PHNL", 21.3178, -157.9202, 12.6, 12_312),
    Landmark("PHTO", 19.7203, -155.0485, 37.6, 9_800),
    Landmark("TJSJ", 18.4394, -66.0021, 9.6, 10_400),
    Landmark("TIST", 18.3373, -64.9733, 23.6, 7_000),
    Landmark("PGUM", 13.484, 144.7971, 305.0, 12_014),
  ]
}

internal import Core
internal import SQLiteIO

/// Compares well-known airports with their known values.
struct DatabaseLandmarks: Rule {
  let name = "database-landmarks"
  let protects = "A table in other units, or shifted as a whole, is detected, also in the FAA's file."

  /// A database with more airports than this contains the whole country.
  private static let wholeCountry = 10_000

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let query = try database.connection.prepare(
      "SELECT latitude, longitude, elevation, longestRunway, magneticVariation FROM airports WHERE icao = ?")
    let count = try database.connection.count("airports")
    return try Self.landmarks.flatMap { landmark -> [Finding] in
      let found = try query.map([.text(landmark.icao)]) { problems(of: $0, landmark) }.first
      let texts = found ?? (count > Self.wholeCountry ? ["it is missing"] : [])
      return texts.map { error("\(database.place) airports \(landmark.icao)", $0) }
    }
  }

  /// A well-known airport: feet above mean sea level, feet, and degrees with west negative.
  private typealias Landmark = (
    icao: String, north: Double, east: Double, elevation: Double, longestRunway: Double, variation: Double
  )

  /// The wrong values among the columns of a row: latitude, longitude, elevation, longest runway and variation.
  private func problems(of row: SQLiteRow, _ known: Landmark) -> [String] {
    var problems: [String] = []
    let miles = LocalLine(
      from: GeoPoint(longitude: known.east, latitude: known.north),
      to: GeoPoint(longitude: row.double(1), latitude: row.double(0))
    ).nauticalMiles
    if !(miles <= 1) {
      problems.append(
        "it lies \(Counts.grouped(Int(miles < 20_000 ? miles : 20_000))) NM from its known place")
    }
    if let value = row.real(2), abs(value - known.elevation) > 30 {
      problems.append("elevation is \(value) feet, not the known \(known.elevation)")
    }
    if let value = row.real(3), abs(value / known.longestRunway - 1) > 0.1 {
      problems.append("longestRunway is \(Int(value)) feet, not the known \(Int(known.longestRunway))")
    }
    if let value = row.real(4), abs(value - known.variation) > 5 {
      problems.append("magneticVariation is \(value) degrees, not the known \(known.variation)")
    }
    return problems
  }

  /// The FAA's values of 2023-04-20 (APT_BASE and APT_RWY), along the coasts, around San Francisco where the samples are, inland, and
  /// overseas. A wrong unit or sign of a column shows here. No position, elevation or runway length of these airports changed until
  /// 2026-04-16.
  private static let landmarks: [Landmark] = [
    ("KJFK", 40.6399, -73.7787, 13.0, 14_511, -13), ("KBOS", 42.3629, -71.0064, 19.1, 10_083, -15),
    ("KIAD", 38.9475, -77.4599, 312.3, 11_500, -10), ("KMIA", 25.7954, -80.2901, 9.3, 13_016, -5),
    ("KATL", 33.6367, -84.4279, 1026.2, 12_390, -5), ("KLAX", 33.9425, -118.408, 127.8, 12_923, 12),
    ("KSFO", 37.6188, -122.3754, 13.1, 11_870, 14), ("KPAO", 37.4611, -122.1151, 6.8, 2_443, 15),
    ("KSEA", 47.4499, -122.3118, 432.3, 11_901, 16), ("KPDX", 45.5887, -122.5969, 30.8, 11_000, 16),
    ("KTVL", 38.8939, -119.9953, 6268.4, 8_541, 16), ("KSJC", 37.363, -121.9286, 62.2, 11_000, 13),
    ("KOAK", 37.7213, -122.2212, 9.0, 10_520, 14), ("KSQL", 37.5119, -122.2495, 5.5, 2_621, 15),
    ("KHWD", 37.6589, -122.1217, 52.1, 5_694, 15), ("KNUQ", 37.4161, -122.0491, 36.9, 9_197, 16),
    ("KCCR", 37.9897, -122.0569, 25.6, 5_001, 13), ("KAPC", 38.2132, -122.2807, 35.5, 5_930, 15),
    ("KHAF", 37.5134, -122.5012, 66.3, 5_000, 15), ("KMRY", 36.587, -121.8428, 256.6, 7_175, 15),
    ("KORD", 41.9769, -87.9081, 680.0, 13_000, -3), ("KDEN", 39.8617, -104.6732, 5433.8, 16_000, 8),
    ("KDFW", 32.8972, -97.0377, 606.4, 13_401, 4), ("KMSY", 29.9933, -90.259, 3.7, 10_104, -1),
    ("KMSP", 44.882, -93.2218, 841.8, 11_006, 0), ("KSLC", 40.7884, -111.9778, 4230.9, 12_002, 11),
    ("KLXV", 39.2195, -106.3164, 9933.5, 6_400, 9), ("PANC", 61.1741, -149.9981, 151.4, 12_400, 16),
    ("PAJN", 58.3547, -134.5785, 25.3, 8_857, 20), ("PHNL", 21.3178, -157.9202, 12.6, 12_312, 11),
    ("TJSJ", 18.4394, -66.0021, 9.6, 10_400, -11), ("TIST", 18.3373, -64.9733, 23.6, 7_000, -13),
    ("PGUM", 13.484, 144.7971, 305.0, 12_014, 2),
  ]
}

internal import Core
internal import Foundation
internal import SQLiteIO

/// Compares well-known airports with their known values.
struct DatabaseLandmarks: Rule {
  let name = "database-landmarks"
  let protects = "A table in other units, or shifted as a whole, is detected."

  /// A database with more airports than this contains the whole country.
  static let wholeCountry = 10_000
  /// A value that may change at one airport, such as its name, does not change at a fifth of them.
  private static let most = 0.2
  private static let fewest = 2

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let query = try database.connection.prepare(
      """
      SELECT latitude, longitude, elevation, longestRunway, name, isTowered, magneticVariation, ctafFrequency
      FROM airports WHERE icao = ?
      """)
    let count = try database.connection.numbers("SELECT count(*) FROM airports").first ?? 0
    var found: [LandmarkRow] = []
    var findings: [Finding] = []
    for landmark in Landmark.all {
      let row = try query.map([.text(landmark.icao)]) { LandmarkRow(landmark, $0) }.first
      if let row {
        found.append(row)
      } else if count > DatabaseLandmarks.wholeCountry {
        findings.append(error(place(landmark, database), "it is missing"))
      }
    }
    let fixed = found.flatMap { row in row.problems.map { error(place(row.landmark, database), $0) } }
    return findings + fixed + changeable(found, database)
  }

  private func place(_ landmark: Landmark, _ database: DatabaseUnderTest) -> String {
    "\(database.place) airports \(landmark.icao)"
  }

  /// Checks names and towers, which may change at some airports, and frequencies, which are wrong if all have the same offset.
  private func changeable(_ rows: [LandmarkRow], _ database: DatabaseUnderTest) -> [Finding] {
    func findings(_ problem: (LandmarkRow) -> String?, isWrong: ([LandmarkRow]) -> Bool) -> [Finding] {
      let wrong = rows.filter { problem($0) != nil }
      let isWrong = isWrong(wrong)
      return wrong.map { row in
        let place = place(row.landmark, database)
        let message = problem(row) ?? ""
        return isWrong ? error(place, message) : warning(place, message)
      }
    }
    let areMany = { (wrong: [LandmarkRow]) in
      wrong.count >= Self.fewest && Double(wrong.count) > Self.most * Double(rows.count)
    }
    return findings(\.nameProblem, isWrong: areMany) + findings(\.towerProblem, isWrong: areMany)
      + findings(\.ctafProblem) { LandmarkRow.haveOneOffset($0) }
  }
}

/// A landmark, and its row in a database.
private struct LandmarkRow {
  let landmark: Landmark
  private let row: (place: GeoPoint, elevation: Double?, longest: Double?, name: String, isTowered: Int?)
  private let variation: Double?
  private let ctaf: Double?

  init(_ landmark: Landmark, _ row: SQLiteRow) {
    self.landmark = landmark
    self.row = (
      GeoPoint(longitude: row.double(1), latitude: row.double(0)), row.real(2), row.real(3),
      row.text(4) ?? "",
      row.isNull(5) ? nil : row.int(5)
    )
    (variation, ctaf) = (row.real(6), row.real(7))
  }

  /// The wrong values among those that never change.
  var problems: [String] {
    var problems: [String] = []
    let miles = LocalLine(from: landmark.place, to: row.place).nauticalMiles
    if !(miles <= 1) {
      let shown = miles < 20_000 ? miles : 20_000
      problems.append("it lies \(Counts.grouped(Int(shown))) NM from its known place")
    }
    if let elevation = row.elevation, abs(elevation - landmark.elevation) > 30 {
      problems.append("elevation is \(elevation) feet, not the known \(landmark.elevation)")
    }
    if let length = row.longest, abs(length / landmark.longestRunway - 1) > 0.1 {
      problems.append(
        "longestRunway is \(Int(length)) feet, not the known \(Int(landmark.longestRunway))")
    }
    if let variation, abs(variation - landmark.magneticVariation) > 5 {
      problems.append(
        "magneticVariation is \(variation) degrees, not the known \(landmark.magneticVariation)")
    }
    return problems
  }

  var nameProblem: String? {
    row.name.contains(landmark.nameWord)
      ? nil : "name is \"\(row.name)\", which lacks \(landmark.nameWord)"
  }

  var towerProblem: String? {
    guard row.isTowered != (landmark.isTowered ? 1 : 0) else { return nil }
    let value = row.isTowered.map { "\($0)" } ?? "missing"
    return "isTowered is \(value), but the airport has \(landmark.isTowered ? "a" : "no") tower"
  }

  var ctafProblem: String? {
    offset.map { _ in "ctafFrequency is \(ctaf ?? 0), not the known \(landmark.ctaf ?? 0)" }
  }

  /// MHz; nil where the frequency is right or unknown.
  private var offset: Double? {
    guard let known = landmark.ctaf, let ctaf, abs(ctaf - known) > 0.001 else { return nil }
    return ctaf - known
  }

  /// Whether most frequencies have the same offset.
  static func haveOneOffset(_ rows: [LandmarkRow]) -> Bool {
    let thousandths = rows.compactMap(\.offset).map { Int(($0 * 1000).rounded()) }
    let counts = Dictionary(grouping: thousandths) { $0 }.mapValues(\.count)
    return (counts.values.max() ?? 0) >= max(3, (rows.count + 1) / 2)
  }
}

/// A well-known airport, with the FAA's values of 2023-04-20 (APT_BASE and APT_RWY). A wrong unit or sign of a column shows here. No
/// position, elevation, runway length or tower of these airports changed until 2026-04-16.
struct Landmark {
  let icao: String
  let place: GeoPoint
  /// Feet above mean sea level.
  let elevation: Double
  /// Feet.
  let longestRunway: Double
  /// A part of the name that the FAA kept when it changed the rest.
  let nameWord: String
  /// Degrees, west negative.
  let magneticVariation: Double
  /// MHz; nil where there is none.
  let ctaf: Double?
  let isTowered: Bool

  private init(
    _ icao: String, _ north: Double, _ east: Double, _ elevation: Double, _ longest: Double,
    _ nameWord: String,
    _ magneticVariation: Double, ctaf: Double? = nil, isTowered: Bool = true
  ) {
    self.icao = icao
    place = GeoPoint(longitude: east, latitude: north)
    self.elevation = elevation
    longestRunway = longest
    (self.nameWord, self.magneticVariation) = (nameWord, magneticVariation)
    (self.ctaf, self.isTowered) = (ctaf, isTowered)
  }

  static let all = coasts + bay + inland + overseas

  private static let coasts = [
    Landmark("KJFK", 40.6399, -73.7787, 13.0, 14_511, "KENNEDY", -13),
    Landmark("KBOS", 42.3629, -71.0064, 19.1, 10_083, "LAWRENCE", -15),
    Landmark("KPWM", 43.6456, -70.3086, 75.7, 7_200, "PORTLAND", -15, ctaf: 120.9),
    Landmark("KPHL", 39.8721, -75.2407, 35.9, 12_000, "PHILADELPHIA", -12),
    Landmark("KIAD", 38.9475, -77.4599, 312.3, 11_500, "WASHINGTON", -10),
    Landmark("KTEB", 40.8501, -74.0608, 8.4, 7_000, "TETERBORO", -12),
    Landmark("KBED", 42.4699, -71.289, 132.0, 7_011, "LAURENCE", -16, ctaf: 118.5),
    Landmark("KMHT", 42.9328, -71.4358, 266.4, 9_250, "MANCHESTER", -15),
    Landmark("KMIA", 25.7954, -80.2901, 9.3, 13_016, "MIAMI", -5),
    Landmark("KMCO", 28.4294, -81.309, 96.4, 12_005, "ORLANDO", -6),
    Landmark("KATL", 33.6367, -84.4279, 1026.2, 12_390, "HARTSFIELD", -5),
    Landmark("KLAX", 33.9425, -118.408, 127.8, 12_923, "ANGELES", 12),
    Landmark("KSFO", 37.6188, -122.3754, 13.1, 11_870, "FRANCISCO", 14),
    Landmark("KSAN", 32.7336, -117.1897, 16.8, 9_401, "DIEGO", 11),
    Landmark("KSEE", 32.8262, -116.9724, 387.5, 5_342, "GILLESPIE", 13, ctaf: 120.7),
    Landmark("KPAO", 37.4611, -122.1151, 6.8, 2_443, "PALO", 15, ctaf: 118.6),
    Landmark("KVNY", 34.2098, -118.49, 802.1, 8_001, "NUYS", 12, ctaf: 119.3),
    Landmark("KSEA", 47.4499, -122.3118, 432.3, 11_901, "SEATTLE", 16),
    Landmark("KPDX", 45.5887, -122.5969, 30.8, 11_000, "PORTLAND", 16),
    Landmark("KTVL", 38.8939, -119.9953, 6268.4, 8_541, "TAHOE", 16, ctaf: 122.85, isTowered: false),
  ]

  /// Around San Francisco, where the samples are.
  private static let bay = [
    Landmark("KSJC", 37.363, -121.9286, 62.2, 11_000, "NORMAN", 13, ctaf: 124.0),
    Landmark("KOAK", 37.7213, -122.2212, 9.0, 10_520, "OAKLAND", 14),
    Landmark("KSQL", 37.5119, -122.2495, 5.5, 2_621, "CARLOS", 15, ctaf: 119.0),
    Landmark("KHWD", 37.6589, -122.1217, 52.1, 5_694, "HAYWARD", 15, ctaf: 120.2),
    Landmark("KRHV", 37.3329, -121.8198, 135.4, 3_100, "HILLVIEW", 16, ctaf: 119.8),
    Landmark("KNUQ", 37.4161, -122.0491, 36.9, 9_197, "AIRFIELD", 16, ctaf: 119.55),
    Landmark("KLVK", 37.6934, -121.8204, 399.9, 5_253, "LIVERMORE", 16, ctaf: 118.1),
    Landmark("KCCR", 37.9897, -122.0569, 25.6, 5_001, "BUCHANAN", 13, ctaf: 119.7),
    Landmark("KAPC", 38.2132, -122.2807, 35.5, 5_930, "NAPA", 15, ctaf: 118.7),
    Landmark("KHAF", 37.5134, -122.5012, 66.3, 5_000, "HALF", 15, ctaf: 122.8, isTowered: false),
    Landmark("KWVI", 36.9357, -121.7896, 163.3, 4_502, "WATSONVILLE", 14, ctaf: 122.8, isTowered: false),
    Landmark("KDVO", 38.1436, -122.5571, 4.0, 3_303, "GNOSS", 16, ctaf: 123.075, isTowered: false),
    Landmark("KSTS", 38.5097, -122.8129, 128.7, 6_000, "CHARLES", 16, ctaf: 118.5),
    Landmark("KSNS", 36.6628, -121.6064, 84.3, 6_004, "SALINAS", 13, ctaf: 119.525),
    Landmark("KMRY", 36.587, -121.8428, 256.6, 7_175, "MONTEREY", 15, ctaf: 118.4),
  ]

  private static let inland = [
    Landmark("KORD", 41.9769, -87.9081, 680.0, 13_000, "CHICAGO", -3),
    Landmark("KDEN", 39.8617, -104.6732, 5433.8, 16_000, "DENVER", 8),
    Landmark("KDFW", 32.8972, -97.0377, 606.4, 13_401, "DALLAS", 4),
    Landmark("KIAH", 29.9844, -95.3414, 95.8, 12_001, "INTCNTL", 3),
    Landmark("KSTL", 38.7487, -90.37, 617.3, 11_020, "LAMBERT", -1),
    Landmark("KMSY", 29.9933, -90.259, 3.7, 10_104, "ARMSTRONG", -1),
    Landmark("KBNA", 36.1245, -86.6782, 599.0, 11_030, "NASHVILLE", -3),
    Landmark("KCLE", 41.4094, -81.8547, 799.5, 9_953, "CLEVELAND", -8),
    Landmark("KDTW", 42.2124, -83.3534, 645.2, 12_003, "DETROIT", -7),
    Landmark("KMSP", 44.882, -93.2218, 841.8, 11_006, "MINNEAPOLIS", 0),
    Landmark("KOSH", 43.9844, -88.557, 808.4, 8_002, "WITTMAN", -3, ctaf: 118.5),
    Landmark("KPHX", 33.4343, -112.0116, 1134.8, 11_489, "PHOENIX", 12),
    Landmark("KLAS", 36.08, -115.1522, 2181.2, 14_515, "HARRY", 11),
    Landmark("KSLC", 40.7884, -111.9778, 4230.9, 12_002, "SALT", 11),
    Landmark("KABQ", 35.0389, -106.6083, 5354.9, 13_793, "ALBUQUERQUE", 11),
    Landmark("KELP", 31.8073, -106.3764, 3961.6, 12_020, "PASO", 8),
    Landmark("KBIL", 45.8078, -108.5435, 3662.3, 10_518, "BILLINGS", 10),
    Landmark("KAPA", 39.5701, -104.8493, 5884.9, 10_001, "CENTENNIAL", 8),
    Landmark("KFFZ", 33.4608, -111.7283, 1394.0, 5_100, "FALCON", 12, ctaf: 124.6),
    Landmark("KDVT", 33.6883, -112.0826, 1478.1, 8_196, "PHOENIX", 12, ctaf: 118.4),
    Landmark("KASE", 39.2219, -106.8682, 7837.9, 8_006, "PITKIN", 9, ctaf: 118.85),
    Landmark("KLXV", 39.2195, -106.3164, 9933.5, 6_400, "LAKE", 9, ctaf: 122.8, isTowered: false),
  ]

  private static let overseas = [
    Landmark("PANC", 61.1741, -149.9981, 151.4, 12_400, "ANCHORAGE", 16),
    Landmark("PAFA", 64.8154, -147.8567, 439.0, 11_800, "FAIRBANKS", 15),
    Landmark("PAJN", 58.3547, -134.5785, 25.3, 8_857, "JUNEAU", 20, ctaf: 118.7),
    Landmark("PHNL", 21.3178, -157.9202, 12.6, 12_312, "DANIEL", 11),
    Landmark("PHTO", 19.7203, -155.0485, 37.6, 9_800, "HILO", 11, ctaf: 118.1),
    Landmark("TJSJ", 18.4394, -66.0021, 9.6, 10_400, "MUNOZ", -11),
    Landmark("TIST", 18.3373, -64.9733, 23.6, 7_000, "CYRIL", -13, ctaf: 118.8),
    Landmark("PGUM", 13.484, 144.7971, 305.0, 12_014, "GUAM", 2),
  ]
}

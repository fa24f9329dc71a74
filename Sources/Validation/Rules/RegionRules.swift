internal import Core
internal import SQLiteIO

/// Checks that each place lies in its state.
struct DatabasePlaces: Rule {
  let name = "database-places"
  let protects = "No airport lies in another state because a digit or a sign was lost."

  /// Degrees that make a warning and an error. The FAA lists some airports under a neighbouring state, by their post office.
  private static let odd = 0.3
  private static let wrong = 1.0
  /// The state of other places may be that of the nearest shore.
  private static let farFromShore = 10.0
  private static let precise: Set<String> = ["airports", "navaids"]

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let tables = try database.known.filter { $0.has("state", "latitude", "longitude") }
    return try tables.flatMap { table -> [Finding] in
      let isAmerican = table.has("country") ? "coalesce(country, 'US') = 'US'" : "1"
      return try database.connection.prepare(
        """
        SELECT \(table.label), state, latitude, longitude FROM \(table.name)
        WHERE state IS NOT NULL AND latitude IS NOT NULL AND longitude IS NOT NULL AND \(isAmerican)
        """
      ).map { finding($0, table.name, database) }.compactMap(\.self).sortedByPlace
    }
  }

  private func finding(_ row: SQLiteRow, _ table: String, _ database: DatabaseUnderTest) -> Finding? {
    let (state, place) = (row.text(1) ?? "", GeoPoint(longitude: row.double(3), latitude: row.double(2)))
    let isPrecise = DatabasePlaces.precise.contains(table)
    guard let distance = Self.boxes[state]?.map({ $0.distance(to: place) }).min(),
      distance > (isPrecise ? DatabasePlaces.odd : DatabasePlaces.farFromShore)
    else { return nil }
    let tenths = (distance * 10).rounded() / 10
    let isWrong = !isPrecise || distance > DatabasePlaces.wrong
    return finding(
      isWrong ? .error : .warning, database.place(table, row),
      "it lies \(tenths) degrees outside of \(state), its state")
  }
}

/// The boxes around the states and territories, by post office code: read from a map, rounded outward to a tenth of a degree, with
/// the platforms off the Gulf coast.
extension DatabasePlaces {
  private static let boxes: [String: [GeoBox]] = Dictionary(grouping: states) { $0.state }.mapValues { rows in
    rows.map { GeoBox(west: $0.west, south: $0.south, east: $0.east, north: $0.north) }
  }

  /// Alaska lies on both sides of 180 degrees; the FAA lists the airports of Dulles and Manassas in Virginia under DC; CQ is another
  /// code of the Northern Marianas; QM, QW and XL are Midway, Wake and Palmyra.
  private static let states: [(state: String, south: Double, north: Double, west: Double, east: Double)] = [
    ("AK", 51.2, 71.4, -180, -129.9), ("AK", 51.2, 71.4, 172.4, 180), ("AL", 29.5, 35, -88.5, -84.9),
    ("AR", 33, 36.5, -94.6, -89.6), ("AS", -14.6, -11, -171.1, -168.1), ("AZ", 31.3, 37, -114.8, -109),
    ("CA", 32.5, 42, -124.4, -114.1), ("CO", 37, 41, -109.1, -102), ("CQ", 14.1, 20.6, 144.9, 146.1),
    ("CT", 41, 42.1, -73.7, -71.8), ("DC", 38.6, 39, -77.6, -76.9), ("DE", 38.4, 39.9, -75.8, -75),
    ("FL", 24.5, 31, -87.6, -80), ("GA", 30.4, 35, -85.6, -80.8), ("GU", 13.2, 13.7, 144.6, 145),
    ("HI", 18.9, 28.5, -178.4, -154.8), ("IA", 40.4, 43.5, -96.6, -90.1), ("ID", 42, 49, -117.2, -111),
    ("IL", 37, 42.5, -91.5, -87.5), ("IN", 37.8, 41.8, -88.1, -84.8), ("KS", 37, 40, -102.1, -94.6),
    ("KY", 36.5, 39.2, -89.6, -81.9), ("LA", 27.5, 33, -94, -88.8), ("MA", 41.2, 42.9, -73.5, -69.9),
    ("MD", 37.9, 39.7, -79.5, -75), ("ME", 43, 47.5, -71.1, -66.9), ("MI", 41.7, 48.3, -90.4, -82.1),
    ("MN", 43.5, 49.4, -97.2, -89.5), ("MO", 36, 40.6, -95.8, -89.1), ("MP", 14.1, 20.6, 144.9, 146.1),
    ("MS", 29, 35, -91.7, -88.1), ("MT", 44.4, 49, -116.1, -104), ("NC", 33.8, 36.6, -84.3, -75.4),
    ("ND", 45.9, 49, -104.1, -96.5), ("NE", 40, 43, -104.1, -95.3), ("NH", 42.7, 45.3, -72.6, -70.6),
    ("NJ", 38.9, 41.4, -75.6, -73.9), ("NM", 31.3, 37, -109.1, -103), ("NV", 35, 42, -120, -114),
    ("NY", 40.5, 45, -79.8, -71.8), ("OH", 38.4, 42, -84.8, -80.5), ("OK", 33.6, 37, -103, -94.4),
    ("OR", 42, 46.3, -124.6, -116.5), ("PA", 39.7, 42.3, -80.5, -74.7), ("PR", 17.9, 18.5, -67.9, -65.2),
    ("QM", 28.2, 28.2, -177.4, -177.3), ("QW", 19.3, 19.3, 166.6, 166.7), ("RI", 41.1, 42, -71.9, -71.1),
    ("SC", 32, 35.2, -83.4, -78.5), ("SD", 42.5, 46, -104.1, -96.4), ("TN", 35, 36.7, -90.3, -81.6),
    ("TX", 25.8, 36.5, -106.7, -93.5), ("UT", 37, 42, -114.1, -109), ("VA", 36.5, 39.5, -83.7, -75.2),
    ("VI", 17.7, 18.4, -65.1, -64.5), ("VT", 42.7, 45, -73.4, -71.5), ("WA", 45.5, 49, -124.8, -116.9),
    ("WI", 42.5, 47.1, -92.9, -86.8), ("WV", 37.2, 40.6, -82.7, -77.7), ("WY", 41, 45, -111.1, -104),
    ("XL", 5.8, 5.9, -162.2, -162),
  ]
}

extension GeoBox {
  /// Degrees, around the world by the shorter way; 0 inside.
  fileprivate func distance(to place: GeoPoint) -> Double {
    let north = max(south - place.latitude, place.latitude - self.north, 0)
    let turns = [-360.0, 0, 360].map { max(west - place.longitude - $0, place.longitude + $0 - east, 0) }
    return max(north, turns.min() ?? 0)
  }
}

/// Compares the magnetic variation with the earth's magnetic field at each place.
///
/// Of 16,965 airports and navaids of 2023-04-20 none is more than 15 degrees from the field, and none has the opposite sign where
/// the field is strong; the median of no state is more than 5.2 degrees from it.
struct DatabaseVariation: Rule {
  let name = "database-variation"
  let protects = "No pilot turns the wrong way because of an inverted magnetic variation."

  /// Degrees.
  private static let limit = 25.0
  private static let stateLimit = 8.0
  /// If the field and the value are at least this large, their signs must agree.
  private static let strongField = 8.0
  private static let strongValue = 3.0
  private static let fewest = 5

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let tables = try database.known.filter { $0.has("magneticVariation", "latitude", "longitude") }
    return try tables.flatMap { try findings(in: $0, database) }
  }

  private func findings(in table: TableSchema, _ database: DatabaseUnderTest) throws -> [Finding] {
    var findings: [Finding] = []
    var differences: [String: [Double]] = [:]
    let state = table.has("state") ? "state" : "NULL"
    try database.connection.prepare(
      """
      SELECT \(table.label), latitude, longitude, magneticVariation, \(state) FROM \(table.name)
      WHERE magneticVariation IS NOT NULL AND latitude BETWEEN -80 AND 80 AND longitude BETWEEN -180 AND 180
      """
    ).rows { row in
      let value = row.double(3)
      let field = MagneticField.declination(
        at: GeoPoint(longitude: row.double(2), latitude: row.double(1)))
      let difference = (value - field).remainder(dividingBy: 360)
      row.text(4).map { differences[$0, default: []].append(difference) }
      if Self.isWrong(value, field, difference) {
        let expected = "\(Int(abs(field).rounded())) degrees \(field < 0 ? "west" : "east")"
        findings.append(
          error(
            database.place(table.name, row),
            "magneticVariation is \(value), but the earth's magnetic field there is about \(expected)"))
      }
    }
    return findings.sortedByPlace + states(differences, "\(database.place) \(table.name)")
  }

  private static func isWrong(_ value: Double, _ field: Double, _ difference: Double) -> Bool {
    let isInverted = value * field < 0 && abs(field) >= strongField && abs(value) >= strongValue
    return isInverted || abs(difference) > limit
  }

  private func states(_ differences: [String: [Double]], _ place: String) -> [Finding] {
    differences.sorted { $0.key < $1.key }.compactMap { state, all in
      guard all.count >= Self.fewest else { return nil }
      let median = all.sorted()[all.count / 2]
      guard abs(median) > Self.stateLimit else { return nil }
      return error(
        place,
        "magneticVariation of the rows of \(state) is \(Int(median.rounded())) degrees from the earth's magnetic field"
      )
    }
  }
}

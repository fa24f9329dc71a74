internal import Aero
internal import Core
internal import Pipeline
internal import SQLiteIO

/// Magnetic variation against the earth's field at each place.
///
/// Of 16,965 airports and navaids of 2023-04-20 none is more than 15 degrees from the field, and none has the other sign where it
/// is strong; the median of no state is more than 5.2 degrees from it.
struct DatabaseVariation: DatabaseRule {
  let name = "database-variation"
  let protects = "No pilot turns the wrong way by an inverted magnetic variation."

  /// Degrees.
  private static let limit = 25.0
  private static let stateLimit = 8.0
  /// Where the field and the value are at least so strong, their signs agree.
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
            "\(database.place) \(table.name) \(row.text(0) ?? "")",
            "magneticVariation is \(value), but the earth's field there points some \(expected)"))
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
        "magneticVariation of the rows of \(state) is \(Int(median.rounded())) degrees from the earth's field"
      )
    }
  }
}

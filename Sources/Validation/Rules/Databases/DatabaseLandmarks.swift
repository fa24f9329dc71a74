internal import Core
internal import Foundation
internal import Pipeline
internal import SQLiteIO

/// Well-known airports against what is known of them.
struct DatabaseLandmarks: DatabaseRule {
  let name = "database-landmarks"
  let protects = "A table that is in other units, or shifted as a whole, does not pass for a good one."

  /// With more airports than this, all of the country is in it.
  static let wholeCountry = 10_000
  /// What may change at one airport, such as a name, does not change at a fifth of them.
  private static let most = 0.2
  private static let fewest = 2

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let question = try database.connection.prepare(
      """
      SELECT latitude, longitude, elevation, longestRunway, name, isTowered, magneticVariation, ctafFrequency
      FROM airports WHERE icao = ?
      """)
    let count = try database.connection.numbers("SELECT count(*) FROM airports").first ?? 0
    var found: [LandmarkRow] = []
    var findings: [Finding] = []
    for landmark in Landmark.all {
      let row = try question.map([.text(landmark.icao)]) { LandmarkRow(landmark, $0) }.first
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

  /// Names and towers, which may change at some airports, and radio frequencies, which are wrong where all are moved alike.
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

/// A landmark, and the row of a database about it.
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

  /// What does not change.
  var problems: [String] {
    var problems: [String] = []
    let miles = FlatWay(from: landmark.place, to: row.place).nauticalMiles
    if !(miles <= 1) {
      let shown = miles < 20_000 ? miles : 20_000
      problems.append("it lies \(Counts.grouped(Int(shown))) NM from where it is known to lie")
    }
    if let elevation = row.elevation, abs(elevation - landmark.elevation) > 30 {
      problems.append("elevation is \(elevation) feet, and it is known to lie at \(landmark.elevation)")
    }
    if let length = row.longest, abs(length / landmark.longestRunway - 1) > 0.1 {
      problems.append(
        "longestRunway is \(Int(length)) feet, and is known to be \(Int(landmark.longestRunway))")
    }
    if let variation, abs(variation - landmark.magneticVariation) > 5 {
      problems.append(
        "magneticVariation is \(variation) degrees, and is known to be \(landmark.magneticVariation)")
    }
    return problems
  }

  var nameProblem: String? {
    row.name.contains(landmark.nameWord)
      ? nil : "name is \"\(row.name)\", in which \(landmark.nameWord) is missing"
  }

  var towerProblem: String? {
    guard row.isTowered != (landmark.isTowered ? 1 : 0) else { return nil }
    let value = row.isTowered.map { "\($0)" } ?? "missing"
    return "isTowered is \(value), and it is known to have \(landmark.isTowered ? "a" : "no") tower"
  }

  var ctafProblem: String? {
    offset.map { _ in "ctafFrequency is \(ctaf ?? 0), and is known to be \(landmark.ctaf ?? 0)" }
  }

  /// MHz; nil where all is well or nothing is known.
  private var offset: Double? {
    guard let known = landmark.ctaf, let ctaf, abs(ctaf - known) > 0.001 else { return nil }
    return ctaf - known
  }

  /// Whether most are off by as much.
  static func haveOneOffset(_ rows: [LandmarkRow]) -> Bool {
    let thousandths = rows.compactMap(\.offset).map { Int(($0 * 1000).rounded()) }
    let counts = Dictionary(grouping: thousandths) { $0 }.mapValues(\.count)
    return (counts.values.max() ?? 0) >= max(3, (rows.count + 1) / 2)
  }
}

internal import SQLiteIO

/// Each number within what is possible on this earth.
struct DatabaseRanges: DatabaseRule {
  let name = "database-ranges"
  let protects =
    "No airport lies in the wrong ocean, and no radio is tuned to a frequency that does not exist."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try NumberRange.all.flatMap { range in
      let rows = try database.connection.prepare(range.sql).map { ($0.text(0) ?? "", $0.text(1) ?? "") }
      return rows.map { identifier, value in
        let place = "\(database.place) \(range.table) \(identifier)"
        let message = "\(range.column) is \(value), not \(range.expected)"
        return range.isTypical ? warning(place, message) : error(place, message)
      }
    }
  }
}

/// What a column may hold. NULL is always allowed: what the FAA does not say is not made up.
private struct NumberRange {
  let table: String
  /// Names a row to people.
  let identifier: String
  let column: String
  let condition: String
  let expected: String
  /// Beyond it a value is odd but may be true, so it is only a warning.
  let isTypical: Bool

  init(
    _ table: String, by identifier: String, _ column: String, _ condition: String, _ expected: String,
    isTypical: Bool = false
  ) {
    self.table = table
    self.identifier = identifier
    self.column = column
    self.condition = condition
    self.expected = expected
    self.isTypical = isTypical
  }

  init(
    _ table: String, by identifier: String, _ column: String, _ range: ClosedRange<Int>, _ unit: String,
    isTypical: Bool = false
  ) {
    self.init(
      table, by: identifier, column, "\(column) BETWEEN \(range.lowerBound) AND \(range.upperBound)",
      "\(range.lowerBound) to \(range.upperBound) \(unit)", isTypical: isTypical)
  }

  /// Text in a column of numbers compares as greater than any number, so its kind is asked too.
  var sql: String {
    """
    SELECT \(identifier), \(column) FROM \(table)
    WHERE \(column) IS NOT NULL AND NOT (typeof(\(column)) IN ('integer', 'real') AND (\(condition))) ORDER BY 1, 2
    """
  }

  static let all =
    airports + runways + runwayEnd("baseEnd") + runwayEnd("reciprocalEnd") + frequencies + navaids

  private static let airports = [
    NumberRange("airports", by: "icao", "latitude", -90...90, "degrees"),
    NumberRange("airports", by: "icao", "longitude", -180...180, "degrees"),
    NumberRange("airports", by: "icao", "elevation", -1500...20_000, "feet"),
    NumberRange("airports", by: "icao", "ctafFrequency", voice, voiceBand),
    NumberRange("airports", by: "icao", "unicomFrequency", voice, voiceBand),
    NumberRange("airports", by: "icao", "magneticVariation", -180...180, "degrees"),
    NumberRange("airports", by: "icao", "patternAltitude", 100...6000, "feet above ground", isTypical: true),
    NumberRange("airports", by: "icao", "longestRunway", 1...50_000, "feet"),
  ]

  private static let runways = [
    NumberRange("runways", by: runway, "length", 1...50_000, "feet"),
    NumberRange("runways", by: runway, "width", 1...20_000, "feet"),
  ]

  private static func runwayEnd(_ end: String) -> [NumberRange] {
    let threshold = "\(end)DisplacedThreshold"
    return [
      NumberRange("runways", by: runway, end + "Latitude", -90...90, "degrees"),
      NumberRange("runways", by: runway, end + "Longitude", -180...180, "degrees"),
      NumberRange("runways", by: runway, end + "Elevation", -1500...20_000, "feet"),
      NumberRange("runways", by: runway, end + "TouchdownElevation", -1500...20_000, "feet"),
      NumberRange("runways", by: runway, end + "TrueHeading", 0...360, "degrees"),
      NumberRange(
        "runways", by: runway, threshold, "\(threshold) BETWEEN 0 AND coalesce(length, 50000)",
        "within the runway", isTypical: true),
    ]
  }

  private static let frequencies = [
    NumberRange("frequencies", by: radio, "frequency", 2...400, "MHz"),
    NumberRange(
      "frequencies", by: radio, "vhf", "vhf = (frequency BETWEEN 118 AND 137)",
      "1 within 118 to 137 MHz and 0 elsewhere"),
  ]

  private static let navaids = [
    NumberRange("navaids", by: "identifier", "latitude", -90...90, "degrees"),
    NumberRange("navaids", by: "identifier", "longitude", -180...180, "degrees"),
    NumberRange("navaids", by: "identifier", "elevation", -1500...20_000, "feet"),
    NumberRange("navaids", by: "identifier", "magneticVariation", -180...180, "degrees"),
    // A TACAN's channel may be paired with a frequency beyond the VOR's band.
    NumberRange(
      "navaids", by: "identifier", "frequency",
      """
      CASE WHEN type LIKE '%ndb%' THEN frequency BETWEEN 190 AND 1750
      ELSE frequency = 75 OR frequency BETWEEN 108 AND 118 OR frequency BETWEEN 133 AND 136 END
      """, "in the band of its type"),
  ]

  private static let voice = 118...137
  private static let voiceBand = "MHz"
  private static let runway = "airport || ' ' || id"
  private static let radio = "airport || ' ' || type"
}

internal import SQLiteIO

/// The columns of `runways`: a row of APT_RWY, with the rows of APT_RWY_END of its two ends.
enum RunwayFields {
  /// The runway itself, and the name of its first end.
  static let own = [
    .airport,
    Field("id", .text("RWY_ID"), "As the FAA writes it: 13/31, 05W/23W, N/S, H1.", isRequired: true),
    Field("length", size("RWY_LEN"), "Feet; NULL where the FAA has none."),
    Field("width", size("RWY_WIDTH"), "Feet; NULL where the FAA has none."),
    Field(
      "surface", .made("TEXT", ["SURFACE_TYPE_CODE"], surface),
      "asphalt, concrete, turf, gravel, dirt, water ...; two kinds as asphalt-concrete."),
    Field("condition", .word("COND", RunwayCodes.conditions), "excellent, good, fair, poor or failed."),
    Field(
      "lighting", .atAirport("TEXT", ["RWY_LGT_CODE"], lighting),
      "none, partTime (by schedule, on request, or not said when) or fullTime (sunset to sunrise); NULL where the FAA's code is not known.",
      from: "RWY_LGT_CODE, APT_BASE.LGT_SKED"),
    Field(
      "edgeLights", .made("TEXT", ["RWY_LGT_CODE"], edgeLights),
      "high, medium, low, nonstandard, perimeter, flood or strobe; NULL without lights."),
    Field(
      "baseEndID",
      .made("TEXT NOT NULL", ["RWY_ID"]) { row, at in SQLiteValue(row.text(at).map(Runway.ends)?.base) }),
  ]

  static let reciprocal = [
    Field(
      "reciprocalEndID",
      .made("TEXT", ["RWY_ID"]) { row, at in SQLiteValue(row.text(at).map(Runway.ends)?.reciprocal) },
      "NULL for a helipad and wherever there is one end only.")
  ]

  /// The columns of one end.
  static func end(_ side: String) -> [Field] {
    func field(_ name: String, _ reading: Field.Reading, _ comment: String? = nil) -> Field {
      let provenance = reading.sources.map { RunwayEnd.table + "." + $0 }.joined(separator: ", ")
      return Field(side + name, reading, comment, from: provenance)
    }
    return [
      field(
        "Latitude", coordinate(0, -90...90),
        "Degrees, of the end of the pavement and not of a displaced threshold."),
      field("Longitude", coordinate(1, -180...180)),
      field("Elevation", .real("RWY_END_ELEV", -1500...30_000), "Feet above mean sea level."),
      field(
        "TouchdownElevation", .real("TDZ_ELEV", -1500...30_000),
        "Feet above mean sea level: the touchdown zone's (TDZE)."),
      field("TrueHeading", .real("TRUE_ALIGNMENT", 0...360), "Degrees true."),
      field("DisplacedThreshold", .whole("DISPLACED_THR_LEN", 0...99_999), "Feet."),
      field(
        "Traffic", .made("TEXT", ["RIGHT_HAND_TRAFFIC_PAT_FLAG"], traffic),
        "left or right; NULL where the FAA does not say."),
      field(
        "VGSI", .made("TEXT", ["VGSI_CODE"], indicator),
        "The FAA's code of the visual glide slope indicator: P4L, V2R ...; NULL without one."),
      field(
        "Marking", .word("RWY_MARKING_TYPE_CODE", RunwayCodes.markings),
        "precision, nonprecision, basic, numbersOnly, nonstandard, buoys, stol or none."),
    ]
  }

  private static func size(_ column: String) -> Field.Reading {
    .made("INTEGER", [column]) { row, at in
      guard let feet = row.whole(at, in: 0...Runway.sizes.upperBound) else { return .null }
      return SQLiteValue(feet > 0 ? feet : row.drop(at, "a size of 0 is none"))
    }
  }

  @Sendable private static func surface(_ row: SourceRow, _ at: Int) -> SQLiteValue {
    guard let code = row.text(at) else { return .null }
    let (words, isKnown) = RunwayCodes.surface(code)
    if !isKnown { row.report(.unknownCode, at, "the code is not known") }
    return .text(words)
  }

  /// The airport's schedule decides when its runways' lights burn; one that is not said counts as not always.
  @Sendable private static func lighting(
    _ row: SourceRow, _ at: Int, _ airport: AirportDirectory.Entry
  ) -> SQLiteValue {
    let code = row.value(at)
    if code.isEmpty { return .text(RunwayCodes.none.description) }
    // An unknown code is reported where the edge lights are read.
    guard let word = RunwayCodes.edgeLights[code]?.description else { return .null }
    if word == RunwayCodes.none.description { return .text(word) }
    return .text(airport.airport.isLightedAllNight ? "fullTime" : "partTime")
  }

  @Sendable private static func edgeLights(_ row: SourceRow, _ at: Int) -> SQLiteValue {
    let word = row.word(at, RunwayCodes.edgeLights)
    return word == RunwayCodes.none.description ? .null : SQLiteValue(word)
  }

  /// One of latitude and longitude; half a position is none.
  private static func coordinate(_ number: Int, _ range: ClosedRange<Double>) -> Field.Reading {
    .made("REAL", ["LAT_DECIMAL", "LONG_DECIMAL"]) { row, at in
      let other = row.decimal(at + 1 - number)
      let isWhole = other.map { (number == 0 ? -180...180 : -90...90).contains($0) } ?? false
      let own = row.number(at + number, in: range)
      return SQLiteValue(isWhole ? own : nil)
    }
  }

  @Sendable private static func traffic(_ row: SourceRow, _ at: Int) -> SQLiteValue {
    guard !row.value(at).isEmpty else { return .null }
    return SQLiteValue(row.flag(at).map { $0 ? "right" : "left" })
  }

  @Sendable private static func indicator(_ row: SourceRow, _ at: Int) -> SQLiteValue {
    let code = row.text(at)
    return code.map { RunwayCodes.noIndicator.contains($0) ? .null : .text($0) } ?? .null
  }
}

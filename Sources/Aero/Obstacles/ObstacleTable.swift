internal import Core
internal import SQLiteIO

extension SourceTable {
  package static let obstacles = SourceTable(
    "obstacles", from: "DOF",
    "Obstacles to flight: towers, stacks, wind turbines ..., in the order of the file.",
    [
      Field("id", .number, "The rowid, as in obstacles_rtree."),
      Field("oas", .text("OAS"), "The FAA's number of the obstacle: 09-021145.", isRequired: true),
      Field(
        "verified", .computed("INTEGER", ["VERIFIED STATUS"], as: .isVerified, ObstacleCodes.verified),
        "1 verified, 0 not."),
      Field("country", .text("COUNTRY")),
      Field("state", .text("STATE")),
      Field("city", .text("CITY"), "The nearest."),
      Field("latitude", .real("LATDEC", -90...90), "Degrees, south negative.", isRequired: true),
      Field("longitude", .real("LONDEC", -180...180), "Degrees, west negative.", isRequired: true),
      Field("type", .text("TYPE"), "In the FAA's words: TOWER, BLDG, STACK, WINDMILL ...", isRequired: true),
      Field("quantity", .whole("QUANTITY", 0...9999), "How many stand together."),
      Field("heightAGL", .whole("AGL", 0...20_000), "Feet above ground."),
      Field("heightMSL", .whole("AMSL", -1500...40_000), "Feet above mean sea level, of the top."),
      Field(
        "lighting", .word("LIGHTING", ObstacleCodes.lights),
        "red, redAndMediumWhite, redAndHighWhite, mediumWhite, highWhite, flood, dualMediumCatenary, synchronizedRed, lighted (how is not known), none or unknown."
      ),
      Field(
        "marking", .word("MARKING", ObstacleCodes.marks),
        "orangeAndWhite, white, marked, flags, spheres, none or unknown."),
      Field(
        "horizontalAccuracy",
        .computed("INTEGER", ["ACCURACY"], as: .horizontalAccuracy, ObstacleCodes.horizontal),
        "Feet, to either side; NULL where it is not known."),
      Field(
        "verticalAccuracy", .computed("INTEGER", ["ACCURACY"], as: .verticalAccuracy, ObstacleCodes.vertical),
        "Feet, up or down; NULL where it is not known."),
      Field("study", .text("FAA STUDY"), "The FAA's aeronautical study: 2011ANE01884OE."),
      Field(
        "date", .computed("TEXT", ["JDATE"], as: .dayOfYear, ObstacleCodes.date),
        "When the row was last changed: 2012-09-24."),
    ],
    constraints: ["UNIQUE (oas)"], extent: .point, mayLack: false)
}

/// The codes of the Digital Obstacle File.
enum ObstacleCodes {
  static let lights: CodeBook = [
    "R": "red", "D": "redAndMediumWhite", "H": "redAndHighWhite", "M": "mediumWhite", "S": "highWhite",
    "F": "flood", "C": "dualMediumCatenary", "W": "synchronizedRed", "L": "lighted", "N": "none",
    "U": "unknown",
  ]
  static let marks: CodeBook = [
    "P": "orangeAndWhite", "W": "white", "M": "marked", "F": "flags", "S": "spheres", "N": "none",
    "U": "unknown",
  ]
  /// For the digits from 1 on: half a nautical mile is 7, a whole one 8; 9 is unknown.
  private static let horizontalFeet = [20, 50, 100, 250, 500, 1000, 3038, 6076, nil]
  /// For the letters from A on; I is unknown.
  private static let verticalFeet = [3, 10, 20, 50, 125, 250, 500, 1000, nil]

  static let verified: @Sendable (SourceRow, Int) throws(UnusableRow) -> SQLiteValue = { row, at in
    if row.value(at).equals("O") { return .integer(1) }
    if row.value(at).equals("U") { return .integer(0) }
    return row.value(at).isEmpty ? .null : row.unknownCode(at)
  }

  /// The column that says what became of an obstacle.
  static let action = "ACTION"

  /// Whether the obstacle was dismantled. An obstacle with an unknown action is kept, since it may exist.
  static func isDismantled(_ row: SourceRow, _ at: Int) -> Bool {
    let action = row.value(at)
    if action.equals("D") { return true }
    if !action.equals("A"), !action.equals("C"), !action.isEmpty {
      row.report(.unknownCode, at, "the code is not known")
    }
    return false
  }

  static let horizontal: @Sendable (SourceRow, Int) throws(UnusableRow) -> SQLiteValue = { row, at in
    accuracy(row, at, horizontalFeet, from: UInt8(ascii: "1"), among: UInt8(ascii: "0")...UInt8(ascii: "9"))
  }

  static let vertical: @Sendable (SourceRow, Int) throws(UnusableRow) -> SQLiteValue = { row, at in
    accuracy(row, at, verticalFeet, from: UInt8(ascii: "A"), among: UInt8(ascii: "A")...UInt8(ascii: "Z"))
  }

  /// A digit and a letter, `2C`; either may be missing.
  private static func accuracy(
    _ row: SourceRow, _ at: Int, _ feet: [Int?], from first: UInt8, among codes: ClosedRange<UInt8>
  ) -> SQLiteValue {
    guard let code = row.value(at).asciiBytes?.first(where: codes.contains) else { return .null }
    let place = Int(code) - Int(first)
    return feet.indices.contains(place) ? SQLiteValue(feet[place]) : row.unknownCode(at)
  }

  /// The year and the day within it: `2012268`.
  static let date: @Sendable (SourceRow, Int) throws(UnusableRow) -> SQLiteValue = { row, at in
    guard let number = row.whole(at, in: 1_900_001...2_100_366) else { return .null }
    guard let newYear = CalendarDay(year: number / 1000, month: 1, day: 1) else { return .null }
    let day = newYear.adding(days: number % 1000 - 1)
    guard number % 1000 > 0, day.year == number / 1000 else {
      return row.drop(at, "there is no such day") ?? .null
    }
    return .text(day.description)
  }
}

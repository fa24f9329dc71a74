internal import SQLiteIO

extension SourceTable {
  /// A row of APT_RWY, joined with the rows of APT_RWY_END of its two ends.
  static let runways = SourceTable(
    "runways", from: "APT_RWY", of: .airport, "Runways, water lanes and helipads.",
    runwayFields + joinedEnd("baseEnd") + [reciprocalEndID] + joinedEnd("reciprocalEnd"),
    constraints: ["PRIMARY KEY (airport, id)"], isKeyed: true, mayLack: false, waits: true)

  /// The runway itself, and the name of its first end.
  private static let runwayFields: [Field] = [
    .airport,
    Field("id", .text("RWY_ID"), "As the FAA writes it: 13/31, 05W/23W, N/S, H1.", isRequired: true),
    Field("length", size("RWY_LEN"), "Feet; NULL where the FAA has none."),
    Field("width", size("RWY_WIDTH"), "Feet; NULL where the FAA has none."),
    Field(
      "surface", .computed("TEXT", ["SURFACE_TYPE_CODE"], as: .surface, pairs: RunwayCodes.surfaces, surface),
      "asphalt, concrete, turf, gravel, dirt, water ...; two kinds as asphalt-concrete."),
    Field(
      "condition", .word("COND", RunwayCodes.conditions), "excellent, good, fair, poor or failed.",
      mayLack: true),
    Field(
      "lighting",
      .atAirport("TEXT", ["RWY_LGT_CODE"], as: .lighting, pairs: RunwayCodes.edgeLights, lighting),
      "none, partTime (by schedule, on request, or not said when) or fullTime (sunset to sunrise); NULL where the FAA's code is not known.",
      from: "RWY_LGT_CODE, APT_BASE.LGT_SKED"),
    Field(
      "edgeLights",
      .computed("TEXT", ["RWY_LGT_CODE"], as: .edgeLights, pairs: RunwayCodes.edgeLights, edgeLights),
      "high, medium, low, nonstandard, perimeter, flood or strobe; NULL without lights."),
    Field(
      "baseEndID",
      .computed("TEXT NOT NULL", ["RWY_ID"], as: .baseEnd) { row, at in
        SQLiteValue(row.text(at).map(RunwayCodes.ends)?.base)
      }),
  ]

  private static let reciprocalEndID = Field(
    "reciprocalEndID",
    .computed("TEXT", ["RWY_ID"], as: .reciprocalEnd) { row, at in
      SQLiteValue(row.text(at).map(RunwayCodes.ends)?.reciprocal)
    },
    "NULL for a helipad and wherever there is one end only.")

  /// The ends, which are joined to the runways and have no table of their own in the database.
  static let runwayEnds = SourceTable(
    "runwayEnds", from: "APT_RWY_END", of: .airport, "", endFields, mayLack: false, waits: true)

  /// The columns of `runways` for one end.
  private static func joinedEnd(_ side: String) -> [Field] {
    endFields.map { field in
      let column = field.column
      var origin = column.origin
      origin.table = "APT_RWY_END"
      return Field(side + column.name, .joined(column.type, origin), column.comment)
    }
  }

  private static let endFields: [Field] = [
    Field(
      "Latitude", coordinate(0, -90...90),
      "Degrees, of the end of the pavement and not of a displaced threshold."),
    Field("Longitude", coordinate(1, -180...180)),
    Field("Elevation", .real("RWY_END_ELEV", -1500...30_000), "Feet above mean sea level."),
    Field(
      "TouchdownElevation", .real("TDZ_ELEV", -1500...30_000),
      "Feet above mean sea level: the touchdown zone's (TDZE)."),
    Field("TrueHeading", .real("TRUE_ALIGNMENT", 0...360), "Degrees true."),
    Field("DisplacedThreshold", .whole("DISPLACED_THR_LEN", 0...99_999), "Feet."),
    Field(
      "Traffic", .computed("TEXT", ["RIGHT_HAND_TRAFFIC_PAT_FLAG"], as: .traffic, traffic),
      "left or right; NULL where the FAA does not say."),
    Field(
      "VGSI", .computed("TEXT", ["VGSI_CODE"], as: .indicator, indicator),
      "The FAA's code of the visual glide slope indicator: P4L, V2R ...; NULL without one."),
    Field(
      "Marking", .word("RWY_MARKING_TYPE_CODE", RunwayCodes.markings),
      "precision, nonprecision, basic, numbersOnly, nonstandard, buoys, stol or none.", mayLack: true),
  ]

  /// Feet. The FAA writes 0 for an unknown size.
  private static func size(_ column: String) -> Reading {
    .computed("INTEGER", [column], as: .size) { row, at in
      guard let feet = row.whole(at, in: 0...99_999) else { return .null }
      return SQLiteValue(feet > 0 ? feet : row.drop(at, "a size of 0 is none"))
    }
  }

  @Sendable private static func surface(_ row: SourceRow, _ at: Int) -> SQLiteValue {
    guard let code = row.text(at) else { return .null }
    let (words, isKnown) = RunwayCodes.surface(code)
    if !isKnown { row.report(.unknownCode, at, "the code is not known") }
    return .text(words)
  }

  /// The airport's schedule decides when the lights of its runways burn. An airport without a schedule counts as part-time.
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

  /// The latitude or the longitude; NULL if the other one is missing.
  private static func coordinate(_ number: Int, _ range: ClosedRange<Double>) -> Reading {
    .computed("REAL", ["LAT_DECIMAL", "LONG_DECIMAL"], as: number == 0 ? .latitudeOfPair : .longitudeOfPair) {
      row, at in
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

/// The codes of APT_RWY and APT_RWY_END.
enum RunwayCodes {
  static let none: StaticString = "none"

  /// `13` and `31` of `13/31`; the whole name and nil for a helipad or a one-way runway.
  static func ends(of id: String) -> (base: String, reciprocal: String?) {
    guard let slash = id.utf8.firstIndex(of: UInt8(ascii: "/")) else { return (id, nil) }
    let (base, reciprocal) = (id[..<slash], id[slash...].dropFirst())
    return base.isEmpty || reciprocal.isEmpty ? (id, nil) : (String(base), String(reciprocal))
  }

  /// Single surfaces. The FAA joins two surfaces by a dash or a slash.
  static let surfaces: CodeBook = [
    "ALUM": "aluminum", "ALUMINUM": "aluminum", "ASPH": "asphalt", "BRICK": "brick", "CALICHE": "caliche",
    "CONC": "concrete", "CORAL": "coral", "DECK": "deck", "DIRT": "dirt", "GRASS": "turf", "GRAVEL": "gravel",
    "GRE": "graded earth", "GRVL": "gravel", "ICE": "ice", "MATS": "mats", "METAL": "metal",
    "NSTD": "nonstandard", "PEM": "macadam", "PFC": "porous asphalt", "PSP": "steel planking",
    "ROOF": "rooftop", "ROOF-TOP": "rooftop", "ROOFTOP": "rooftop", "SAND": "sand", "SNOW": "snow",
    "SOD": "turf", "STEEL": "steel", "TREATED": "treated", "TRTD": "treated", "TURF": "turf",
    "WATER": "water", "WOOD": "wood",
  ]
  static let conditions: CodeBook = [
    "EXCELLENT": "excellent", "GOOD": "good", "FAIR": "fair", "POOR": "poor", "FAILED": "failed",
    // Before 2023, and in the FAA's layout of the text files.
    "E": "excellent", "G": "good", "F": "fair", "P": "poor", "L": "failed",
  ]
  static let edgeLights: CodeBook = [
    "HIGH": "high", "MED": "medium", "LOW": "low", "NSTD": "nonstandard", "PERI": "perimeter", "FLD": "flood",
    "FLOOD": "flood", "STRB": "strobe", "STROBE": "strobe", "NONE": none,
  ]
  static let markings: CodeBook = [
    "PIR": "precision", "NPI": "nonprecision", "BSC": "basic", "NRS": "numbersOnly", "NSTD": "nonstandard",
    "BUOY": "buoys", "STOL": "stol", "NONE": none,
  ]
  /// The codes for no indicator.
  static let noIndicator: Set<String> = ["N", "NONE"]

  /// `asphalt-concrete` for `ASPH-CONC`, and whether every part of the code is known.
  static func surface(_ code: String) -> (words: String, isKnown: Bool) {
    if let word = surfaces[code] { return (word, true) }
    let words = code.split { $0 == "-" || $0 == "/" }.map { surfaces[$0] }
    let known = words.compactMap { $0 }
    guard !known.isEmpty, known.count == words.count else { return (code.lowercased(), false) }
    return (known.joined(separator: "-"), true)
  }
}

/// More columns of runways and their ends, for a page about one runway.
extension SourceTable {
  static let runwayDetails = SourceTable(
    "runwayDetails", from: "APT_RWY", of: .airport, "What each runway bears.",
    [
      .airport,
      Field("runway", .text("RWY_ID"), "As in runways.id.", isRequired: true),
      detail(
        "treatment", .word("TREATMENT_CODE", treatments),
        "grooved, porousFriction, aggregateFriction, rubberizedFriction, wireComb or none."),
      detail("pavementNumber", .text("PCN"), "Its classification number or rating."),
      detail("pavementType", .text("PAVEMENT_TYPE_CODE"), "R (rigid) or F (flexible)."),
      detail("subgrade", .text("SUBGRADE_STRENGTH_CODE"), "A (strong) to D (weak)."),
      detail("tirePressure", .text("TIRE_PRES_CODE"), "W (any) to Z (low)."),
      detail(
        "pavementMethod", .text("DTRM_METHOD_CODE"), "T (technical) or U (by the aircraft that use it)."),
      detail("singleWheelWeight", pounds("GROSS_WT_SW"), "Pounds, as all of these."),
      detail("dualWheelWeight", pounds("GROSS_WT_DW")),
      detail("dualTandemWeight", pounds("GROSS_WT_DTW")),
      detail("doubleDualTandemWeight", pounds("GROSS_WT_DDTW")),
    ],
    constraints: ["PRIMARY KEY (airport, runway)"], isKeyed: true, mayLack: false)

  static let runwayEndDetails = SourceTable(
    "runwayEndDetails", from: "APT_RWY_END", of: .airport,
    "Lights, obstacles and declared distances of each end of a runway.",
    [
      .airport,
      Field("runway", .text("RWY_ID"), "As in runways.id.", isRequired: true),
      Field("runwayEnd", .text("RWY_END_ID"), isRequired: true),
    ] + threshold + lights + obstacle + distances,
    constraints: ["PRIMARY KEY (airport, runway, runwayEnd)"], isKeyed: true, mayLack: false)

  private static let threshold: [Field] = [
    detail("approach", .text("ILS_TYPE"), "ILS, LOCALIZER, LDA/DME ..., in the FAA's words."),
    detail("markingCondition", .word("RWY_MARKING_COND", markingConditions), "good, fair or poor."),
    detail("displacedThresholdLatitude", .real("LAT_DISPLACED_THR_DECIMAL", -90...90)),
    detail("displacedThresholdLongitude", .real("LONG_DISPLACED_THR_DECIMAL", -180...180)),
    detail(
      "displacedThresholdElevation", .real("DISPLACED_THR_ELEV", -1500...30_000), "Feet above mean sea level."
    ),
    detail("gradient", .real("RWY_GRAD", 0...90), "Percent."),
    detail("gradientDirection", .text("RWY_GRAD_DIRECTION"), "UP or DOWN, from this end."),
  ]

  private static let lights: [Field] = [
    detail("glidePathAngle", .real("VISUAL_GLIDE_PATH_ANGLE", 0...20), "Degrees, of the visual indicator."),
    detail(
      "thresholdCrossingHeight", .whole("THR_CROSSING_HGT", 0...999), "Feet above ground, on that path."),
    detail("approachLights", .text("APCH_LGT_SYSTEM_CODE"), "The FAA's code: MALSR, ODALS ..."),
    detail(
      "hasREIL", .flag("RWY_END_LGTS_FLAG"),
      "Runway end identifier lights, 0 or 1; NULL where the FAA does not say."),
    detail("hasCenterlineLights", .flag("CNTRLN_LGTS_AVBL_FLAG"), "0 or 1, as above."),
    detail("hasTouchdownLights", .flag("TDZ_LGT_AVBL_FLAG"), "0 or 1, as above."),
    detail(
      "visualRange", .text("RWY_VISUAL_RANGE_EQUIP_CODE"),
      "Where it is measured: T, M, R (touchdown, midfield, rollout)."),
  ]

  private static let obstacle: [Field] = [
    detail("obstacle", .text("OBSTN_TYPE"), "What stands in the approach: TREES, POLE, ROAD ..."),
    detail("obstacleMarking", .text("OBSTN_MRKD_CODE"), "M (marked), L (lighted), ML; NULL for neither."),
    detail("obstacleHeight", .whole("OBSTN_HGT", 0...99_999), "Feet above the runway's end."),
    detail("obstacleDistance", .whole("DIST_FROM_THR", 0...99_999), "Feet from the runway's end."),
    detail("obstacleOffset", .whole("CNTRLN_OFFSET", 0...99_999), "Feet from the extended centerline."),
    detail("obstacleSide", .text("CNTRLN_DIR_CODE"), "L, R or L/R, seen on the approach."),
    detail(
      "clearanceSlope", .whole("OBSTN_CLNC_SLOPE", 0...99),
      "How many feet forward for one foot down, clear of it."),
  ]

  private static let distances: [Field] = [
    detail("takeoffRun", .whole("TKOF_RUN_AVBL", 0...99_999), "Feet available (TORA), as the next three."),
    detail("takeoffDistance", .whole("TKOF_DIST_AVBL", 0...99_999), "TODA."),
    detail("accelerateStop", .whole("ACLT_STOP_DIST_AVBL", 0...99_999), "ASDA."),
    detail("landingDistance", .whole("LNDG_DIST_AVBL", 0...99_999), "LDA."),
    detail(
      "holdShortDistance", .whole("LAHSO_ALD", 0...99_999),
      "Feet available before it for landing and holding short."),
    detail("holdShortRunway", .text("RWY_END_INTERSECT_LAHSO"), "The crossing runway to hold short of."),
    detail("holdShortPoint", .text("LAHSO_DESC"), "What else to hold short of."),
  ]

  private static let treatments: CodeBook = [
    "NONE": "none", "GRVD": "grooved", "PFC": "porousFriction", "AFSC": "aggregateFriction",
    "RFSC": "rubberizedFriction", "WC": "wireComb",
  ]
  private static let markingConditions: CodeBook = [
    "G": "good", "F": "fair", "P": "poor", "GOOD": "good", "FAIR": "fair", "POOR": "poor",
  ]

  /// Pounds from thousands of pounds.
  private static func pounds(_ column: String) -> Reading {
    .computed("INTEGER", [column], as: .thousands) { row, at in
      SQLiteValue(row.number(at, in: 0...9999).map { Int(($0 * 1000).rounded()) })
    }
  }
}

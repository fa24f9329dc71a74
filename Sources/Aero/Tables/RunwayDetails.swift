internal import SQLiteIO

/// What a page about a runway shows, and the list of runways does not.
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
    detail("hasREIL", .flag("RWY_END_LGTS_FLAG"), "Runway end identifier lights, 0 or 1."),
    detail("hasCenterlineLights", .flag("CNTRLN_LGTS_AVBL_FLAG"), "0 or 1."),
    detail("hasTouchdownLights", .flag("TDZ_LGT_AVBL_FLAG"), "0 or 1."),
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

  /// From thousands.
  private static func pounds(_ column: String) -> Field.Reading {
    .made("INTEGER", [column]) { row, at in
      SQLiteValue(row.number(at, in: 0...9999).map { Int(($0 * 1000).rounded()) })
    }
  }
}

internal import SQLiteIO

extension SourceTable {
  static let navaids = SourceTable(
    "navaids", from: "NAV_BASE", "Radio navigation aids.",
    [
      Field("id", .number, "The rowid, as in navaids_rtree and navaids_fts."),
      Field("identifier", .text("NAV_ID"), "Not unique, not even together with the type.", isRequired: true),
      Field("name", .either("NAME", "NAV_ID"), isRequired: true),
      Field(
        "type", .word("NAV_TYPE", NavaidCodes.types),
        "vor, vortac, vorDme, tacan, dme, ndb, ndbDme, uhfNdb, marineNdb, fanMarker, vot ...",
        isRequired: true),
      .city, .state,
      .country, .requiredLatitude, .requiredLongitude,
      Field("elevation", .real("ELEV", -1500...30_000), "Feet above mean sea level."),
      Field(
        "frequency", .real("FREQ", 50...2000), "kHz for an ndb, ndbDme and marineNdb, MHz for the others."),
      Field("channel", .text("CHAN"), "The TACAN channel: 70X."),
      Field(
        "magneticVariation", .variation("MAG_VARN", "MAG_VARN_HEMIS"),
        "Degrees, west negative; to what the radials are set."),
      Field(
        "status", .word("NAV_STATUS", NavaidCodes.statuses),
        "operational, restricted, vfrOnly, shutdown or decommissioned."),
      Field(
        "serviceVolume", .word("ALT_CODE", NavaidCodes.volumes), "terminal, low, high, vorLow or vorHigh.",
        mayLack: true),
      Field("isPublic", .flag("PUBLIC_USE_FLAG"), "0 or 1.", mayLack: true),
    ],
    keys: [.navaid, .navaidOfType], indexes: [["identifier"]], extent: .point,
    search: [("identifier", 20), ("name", 4), ("city", 2)], mayLack: false)
}

/// The codes of NAV_BASE.
enum NavaidCodes {
  static let types: CodeBook = [
    "VOR": "vor", "VOR/DME": "vorDme", "VORTAC": "vortac", "TACAN": "tacan", "DME": "dme", "NDB": "ndb",
    "NDB/DME": "ndbDme", "UHF/NDB": "uhfNdb", "MARINE NDB": "marineNdb", "MARINE NDB/DME": "marineNdbDme",
    "FAN MARKER": "fanMarker", "VOT": "vot", "CONSOLAN": "consolan",
  ]
  static let statuses: CodeBook = [
    "OPERATIONAL IFR": "operational", "OPERATIONAL RESTRICTED": "restricted",
    "OPERATIONAL VFR ONLY": "vfrOnly", "SHUTDOWN": "shutdown", "DECOMMISSIONED": "decommissioned",
  ]
  static let volumes: CodeBook = ["T": "terminal", "L": "low", "H": "high", "VL": "vorLow", "VH": "vorHigh"]
}

/// Remarks and checkpoints of navaids.
extension SourceTable {
  static let navaidRemarks = numbered(
    "navaidRemarks", from: "NAV_RMK", of: .navaid, as: "navaid",
    "The FAA's remarks to a navaid: where it cannot be used ...",
    [
      Field("subject", .text("TAB_NAME"), "What it is about, in the FAA's words.", isRequired: true),
      Field("field", .text("REF_COL_NAME"), "The FAA's column."),
      Field("remark", .text("REMARK"), isRequired: true),
    ])

  static let navaidCheckpoints = numbered(
    "navaidCheckpoints", from: "NAV_CKPT", of: .navaid, as: "navaid", "Places for checking a VOR receiver.",
    [
      Field(
        "kind", .word("AIR_GND_CODE", ["A": "airborne", "G": "ground", "G1": "ground"]),
        "airborne or ground.", isRequired: true),
      Field("bearing", .whole("BRG", 0...360), "Degrees magnetic, from the navaid."),
      Field("altitude", .whole("ALTITUDE", -1500...60_000), "Feet above mean sea level, of an airborne one."),
      Field("description", .text("CHK_DESC")),
      Field("airport", .text("ARPT_ID"), "The FAA identifier of the airport on or over which it is."),
      Field("state", .text("STATE_CHK_CODE")),
    ])
}

/// Instrument landing systems and their parts.
extension SourceTable {
  static let ils = SourceTable(
    "ils", from: "ILS_BASE", of: .airport, "Instrument landing systems: the localizer of each.",
    [
      .id, .airport,
      Field("runwayEnd", .text("RWY_END_ID"), "Which end of a runway it leads to: 28R.", isRequired: true),
      Field("identifier", .text("ILS_LOC_ID"), "Without its I-: GWQ.", isRequired: true),
      Field(
        "type", .word("SYSTEM_TYPE_CODE", ILSCodes.types),
        "ils, ilsDme, localizer, localizerDme, localizerGlideSlope, lda, ldaDme, sdf, sdfDme or mls.",
        isRequired: true),
      Field("category", .text("CATEGORY"), "I, II, IIIB ..."),
      Field("frequency", .real("LOC_FREQ", 100...200), "MHz, of the localizer."),
      Field("course", .real("APCH_BEAR", 0...360), "Degrees magnetic, inbound."),
      Field("magneticVariation", .variation("MAG_VAR", "MAG_VAR_HEMIS"), "Degrees, west negative."),
      status, statusDate,
      Field("backCourse", .text("BK_COURSE_STATUS_CODE"), "The FAA's code: Y, N, R (restricted) or U."),
      .latitude, .longitude, elevation,
      .lines(
        "remarks",
        Gathering(
          source: "ILS_RMK", key: .ils, order: "REF_COL_SEQ_NO", line: ["ILS_COMP_TYPE_CODE", "REMARK"]),
        "One a line, each after the part that it is to, if to one only: LOC, GS, DME, OM ..."),
    ],
    keys: [.ils, .localizer], indexes: [["airport"], ["identifier"]], extent: .point)

  static let ilsGlideSlopes = numbered(
    "ilsGlideSlopes", from: "ILS_GS", of: .ils, as: "ils", "Their glide slopes.",
    [
      status, statusDate,
      Field("type", .text("G_S_TYPE_CODE"), "The FAA's code: GS ..."),
      Field("angle", .real("G_S_ANGLE", 0...20), "Degrees."),
      Field("frequency", .real("G_S_FREQ", 300...350), "MHz."),
      .latitude, .longitude, elevation,
    ])

  static let ilsDMEs = numbered(
    "ilsDMEs", from: "ILS_DME", of: .ils, as: "ils", "Their distance measuring equipment.",
    [
      status, statusDate,
      Field("channel", .text("CHANNEL"), "40X ..."),
      .latitude, .longitude, elevation,
    ])

  static let ilsMarkers = numbered(
    "ilsMarkers", from: "ILS_MKR", of: .ils, as: "ils", "Their marker beacons.",
    [
      Field(
        "kind", .word("ILS_COMP_TYPE_CODE", ["OM": "outer", "MM": "middle", "IM": "inner"]),
        "outer, middle or inner.", isRequired: true),
      Field(
        "type", .text("MKR_FAC_TYPE_CODE"), "The FAA's code: MR (marker), ML (marker with a locator) ..."),
      status, statusDate,
      Field("locator", .text("MARKER_ID_BEACON"), "The identifier that its compass locator sends."),
      Field("locatorName", .text("COMPASS_LOCATOR_NAME")),
      Field("frequency", .real("FREQ", 100...2000), "kHz, of the compass locator."),
      Field("navaid", .row(.navaidOfType, by: ["NAV_ID", "NAV_TYPE"])),
      .latitude, .longitude, elevation,
    ])

  private static let status = Field(
    "status", .word("COMPONENT_STATUS", NavaidCodes.statuses),
    "operational, restricted, vfrOnly, shutdown or decommissioned.")
  private static let statusDate = Field("statusDate", ILSCodes.statusDate, "Since when.")
  private static let elevation = Field(
    "elevation", .real("SITE_ELEVATION", -1500...30_000), "Feet above mean sea level.")
}

/// The codes of the ILS tables.
enum ILSCodes {
  static let types: CodeBook = [
    "LS": "ils", "LD": "ilsDme", "LC": "localizer", "LE": "localizerDme", "LG": "localizerGlideSlope",
    "LA": "lda", "DD": "ldaDme", "SF": "sdf", "SD": "sdfDme", "ML": "mls",
  ]

  /// The FAA writes the first day of 1901 for an unknown date.
  static let statusDate = Reading.computed("TEXT", ["COMPONENT_STATUS_DATE"], as: .knownDate) { row, at in
    row.value(at).equals("1901/01/01") ? .null : SQLiteValue(row.date(at))
  }
}

extension SourceTable {
  static let fixes = SourceTable(
    "fixes", from: "FIX_BASE", "Named points: waypoints, reporting points, VFR waypoints ...",
    [
      Field("id", .number),
      Field(
        "identifier", .text("FIX_ID"), "Unique only together with the region, the state and the country.",
        isRequired: true),
      Field("region", .text("ICAO_REGION_CODE"), "ICAO region, such as K2.", isRequired: true),
      .state, .country,
      .requiredLatitude, .requiredLongitude,
      Field(
        "type", .word("FIX_USE_CODE", fixTypes),
        "waypoint, reportingPoint, vfr, computer, militaryReporting, militaryWaypoint, nrs, radar.",
        isRequired: true),
      Field("artccLow", .text("ARTCC_ID_LOW"), mayLack: true),
      Field("artccHigh", .text("ARTCC_ID_HIGH"), mayLack: true),
      // Tables before 2024 lack it.
      Field("charts", .text("CHARTS"), "On which charts it is drawn, in the FAA's words.", mayLack: true),
    ],
    keys: [.fix], indexes: [["identifier"]], mayLack: false)

  private static let fixTypes: CodeBook = [
    "WP": "waypoint", "RP": "reportingPoint", "VFR": "vfr", "CN": "computer", "MR": "militaryReporting",
    "MW": "militaryWaypoint", "NRS": "nrs", "RADAR": "radar",
  ]
}

/// Charts and navaids of fixes.
extension SourceTable {
  static let fixCharts = numbered(
    "fixCharts", from: "FIX_CHRT", of: .fix, as: "fix", "On which charts a fix is drawn.",
    [
      Field(
        "chart", .text("CHARTING_TYPE_DESC"), "SECTIONAL, VFR TERMINAL AREA, ENROUTE LOW, IAP ...",
        isRequired: true)
    ])

  static let fixNavaids = numbered(
    "fixNavaids", from: "FIX_NAV", of: .fix, as: "fix", "By which navaids a fix is found.",
    [
      Field("navaid", .row(.navaidOfType, by: ["NAV_ID", "NAV_TYPE"]), "NULL for a localizer."),
      Field("identifier", .text("NAV_ID"), "The navaid's or the localizer's.", isRequired: true),
      Field("type", .text("NAV_TYPE"), "VORTAC, VOR/DME, LOC ..., in the FAA's words.", isRequired: true),
      Field("bearing", .real("BEARING", 0...360), "Degrees magnetic, from the navaid."),
      Field("distance", .real("DISTANCE", 0...10_000), "Nautical miles from the navaid."),
    ])
}

extension SourceTable {
  static let identifiers = SourceTable(
    "identifiers", from: "LID", "Everything to which the FAA has given a location identifier.",
    [
      .id,
      Field("identifier", .text("LOC_ID"), "Given to several things at one place.", isRequired: true),
      Field(
        "kind", .word("LID_GROUP", kinds), "landingFacility, navaid, weatherSensor, ils ...", isRequired: true
      ),
      Field("type", .text("FAC_TYPE"), "The FAA's code within the kind: A, H, VORTAC, RCO ..."),
      Field("name", .text("FAC_NAME")),
      .city,
      Field("state", .text("STATE")),
      .country,
      Field("artccID", .text("RESP_ARTCC_ID")),
      Field("fssID", .text("FSS_ID")),
    ],
    indexes: [["identifier"]])

  private static let kinds: CodeBook = [
    "LANDING FACILITY": "landingFacility", "NAVIGATION AID": "navaid", "WEATHER SENSOR": "weatherSensor",
    "WEATHER REPORTING STATION": "weatherLocation", "INSTRUMENT LANDING SYSTEM": "ils",
    "SPECIAL USE RESOURCE": "specialUse", "REMOTE COMMUNICATION OUTLET": "communicationOutlet",
    "CONTROL FACILITY": "controlFacility", "FLIGHT SERVICE STATION": "flightServiceStation",
    "DOD OVERSEA FACILITY": "militaryOverseas",
  ]
}

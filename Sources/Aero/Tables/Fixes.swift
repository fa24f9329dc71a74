extension SourceTable {
  static let fixes = SourceTable(
    "fixes", from: "FIX_BASE", "Named points: waypoints, reporting points, VFR waypoints ...",
    [
      Field("id", .number),
      Field(
        "identifier", .text("FIX_ID"), "Unique only together with the region, the state and the country.",
        isRequired: true),
      Field("region", .text("ICAO_REGION_CODE"), "ICAO region, such as K2.", isRequired: true),
      Field("state", .text("STATE_CODE")),
      Field("country", .text("COUNTRY_CODE")),
      Field("latitude", .real("LAT_DECIMAL", -90...90), isRequired: true),
      Field("longitude", .real("LONG_DECIMAL", -180...180), isRequired: true),
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

/// What belongs to a fix.
extension SourceTable {
  static let fixCharts = SourceTable(
    "fixCharts", from: "FIX_CHRT", of: .row(.fix), "On which charts a fix is drawn.",
    [
      Field("fix", .owner(.fix)), .number,
      Field(
        "chart", .text("CHARTING_TYPE_DESC"), "SECTIONAL, VFR TERMINAL AREA, ENROUTE LOW, IAP ...",
        isRequired: true),
    ],
    constraints: ["PRIMARY KEY (fix, number)"], isKeyed: true)

  static let fixNavaids = SourceTable(
    "fixNavaids", from: "FIX_NAV", of: .row(.fix), "By which navaids a fix is found.",
    [
      Field("fix", .owner(.fix)), .number,
      Field("navaid", .row(.navaidOfType, by: ["NAV_ID", "NAV_TYPE"]), "NULL for a localizer."),
      Field("identifier", .text("NAV_ID"), "The navaid's or the localizer's.", isRequired: true),
      Field("type", .text("NAV_TYPE"), "VORTAC, VOR/DME, LOC ..., in the FAA's words.", isRequired: true),
      Field("bearing", .real("BEARING", 0...360), "Degrees magnetic, from the navaid."),
      Field("distance", .real("DISTANCE", 0...10_000), "Nautical miles from the navaid."),
    ],
    constraints: ["PRIMARY KEY (fix, number)"], isKeyed: true)
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
      Field("city", .text("CITY")),
      Field("state", .text("STATE")),
      Field("country", .text("COUNTRY_CODE")),
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

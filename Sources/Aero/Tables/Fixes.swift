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

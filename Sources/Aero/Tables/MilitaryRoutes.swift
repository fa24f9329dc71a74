internal import SQLiteIO

/// Military training routes.
extension SourceTable {
  static let militaryRoutes = SourceTable(
    "militaryRoutes", from: "MTR_BASE", "Military training routes: low and fast.",
    [
      .id,
      Field("identifier", routeName, "IR002, VR1104 ...", isRequired: true),
      Field(
        "type", .word("ROUTE_TYPE_CODE", ["IR": "ir", "VR": "vr"]), "ir (instrument) or vr (visual).",
        isRequired: true),
      Field("artccs", .text("ARTCC"), "The centers it passes, with a blank between them."),
      Field("fsss", .text("FSS"), "The flight service stations within 100 nautical miles."),
      Field("times", .text("TIME_OF_USE"), "In the FAA's words."),
      .lines(
        "width", gathering("MTR_WDTH", "WIDTH_SEQ_NO", "WIDTH_TEXT"), "In the FAA's words, as the next two."),
      .lines("terrainFollowing", gathering("MTR_TERR", "TERRAIN_SEQ_NO", "TERRAIN_TEXT")),
      .lines("procedures", gathering("MTR_SOP", "SOP_SEQ_NO", "SOP_TEXT")),
      .filledLater("south", "The box around its points, without its width."),
      .filledLater("west"), .filledLater("north"), .filledLater("east"),
    ],
    keys: [.militaryRoute], constraints: ["UNIQUE (identifier)"], extent: .box)

  static let militaryRoutePoints = SourceTable(
    "militaryRoutePoints", from: "MTR_PT", of: .row(.militaryRoute),
    "The points of a military training route.",
    [
      Field("route", .owner(.militaryRoute)),
      Field("sequence", .whole("ROUTE_PT_SEQ", 0...9999), "Orders the points of a route.", isRequired: true),
      Field("point", .text("ROUTE_PT_ID"), "A, B ...", isRequired: true),
      Field("nextPoint", .text("NEXT_ROUTE_PT_ID")),
      Field(
        "segment", .text("SEGMENT_TEXT"),
        "How to fly to the next point; altitudes in hundreds of feet: 02 AGL B 15 AGL."),
      Field("latitude", .real("LAT_DECIMAL", -90...90), isRequired: true),
      Field("longitude", .real("LONG_DECIMAL", -180...180), isRequired: true),
      Field("navaidID", .text("NAV_ID")),
      Field("bearing", .whole("NAVAID_BEARING", 0...360), "Degrees magnetic, from the navaid."),
      Field("distance", .whole("NAVAID_DIST", 0...9999), "Nautical miles from the navaid."),
    ],
    constraints: ["PRIMARY KEY (route, sequence)"], isKeyed: true)

  static let militaryRouteAgencies = SourceTable(
    "militaryRouteAgencies", from: "MTR_AGY", of: .row(.militaryRoute), "Who runs and who schedules a route.",
    [
      Field("route", .owner(.militaryRoute)), .number,
      Field(
        "role",
        .word(
          "AGENCY_TYPE",
          [
            "O": "originating", "S1": "scheduling", "S2": "scheduling", "S3": "scheduling",
            "S4": "scheduling",
          ]),
        "originating or scheduling.", isRequired: true),
      Field("name", .text("AGENCY_NAME"), isRequired: true),
      Field("station", .text("STATION")),
      Field("address", .text("ADDRESS")),
      Field("city", .text("CITY")),
      Field("state", .text("STATE_CODE")),
      Field("zip", .text("ZIP_CODE")),
      Field("phone", .text("COMMERCIAL_NO")),
      Field("dsnPhone", .text("DSN_NO"), "In the military's own network."),
      Field("hours", .text("HOURS")),
    ],
    constraints: ["PRIMARY KEY (route, number)"], isKeyed: true)

  private static let routeName = Field.Reading.made("TEXT", ["ROUTE_TYPE_CODE", "ROUTE_ID"]) {
    row, at throws(UnusableRow) in
    .text(try row.required(at) + row.required(at + 1))
  }

  private static func gathering(_ source: String, _ order: String, _ line: String) -> Gathering {
    Gathering(source: source, key: .militaryRoute, order: order, line: [line])
  }
}

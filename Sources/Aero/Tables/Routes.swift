internal import SQLiteIO

/// Airways and their segments.
extension SourceTable {
  static let airways = SourceTable(
    "airways", from: "AWY_BASE", "Airways.",
    [
      .id,
      Field(
        "identifier", .text("AWY_ID"), "V25, J1, T266 ...; unique only with the region.", isRequired: true),
      Field(
        "region", .word("AWY_LOCATION", ["C": "conterminous", "A": "alaska", "H": "hawaii"]),
        "conterminous, alaska or hawaii.", isRequired: true),
      Field(
        "designation", .text("AWY_DESIGNATION"),
        "The FAA's code: V, J, RN (area navigation), AT (Atlantic), PA (Pacific), BF (Bahamas) ..."),
      Field("isRegulatory", .flag("REGULATORY"), "0 or 1."),
      Field("updated", .date("UPDATE_DATE")),
      Field("route", .text("AIRWAY_STRING"), "The identifiers of its points, in order."),
      .remark,
    ],
    keys: [.airway], constraints: ["UNIQUE (identifier, region)"])

  static let airwaySegments = SourceTable(
    "airwaySegments", from: "AWY_SEG_ALT", of: .row(.airway),
    "From each point of an airway to the next; the last point of all has a row of its own, without a next.",
    [.id, Field("airway", .owner(.airway))] + points + course + altitudes + notes,
    constraints: ["UNIQUE (airway, sequence)"], extent: .box, links: segmentPositions)

  /// A segment ends at the point with which a later row of its airway begins.
  private static let segmentPositions = """
    UPDATE airwaySegments SET (fromLatitude, fromLongitude) = (
      SELECT latitude, longitude FROM fixes WHERE id = fromFix) WHERE fromFix IS NOT NULL;
    UPDATE airwaySegments SET (fromLatitude, fromLongitude) = (
      SELECT latitude, longitude FROM navaids WHERE id = fromNavaid) WHERE fromNavaid IS NOT NULL;
    UPDATE airwaySegments SET (toLatitude, toLongitude) = (
      SELECT n.fromLatitude, n.fromLongitude FROM airwaySegments n
      WHERE n.airway = airwaySegments.airway AND n.sequence > airwaySegments.sequence
        AND n.fromPoint = airwaySegments.toPoint
      ORDER BY n.sequence LIMIT 1) WHERE toPoint IS NOT NULL;
    UPDATE airwaySegments SET
      south = min(fromLatitude, toLatitude), north = max(fromLatitude, toLatitude),
      west = CASE WHEN abs(fromLongitude - toLongitude) > 180 THEN -180 ELSE min(fromLongitude, toLongitude) END,
      east = CASE WHEN abs(fromLongitude - toLongitude) > 180 THEN 180 ELSE max(fromLongitude, toLongitude) END
      WHERE fromLatitude IS NOT NULL AND toLatitude IS NOT NULL;
    """

  private static let points: [Field] = [
    Field("sequence", .whole("POINT_SEQ", 0...9999), "Orders the points of an airway.", isRequired: true),
    Field(
      "fromPoint", .text("FROM_POINT"), "An identifier, or words such as U.S. CANADIAN BORDER-2.",
      isRequired: true),
    Field(
      "fromType", .text("FROM_PT_TYPE"), "VORTAC, RP (reporting point), WP (waypoint) ..., the FAA's codes."),
    Field("fromFix", .row(.fix, by: ["FROM_POINT", "ICAO_REGION_CODE"])),
    Field("fromNavaid", .row(.navaid, by: ["FROM_POINT", "FROM_PT_TYPE", "NAV_CITY", "COUNTRY_CODE"])),
    .linked("fromLatitude", "NULL where the point has no position."),
    .linked("fromLongitude"),
    Field("toPoint", .text("TO_POINT")),
    .linked("toLatitude"),
    .linked("toLongitude"),
    .linked("south", "The box around both ends; NULL where one of them has no position."),
    .linked("west", "-180 with east 180 where the segment crosses the antimeridian."),
    .linked("north"),
    .linked("east"),
    Field("artcc", .text("ARTCC")),
    Field("region", .text("ICAO_REGION_CODE"), "ICAO region of the first point."),
    .state, .country,
  ]

  private static let course: [Field] = [
    Field("course", .real("MAG_COURSE", 0...360), "Degrees magnetic."),
    Field("oppositeCourse", .real("OPP_MAG_COURSE", 0...360), "Degrees magnetic."),
    Field("distance", .real("MAG_COURSE_DIST", 0...10_000), "Nautical miles."),
    Field("changeoverPoint", .text("CHGOVR_PT"), "The navaid from which the distance to the changeover is."),
    Field("changeoverDistance", .whole("CHGOVR_PT_DIST", 0...9999), "Nautical miles."),
    Field("isGap", .flag("AWY_SEG_GAP_FLAG"), "1 where the airway is not continued to the next point."),
    Field("isSignalGap", .flag("SIGNAL_GAP_FLAG"), "0 or 1."),
    Field("isDogleg", .flag("DOGLEG"), "1 where it turns at a point that is no navaid."),
  ]

  private static let altitudes: [Field] = [
    Field("nextMEAPoint", .text("NEXT_MEA_PT"), "Up to where the altitudes hold."),
    altitude(
      "mea", "MIN_ENROUTE_ALT", "Minimum enroute altitude, feet above mean sea level, as all of these."),
    Field("meaDirection", .text("MIN_ENROUTE_ALT_DIR"), "N BND ..."),
    altitude("meaOpposite", "MIN_ENROUTE_ALT_OPPOSITE"),
    Field("meaOppositeDirection", .text("MIN_ENROUTE_ALT_OPPOSITE_DIR")),
    altitude("gpsMEA", "GPS_MIN_ENROUTE_ALT"),
    Field("gpsMEADirection", .text("GPS_MIN_ENROUTE_ALT_DIR")),
    altitude("gpsMEAOpposite", "GPS_MIN_ENROUTE_ALT_OPPOSITE"),
    Field("gpsMEAOppositeDirection", .text("GPS_MEA_OPPOSITE_DIR")),
    altitude("dmeMEA", "DD_IRU_MEA", "For DME/DME/IRU."),
    Field("dmeMEADirection", .text("DD_IRU_MEA_DIR")),
    altitude("dmeMEAOpposite", "DD_I_MEA_OPPOSITE"),
    Field("dmeMEAOppositeDirection", .text("DD_I_MEA_OPPOSITE_DIR")),
    altitude("moca", "MIN_OBSTN_CLNC_ALT", "Minimum obstruction clearance altitude."),
    altitude("mca", "MIN_CROSS_ALT", "Minimum crossing altitude."),
    Field("mcaDirection", .text("MIN_CROSS_ALT_DIR")),
    Field("mcaPoint", .text("MIN_CROSS_ALT_NAV_PT")),
    altitude("mcaOpposite", "MIN_CROSS_ALT_OPPOSITE"),
    Field("mcaOppositeDirection", .text("MIN_CROSS_ALT_OPPOSITE_DIR")),
    altitude("mra", "MIN_RECEP_ALT", "Minimum reception altitude."),
    altitude("maa", "MAX_AUTH_ALT", "Maximum authorized altitude."),
    Field("isMEAGap", meaGap, "1 where the segment is unusable, or has no minimum enroute altitude."),
  ]

  private static let notes: [Field] = [
    Field("requiredPerformance", .real("REQD_NAV_PERFORMANCE", 0...100), "Nautical miles (RNP)."),
    .remark,
  ]

  /// The FAA writes U for an unusable segment, N for a segment without information on its MEA, and nothing for all others.
  private static let meaGap = Reading.computed("INTEGER", ["MEA_GAP"], as: .isMEAGap) { row, at in
    let code = row.value(at)
    if code.isEmpty { return .integer(0) }
    if code.equals("U") || code.equals("N") { return .integer(1) }
    return row.unknownCode(at)
  }

  private static func altitude(_ name: String, _ column: String, _ comment: String? = nil) -> Field {
    Field(name, .whole(column, 0...99_999), comment)
  }
}

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
      .linked("south", "The box around its points, without its width."),
      .linked("west"), .linked("north"), .linked("east"),
    ],
    keys: [.militaryRoute], constraints: ["UNIQUE (identifier)"], extent: .box, links: routeBoxes)

  private static let routeBoxes = """
    UPDATE militaryRoutes SET (south, north, west, east) = (
      SELECT min(latitude), max(latitude), min(longitude), max(longitude) FROM militaryRoutePoints
      WHERE route = militaryRoutes.id);
    """

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
      .requiredLatitude, .requiredLongitude,
      Field("navaidID", .text("NAV_ID")),
      Field("bearing", .whole("NAVAID_BEARING", 0...360), "Degrees magnetic, from the navaid."),
      Field("distance", .whole("NAVAID_DIST", 0...9999), "Nautical miles from the navaid."),
    ],
    constraints: ["PRIMARY KEY (route, sequence)"], isKeyed: true)

  static let militaryRouteAgencies = numbered(
    "militaryRouteAgencies", from: "MTR_AGY", of: .militaryRoute, as: "route",
    "Who runs and who schedules a route.",
    [
      Field(
        "role",
        .word(
          "AGENCY_TYPE",
          [
            "O": "originating", "S1": "scheduling", "S2": "scheduling", "S3": "scheduling",
            "S4": "scheduling",
          ]), "originating or scheduling.", isRequired: true),
      Field("name", .text("AGENCY_NAME"), isRequired: true),
      Field("station", .text("STATION")),
      Field("address", .text("ADDRESS")),
      .city, .state,
      Field("zip", .text("ZIP_CODE")),
      Field("phone", .text("COMMERCIAL_NO")),
      Field("dsnPhone", .text("DSN_NO"), "In the military's own network."),
      Field("hours", .text("HOURS")),
    ])

  private static let routeName = Reading.computed("TEXT", ["ROUTE_TYPE_CODE", "ROUTE_ID"], as: .route) {
    row, at throws(UnusableRow) in
    .text(try row.required(at) + row.required(at + 1))
  }

  private static func gathering(_ source: String, _ order: String, _ line: String) -> Gathering {
    Gathering(source: source, key: .militaryRoute, order: order, line: [line])
  }
}

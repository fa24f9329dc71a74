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
        "region",
        .word("AWY_LOCATION", ["C": "conterminous", "A": "alaska", "H": "hawaii"]),
        "conterminous, alaska or hawaii.", isRequired: true),
      Field(
        "designation", .text("AWY_DESIGNATION"),
        "The FAA's code: V, J, RN (area navigation), AT (Atlantic), PA (Pacific), BF (Bahamas) ..."),
      Field("isRegulatory", .flag("REGULATORY"), "0 or 1."),
      Field("updated", .date("UPDATE_DATE")),
      Field("route", .text("AIRWAY_STRING"), "The identifiers of its points, in order."),
      Field("remark", .text("REMARK")),
    ],
    keys: [.airway], constraints: ["UNIQUE (identifier, region)"])

  static let airwaySegments = SourceTable(
    "airwaySegments", from: "AWY_SEG_ALT", of: .row(.airway),
    "From each point of an airway to the next; the last point of all has a row of its own, without a next.",
    [.id, Field("airway", .owner(.airway))] + points + course + altitudes + notes,
    constraints: ["UNIQUE (airway, sequence)"], extent: .box)

  private static let points: [Field] = [
    Field("sequence", .whole("POINT_SEQ", 0...9999), "Orders the points of an airway.", isRequired: true),
    Field(
      "fromPoint", .text("FROM_POINT"), "An identifier, or words such as U.S. CANADIAN BORDER-2.",
      isRequired: true),
    Field(
      "fromType", .text("FROM_PT_TYPE"), "VORTAC, RP (reporting point), WP (waypoint) ..., the FAA's codes."),
    Field("fromFix", .row(.fix, by: ["FROM_POINT", "ICAO_REGION_CODE"])),
    Field("fromNavaid", .row(.navaid, by: ["FROM_POINT", "FROM_PT_TYPE", "NAV_CITY", "COUNTRY_CODE"])),
    .filledLater("fromLatitude", "NULL where the point has no position."),
    .filledLater("fromLongitude"),
    Field("toPoint", .text("TO_POINT")),
    .filledLater("toLatitude"),
    .filledLater("toLongitude"),
    .filledLater("south", "The box around both ends; NULL where one of them has no position."),
    .filledLater("west", "-180 with east 180 where the segment crosses the antimeridian."),
    .filledLater("north"),
    .filledLater("east"),
    Field("artcc", .text("ARTCC")),
    Field("region", .text("ICAO_REGION_CODE"), "ICAO region of the first point."),
    Field("state", .text("STATE_CODE")),
    Field("country", .text("COUNTRY_CODE")),
  ]

  private static let course: [Field] = [
    Field("course", .real("MAG_COURSE", 0...360), "Degrees magnetic."),
    Field("oppositeCourse", .real("OPP_MAG_COURSE", 0...360), "Degrees magnetic."),
    Field("distance", .real("MAG_COURSE_DIST", 0...10_000), "Nautical miles."),
    Field("changeoverPoint", .text("CHGOVR_PT"), "The navaid from which the distance to the changeover is."),
    Field("changeoverDistance", .whole("CHGOVR_PT_DIST", 0...9999), "Nautical miles."),
    Field(
      "isGap", .flag("AWY_SEG_GAP_FLAG"), "1 where the airway is not continued to the next point."),
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
    Field(
      "isMEAGap", meaGap,
      "1 where the segment is unusable, or has no minimum enroute altitude."),
  ]

  private static let notes: [Field] = [
    Field("requiredPerformance", .real("REQD_NAV_PERFORMANCE", 0...100), "Nautical miles (RNP)."),
    Field("remark", .text("REMARK")),
  ]

  /// The FAA writes U for a segment that is unusable, N for one without information on its MEA, and nothing for any other.
  private static let meaGap = Field.Reading.made("INTEGER", ["MEA_GAP"]) { row, at in
    let code = row.value(at)
    if code.isEmpty { return .integer(0) }
    if code.equals("U") || code.equals("N") { return .integer(1) }
    row.report(.unknownCode, at, "the code is not known")
    return .null
  }

  private static func altitude(_ name: String, _ column: String, _ comment: String? = nil) -> Field {
    Field(name, .whole(column, 0...99_999), comment)
  }
}

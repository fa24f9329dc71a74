/// Preferred routes between airports, and coded departure routes.
extension SourceTable {
  static let preferredRoutes = SourceTable(
    "preferredRoutes", from: "PFR_BASE", "Preferred IFR routes from one airport or area to another.",
    [
      .id,
      Field("origin", .airportNamed("ORIGIN_ID"), "NULL where it is no airport, as that of the next one."),
      Field("originID", .text("ORIGIN_ID"), isRequired: true),
      Field("originCity", .text("ORIGIN_CITY")),
      Field("destination", .airportNamed("DSTN_ID")),
      Field("destinationID", .text("DSTN_ID"), isRequired: true),
      Field("destinationCity", .text("DSTN_CITY")),
      Field("type", .text("PFR_TYPE_CODE"), typeCodes, isRequired: true),
      Field("number", .whole("ROUTE_NO", 0...999), "Counts the routes of a pair and type.", isRequired: true),
      Field("route", .text("ROUTE_STRING"), "Without its end points."),
      Field("area", .text("SPECIAL_AREA_DESCRIP")),
      Field("altitudes", .text("ALT_DESCRIP"), "In the FAA's words: 5000, 110-170 INCL, PQ60 ..."),
      Field("aircraft", .text("AIRCRAFT"), "In the FAA's words."),
      Field("hours", .text("HOURS"), "UTC: 1100-0300."),
      Field("direction", .text("ROUTE_DIR_DESCRIP"), "In the FAA's words."),
      Field("designator", .text("DESIGNATOR")),
      Field(
        "narType", .word("NAR_TYPE", ["COMMON": "common", "NON-COMMON": "nonCommon"]),
        "Of a North American Route: common or nonCommon."),
      Field("inlandFix", .text("INLAND_FAC_FIX"), "Of a North American Route."),
      Field("coastalFix", .text("COASTAL_FIX"), "Of a North American Route."),
      Field("narDestination", .text("DESTINATION"), "Of a North American Route."),
    ],
    keys: [.preferredRoute], indexes: [["originID", "destinationID"]])

  static let preferredRouteSegments = SourceTable(
    "preferredRouteSegments", from: "PFR_SEG", of: .row(.preferredRoute),
    "The parts of preferred routes, in the order of flight.",
    [
      Field("route", .owner(.preferredRoute)),
      Field("sequence", .whole("SEGMENT_SEQ", 0...9999), "Orders the parts of a route.", isRequired: true),
      Field("value", .text("SEG_VALUE"), "FJC, T356, BEREE3 ...", isRequired: true),
      Field(
        "type",
        .word(
          "SEG_TYPE",
          [
            "FIX": "fix", "NAVAID": "navaid", "AIRWAY": "airway", "DP": "departure", "STAR": "arrival",
            "RADIAL": "radial",
          ]),
        "fix, navaid, airway, departure, arrival or radial.", isRequired: true),
      .state, .country,
      Field("region", .text("ICAO_REGION_CODE"), "ICAO region of a fix."),
      Field("navaidType", .text("NAV_TYPE"), "VORTAC ..., the FAA's codes."),
      Field("nextValue", .text("NEXT_SEG"), "The value of the next part."),
      Field("fix", .row(.fix, by: ["SEG_VALUE", "ICAO_REGION_CODE"])),
      Field("navaid", .row(.navaidOfType, by: ["SEG_VALUE", "NAV_TYPE"])),
      .linked("latitude", "Of the fix or the navaid; NULL where neither is known."),
      .linked("longitude", "Degrees, west negative."),
    ],
    constraints: ["PRIMARY KEY (route, sequence)"], isKeyed: true,
    links: positions(of: "preferredRouteSegments"))

  static let preferredRouteStrings = SourceTable(
    "preferredRouteStrings", from: "PFR_RMT_FMT", "Preferred routes as the route management tool has them.",
    [
      .id,
      Field("preferredRoute", .row(.preferredRoute, by: ["ORIG", "DEST", "TYPE", "SEQ"])),
      Field("originID", .text("ORIG"), isRequired: true),
      Field("destinationID", .text("DEST"), isRequired: true),
      Field("type", .text("TYPE"), typeCodes),
      Field("number", .whole("SEQ", 0...999), "As in preferredRoutes."),
      Field("route", .text("ROUTE STRING"), "With its end points."),
      Field("departureCenter", .text("DCNTR"), "The center of the origin: ZNY."),
      Field("arrivalCenter", .text("ACNTR"), "The center of the destination."),
    ],
    indexes: [["originID", "destinationID"]])

  static let codedRoutes = SourceTable(
    "codedRoutes", from: "CDR",
    "Coded departure routes, which a controller may assign by their codes to avoid weather.",
    [
      .id,
      Field("code", .text("RCODE"), "ABECLTGV.", isRequired: true),
      Field("origin", .airportNamed("ORIG")),
      Field("originID", .text("ORIG"), "KABE.", isRequired: true),
      Field("destination", .airportNamed("DEST")),
      Field("destinationID", .text("DEST"), isRequired: true),
      Field("departureFix", .text("DEPFIX")),
      Field("route", .text("ROUTE STRING"), "With its end points.", isRequired: true),
      Field("departureCenter", .text("DCNTR"), "The center of the origin: ZNY."),
      Field("arrivalCenter", .text("ACNTR"), "The center of the destination."),
      Field("centers", .text("TCNTRS"), "All centers on the way, with a blank between them."),
      Field("isCoordinationRequired", .flag("COORDREQ"), "0 or 1."),
      Field("play", .text("PLAY"), "The play of the national playbook to which it belongs."),
      Field("navigation", .whole("NAVEQP", 0...9), "The FAA's number for the equipment that it needs."),
      Field("distance", .whole("LENGTH", 0...10_000), "Nautical miles."),
    ],
    constraints: ["UNIQUE (code)"], indexes: [["originID", "destinationID"]])

  private static let typeCodes =
    "The FAA's code: L (low), H (high), TEC (tower enroute control), NAR (North American Route), SHD ..."
}

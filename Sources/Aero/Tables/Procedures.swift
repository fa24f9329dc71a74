internal import SQLiteIO

/// Departure procedures (DP) and standard terminal arrivals (STAR), with their routes, points and airports.
///
/// Each of the two has tables of its own, since the FAA's columns differ. The lists of their common columns are below.
extension SourceTable {
  static let departures = SourceTable(
    "departures", from: "DP_BASE", "Departure procedures: SIDs, and obstacle departures that are charted.",
    [.id, Field("name", .text("DP_NAME"), "Without its number: ACCRA.", isRequired: true)]
      + procedure("DP", code: "ACCRA5.ACCRA; NULL where the FAA has assigned none.") + [
        Field("type", .word("GRAPHICAL_DP_TYPE", ["SID": "sid", "OBSTACLE": "obstacle"]), "sid or obstacle.")
      ],
    keys: [.departure], indexes: [["name"]])

  static let departureRoutes = routes(
    "departureRoutes", from: "DP_RTE", of: .departure, as: "departure", key: .departureRoute,
    "The parts of departure procedures. A flight takes a body and then a transition.")

  static let departurePoints = points(
    "departurePoints", from: "DP_RTE", of: .departureRoute, "The points of the routes of departures.")

  static let departureAirports = airports(
    "departureAirports", from: "DP_APT", of: .departure, as: "departure",
    "From which airports and runways the bodies of a departure begin.")

  static let arrivals = SourceTable(
    "arrivals", from: "STAR_BASE", "Standard terminal arrival routes (STAR).",
    [.id, Field("name", .text("ARRIVAL_NAME"), "Without its number: BLAID.", isRequired: true)]
      + procedure("STAR", code: "AALAN.BLAID2: a fix, and the name with the number."),
    keys: [.arrival], indexes: [["name"]])

  static let arrivalRoutes = routes(
    "arrivalRoutes", from: "STAR_RTE", of: .arrival, as: "arrival", key: .arrivalRoute,
    "The parts of arrivals. A flight takes a transition and then a body.")

  static let arrivalPoints = points(
    "arrivalPoints", from: "STAR_RTE", of: .arrivalRoute, "The points of the routes of arrivals.")

  static let arrivalAirports = airports(
    "arrivalAirports", from: "STAR_APT", of: .arrival, as: "arrival",
    "At which airports and runways the bodies of an arrival end.")

  private static func procedure(_ prefix: String, code: String) -> [Field] {
    [
      Field("code", assignedCode(prefix + "_COMPUTER_CODE"), code),
      Field("amendment", amendment, "The number after the name, which the FAA writes as a word: FIVE."),
      Field("amended", .date(prefix + "_AMEND_EFF_DATE"), "Since when the amendment is in effect."),
      Field("artccs", .text("ARTCC"), "The centers, with a blank between them."),
      Field("isRNAV", .flag("RNAV_FLAG"), "0 or 1."),
      Field("airports", .text("SERVED_ARPT"), "FAA identifiers, with a blank between them."),
    ]
  }

  /// The last row of a route names no next point. The columns of a route are the same in all its rows.
  private static func routes(
    _ name: String, from source: String, of owner: RowKey, as column: String, key: RowKey, _ comment: String
  ) -> SourceTable {
    SourceTable(
      name, from: source, of: .row(owner), comment,
      [
        .id, Field(column, .owner(owner)),
        Field(
          "kind", .word("ROUTE_PORTION_TYPE", ["BODY": "body", "TRANSITION": "transition"]),
          "body or transition.", isRequired: true),
        Field("name", .text("ROUTE_NAME"), "FANZI-ACCRA, WOOLY TRANSITION ...", isRequired: true),
        Field("body", .whole("BODY_SEQ", 0...99), "The number of a body."),
        Field("code", .text("TRANSITION_COMPUTER_CODE"), "Of a transition."),
        Field(
          "runways", .text("ARPT_RWY_ASSOC"), "Of a body: the airports, or their runways: MKE/01L, RAC ..."),
        .linked("south", "The box around its points."),
        .linked("west", "-180 with east 180 where the route crosses the antimeridian."),
        .linked("north"), .linked("east"),
      ],
      keys: [key], indexes: [[column]], extent: .box, onlyWhereEmpty: "NEXT_POINT")
  }

  private static func points(
    _ name: String, from source: String, of owner: RowKey, _ comment: String
  ) -> SourceTable {
    SourceTable(
      name, from: source, of: .row(owner), comment,
      [
        Field("route", .owner(owner)),
        Field(
          "sequence", flightOrder,
          "Orders the points of a route as they are flown; the FAA counts backwards.",
          isRequired: true),
        Field("point", .text("POINT"), isRequired: true),
        Field(
          "type", .text("POINT_TYPE"), "WP (waypoint), RP (reporting point), VORTAC ..., the FAA's codes."),
        Field("previousPoint", .text("NEXT_POINT"), "The point that is flown before it; NULL for the first."),
        Field("region", .text("ICAO_REGION_CODE"), "ICAO region; NULL for a navaid."),
        Field("fix", .row(.fix, by: ["POINT", "ICAO_REGION_CODE"])),
        Field("navaid", .row(.navaidOfType, by: ["POINT", "POINT_TYPE"])),
        .linked("latitude", "Of the fix or the navaid; NULL where neither is known."),
        .linked("longitude", "Degrees, west negative."),
      ],
      constraints: ["PRIMARY KEY (route, sequence)"], isKeyed: true,
      links: positions(of: name) + boxes(of: owner.table, around: name))
  }

  private static func airports(
    _ name: String, from source: String, of owner: RowKey, as column: String, _ comment: String
  ) -> SourceTable {
    numbered(
      name, from: source, of: owner, as: column, comment,
      [
        Field("airport", .airportNamed("ARPT_ID")),
        Field("airportID", .text("ARPT_ID"), "The FAA identifier.", isRequired: true),
        Field("runwayEnd", .text("RWY_END_ID"), "08, 33R ...; NULL or ALL for all runways."),
        Field("bodyName", .text("BODY_NAME"), "The name of the route.", isRequired: true),
        Field("body", .whole("BODY_SEQ", 0...99), "The number of the route."),
      ])
  }

  private static let flightOrder = Reading.computed("INTEGER", ["POINT_SEQ"], as: .reversed) { row, at in
    SQLiteValue(row.whole(at, in: 0...999).map { 1000 - $0 })
  }

  private static func assignedCode(_ column: String) -> Reading {
    .computed("TEXT", [column], as: .assigned) { row, at in
      row.value(at).equals("NOT ASSIGNED") ? .null : SQLiteValue(row.text(at))
    }
  }

  private static let amendment = Reading.computed(
    "INTEGER", ["AMENDMENT_NO"], as: .spelledNumber, pairs: spelledNumbers
  ) { row, at in
    let value = row.value(at)
    if let digits = spelledNumbers[value] { return SQLiteValue(Int(digits.description)) }
    return value.isEmpty ? .null : row.unknownCode(at)
  }

  private static let spelledNumbers: CodeBook = [
    "ONE": "1", "TWO": "2", "THREE": "3", "FOUR": "4", "FIVE": "5", "SIX": "6", "SEVEN": "7", "EIGHT": "8",
    "NINE": "9", "TEN": "10",
  ]
}

/// Positions that rows have from the fixes and navaids that they name.
extension SourceTable {
  /// - Parameter navaidWhere: which rows are at their navaid.
  static func positions(of table: String, navaidWhere: String = "fix IS NULL") -> String {
    """
    UPDATE \(table) SET (latitude, longitude) = (
      SELECT latitude, longitude FROM fixes WHERE id = fix) WHERE fix IS NOT NULL;
    UPDATE \(table) SET (latitude, longitude) = (
      SELECT latitude, longitude FROM navaids WHERE id = navaid) WHERE \(navaidWhere) AND navaid IS NOT NULL;

    """
  }

  private static func boxes(of routes: String, around points: String) -> String {
    """
    UPDATE \(routes) SET (south, north, west, east) = (
      SELECT min(latitude), max(latitude),
        CASE WHEN max(longitude) - min(longitude) > 180 THEN -180 ELSE min(longitude) END,
        CASE WHEN max(longitude) - min(longitude) > 180 THEN 180 ELSE max(longitude) END
      FROM \(points) WHERE route = \(routes).id);
    """
  }
}

internal import SQLiteIO

/// Departure procedures (DP) and standard terminal arrivals (STAR), with their routes, points and airports.
extension SourceTable {
  static let procedures =
    procedures(
      "departure", .departure, .departureRoute, from: "DP", name: ("DP_NAME", "Without its number: ACCRA."),
      "Departure procedures: SIDs, and obstacle departures that are charted.",
      code: "ACCRA5.ACCRA; NULL where the FAA has assigned none.",
      routes: "The parts of departure procedures. A flight takes a body and then a transition.",
      airports: "From which airports and runways the bodies of a departure begin.",
      [
        Field("type", .word("GRAPHICAL_DP_TYPE", ["SID": "sid", "OBSTACLE": "obstacle"]), "sid or obstacle.")
      ])
    + procedures(
      "arrival", .arrival, .arrivalRoute, from: "STAR", name: ("ARRIVAL_NAME", "Without its number: BLAID."),
      "Standard terminal arrival routes (STAR).",
      code: "AALAN.BLAID2: a fix, and the name with the number.",
      routes: "The parts of arrivals. A flight takes a transition and then a body.",
      airports: "At which airports and runways the bodies of an arrival end.", [])

  /// The tables of one kind: procedures, routes, points and airports.
  private static func procedures(
    _ kind: String, _ key: RowKey, _ routeKey: RowKey, from source: String,
    name: (column: String, comment: String),
    _ comment: String, code: String, routes: String, airports: String, _ own: [Field]
  ) -> [SourceTable] {
    let points = "\(kind)Points"
    return [
      SourceTable(
        "\(kind)s", from: "\(source)_BASE", comment,
        [
          .id, Field("name", .text(name.column), name.comment, isRequired: true),
          Field("code", assignedCode(source + "_COMPUTER_CODE"), code),
          Field("amendment", amendment, "The number after the name, which the FAA writes as a word: FIVE."),
          Field("amended", .date(source + "_AMEND_EFF_DATE"), "Since when the amendment is in effect."),
          Field("artccs", .text("ARTCC"), "The centers, with a blank between them."),
          Field("isRNAV", .flag("RNAV_FLAG"), "0 or 1."),
          Field("airports", .text("SERVED_ARPT"), "FAA identifiers, with a blank between them."),
        ] + own, keys: [key], indexes: [["name"]]),
      // The last row of a route names no next point. The columns of a route are the same in all its rows.
      SourceTable(
        "\(kind)Routes", from: "\(source)_RTE", of: .row(key), routes,
        [
          .id, Field(kind, .owner(key)),
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
        keys: [routeKey], indexes: [[kind]], extent: .box, onlyWhereEmpty: "NEXT_POINT"),
      SourceTable(
        points, from: "\(source)_RTE", of: .row(routeKey), "The points of the routes of \(kind)s.",
        [
          Field("route", .owner(routeKey)),
          Field(
            "sequence", flightOrder,
            "Orders the points of a route as they are flown; the FAA counts backwards.", isRequired: true),
          Field("point", .text("POINT"), isRequired: true),
          Field(
            "type", .text("POINT_TYPE"), "WP (waypoint), RP (reporting point), VORTAC ..., the FAA's codes."),
          Field(
            "previousPoint", .text("NEXT_POINT"), "The point that is flown before it; NULL for the first."),
          Field("region", .text("ICAO_REGION_CODE"), "ICAO region; NULL for a navaid."),
          Field("fix", .row(.fix, by: ["POINT", "ICAO_REGION_CODE"])),
          Field("navaid", .row(.navaidOfType, by: ["POINT", "POINT_TYPE"])),
          .linked("latitude", "Of the fix or the navaid; NULL where neither is known."),
          .linked("longitude", "Degrees, west negative."),
        ],
        constraints: ["PRIMARY KEY (route, sequence)"], isKeyed: true,
        links: positions(of: points) + boxes(of: routeKey.table, around: points)),
      numbered(
        "\(kind)Airports", from: "\(source)_APT", of: key, as: kind, airports,
        [
          Field("airport", .airportNamed("ARPT_ID")),
          Field("airportID", .text("ARPT_ID"), "The FAA identifier.", isRequired: true),
          Field("runwayEnd", .text("RWY_END_ID"), "08, 33R ...; NULL or ALL for all runways."),
          Field("bodyName", .text("BODY_NAME"), "The name of the route.", isRequired: true),
          Field("body", .whole("BODY_SEQ", 0...99), "The number of the route."),
        ]),
    ]
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

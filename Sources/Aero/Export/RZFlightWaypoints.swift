internal import Core
internal import SQLiteIO

/// A fix or a navaid.
struct RZFlightWaypoint {
  let name: String
  let place: GeoPoint
  let type: String?
  var regions: String?
  var source = ExportSource.faa
}

/// The library keeps one waypoint per name, so only one is written: the FAA's before OurAirports', a VOR before an NDB, a navaid before a
/// fix, one of the United States before another country's.
extension RZFlightWaypoint {
  /// The maximum distance of a waypoint from a selected airport, in nautical miles.
  private static let radius = 50.0

  private static let navaidTypes = [
    "vor": "VOR", "vorDme": "VORDME", "vortac": "VORTAC", "tacan": "TACAN", "dme": "DME", "ndb": "NDB",
    "ndbDme": "NDBDME",
  ]

  /// Counts OurAirports' navaids that are left out since their name is taken.
  ///
  /// - Parameter airports: The airports near which waypoints are wanted; nil for all waypoints.
  static func rows(
    _ schema: RZFlightSchema, _ source: ExportSource, near airports: [GeoPoint]?
  ) -> ExportTable {
    let near = airports.map { NearbyPlaces($0, within: radius) }
    return schema.waypoints.rows(where: "source = '\(ExportSource.faa)'") { add in
      var seen: Set<String> = []
      /// Returns whether the name was free.
      func write(_ waypoint: RZFlightWaypoint) throws -> Bool {
        guard near?.contains(waypoint.place) ?? true else { return true }
        guard seen.insert(waypoint.name).inserted else { return false }
        try add(waypoint)
        return true
      }
      try source.database.prepare(navaidQuery).rows {
        let type = navaidTypes[$0.text(3) ?? ""]
        _ = try write(RZFlightWaypoint(name: $0.text(0) ?? "", place: $0.position, type: type))
      }
      try source.database.prepare(fixQuery).rows { row in
        let centers = [row.text(3), row.text(4)].compactMap(\.self)
        let regions = centers.count == 2 && centers[0] == centers[1] ? [centers[0]] : centers
        let name = row.text(0) ?? ""
        _ = try write(
          RZFlightWaypoint(
            name: name, place: row.position, type: fixType(name),
            regions: regions.isEmpty ? nil : regions.joined(separator: ",")))
      }
      guard let world = source.world else { return }
      for name in ["waypointNamesTaken", "navaidTypesUnknown"] { source.count(0, of: name) }
      var navaids: [WorldNavaid] = []
      try world.forEach { navaids.append($0) }
      for navaid in ranked(navaids) {
        let type = worldTypes[navaid.type]
        if type == nil { source.count(of: "navaidTypesUnknown") }
        let place = GeoPoint(longitude: navaid.longitude, latitude: navaid.latitude)
        let waypoint = RZFlightWaypoint(
          name: navaid.ident.uppercased(), place: place, type: type, source: ExportSource.ourAirports)
        if try !write(waypoint) { source.count(of: "waypointNamesTaken") }
      }
    }
  }

  private static let worldTypes = [
    "VORTAC": "VORTAC", "VOR-DME": "VORDME", "VOR": "VOR", "NDB-DME": "NDBDME", "NDB": "NDB",
    "TACAN": "TACAN", "DME": "DME",
  ]

  /// The navaids outside the FAA's area, with the longest range of each name first.
  private static func ranked(_ navaids: [WorldNavaid]) -> [WorldNavaid] {
    let types = ["VORTAC", "VOR-DME", "VOR", "NDB-DME", "NDB", "TACAN", "DME"]
    let powers = ["HIGH", "MEDIUM", "LOW"]
    func rank(_ navaid: WorldNavaid) -> (Int, Int, Int) {
      (
        types.firstIndex(of: navaid.type) ?? types.count,
        navaid.power.flatMap(powers.firstIndex(of:)) ?? powers.count, navaid.number
      )
    }
    return navaids.filter { !$0.isInFAAArea }.sorted { rank($0) < rank($1) }
  }

  private static var navaidQuery: String {
    let types = ["vortac", "vorDme", "vor", "ndbDme", "ndb", "tacan", "dme"]
    let ranks = types.enumerated().map { "WHEN '\($1)' THEN \($0)" }.joined(separator: " ")
    return """
      SELECT identifier, latitude, longitude, type FROM navaids WHERE type IN ('\(types.joined(separator: "','"))')
      ORDER BY coalesce(country, '') <> 'US', coalesce(status, '') IN ('shutdown', 'decommissioned'),
        CASE type \(ranks) END, id
      """
  }

  private static let fixQuery = """
    SELECT identifier, latitude, longitude, artccHigh, artccLow FROM fixes
    ORDER BY coalesce(country, '') <> 'US', id
    """

  /// Five letters are a pronounceable name. Others are codes of computers and of VFR charts.
  private static func fixType(_ name: String) -> String {
    name.utf8.count == 5 && name.allSatisfy(\.isLetter) ? "5LNC" : "WPT"
  }
}

extension SQLiteRow {
  /// The position in the second and third column.
  fileprivate var position: GeoPoint { GeoPoint(longitude: double(2), latitude: double(1)) }
}

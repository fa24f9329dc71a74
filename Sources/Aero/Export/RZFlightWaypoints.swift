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

  /// The library's types, in the order in which one counts before another, by those of the database and of OurAirports.
  private static let types: KeyValuePairs = [
    "VORTAC": ["vortac", "VORTAC"], "VORDME": ["vorDme", "VOR-DME"], "VOR": ["vor", "VOR"],
    "NDBDME": ["ndbDme", "NDB-DME"], "NDB": ["ndb", "NDB"], "TACAN": ["tacan", "TACAN"],
    "DME": ["dme", "DME"],
  ]

  private static func rank(_ type: String) -> Int {
    types.firstIndex { $0.value.contains(type) } ?? types.count
  }
  private static func libraryType(_ type: String) -> String? { types.first { $0.value.contains(type) }?.key }

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
        guard near?.near(waypoint.place).isEmpty != true else { return true }
        guard seen.insert(waypoint.name).inserted else { return false }
        try add(waypoint)
        return true
      }
      try source.database.prepare(navaidQuery).rows {
        let type = libraryType($0.text(3) ?? "")
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
        let type = libraryType(navaid.type)
        if type == nil { source.count(of: "navaidTypesUnknown") }
        let place = GeoPoint(longitude: navaid.longitude, latitude: navaid.latitude)
        let waypoint = RZFlightWaypoint(
          name: navaid.ident.uppercased(), place: place, type: type, source: ExportSource.ourAirports)
        if try !write(waypoint) { source.count(of: "waypointNamesTaken") }
      }
    }
  }

  /// The navaids outside the FAA's area, with the longest range of each name first.
  private static func ranked(_ navaids: [WorldNavaid]) -> [WorldNavaid] {
    let powers = ["HIGH", "MEDIUM", "LOW"]
    func rank(_ navaid: WorldNavaid) -> (Int, Int, Int) {
      (
        Self.rank(navaid.type),
        navaid.power.flatMap(powers.firstIndex(of:)) ?? powers.count, navaid.number
      )
    }
    return navaids.filter { !$0.isInFAAArea }.sorted { rank($0) < rank($1) }
  }

  private static var navaidQuery: String {
    let types = Self.types.map(\.value[0])
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

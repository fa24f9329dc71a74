internal import Core
internal import SQLiteIO

/// The rows of the waypoints. The library keeps one of each name, so only one is written: the FAA's before OurAirports', a VOR
/// rather than an NDB, a navaid rather than a fix, one of the United States rather than another country's.
struct RZFlightWaypoints {
  let database: SQLiteConnection
  /// The airports near which waypoints are wanted; nil for all waypoints.
  let near: NearbyPlaces?
  let stamp: String

  /// How far from an airport of a selection a waypoint may be, in nautical miles.
  private static let reach = 50.0

  init(database: SQLiteConnection, near places: [GeoPoint]?, stamp: String) {
    self.database = database
    near = places.map { NearbyPlaces($0, within: RZFlightWaypoints.reach) }
    self.stamp = stamp
  }

  private static let navaidTypes = [
    "vor": "VOR", "vorDme": "VORDME", "vortac": "VORTAC", "tacan": "TACAN", "dme": "DME", "ndb": "NDB",
    "ndbDme": "NDBDME",
  ]

  /// How many waypoints there are, and how many navaids of OurAirports are left out since their name is taken.
  func write(and world: WorldFile?, to writer: DatabaseWriter) throws -> [String: Int] {
    try writer.insert(RZFlightSchema.waypoints) { insert in
      var seen: Set<String> = []
      func add(
        _ name: String, _ place: GeoPoint, _ type: String?, _ regions: String? = nil,
        from source: String = RZFlightSource.faa
      ) throws -> Bool {
        guard near?.contains(place) ?? true else { return true }
        guard seen.insert(name).inserted else { return false }
        try insert.run([
          .text(name), .real(place.latitude), .real(place.longitude), SQLiteValue(type), SQLiteValue(regions),
          .null, .text(source), .text(stamp), .text(stamp),
        ])
        return true
      }
      try forEachNavaid {
        _ = try add($0.text(0) ?? "", $0.place, RZFlightWaypoints.navaidTypes[$0.text(3) ?? ""])
      }
      try forEachFix { row in
        let centers = [row.text(3), row.text(4)].compactMap(\.self)
        let regions = centers.count == 2 && centers[0] == centers[1] ? [centers[0]] : centers
        let name = row.text(0) ?? ""
        _ = try add(
          name, row.place, RZFlightWaypoints.fixType(name),
          regions.isEmpty ? nil : regions.joined(separator: ","))
      }
      guard let world else { return ["waypoints": seen.count] }
      var counts = ["waypointNamesTaken": 0, "navaidTypesUnknown": 0]
      for navaid in try RZFlightWaypoints.ranked(world.navaids()) {
        let place = GeoPoint(longitude: navaid.longitude, latitude: navaid.latitude)
        let type = RZFlightWaypoints.worldTypes[navaid.type]
        if type == nil { counts["navaidTypesUnknown", default: 0] += 1 }
        guard try !add(navaid.ident.uppercased(), place, type, from: RZFlightSource.world) else { continue }
        counts["waypointNamesTaken", default: 0] += 1
      }
      counts["waypoints"] = seen.count
      return counts
    }
  }

  private static let worldTypes = [
    "VORTAC": "VORTAC", "VOR-DME": "VORDME", "VOR": "VOR", "NDB-DME": "NDBDME", "NDB": "NDB",
    "TACAN": "TACAN", "DME": "DME",
  ]

  /// Those that are not the FAA's, of each name the one first that is received farthest.
  private static func ranked(_ navaids: [WorldNavaid]) -> [WorldNavaid] {
    let types = ["VORTAC", "VOR-DME", "VOR", "NDB-DME", "NDB", "TACAN", "DME"]
    let powers = ["HIGH", "MEDIUM", "LOW"]
    func rank(_ navaid: WorldNavaid) -> (Int, Int, Int) {
      (
        types.firstIndex(of: navaid.type) ?? types.count,
        navaid.power.flatMap(powers.firstIndex(of:)) ?? powers.count, navaid.number
      )
    }
    return navaids.filter { !$0.isFAAs }.sorted { rank($0) < rank($1) }
  }

  private func forEachNavaid(_ each: (SQLiteRow) throws -> Void) throws {
    let types = ["vortac", "vorDme", "vor", "ndbDme", "ndb", "tacan", "dme"]
    let ranks = types.enumerated().map { "WHEN '\($1)' THEN \($0)" }.joined(separator: " ")
    try database.prepare(
      """
      SELECT identifier, latitude, longitude, type FROM navaids WHERE type IN ('\(types.joined(separator: "','"))')
      ORDER BY coalesce(country, '') <> 'US', coalesce(status, '') IN ('shutdown', 'decommissioned'),
        CASE type \(ranks) END, id
      """
    ).rows([], each)
  }

  private func forEachFix(_ each: (SQLiteRow) throws -> Void) throws {
    try database.prepare(
      """
      SELECT identifier, latitude, longitude, artccHigh, artccLow FROM fixes
      ORDER BY coalesce(country, '') <> 'US', id
      """
    ).rows([], each)
  }

  /// Five letters are a name that pilots say; the others are codes of computers and of VFR charts.
  private static func fixType(_ name: String) -> String {
    name.utf8.count == 5 && name.allSatisfy(\.isLetter) ? "5LNC" : "WPT"
  }
}

extension SQLiteRow {
  /// Of a question whose second column is the latitude and whose third is the longitude.
  fileprivate var place: GeoPoint { GeoPoint(longitude: double(2), latitude: double(1)) }
}

internal import SQLiteIO

extension OpenEFBSchema {
  static let navaids = RecordTable<NamedRow>(
    "navaids", "VORs and NDBs that are in service.",
    [
      .init(
        "id", "TEXT NOT NULL PRIMARY KEY",
        "The identifier: SJC. One that several navaids share has the state added."),
      .init("name", "TEXT NOT NULL", "In title case: San Jose."),
      .init(
        "type", "TEXT NOT NULL", "vor, vortac, vorDme, ndb or ndbDme.", words: OpenEFBWords.navaidTypes),
      .init("latitude", "REAL NOT NULL", "Degrees, NAD83, south negative."),
      .init("longitude", "REAL NOT NULL", "Degrees, NAD83, west negative."),
      .init("frequency", "REAL NOT NULL", "MHz; kHz of an ndb and an ndbDme."),
      .init("magneticVariation", "REAL", "Degrees, west negative: to what the radials are set."),
      .init("elevation", "REAL", "Feet above mean sea level."),
      .init("channel", "TEXT", "The TACAN channel: 70X."), .init("city", "TEXT", "In title case."),
      .init("state", "TEXT"),
    ], indexes: [["latitude", "longitude"]], extent: .point, key: ["id"])

  static let fixes = RecordTable<NamedRow>(
    "fixes", "Named points: waypoints, reporting points, VFR waypoints.",
    [
      .init(
        "identifier", "TEXT NOT NULL", "Unique only together with the region, the state and the country."),
      .init("region", "TEXT NOT NULL", "ICAO region, such as K2."), .init("state", "TEXT"),
      .init("country", "TEXT"), .init("latitude", "REAL NOT NULL"), .init("longitude", "REAL NOT NULL"),
      .init(
        "type", "TEXT NOT NULL",
        "waypoint, reportingPoint, vfr, computer, militaryReporting, militaryWaypoint, nrs or radar."),
    ], indexes: [["identifier"]], extent: .point, key: ["identifier", "region", "state", "country"])
}

extension ExportSource {
  func openEFBFixes() throws -> ExportTable {
    let query = try database.prepare("SELECT * FROM fixes ORDER BY id")
    return OpenEFBSchema.fixes.rows { try query.forEachNamed([], $0) }
  }

  func openEFBNavaids() throws -> ExportTable {
    let query = try database.prepare("SELECT * FROM navaids ORDER BY id")
    return OpenEFBSchema.navaids.rows { [self] add in
      var navaids: [NamedRow] = []
      let name = { (row: NamedRow) in
        [row.text("identifier") ?? "", row.text("name"), row.navaidState].compactMap(\.self)
          .joined(separator: " ")
      }
      try forEachRow(of: "navaids", query, named: name) { row in
        let navaid = try openEFBNavaid(row)
        recordMapped(name(row), of: "navaids", ["type"], from: row, to: navaid)
        navaids.append(navaid)
      }
      for (navaid, id) in zip(navaids, identities(of: navaids)) {
        var navaid = navaid
        navaid["id"] = .text(id)
        try add(navaid)
      }
    }
  }

  private func openEFBNavaid(_ original: NamedRow) throws -> NamedRow {
    var row = original
    try row.map("type", OpenEFBWords.navaidTypes, orOmit: "the app has no such type")
    if let status = row.text("status"), ["shutdown", "decommissioned"].contains(status) {
      throw UnusableRow(
        column: "status", value: status, reason: "the app cannot show that it is out of service")
    }
    guard row["frequency"] != .null else {
      throw UnusableRow(column: "frequency", reason: "it has no frequency")
    }
    row["name"] = .text(TitleCase.name(row.text("name") ?? row.text("identifier") ?? ""))
    row["city"] = row.text("city").map { .text(TitleCase.name($0)) } ?? .null
    return row
  }

  /// Returns a unique id for each navaid. The only VOR of an identifier keeps it, and so does an NDB without other navaids of its
  /// identifier. The ids of others contain the state, and where necessary the frequency.
  private func identities(of navaids: [NamedRow]) -> [String] {
    var ids = navaids.map { $0.text("identifier") ?? "" }
    let isVOR = navaids.map { $0.text("type")?.hasPrefix("vor") ?? false }
    let groups = Dictionary(grouping: navaids.indices) { ids[$0] }
    let others = navaids.indices.filter { index in
      groups[ids[index]]?.count { !isVOR[index] || isVOR[$0] } != 1
    }
    var taken = Set(ids.indices.filter { !others.contains($0) }.map { ids[$0] })
    let withState = navaids.indices.map { index in
      navaids[index].navaidState.map { "\(ids[index])-\($0)" } ?? ids[index]
    }
    let sharing = Dictionary(grouping: others) { withState[$0] }
    for index in others {
      let exact = withState[index] + "-" + navaids[index].frequencyText
      var choices = sharing[withState[index]]?.count == 1 ? [withState[index], exact] : [exact]
      choices += (2...max(2, others.count)).map { "\(exact)-\($0)" }
      let id = choices.first { taken.insert($0).inserted } ?? exact
      problems.record(
        .identifierChanged, file: "navaids", part: ids[index], line: 0, column: "id", value: ids[index],
        reason: "other navaids have it, so the id is \(id)")
      ids[index] = id
    }
    return ids
  }
}

extension NamedRow {
  fileprivate var navaidState: String? { text("state") ?? text("country") }

  /// `365` and `112.7`
  fileprivate var frequencyText: String {
    let frequency = real("frequency") ?? 0
    return frequency == frequency.rounded() ? "\(Int(frequency))" : "\(frequency)"
  }
}

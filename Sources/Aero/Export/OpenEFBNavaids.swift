internal import SQLiteIO

/// A navaid in service whose type the app has.
struct OpenEFBNavaid {
  let row: NamedRow
  let type: String
  let frequency: Double
  fileprivate(set) var number = 0
  fileprivate(set) var id = ""

  static let table = RecordTable<OpenEFBNavaid>(
    "navaids", "VORs and NDBs that are in service.",
    [
      OpenEFBSchema.key(\.number),
      .init(
        "id", "TEXT NOT NULL UNIQUE",
        "The identifier: SJC. One that several navaids share has the state added."
      ) { $0.id },
      .init("name", "TEXT NOT NULL", "In title case: San Jose.") {
        TitleCase.name($0.row.text("name") ?? $0.identifier)
      },
      .init(
        "type", "TEXT NOT NULL", "vor, vortac, vorDme, ndb or ndbDme.",
        words: Set(OpenEFBWords.navaidTypes.values)
      ) { $0.type },
      .init("latitude", "REAL NOT NULL", "Degrees, NAD83, south negative.") { $0.row["latitude"] },
      .init("longitude", "REAL NOT NULL", "Degrees, NAD83, west negative.") { $0.row["longitude"] },
      .init("frequency", "REAL NOT NULL", "MHz; kHz of an ndb and an ndbDme.") { $0.frequency },
      .init("magneticVariation", "REAL", "Degrees, west negative: to what the radials are set.") {
        $0.row["magneticVariation"]
      },
      .init("elevation", "REAL", "Feet above mean sea level.") { $0.row["elevation"] },
    ], extent: .point, key: ["id"])

  static func rows(_ source: ExportSource) -> ExportTable {
    table.rows { add in
      var navaids: [OpenEFBNavaid] = []
      let name = { (row: NamedRow) in
        [row.text("identifier") ?? "", row.text("name"), state(row)].compactMap(\.self).joined(separator: " ")
      }
      let query = try source.database.prepare("SELECT * FROM navaids ORDER BY id")
      try source.forEachRow(of: "navaids", query, named: name) { row in
        let navaid = try OpenEFBNavaid(row)
        source.problems.recordMapped(
          name(row), of: "navaids", column: "type", value: row.text("type") ?? "", to: navaid.type)
        navaids.append(navaid)
      }
      let ids = identities(navaids, source.problems)
      for index in navaids.indices {
        (navaids[index].number, navaids[index].id) = (index + 1, ids[index])
        try add(navaids[index])
      }
    }
  }

  private init(_ row: NamedRow) throws {
    self.row = row
    type = try row.word("type", OpenEFBWords.navaidTypes, orOmit: "the app has no such type")
    if let status = row.text("status"), ["shutdown", "decommissioned"].contains(status) {
      throw UnusableRow(
        column: "status", value: status, reason: "the app cannot show that it is out of service")
    }
    guard let frequency = row.real("frequency") else {
      throw UnusableRow(column: "frequency", reason: "it has no frequency")
    }
    self.frequency = frequency
  }

  private static func state(_ row: NamedRow) -> String? { row.text("state") ?? row.text("country") }

  private var identifier: String { row.text("identifier") ?? "" }
  private var isVOR: Bool { type.hasPrefix("vor") }
  private var idWithState: String { Self.state(row).map { "\(identifier)-\($0)" } ?? identifier }
  /// `365` and `112.7`
  private var frequencyText: String {
    frequency == frequency.rounded() ? "\(Int(frequency))" : "\(frequency)"
  }

  /// Returns a unique id for each navaid. The only VOR of an identifier keeps it, and so does an NDB without other navaids of its identifier.
  /// The ids of others contain the state, and where necessary the frequency.
  private static func identities(_ navaids: [OpenEFBNavaid], _ problems: ProblemLog) -> [String] {
    let groups = Dictionary(grouping: navaids.indices) { navaids[$0].identifier }
    var taken: Set<String> = []
    var ids = navaids.map(\.identifier)
    var others: [Int] = []
    for (index, navaid) in navaids.enumerated() {
      let group = groups[navaid.identifier] ?? []
      let rivals = navaid.isVOR ? group.filter { navaids[$0].isVOR } : group
      if rivals.count == 1 { taken.insert(navaid.identifier) } else { others.append(index) }
    }
    let withState = Dictionary(grouping: others) { navaids[$0].idWithState }
    for index in others {
      let navaid = navaids[index]
      let exact = navaid.idWithState + "-" + navaid.frequencyText
      var choices = withState[navaid.idWithState]?.count == 1 ? [navaid.idWithState, exact] : [exact]
      choices += (2...max(2, others.count)).map { "\(exact)-\($0)" }
      let id = choices.first { taken.insert($0).inserted } ?? exact
      ids[index] = id
      problems.record(
        .identifierChanged, file: "navaids", part: navaid.identifier, line: 0, column: "id",
        value: navaid.identifier, reason: "other navaids have it, so the id is \(id)")
    }
    return ids
  }
}

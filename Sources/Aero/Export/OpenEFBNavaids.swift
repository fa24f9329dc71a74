internal import SQLiteIO

/// Writes the navaids in service whose type the app has.
struct OpenEFBNavaids {
  let source: ExportSource
  private var problems: ProblemLog { source.problems }

  private static let outOfService: Set<String> = ["shutdown", "decommissioned"]

  private struct Navaid {
    let identifier: String
    let state: String?
    let type: String
    let frequency: Double
    let values: [SQLiteValue]

    var isVOR: Bool { type.hasPrefix("vor") }
    var idWithState: String { state.map { "\(identifier)-\($0)" } ?? identifier }
    /// `365` and `112.7`
    var frequencyText: String {
      frequency == frequency.rounded() ? "\(Int(frequency))" : "\(frequency)"
    }
  }

  func write(to writer: DatabaseWriter) throws -> Int {
    var read = 0
    let navaids = try source.database.prepare(
      """
      SELECT identifier, coalesce(state, country), type, status, frequency, name, latitude, longitude,
        magneticVariation, elevation
      FROM navaids ORDER BY id
      """
    ).map { row in
      read += 1
      return navaid(row)
    }.compactMap(\.self)
    problems.read(rows: read, of: "navaids")
    let ids = identities(navaids)
    try writer.fill(OpenEFBSchema.navaids, navaids) { index, navaid in
      [.integer(index + 1), .text(ids[index])] + navaid.values
    }
    return navaids.count
  }

  private func navaid(_ row: SQLiteRow) -> Navaid? {
    let identifier = row.text(0) ?? ""
    let place = [identifier, row.text(5), row.text(1)].compactMap(\.self).joined(separator: " ")
    func dropRow(_ column: String, _ value: String, _ reason: String) -> Navaid? {
      problems.recordDropped(place, of: "navaids", column: column, value: value, reason)
      return nil
    }
    let word = row.text(2) ?? ""
    guard let type = OpenEFBWords.navaidTypes[word] else {
      return dropRow("type", word, "the app has no such type")
    }
    if let status = row.text(3), OpenEFBNavaids.outOfService.contains(status) {
      return dropRow("status", status, "the app cannot show that it is out of service")
    }
    guard let frequency = row.real(4) else { return dropRow("frequency", "", "it has no frequency") }
    if type != word { problems.recordMapped(place, of: "navaids", column: "type", value: word, to: type) }
    let values: [SQLiteValue] = [
      .text(TitleCase.name(row.text(5) ?? identifier)), .text(type), .real(row.double(6)),
      .real(row.double(7)),
      .real(frequency), SQLiteValue(row.real(8)), SQLiteValue(row.real(9)),
    ]
    return Navaid(
      identifier: identifier, state: row.text(1), type: type, frequency: frequency, values: values)
  }

  /// Returns a unique id for each navaid. The only VOR of an identifier keeps it, and so does an NDB without other navaids of its identifier.
  /// The ids of others contain the state, and where necessary the frequency.
  private func identities(_ navaids: [Navaid]) -> [String] {
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

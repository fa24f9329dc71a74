/// Joins the frequencies of FRQ with the airports and stations that they serve.
extension TableLoader {
  /// Collects the frequencies of the airports, which `finishAirports` needs, in order. Returns how many there are.
  ///
  /// - Parameter stations: the weather stations. Their frequencies are also those of the airports where they are.
  func stageFrequencies(_ frequencies: [Frequency], stations: StationDirectory) throws -> Int {
    var linked: [LinkedFrequency] = []
    let numbers = Dictionary(
      uniqueKeysWithValues: zip(directory.entries.map(\.icao), directory.entries.indices))
    for frequency in frequencies {
      switch frequency.service {
      case .airport:
        guard let airport = directory.number(servedBy: frequency) else {
          reader.problems.record(
            .rowDropped, file: Frequency.file, line: frequency.line, column: "SERVICED_FACILITY",
            value: frequency.served, reason: "there is no such airport of that kind in that state")
          continue
        }
        linked += frequency.types.map { LinkedFrequency(owner: airport, frequency: frequency, type: $0) }
      case .weatherStation:
        let airport = stations.station(servedBy: frequency)?.text("airport").flatMap { numbers[$0] }
        if let airport {
          linked.append(LinkedFrequency(owner: airport, frequency: frequency, type: .awos))
        }
      default: break
      }
    }
    linked.sortAndNumber(byUse: true)
    for index in linked.indices { linked[index].icao = directory.entries[linked[index].owner].icao }
    try writer.stage(LinkedFrequency.airports, linked)
    return linked.count
  }

  /// Fills the frequencies of one kind of station. Returns how many there are. A cycle without the stations has none of their
  /// frequencies.
  func load(_ table: StationFrequencies, _ frequencies: [Frequency]) throws -> Int {
    guard let source = table.stations.source, reader.archive.has(source) else { return 0 }
    let directory = try StationDirectory(
      writer, table.stations.name, name: table.hasNames ? "name" : "NULL", airport: "NULL")
    var linked = frequencies.filter { $0.service == table.service }.compactMap { frequency in
      if let station = directory.station(servedBy: frequency) {
        return LinkedFrequency(owner: station.int("id"), frequency: frequency)
      }
      reader.problems.record(
        .rowOrphaned, file: Frequency.file, line: frequency.line, column: "SERVICED_FACILITY",
        value: frequency.served, reason: "it is not one row of \(table.stations.name)")
      return nil
    }
    linked.sortAndNumber(byUse: false)
    try writer.fill(table.frequencies, linked)
    return linked.count
  }
}

/// Stations of one table by the names that FRQ uses for them.
struct StationDirectory {
  private let byName: [String: [NamedRow]]

  init() { byName = [:] }

  /// Reads the stations of a table.
  ///
  /// - Parameters:
  ///   - name: the expression for a name besides the identifier.
  ///   - airport: the expression for the identity of the station's airport.
  init(_ writer: DatabaseWriter, _ table: String, name: String, airport: String) throws {
    var names: [(name: String, station: NamedRow)] = []
    let columns = "id, identifier, \(name) AS name, type, state, \(airport) AS airport"
    try writer.forEachNamed("SELECT \(columns) FROM \(table)") { station in
      names += Set(["identifier", "name"].compactMap(station.text)).map { ($0, station) }
    }
    byName = Dictionary(grouping: names, by: \.name).mapValues { $0.map(\.station) }
  }

  /// The one station that a frequency serves. It has the name and the family; the type, the state and the longer name decide between
  /// several.
  func station(servedBy frequency: Frequency) -> NamedRow? {
    let family = StationDirectory.family(frequency.siteType)
    var candidates = (byName[frequency.served] ?? []).filter {
      StationDirectory.family($0.text("type") ?? "") == family
    }
    func narrow(_ matches: (NamedRow) -> Bool) {
      let fewer = candidates.filter(matches)
      if !fewer.isEmpty { candidates = fewer }
    }
    narrow { $0.text("type")?.lowercased() == frequency.siteType.lowercased() }
    narrow { $0.text("state") == frequency.state }
    narrow { $0.text("name") == frequency.servedName }
    return candidates.count == 1 ? candidates[0] : nil
  }

  /// Kinds that the tables do not always call by the same name.
  private static func family(_ kind: String) -> String {
    let word = kind.lowercased()
    if word.hasPrefix("asos") || word.hasPrefix("awos") { return "weather" }
    switch word {
    case "rco", "rco1": return "rco"
    case "fss", "radio": return "fss"
    default: return word
    }
  }
}

extension [LinkedFrequency] {
  /// Numbers the frequencies of each owner. What a pilot needs first comes first: by type, civil before military, and of an airport
  /// primary before secondary, as the use says.
  fileprivate mutating func sortAndNumber(byUse: Bool) {
    func key(_ frequency: Frequency) -> (String, Double, String, String, Int) {
      (
        byUse ? frequency.use ?? "" : "", frequency.radio.megahertz, frequency.sector ?? "",
        byUse ? frequency.remark ?? "" : "", frequency.line
      )
    }
    sort { left, right in
      if left.owner != right.owner { return left.owner < right.owner }
      if left.type != right.type { return left.type < right.type }
      let (a, b) = (left.frequency, right.frequency)
      return a.radio.isVHF == b.radio.isVHF ? key(a) < key(b) : a.radio.isVHF
    }
    for index in indices {
      let isSame = index > 0 && self[index - 1].owner == self[index].owner
      self[index].number = isSame ? self[index - 1].number + 1 : 1
    }
  }
}

extension AirportDirectory {
  /// The one airport that a frequency serves; nil when there is none, or more than one.
  ///
  /// Identifiers are shared across kinds of sites, so the kind decides, and the state where both sides name one.
  func number(servedBy frequency: Frequency) -> Int? {
    let candidates = byFacility[[frequency.served, frequency.siteType]] ?? []
    let matches = candidates.filter { number in
      guard let state = frequency.state, let own = entries[number].airport.state else { return true }
      return state == own
    }
    return matches.count == 1 ? matches[0] : nil
  }
}

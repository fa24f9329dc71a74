internal import SQLiteIO

/// Joins the frequencies of FRQ with the airports and stations that they serve.
extension TableLoader {
  /// Collects the frequencies of the airports, which `finishAirports` needs, in order. Returns how many there are.
  ///
  /// - Parameter stations: the weather stations. Their frequencies are also those of the airports where they are.
  func stageFrequencies(_ frequencies: [Frequency], stations: StationDirectory) throws -> Int {
    var linked: [AirportFrequency] = []
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
        linked += frequency.types.map { AirportFrequency(airport: airport, type: $0, frequency: frequency) }
      case .weatherStation:
        let airport = stations.station(servedBy: frequency)?.airport.flatMap { numbers[$0] }
        if let airport {
          linked.append(AirportFrequency(airport: airport, type: .awos, frequency: frequency))
        }
      default: break
      }
    }
    linked.sort(by: AirportFrequency.precedes)
    for index in linked.indices {
      let isSame = index > 0 && linked[index - 1].airport == linked[index].airport
      linked[index].number = isSame ? linked[index - 1].number + 1 : 1
      linked[index].icao = directory.entries[linked[index].airport].icao
    }
    try writer.stage(AirportFrequency.table, linked)
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
        return StationFrequency(station: station.id, frequency: frequency)
      }
      reader.problems.record(
        .rowOrphaned, file: Frequency.file, line: frequency.line, column: "SERVICED_FACILITY",
        value: frequency.served, reason: "it is not one row of \(table.stations.name)")
      return nil
    }
    linked.sort(by: StationFrequency.precedes)
    for index in linked.indices {
      let isSame = index > 0 && linked[index - 1].station == linked[index].station
      linked[index].number = isSame ? linked[index - 1].number + 1 : 1
    }
    try writer.fill(table.frequencies, linked)
    return linked.count
  }
}

/// Stations of one table by the names that FRQ uses for them.
struct StationDirectory {
  struct Station {
    let id: Int
    let identifier: String?
    let name: String?
    let type: String
    let state: String?
    /// Its `icao`.
    let airport: String?
  }

  private let byName: [String: [Station]]

  init() { byName = [:] }

  /// Reads the stations of a table.
  ///
  /// - Parameters:
  ///   - name: the expression for a name besides the identifier.
  ///   - airport: the expression for the identity of the station's airport.
  init(_ writer: DatabaseWriter, _ table: String, name: String, airport: String) throws {
    let stations = try writer.rows(
      "SELECT id, identifier, \(name), type, state, \(airport) FROM \(table)"
    ) {
      Station(
        id: $0.int(0), identifier: $0.text(1), name: $0.text(2), type: $0.text(3) ?? "", state: $0.text(4),
        airport: $0.text(5))
    }
    let names = stations.flatMap { station in
      Set([station.identifier, station.name].compactMap(\.self)).map { ($0, station) }
    }
    byName = Dictionary(grouping: names, by: \.0).mapValues { $0.map(\.1) }
  }

  /// The one station that a frequency serves. It has the name and the family; the type, the state and the longer name decide between
  /// several.
  func station(servedBy frequency: Frequency) -> Station? {
    let family = StationDirectory.family(frequency.siteType)
    var candidates = (byName[frequency.served] ?? []).filter { StationDirectory.family($0.type) == family }
    narrow(&candidates) { $0.type.lowercased() == frequency.siteType.lowercased() }
    narrow(&candidates) { $0.state == frequency.state }
    narrow(&candidates) { $0.name == frequency.servedName }
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

  private func narrow(_ stations: inout [Station], _ matches: (Station) -> Bool) {
    let fewer = stations.filter(matches)
    if !fewer.isEmpty { stations = fewer }
  }
}

extension AirportFrequency {
  /// What a pilot needs first comes first: by type, civil before military, primary before secondary.
  fileprivate static func precedes(_ left: AirportFrequency, _ right: AirportFrequency) -> Bool {
    if left.airport != right.airport { return left.airport < right.airport }
    if left.type != right.type { return left.type < right.type }
    let (a, b) = (left.frequency, right.frequency)
    if a.radio.isVHF != b.radio.isVHF { return a.radio.isVHF }
    return (a.use ?? "", a.radio.megahertz, a.sector ?? "", a.remark ?? "", a.line)
      < (b.use ?? "", b.radio.megahertz, b.sector ?? "", b.remark ?? "", b.line)
  }
}

extension StationFrequency {
  /// Civil before military, then by frequency.
  fileprivate static func precedes(_ left: StationFrequency, _ right: StationFrequency) -> Bool {
    if left.station != right.station { return left.station < right.station }
    let (a, b) = (left.frequency, right.frequency)
    if a.radio.isVHF != b.radio.isVHF { return a.radio.isVHF }
    return (a.radio.megahertz, a.sector ?? "", a.line) < (b.radio.megahertz, b.sector ?? "", b.line)
  }
}

extension AirportDirectory {
  /// The one airport that a frequency serves; nil when there is none, or more than one.
  ///
  /// Identifiers are shared across kinds of sites, so the kind decides, and the state where both sides name one.
  func number(servedBy frequency: Frequency) -> Int? {
    let candidates = byFacility[Facility(identifier: frequency.served, siteType: frequency.siteType)] ?? []
    let matches = candidates.filter { number in
      guard let state = frequency.state, let own = entries[number].airport.state else { return true }
      return state == own
    }
    return matches.count == 1 ? matches[0] : nil
  }
}

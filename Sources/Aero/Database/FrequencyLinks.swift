internal import SQLiteIO

/// A frequency with its airport, as one of its types.
struct LinkedFrequency {
  /// The airport's number in the directory.
  let airport: Int
  let type: FrequencyType
  let frequency: Frequency

  /// What a pilot wants first comes first: by type, civil before military, primary before secondary.
  static func precedes(_ left: LinkedFrequency, _ right: LinkedFrequency) -> Bool {
    if left.airport != right.airport { return left.airport < right.airport }
    if left.type != right.type { return left.type < right.type }
    let (a, b) = (left.frequency, right.frequency)
    if a.radio.isVHF != b.radio.isVHF { return a.radio.isVHF }
    return (a.use ?? "", a.radio.megahertz, a.sector ?? "", a.remark ?? "", a.line)
      < (b.use ?? "", b.radio.megahertz, b.sector ?? "", b.remark ?? "", b.line)
  }
}

/// Puts frequencies to their airports.
enum FrequencyLinks {
  /// Those of the airports themselves, and of the weather stations at them.
  static func link(
    _ frequencies: [Frequency], of weather: WeatherLinks, to directory: AirportDirectory, problems: ProblemLog
  ) -> [LinkedFrequency] {
    var linked = weather.airportFrequencies
    for frequency in frequencies where frequency.service == .airport {
      guard let airport = directory.number(servedBy: frequency) else {
        problems.record(
          .rowDropped, file: Frequency.file, line: frequency.line, column: "SERVICED_FACILITY",
          value: frequency.served, reason: "there is no such airport of that kind in that state")
        continue
      }
      linked += frequency.types.map { LinkedFrequency(airport: airport, type: $0, frequency: frequency) }
    }
    return linked.sorted(by: LinkedFrequency.precedes)
  }

  /// Each airport's first frequency of a type on which a civil aircraft can talk.
  static func common(_ type: FrequencyType, in linked: [LinkedFrequency]) -> [Int: Double] {
    let usable = linked.filter {
      $0.type == type && $0.frequency.radio.isVHF && !$0.frequency.radio.isReceiveOnly
    }
    return Dictionary(usable.map { ($0.airport, $0.frequency.radio.megahertz) }) { first, _ in first }
  }
}

/// Weather stations with the airports at which they stand, and the frequencies on which they are heard there.
struct WeatherLinks {
  struct LinkedStation {
    let station: WeatherStation
    /// The airport's number in the directory.
    let airport: Int?
  }

  /// Farther than this from an airport, the same identifier is another place's.
  private static let farthest = 5.0 / 60

  /// In the file's order; a station's place here and 1 is its id.
  let stations: [LinkedStation]
  /// Of the stations at airports.
  let airportFrequencies: [LinkedFrequency]

  init(_ stations: [WeatherStation], _ frequencies: [Frequency], _ directory: AirportDirectory) {
    let byIdentifier = Dictionary(grouping: directory.entries.indices) {
      directory.entries[$0].airport.faaID
    }
    let linked = stations.map { station in
      let own = station.site.flatMap(directory.number)
      let near = (byIdentifier[station.identifier] ?? []).filter {
        WeatherLinks.isNear(station, directory.entries[$0].airport)
      }
      return LinkedStation(station: station, airport: own ?? (near.count == 1 ? near[0] : nil))
    }
    let places = StationDirectory(
      stations.enumerated().map { index, station in
        StationDirectory.Station(
          id: index, identifier: station.identifier, name: nil, type: station.type, state: station.state)
      })
    self.stations = linked
    airportFrequencies = frequencies.filter { $0.service == .weatherStation }.compactMap { frequency in
      places.station(servedBy: frequency).flatMap { linked[$0.id].airport }.map {
        LinkedFrequency(airport: $0, type: .awos, frequency: frequency)
      }
    }
  }

  private static func isNear(_ station: WeatherStation, _ airport: Airport) -> Bool {
    guard let latitude = station.latitude, let longitude = station.longitude, station.state == airport.state
    else { return false }
    let north = latitude - airport.latitude
    let east = (longitude - airport.longitude) * PortableTrigonometry.cosine(latitude * .pi / 180)
    return north * north + east * east <= farthest * farthest
  }
}

/// Stations of one table by the names under which FRQ knows them.
struct StationDirectory {
  struct Station {
    let id: Int
    let identifier: String?
    let name: String?
    let type: String
    let state: String?
  }

  private let byName: [String: [Station]]

  init(_ stations: [Station]) {
    let names = stations.flatMap { station in
      Set([station.identifier, station.name].compactMap(\.self)).map { ($0, station) }
    }
    byName = Dictionary(grouping: names, by: \.0).mapValues { $0.map(\.1) }
  }

  /// The one station that is meant: of the name and the family, then as far as these tell stations apart of the kind, of
  /// the state and of the longer name.
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

  private func narrow(_ stations: inout [Station], _ isMeant: (Station) -> Bool) {
    let fewer = stations.filter(isMeant)
    if !fewer.isEmpty { stations = fewer }
  }
}

/// The frequencies of stations that are no airports, each to a row of the table of its stations.
struct StationFrequencies {
  let schema: TableSchema
  let service: Frequency.Service
  /// The table of the stations, and its columns for the name besides the identifier, the type and the state.
  let stations: TableSchema
  let name: String

  static let all = [
    StationFrequencies(
      schema: StationSchema.weatherFrequencies, service: .weatherStation,
      stations: StationSchema.weatherStations, name: "NULL"),
    StationFrequencies(
      schema: StationSchema.outletFrequencies, service: .outlet,
      stations: SourceTable.communicationOutlets.schema, name: "name"),
    StationFrequencies(
      schema: StationSchema.controlFrequencies, service: .controlFacility,
      stations: SourceTable.controlFacilities.schema, name: "NULL"),
    StationFrequencies(
      schema: StationSchema.flightServiceFrequencies, service: .flightService,
      stations: SourceTable.flightServiceStations.schema, name: "NULL"),
  ]

  private struct Linked {
    let station: Int
    let frequency: Frequency

    /// Civil before military, then by frequency.
    static func precedes(_ left: Linked, _ right: Linked) -> Bool {
      if left.station != right.station { return left.station < right.station }
      let (a, b) = (left.frequency, right.frequency)
      if a.radio.isVHF != b.radio.isVHF { return a.radio.isVHF }
      return (a.radio.megahertz, a.sector ?? "", a.line) < (b.radio.megahertz, b.sector ?? "", b.line)
    }
  }

  /// How many rows it wrote. A cycle without the stations has none of their frequencies.
  func fill(_ frequencies: [Frequency], _ loader: SourceTableLoader) throws -> Int {
    guard let source = stations.source, loader.reader.archive.has(source) else { return 0 }
    let directory = try StationDirectory(
      loader.writer.rows(
        "SELECT id, identifier, \(name), type, state FROM \(stations.name)"
      ) {
        StationDirectory.Station(
          id: $0.int(0), identifier: $0.text(1), name: $0.text(2), type: $0.text(3) ?? "", state: $0.text(4))
      })
    let linked = frequencies.filter { $0.service == service }.compactMap { link($0, directory, loader) }
    var (station, number) = (0, 0)
    try loader.writer.fill(schema, linked.sorted(by: Linked.precedes)) { _, row in
      number = row.station == station ? number + 1 : 1
      station = row.station
      return values(row, number)
    }
    return linked.count
  }

  private func link(
    _ frequency: Frequency, _ directory: StationDirectory, _ loader: SourceTableLoader
  ) -> Linked? {
    if let station = directory.station(servedBy: frequency) {
      return Linked(station: station.id, frequency: frequency)
    }
    loader.reader.problems.record(
      .rowOrphaned, file: Frequency.file, line: frequency.line, column: "SERVICED_FACILITY",
      value: frequency.served, reason: "it is not one row of \(stations.name)")
    return nil
  }

  private func values(_ row: Linked, _ number: Int) -> [SQLiteValue] {
    let frequency = row.frequency
    return [
      .integer(row.station), .integer(number), .real(frequency.radio.megahertz),
      SQLiteValue(frequency.radio.isVHF), SQLiteValue(frequency.radio.isReceiveOnly),
      SQLiteValue(frequency.use), SQLiteValue(frequency.sector), SQLiteValue(frequency.remark),
    ]
  }
}

internal import SQLiteIO

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

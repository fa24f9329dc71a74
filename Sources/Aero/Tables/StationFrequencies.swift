/// The frequencies of one kind of station that is not an airport.
struct StationFrequencies: Sendable {
  let frequencies: RecordTable<StationFrequency>
  let service: Frequency.Service
  /// The table of the stations.
  let stations: TableSchema
  /// Whether FRQ may name a station by its `name`.
  var hasNames = false

  static let all = [
    StationFrequencies(
      frequencies: StationFrequency.weatherStations, service: .weatherStation,
      stations: SourceTable.weatherStations.schema),
    StationFrequencies(
      frequencies: StationFrequency.outlets, service: .outlet,
      stations: SourceTable.communicationOutlets.schema, hasNames: true),
    StationFrequencies(
      frequencies: StationFrequency.controlFacilities, service: .controlFacility,
      stations: SourceTable.controlFacilities.schema),
    StationFrequencies(
      frequencies: StationFrequency.flightServiceStations, service: .flightService,
      stations: SourceTable.flightServiceStations.schema),
  ]
}

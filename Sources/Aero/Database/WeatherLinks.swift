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
    let east = (longitude - airport.longitude) * EvenTrigonometry.cosine(latitude * .pi / 180)
    return north * north + east * east <= farthest * farthest
  }
}

internal import SQLiteIO

/// How records become rows; the columns stand in the order of the values.
extension DatabaseWriter {
  func write(_ frequencies: [LinkedFrequency], _ directory: AirportDirectory) throws {
    var count = Counter()
    try fill(AirportSchema.frequencies, frequencies) { _, linked in
      let frequency = linked.frequency
      return [
        .text(directory.entries[linked.airport].icao), .integer(count.next(linked.airport)),
        .text(linked.type.rawValue), .real(frequency.radio.megahertz),
        SQLiteValue(frequency.name(as: linked.type)),
        SQLiteValue(frequency.remark), SQLiteValue(frequency.use), SQLiteValue(frequency.radio.isVHF),
        SQLiteValue(frequency.radio.isReceiveOnly), SQLiteValue(frequency.radio.channel),
        SQLiteValue(frequency.sector), SQLiteValue(frequency.hours),
      ]
    }
  }

  func write(_ weather: WeatherLinks, _ directory: AirportDirectory) throws {
    try fill(StationSchema.weatherStations, weather.stations) { number, linked in
      let station = linked.station
      return [
        .integer(number + 1), .text(station.identifier), .text(station.type),
        SQLiteValue(linked.airport.map { directory.entries[$0].icao }), SQLiteValue(station.city),
        SQLiteValue(station.state), SQLiteValue(station.country), SQLiteValue(station.latitude),
        SQLiteValue(station.longitude), SQLiteValue(station.elevation), SQLiteValue(station.phone),
        SQLiteValue(station.secondPhone), SQLiteValue(station.isAtNavaid), SQLiteValue(station.commissioned),
        SQLiteValue(station.remark),
      ]
    }
  }

  func write(metadata: [String: String]) throws {
    try fill(DatabaseSchema.metadata, metadata.sorted { $0.key < $1.key }) { _, pair in
      [.text(pair.key), .text(pair.value)]
    }
  }
}

/// Numbers the rows of each airport from 1, when they come airport by airport.
private struct Counter {
  private var airport = -1
  private var count = 0

  mutating func next(_ airport: Int) -> Int {
    count = airport == self.airport ? count + 1 : 1
    self.airport = airport
    return count
  }
}

internal import Airac
internal import SQLiteIO

/// How records become rows; the columns stand in the order of the values.
extension DatabaseWriter {
  func write(
    _ directory: AirportDirectory, longest: [Int: Int], ctaf: [Int: Double], unicom: [Int: Double],
    day: CalendarDay
  ) throws {
    let effective = day.description
    try fill(AirportSchema.airports, directory.entries) { number, entry in
      let airport = entry.airport
      return [
        .integer(number + 1), .text(entry.icao), .text(airport.faaID), .text(airport.key.number),
        .text(airport.key.type), .text(airport.name), SQLiteValue(airport.city), SQLiteValue(airport.state),
        SQLiteValue(airport.country), .real(airport.latitude), .real(airport.longitude),
        SQLiteValue(airport.elevation), .text(airport.type), SQLiteValue(airport.ownership),
        SQLiteValue(airport.use), SQLiteValue(airport.status), SQLiteValue(ctaf[number]),
        SQLiteValue(unicom[number]), SQLiteValue(airport.artccID), SQLiteValue(airport.fssID),
        SQLiteValue(airport.magneticVariation), SQLiteValue(airport.patternAltitude),
        .text(jsonArray(airport.fuelTypes)), SQLiteValue(airport.hasBeaconLight),
        SQLiteValue(airport.isTowered),
        SQLiteValue(longest[number]), SQLiteValue(airport.chart),
        SQLiteValue(airport.hasCustoms), SQLiteValue(airport.hasLandingRights), .text(effective),
      ]
    }
  }

  func write(_ runways: [LinkedRunway], _ directory: AirportDirectory) throws {
    try fill(AirportSchema.runways, runways) { _, linked in
      let (entry, runway) = (directory.entries[linked.airport], linked.runway)
      let head: [SQLiteValue] = [
        .text(entry.icao), .text(runway.id), SQLiteValue(runway.length), SQLiteValue(runway.width),
        SQLiteValue(runway.surface), SQLiteValue(runway.condition),
        .text(lighting(of: runway, at: entry.airport)),
        SQLiteValue(runway.edgeLights),
      ]
      return head + values(linked.base, named: runway.ends.base)
        + values(linked.reciprocal, named: runway.ends.reciprocal)
    }
  }

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

  func write(metadata: [String: String]) throws {
    try fill(DatabaseSchema.metadata, metadata.sorted { $0.key < $1.key }) { _, pair in
      [.text(pair.key), .text(pair.value)]
    }
  }

  private func values(_ end: RunwayEnd?, named name: String?) -> [SQLiteValue] {
    [
      SQLiteValue(name), SQLiteValue(end?.latitude), SQLiteValue(end?.longitude), SQLiteValue(end?.elevation),
      SQLiteValue(end?.touchdownElevation), SQLiteValue(end?.trueHeading),
      SQLiteValue(end?.displacedThreshold),
      SQLiteValue(end?.traffic), SQLiteValue(end?.indicator), SQLiteValue(end?.marking),
    ]
  }

  /// The airport's schedule decides when its runways' lights burn; one that is not said counts as not always.
  private func lighting(of runway: Runway, at airport: Airport) -> String {
    guard runway.edgeLights != nil else { return "none" }
    return airport.isLightedAllNight ? "fullTime" : "partTime"
  }

  /// Fuel names hold nothing that JSON would need escaped, but what the FAA writes is not ours to promise.
  private func jsonArray(_ texts: [String]) -> String {
    let quoted = texts.map { "\"" + $0.filter { $0 != "\"" && $0 != "\\" } + "\"" }
    return "[" + quoted.joined(separator: ",") + "]"
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

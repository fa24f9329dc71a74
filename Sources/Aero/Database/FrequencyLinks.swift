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

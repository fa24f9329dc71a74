internal import SQLiteIO

/// The frequencies of OurAirports' airports, one entry an airport, as the FAA's frequencies are written.
struct RZFlightFrequencies {
  /// Under which identity the file has each of the world's airports that are not the FAA's.
  let airports: [String: String]
  let stamp: String

  /// How many entries and frequencies there are, and what OurAirports has that is not written in words.
  func write(_ world: WorldFile, to writer: DatabaseWriter) throws -> [String: Int] {
    var lines: [String: [String]] = [:]
    var counts = ["frequencies": 0, "frequenciesOutsideVHF": 0, "frequencyTypesUnknown": 0]
    try world.forEachFrequency { frequency in
      guard let airport = airports[frequency.airport] else { return }
      guard frequency.isVHF else {
        counts["frequenciesOutsideVHF", default: 0] += 1
        return
      }
      if FrequencyWords.plain(frequency.type) == nil { counts["frequencyTypesUnknown", default: 0] += 1 }
      let line = FrequencyWords.line(frequency)
      guard lines[airport]?.contains(line) != true else { return }
      lines[airport, default: []].append(line)
      counts["frequencies", default: 0] += 1
    }
    let entries = lines.sorted { $0.key < $1.key }
    try writer.fill(RZFlightSchema.entries, entries) { _, entry in
      RZFlightEntries.row(
        of: entry.key, .frequencies, entry.value.joined(separator: "; "), from: RZFlightSource.world, stamp)
    }
    counts["entries"] = entries.count
    return counts
  }
}

internal import Core

/// Weather of the last minutes, from the files of aviationweather.gov.
struct WeatherDefinition: LiveDefinition, Codable {
  static let kind = "weather"

  var name: String
  var title: String
  /// For how many minutes the newest METARs may be used.
  var minutes: Int
  /// The addresses of the files, by their names. Other files are taken from a folder of saved files only.
  var urls: [String: SourceAddress]

  enum CodingKeys: String, DefinitionKey { case name, title, minutes, urls }

  var items: [any PipelineItem] {
    let lists: [WeatherJSON?] = urls[WeatherFile.tafs.names[0]] == nil ? [nil, .metar] : [nil, .metar, .taf]
    return lists.map { WeatherItem(definition: self, list: $0) }
  }

  var problem: String? {
    let known = WeatherFile.all.flatMap(\.names)
    if let stray = urls.keys.sorted().first(where: { !known.contains($0) }) {
      return "urls has \"\(stray)\", which is none of \(known.joined(separator: ", "))"
    }
    return (1...1440).contains(minutes) ? nil : "minutes must be 1 to 1440"
  }

  /// The database of airports, of the cycle in force.
  static let airports = "aviation.sqlite"

  func poll(_ poll: SourcePoll, _ cycle: CycleFiles) throws {
    for file in WeatherFile.all { try fetch(file, poll, isFolder: cycle.from != nil) }
    let metars = WeatherFile.metars.names.lazy.compactMap { poll.note($0)?.fetched }.first ?? poll.now
    for file in WeatherFile.all {
      for name in file.names where poll.note(name)?.fetched ?? metars < metars.adding(-file.longest * 60) {
        poll.remove(name)
      }
    }
    try poll.link(WeatherDefinition.airports, to: cycle.built("nasr", WeatherDefinition.airports))
  }

  /// Takes the first form of a file that there is.
  private func fetch(_ file: WeatherFile, _ poll: SourcePoll, isFolder: Bool) throws {
    func take(_ name: String, isOptional: Bool) throws -> Bool {
      guard isFolder || urls[name] != nil else { return false }
      let url = urls[name]?.filled(name: name, day: poll.now.day) ?? ""
      return try poll.fetch(
        name, from: url, limit: 30_000_000, isOptional: isOptional,
        leastShare: file.isNeverEmpty ? 0.5 : 0
      ) {
        try file.check($0, name, at: poll.now)
      }
    }
    let fetched = file.minutes == 0 ? nil : file.names.lazy.compactMap { poll.note($0)?.fetched }.first
    if let fetched, fetched > poll.now.adding(-file.minutes * 60) { return }
    if let name = try file.names.first(where: { try take($0, isOptional: true) }) {
      for other in file.names where other != name { poll.remove(other) }
    } else if file.names == WeatherFile.metars.names, poll.faults.isEmpty, poll.note(file.names[0]) == nil {
      _ = try take(file.names[0], isOptional: false)
    }
  }
}

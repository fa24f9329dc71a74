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

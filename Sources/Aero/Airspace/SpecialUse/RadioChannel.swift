internal import Foundation

/// A frequency on which an airspace's user or controller is called.
struct RadioChannel: Equatable {
  /// MHz.
  var transmits: Double?
  var receives: Double?
  var mode: String?
  /// civilian or military
  var traffic: String?
  var isCharted: Bool?
  var sector: String?

  /// Nil without a frequency.
  init?(_ feature: SourceElement) {
    transmits = RadioChannel.megahertz(feature.text("frequencyTransmission"))
    receives = RadioChannel.megahertz(feature.text("frequencyReception"))
    mode = feature.text("mode")
    if transmits == nil, receives == nil { return nil }
  }

  private static func megahertz(_ text: String?) -> Double? {
    text.flatMap(Double.init).flatMap { (1...1000).contains($0) ? $0 : nil }
  }
}

/// To which airspace a frequency belongs.
struct RadioAllocation {
  let area: String
  let channel: String
  let traffic: String?
  let isCharted: Bool?
  let sector: String?

  /// Nil for any other word, which says neither.
  private static func yesOrNo(_ word: String) -> Bool? { ["YES": true, "NO": false][word] }

  private static let traffics: CodeBook = ["CIVIL": "civil", "MIL": "military", "ALL": "all"]

  static func read(_ allocation: SourceElement) -> [RadioAllocation] {
    guard let area = allocation["associatedAirspace"]?.reference else { return [] }
    return allocation.all("SaaRadioCommunicationChannel").compactMap { entry in
      guard let channel = entry["associatedChannel"]?.reference else { return nil }
      let traffic = entry["communicationAllowed"]?.text
      return RadioAllocation(
        area: area, channel: channel, traffic: traffic.map { traffics[$0] ?? $0.lowercased() },
        isCharted: entry["charted"]?.text.flatMap(yesOrNo), sector: entry["sectors"]?.text)
    }
  }
}

extension SpecialUseFile {
  /// The frequencies of one of its airspaces, in the file's order; those that no airspace is named for are everybody's.
  func channels(of area: Area) -> [RadioChannel] {
    let byID = Dictionary(channels) { first, _ in first }
    let own = allocations.filter { $0.area == area.id }.compactMap { allocation -> RadioChannel? in
      var channel = byID[allocation.channel]
      channel?.traffic = allocation.traffic
      channel?.isCharted = allocation.isCharted
      channel?.sector = allocation.sector
      return channel
    }
    let named = Set(allocations.map(\.channel))
    let all = own.isEmpty ? channels.filter { !named.contains($0.id) }.map(\.channel) : own
    return all.enumerated().filter { index, channel in !all[..<index].contains(channel) }.map(\.element)
  }
}

internal import Core
internal import Foundation

/// The temporary flight restrictions of the United States.
struct TFRDefinition: LiveDefinition, Codable {
  static let kind = "tfr"
  /// The key of the addresses of the files about single TFRs.
  private static let detail = "detail"

  var name: String
  var title: String
  /// The product is `tfr/tfr`.
  var id: String
  /// The addresses of the sources by their names; that of the files about single TFRs is `detail`.
  var urls: [String: SourceAddress]?
  /// The file name of a terrain model; nil to take limits above ground as unknown.
  var terrain: String?
  /// For how long a snapshot may be used after the last fetch of the list.
  var validMinutes: Int
  /// The share of its entries that the list may lose from one fetch to the next.
  var maxLoss: Double

  enum CodingKeys: String, DefinitionKey {
    case name, title, id, urls, terrain, validMinutes, maxLoss
  }

  var items: [any PipelineItem] { [TFRItem(definition: self)] }
  var problem: String? {
    let sources = [TFRSource.list, TFRSource.noShapes, TFRSource.features, TFRDefinition.detail]
    if let urls, Set(urls.keys) != Set(sources) {
      return "urls must be of \(sources.joined(separator: ", "))"
    }
    guard (1...1440).contains(validMinutes) else { return "validMinutes must be 1 to 1440" }
    return (0..<1).contains(maxLoss) ? nil : "maxLoss must be from 0 to less than 1"
  }
}

extension TFRDefinition {
  /// For so long an accepted list is compared with the next one, so that no list is refused for ever.
  private static let memory = 86_400
  /// A changed file may appear later than the changed list, in seconds.
  private static let delay = 900
  private static let longestAge = 3600
  /// After this the next turn goes on, so that a slow server makes no snapshot late.
  private static let longestTurn = Duration.seconds(120)

  func poll(_ poll: SourcePoll, _ cycle: CycleFiles) throws {
    if let terrain { try poll.link(terrain, to: cycle.sources(terrain)) }
    let isFresh =
      (poll.note(TFRSource.list)?.fetched).map { $0 > poll.now.adding(-TFRDefinition.memory) } ?? false
    let before = isFresh ? list(poll, TFRSource.list) : nil
    let isConfirmed = try fetch(poll, TFRSource.list) {
      try TFRList($0).check(after: before, maxLoss: maxLoss, now: poll.now)
    }
    try fetch(poll, TFRSource.noShapes) { _ = try TFRList($0) }
    try fetch(poll, TFRSource.features) { _ = try TFRFeatures($0) }
    // Without its list the server is down, or ill.
    guard isConfirmed, let list = list(poll, TFRSource.list) else { return }
    let end = ContinuousClock.now + TFRDefinition.longestTurn
    for entry in list.entries where ContinuousClock.now < end { try fetchDetail(of: entry, poll) }
    let drawn = poll.data(TFRSource.features).flatMap { try? TFRFeatures($0) }?.notices.map(\.entry) ?? []
    let named = list.entries + (self.list(poll, TFRSource.noShapes)?.entries ?? []) + drawn
    let kept = Set(named.map(\.number.detailName))
    for name in poll.folder.names where name.hasPrefix(TFRSource.detailStart) && !kept.contains(name) {
      poll.remove(name)
    }
  }

  private func list(_ poll: SourcePoll, _ name: String) -> TFRList? {
    poll.data(name).flatMap { try? TFRList($0) }
  }

  /// Asks for the file about a TFR if it is missing, if it may be older than the list's entry, and once an hour.
  private func fetchDetail(of entry: TFREntry, _ poll: SourcePoll) throws {
    let name = entry.number.detailName
    let isKnown = poll.note(name)?.fetched.map { fetched in
      fetched > poll.now.adding(-TFRDefinition.longestAge)
        && fetched >= entry.modified?.adding(TFRDefinition.delay) ?? fetched
    }
    if isKnown ?? false { return }
    try fetch(poll, name, at: TFRDefinition.detail) { _ = try TFRDetail($0, of: entry.number) }
  }

  @discardableResult
  private func fetch(
    _ poll: SourcePoll, _ name: String, at key: String? = nil, _ check: (Data) throws -> Void
  ) throws -> Bool {
    let url = urls?[key ?? name]?.filled(name: name, day: poll.now.day) ?? name
    return try poll.fetch(
      name, from: url, limit: 5_000_000, isOptional: name != TFRSource.list,
      leastShare: [TFRSource.features, TFRSource.noShapes].contains(name) ? 0.5 : 0
    ) { data in
      try check(data)
      return nil
    }
  }
}

internal import Core
internal import Foundation
internal import HTTPIO

/// The temporary flight restrictions of the United States.
struct TFRDefinition: LiveDefinition, Codable {
  static let kind = "tfr"

  var name: String
  var title: String
  /// The product is `tfr/tfr`.
  var id: String
  var urls: Addresses?
  /// The file name of a terrain model; nil to take limits above ground as unknown.
  var terrain: String?
  /// For how long a snapshot may be used after the last fetch of the list.
  var validMinutes: Int
  /// The share of its entries that the list may lose from one fetch to the next.
  var maxLoss: Double

  enum CodingKeys: String, DefinitionKey {
    case name, title, id, urls, terrain, validMinutes, maxLoss
  }

  struct Addresses: DefinitionObject, Codable {
    var list: SourceAddress
    var noShapes: SourceAddress
    var features: SourceAddress
    /// `{name}` is `detail_6_6654.xml`.
    var detail: SourceAddress

    enum CodingKeys: String, DefinitionKey {
      case list, noShapes, features, detail
    }
  }

  func check(_ container: KeyedDecodingContainer<CodingKeys>) throws {
    guard (1...1440).contains(validMinutes) else {
      throw container.fault(.validMinutes, "it must be 1 to 1440")
    }
    guard (0..<1).contains(maxLoss) else {
      throw container.fault(.maxLoss, "it must be from 0 to less than 1")
    }
  }

  var items: [any PipelineItem] { [TFRItem(definition: self)] }
}

extension TFRDefinition {
  /// For so long an accepted list is compared with the next one. A list that differs more than it may is accepted in the end.
  private static let memory = 86_400
  /// A changed file may appear later than the changed list, in seconds.
  private static let delay = 900
  private static let longestAge = 3600

  func poll(_ poll: SourcePoll, _ cycle: CycleFiles) throws {
    if let terrain { try poll.link(terrain, to: cycle.sources(terrain)) }
    let age = poll.note(TFRSources.list)?.fetched.map { poll.now.secondsSince1970 - $0.secondsSince1970 }
    let before = (age ?? .max) < TFRDefinition.memory ? list(poll, TFRSources.list) : nil
    try fetch(poll, TFRSources.list, urls?.list) {
      try TFRList($0).check(after: before, maxLoss: maxLoss, now: poll.now)
    }
    try fetch(poll, TFRSources.noShapes, urls?.noShapes, isOptional: true) { _ = try TFRList($0) }
    try fetch(poll, TFRSources.features, urls?.features, isOptional: true) { try TFRFeatures($0).check() }
    guard let list = list(poll, TFRSources.list) else { return }
    for entry in list.entries { try fetchDetail(of: entry, poll) }
    let named =
      list.entries.map(\.number) + (self.list(poll, TFRSources.noShapes)?.entries.map(\.number) ?? [])
      + (poll.data(TFRSources.features).flatMap { try? TFRFeatures($0) }?.notices.map(\.entry.number) ?? [])
    let wanted = Set(named.map(\.detailName))
    for name in poll.folder.names where name.hasPrefix(TFRSources.detailStart) && !wanted.contains(name) {
      poll.remove(name)
    }
  }

  private func list(_ poll: SourcePoll, _ name: String) -> TFRList? {
    poll.data(name).flatMap { try? TFRList($0) }
  }

  /// Asks for the file about a TFR if it is missing, if it may be older than the list's entry, and once an hour.
  private func fetchDetail(of entry: TFREntry, _ poll: SourcePoll) throws {
    let name = entry.number.detailName
    if let fetched = poll.note(name)?.fetched, fetched > poll.now.adding(-TFRDefinition.longestAge),
      fetched >= entry.modified?.adding(TFRDefinition.delay) ?? fetched
    {
      return
    }
    try fetch(poll, name, urls?.detail, isOptional: true) { _ = try TFRDetail($0, of: entry.number) }
  }

  private func fetch(
    _ poll: SourcePoll, _ name: String, _ address: SourceAddress?, isOptional: Bool = false,
    _ check: (Data) throws -> Void
  ) throws {
    let url = address?.filled(name: name, day: poll.now.day) ?? name
    try poll.fetch(name, from: url, limit: TFRSources.mostBytes, isOptional: isOptional) { data in
      do {
        try check(data)
      } catch let defect as TFRDefect {
        throw HTTPError(.unusable, defect.description)
      }
      return nil
    }
  }
}

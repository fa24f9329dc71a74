public import Core
public import Foundation
public import Pipeline

/// A file as it is to lie below the cycle's folder of sources.
public struct WantedFile: Hashable, Sendable {
  /// `Denver.zip`, `ourairports/airports.csv`
  public let path: String
  /// Where its publisher has it; nil when the definition does not say.
  public let url: String?
  /// Nil for what is of no edition, such as a file that its publisher writes anew each day.
  public let edition: SourceRequirement.Edition?
}

/// What some items of a plan are made of: a file, or the files of a folder.
public struct SourceRequirement: Sendable {
  /// In which ways it can be had, best first; each is all the files that it takes.
  public internal(set) var ways: [[WantedFile]]
  /// Which items need it.
  public internal(set) var items: [PipelineItem]

  public struct Edition: Hashable, Sendable {
    /// With whose day it takes effect.
    public let cycle: AiracCycle
    public let cadence: Cadence

    /// One whole period later, since obstacles do not change with the charts.
    var expires: Instant { cycle.advanced(by: cadence.days / 28).effective }
  }

  /// Whether it is one of these files.
  public func isFile(of names: [String]) -> Bool { ways.joined().contains { names.contains($0.path) } }

  /// Whether its publisher's address is known.
  public var isPublished: Bool { ways.contains { $0.allSatisfy { $0.url != nil } } }

  /// The same wish for one of its files alone.
  func narrowed(to path: String) -> SourceRequirement {
    var wish = self
    wish.ways = [ways.joined().filter { $0.path == path }.prefix(1).map { $0 }]
    return wish
  }

  var name: String { ways.first?.first?.path ?? "" }

  /// Each once, in the order of the items.
  public static func wishes(of items: [PipelineItem], for cycle: AiracCycle) -> [SourceRequirement] {
    var wishes: [SourceRequirement] = []
    var places: [String: Int] = [:]
    for item in items {
      for wish in self.wishes(of: item, for: cycle) where !wish.ways.isEmpty {
        if let place = places[wish.name] {
          wishes[place].items.append(item)
        } else {
          places[wish.name] = wishes.count
          wishes.append(wish)
        }
      }
    }
    return wishes
  }

  private static func wishes(of item: PipelineItem, for cycle: AiracCycle) -> [SourceRequirement] {
    switch item.content {
    case .mosaic: []
    case .chart(let chart, let family): [SourceRequirement(chart, family, item, cycle)]
    case .nasr(let definition): [subscription(definition, item, cycle)]
    case .obstacles(let definition): [SourceRequirement(definition.sources, definition.origin, item, cycle)]
    case .export(let export, let origin): [SourceRequirement(export.world ?? [], origin, item, cycle)]
    }
  }

  /// The airspace is inside the whole subscription. With the archive of tables alone, the files of airspace belong to the same way,
  /// where the definition says where they are.
  private static func subscription(
    _ definition: NASRDefinition, _ item: PipelineItem, _ cycle: AiracCycle
  ) -> SourceRequirement {
    let origin = definition.origin
    var wish = SourceRequirement(definition.sources, origin, item, cycle)
    let airspace = [definition.classAirspace ?? [], definition.specialUse ?? []].compactMap { names in
      SourceRequirement(names, origin, item, cycle).ways.first { $0.allSatisfy { $0.url != nil } }
    }
    wish.ways = wish.ways.map { way in
      way.contains { $0.path.hasSuffix("_CSV.zip") } ? way + airspace.joined() : way
    }
    return wish
  }

  private init(_ chart: ChartDefinition, _ family: ChartFamily, _ item: PipelineItem, _ cycle: AiracCycle) {
    let issue = cycle.issue(family.cadence)
    ways = [
      [
        WantedFile(
          path: chart.zip, url: family.url?.filled(name: chart.zip, day: issue.effectiveDay),
          edition: Edition(cycle: issue, cadence: family.cadence))
      ]
    ]
    items = [item]
  }

  private init(
    _ patterns: [String], _ origin: DatabaseOrigin, _ item: PipelineItem, _ cycle: AiracCycle
  ) {
    let day = cycle.effectiveDay
    let urls = origin.urls
    ways = patterns.compactMap { pattern in
      let edition = SourceRequirement.edition(of: pattern, urls[pattern], origin, cycle)
      let keys = urls.keys.filter { $0 == pattern || $0.hasPrefix(pattern + "/") }.sorted()
      if keys.isEmpty {
        let name = origin.names([pattern], for: cycle)
        // What has no ending is a folder, and nobody says what is in it.
        return pattern.contains(".") ? name.map { WantedFile(path: $0, url: nil, edition: edition) } : nil
      }
      return zip(keys, origin.names(keys, for: cycle)).map { key, path in
        WantedFile(path: path, url: urls[key]?.filled(name: path, day: day), edition: edition)
      }
    }
    items = [item]
  }

  /// Of a file whose name or address carries a day. The daily obstacle file has none, whatever else its list names.
  private static func edition(
    of pattern: String, _ address: SourceAddress?, _ origin: DatabaseOrigin, _ cycle: AiracCycle
  ) -> Edition? {
    let words = pattern + (address?.pattern.replacing("{name}", with: "") ?? "")
    if words.contains("{dof_yymmdd}") { return Edition(cycle: cycle.obstacleIssue, cadence: .every56Days) }
    return words.contains("{") ? Edition(cycle: cycle, cadence: origin.cadence) : nil
  }
}

/// Where sources are fetched from.
public enum SourceOrigin: Equatable, Sendable {
  /// From where the definitions say.
  case publisher
  /// From an address below which the same paths lie as with the publisher, or all files side by side.
  case mirror(String)
  /// From a folder of this machine, in whatever subfolders they lie.
  case folder(URL)

  /// - Parameter text: what a person wrote after `--from`; nil for the publisher.
  public init(_ text: String?) throws {
    guard let text else {
      self = .publisher
      return
    }
    guard SourceOrigin.isAddress(text) else {
      self = .folder(URL(filePath: text, directoryHint: .isDirectory).standardizedFileURL)
      return
    }
    guard let url = URL(string: text), url.host?.isEmpty == false, url.query == nil, url.fragment == nil
    else {
      throw SourceOrigin.fault(text, "it is no address of a folder")
    }
    guard url.user == nil else {
      throw SourceOrigin.fault(
        text, "it contains a user name or a password, which every log would show")
    }
    self = .mirror(text.hasSuffix("/") ? String(text.dropLast()) : text)
  }

  public static func isAddress(_ text: String) -> Bool {
    ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
  }

  /// Where a file may be, the likeliest first.
  func addresses(of file: WantedFile) -> [String] {
    switch self {
    case .folder: []
    case .publisher: file.url.map { [$0] } ?? []
    case .mirror(let base):
      [file.url.flatMap { URLComponents(string: $0)?.percentEncodedPath }, flat(file)].compactMap(\.self)
        .map { base + $0 }
    }
  }

  private func flat(_ file: WantedFile) -> String? {
    file.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed).map { "/" + $0 }
  }

  private static func fault(_ text: String, _ problem: String) -> UserError {
    UserError(
      .badCall, operation: "reading the address", path: text, reason: problem,
      suggestion: "Give one such as https://mirror.example/faa.")
  }
}

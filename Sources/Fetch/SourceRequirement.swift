public import Core
public import Foundation

/// A file that must be in the cycle's folder of sources.
public struct RequiredFile: Hashable, Sendable {
  /// Relative to the folder: `Denver.zip`, `ourairports/airports.csv`
  public let path: String
  /// Its publisher's address; nil when the definition gives none.
  public let url: String?
  /// Nil for a file without editions, such as one that its publisher replaces each day.
  public let edition: SourceRequirement.Edition?
}

/// A source that some items of a plan need: a file, or the files of a folder.
public struct SourceRequirement: Sendable {
  /// The sets of files that satisfy it, best first.
  public internal(set) var alternatives: [[RequiredFile]]
  /// The items that need it.
  public internal(set) var items: [PipelineItem]

  public struct Edition: Hashable, Sendable {
    /// The cycle on whose effective date it takes effect.
    public let cycle: AiracCycle
    public let cadence: Cadence

    /// One whole period later, since obstacles do not change with the charts.
    var expires: Instant { cycle.advanced(by: cadence.days / 28).effective }
  }

  /// Whether one of these files satisfies it.
  public func isFile(of names: [String]) -> Bool {
    alternatives.joined().contains { names.contains($0.path) }
  }

  /// Whether its publisher's address is known.
  public var isPublished: Bool { alternatives.contains { $0.allSatisfy { $0.url != nil } } }

  /// Returns the same requirement for one of its files only.
  func narrowed(to path: String) -> SourceRequirement {
    var narrowed = self
    narrowed.alternatives = [alternatives.joined().filter { $0.path == path }.prefix(1).map { $0 }]
    return narrowed
  }

  var name: String { alternatives.first?.first?.path ?? "" }

  /// Returns the requirements of some items, each once, in the order of the items.
  public static func all(of items: [PipelineItem], for cycle: AiracCycle) -> [SourceRequirement] {
    var requirements: [SourceRequirement] = []
    var indexes: [String: Int] = [:]
    for item in items {
      for requirement in all(of: item, for: cycle) where !requirement.alternatives.isEmpty {
        if let index = indexes[requirement.name] {
          requirements[index].items.append(item)
        } else {
          indexes[requirement.name] = requirements.count
          requirements.append(requirement)
        }
      }
    }
    return requirements
  }

  private static func all(of item: PipelineItem, for cycle: AiracCycle) -> [SourceRequirement] {
    switch item.content {
    case .mosaic: []
    case .raster(let image, let family): [SourceRequirement(image, family, item, cycle)]
    case .chart(let chart, let family): [SourceRequirement(chart, family, item, cycle)]
    case .nasr(let definition): [subscription(definition, item, cycle)]
    case .obstacles(let definition): [SourceRequirement(definition.sources, definition.origin, item, cycle)]
    case .export(let export, let origin): [SourceRequirement(export.world ?? [], origin, item, cycle)]
    }
  }

  /// The whole subscription contains the airspace. The archive of tables alone does not, so the airspace files are added to that
  /// alternative when the definition gives their addresses.
  private static func subscription(
    _ definition: NASRDefinition, _ item: PipelineItem, _ cycle: AiracCycle
  ) -> SourceRequirement {
    let origin = definition.origin
    var requirement = SourceRequirement(definition.sources, origin, item, cycle)
    let airspace = [definition.classAirspace ?? [], definition.specialUse ?? []].compactMap { names in
      SourceRequirement(names, origin, item, cycle).alternatives.first { $0.allSatisfy { $0.url != nil } }
    }
    requirement.alternatives = requirement.alternatives.map { files in
      files.contains { $0.path.hasSuffix("_CSV.zip") } ? files + airspace.joined() : files
    }
    return requirement
  }

  /// An image has no editions.
  private init(_ image: RasterDefinition, _ family: RasterFamily, _ item: PipelineItem, _ cycle: AiracCycle) {
    let url = family.url?.filled(name: image.file, day: cycle.effectiveDay)
    alternatives = [[RequiredFile(path: image.file, url: url, edition: nil)]]
    items = [item]
  }

  private init(_ chart: ChartDefinition, _ family: ChartFamily, _ item: PipelineItem, _ cycle: AiracCycle) {
    let issue = cycle.issue(family.cadence)
    alternatives = [
      [
        RequiredFile(
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
    alternatives = patterns.compactMap { pattern in
      let edition = SourceRequirement.edition(of: pattern, urls[pattern], origin, cycle)
      let keys = urls.keys.filter { $0 == pattern || $0.hasPrefix(pattern + "/") }.sorted()
      if keys.isEmpty {
        let name = origin.names([pattern], for: cycle)
        // A name without an extension is a folder, whose files are not known.
        return pattern.contains(".") ? name.map { RequiredFile(path: $0, url: nil, edition: edition) } : nil
      }
      return zip(keys, origin.names(keys, for: cycle)).map { key, path in
        RequiredFile(path: path, url: urls[key]?.filled(name: path, day: day), edition: edition)
      }
    }
    items = [item]
  }

  /// Returns the edition of a file whose name or address contains a date. The daily obstacle file has none.
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
  /// The addresses in the definitions.
  case publisher
  /// A base address with the publisher's paths below it, or with all files side by side.
  case mirror(String)
  /// A folder of this machine, searched with its subfolders.
  case folder(URL)

  /// - Parameter text: the value of `--from`; nil for the publisher.
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
      throw SourceOrigin.userError(text, "it is not the address of a folder")
    }
    guard url.user == nil else {
      throw SourceOrigin.userError(
        text, "it contains a user name or a password, which every log would show")
    }
    self = .mirror(text.hasSuffix("/") ? String(text.dropLast()) : text)
  }

  public static func isAddress(_ text: String) -> Bool {
    ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
  }

  /// Returns the possible addresses of a file, the likeliest first.
  func addresses(of file: RequiredFile) -> [String] {
    switch self {
    case .folder: []
    case .publisher: file.url.map { [$0] } ?? []
    case .mirror(let base):
      [file.url.flatMap { URLComponents(string: $0)?.percentEncodedPath }, flat(file)].compactMap(\.self)
        .map { base + $0 }
    }
  }

  private func flat(_ file: RequiredFile) -> String? {
    file.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed).map { "/" + $0 }
  }

  private static func userError(_ text: String, _ problem: String) -> UserError {
    UserError(
      .badCall, operation: "reading the address", path: text, reason: problem,
      suggestion: "Give one such as https://mirror.example/faa.")
  }
}

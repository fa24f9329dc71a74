public import Core
public import Foundation

/// The folder of definitions.
public struct PipelineLibrary: Sendable {
  let folder: URL

  /// Reads a definition by name or path. A text with a slash or the end `.json5` is a path. `vfr-sectional-webp` is a variant
  /// of `vfr-sectional` unless a file has that name.
  public func definition(_ nameOrPath: String) throws -> PipelineDefinition {
    let file = file(nameOrPath)
    guard isPath(nameOrPath) || FileManager.default.fileExists(atPath: file.path) else {
      if let variant = try variant(named: nameOrPath) { return variant }
      throw UserError(
        .badCall, operation: "looking for the pipeline", path: nameOrPath,
        reason: "\(folder.path) holds no \(nameOrPath).json5",
        suggestion: names.isEmpty
          ? "Give the folder of definitions with --pipelines." : "It holds: \(names.joined(separator: ", "))."
      )
    }
    return try PipelineDefinition(contentsOf: file)
  }

  /// The file of a definition, which may be missing.
  public func file(_ nameOrPath: String) -> URL {
    isPath(nameOrPath) ? URL(filePath: nameOrPath) : folder.appending(path: nameOrPath + ".json5")
  }

  private func isPath(_ nameOrPath: String) -> Bool {
    nameOrPath.hasSuffix(".json5") || nameOrPath.contains("/")
  }

  /// Returns nil if the name is not that of a family with the suffix of a variant.
  private func variant(named name: String) throws -> PipelineDefinition? {
    for variant in ChartVariant.allCases {
      guard let ending = variant.ending, name.hasSuffix(ending) else { continue }
      let file = file(String(name.dropLast(ending.count)))
      guard FileManager.default.fileExists(atPath: file.path) else { continue }
      return try PipelineDefinition(contentsOf: file).variant(variant)
    }
    return nil
  }

  /// The names of all definitions in the folder.
  public var names: [String] {
    let parts = DefinitionPart.all.map(\.ending)
    let definitions = folder.names.filter { $0.hasSuffix(".json5") && !parts.contains(where: $0.hasSuffix) }
    return definitions.map { String($0.dropLast(6)) }.sorted()
  }
}

/// Compares the names of files in the spellings of their publisher.
///
/// The FAA's server does not distinguish capitals, and the FAA writes `-`, `_`, spaces and apostrophes in different ways from one
/// edition to the next, and in a zip's name and in the names inside. All files of a publisher are looked up through this type.
public enum PublishedName {
  /// The form that all spellings of a name share: `dallasloveinsethel.tif`.
  public static func key(_ name: String) -> String {
    String(String.UnicodeScalarView(name.lowercased().unicodeScalars.filter { !ignored.contains($0) }))
  }

  /// Hyphens and dashes, separators, and the typewriter's and the printer's apostrophes.
  private static let ignored: Set<Unicode.Scalar> = [
    "-", "_", " ", "'", "`", "\u{A0}", "\u{B4}", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2018}",
    "\u{2019}",
  ]

  /// Returns the candidates with exactly this name or, if there are none, with another spelling of it.
  /// More than one result means that the name is ambiguous.
  public static func matches<Candidate>(
    _ name: String, among candidates: [Candidate], by candidateName: (Candidate) -> String
  ) -> [Candidate] {
    let exact = candidates.filter { candidateName($0) == name }
    guard exact.isEmpty else { return exact }
    let key = key(name)
    return candidates.filter { PublishedName.key(candidateName($0)) == key }
  }
}

/// The address of a file of an edition: `https://aeronav.faa.gov/visual/{mm-dd-yyyy}/sectional-files/{name}`.
public struct SourceAddress: Codable, Equatable, Sendable {
  public let pattern: String

  struct Unusable: Error, CustomStringConvertible {
    let description: String
  }

  public init(_ pattern: String) throws {
    self.pattern = pattern
    try check()
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(container.decode(String.self))
    } catch let error as Unusable {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(pattern)
  }

  /// The address of a file in the edition that takes effect on a day.
  public func filled(name: String, day: CalendarDay) -> String {
    let safe = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name
    return day.filling(pattern).replacing("{name}", with: safe)
  }

  private func check() throws {
    guard pattern.hasPrefix("https://") || pattern.hasPrefix("http://") else {
      throw Unusable(description: "\"\(pattern)\" begins neither with https:// nor with http://")
    }
    let known = CalendarDay.places + ["{name}"]
    if let stray = pattern.matches(of: /\{[^}]*\}?/).map({ String($0.0) }).first(where: {
      !known.contains($0)
    }) {
      throw Unusable(
        description: "there is no \(stray) to fill in; valid names: \(known.joined(separator: ", "))")
    }
    let plain = known.reduce(pattern) { $0.replacing($1, with: "x") }
    // A password would appear in logs and products.
    guard let url = URL(string: plain), url.host?.isEmpty == false, url.user == nil,
      plain.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw Unusable(description: "\"\(pattern)\" is not an address") }
  }
}

extension CalendarDay {
  static let places = ["{date}", "{mm-dd-yyyy}", "{day_Mon_year}", "{yymmdd}", "{dof_yymmdd}"]

  /// A pattern with this day filled in: `{date}` is `2026-02-19`, `{mm-dd-yyyy}` is `02-19-2026`, `{day_Mon_year}` is
  /// `19_Feb_2026`, `{yymmdd}` is `260219`. `{dof_yymmdd}` is `260215`, the Sunday by which the FAA names the obstacle file of 56 days that
  /// is in force.
  func filling(_ pattern: String) -> String {
    pattern.replacing("{date}", with: description).replacing("{mm-dd-yyyy}", with: monthDayYear)
      .replacing("{day_Mon_year}", with: dayNameYear).replacing("{yymmdd}", with: compact.dropFirst(2))
      .replacing("{dof_yymmdd}", with: obstacleSunday.compact.dropFirst(2))
  }

  private var obstacleSunday: CalendarDay {
    AiracCycle(at: Instant(self, hour: 12, minute: 0)).obstacleIssue.effectiveDay.adding(days: -4)
  }
}

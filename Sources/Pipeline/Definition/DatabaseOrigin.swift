public import Core

/// The part of a database's definition that names its files, whatever kind of database it is.
public struct DatabaseOrigin: Equatable, Sendable {
  /// `aviation`
  public let id: String
  public let cadence: Cadence
  /// File names of the database's sources: one list for each source, best name first.
  public let lists: [[String]]
  /// Where to download the files, by their names in the lists.
  public let urls: [String: SourceAddress]

  /// File names with the cycle's day filled in.
  public func names(_ patterns: [String], for cycle: AiracCycle) -> [String] {
    patterns.map(cycle.effectiveDay.filling)
  }

  /// An address of `urls` whose file is in none of the lists, and in none of the exports' lists.
  func strayURL(_ exports: [ExportDefinition]) -> String? {
    let names = (lists + exports.compactMap(\.world)).joined()
    return urls.keys.sorted().first { key in
      !names.contains { key == $0 || key.hasPrefix($0 + "/") }
    }
  }
}

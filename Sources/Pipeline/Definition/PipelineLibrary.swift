internal import Core
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

internal import Core
public import Foundation

/// The folder in which definitions are found by name.
public struct PipelineLibrary: Sendable {
  private let folder: URL

  public init(folder: URL) {
    self.folder = folder
  }

  /// `vfr-sectional` is a file of the folder; what ends in `.json5` or has a slash is a path. `vfr-sectional-webp` is a variant of
  /// `vfr-sectional`, unless it is a file itself.
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

  /// Where a definition is, or would be.
  public func file(_ nameOrPath: String) -> URL {
    isPath(nameOrPath) ? URL(filePath: nameOrPath) : folder.appending(path: nameOrPath + ".json5")
  }

  private func isPath(_ nameOrPath: String) -> Bool {
    nameOrPath.hasSuffix(".json5") || nameOrPath.contains("/")
  }

  /// Nil where the name is none of a variant, or no family of charts has the rest of it.
  private func variant(named name: String) throws -> PipelineDefinition? {
    for variant in ChartVariant.allCases {
      guard let ending = variant.ending, name.hasSuffix(ending) else { continue }
      let file = file(String(name.dropLast(ending.count)))
      guard FileManager.default.fileExists(atPath: file.path) else { continue }
      return try PipelineDefinition(contentsOf: file).variant(variant)
    }
    return nil
  }

  /// The names of all definitions there.
  public var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let parts = DefinitionPart.all.map(\.ending)
    let definitions = files.filter { $0.hasSuffix(".json5") && !parts.contains(where: $0.hasSuffix) }
    return definitions.map { String($0.dropLast(6)) }.sorted()
  }
}

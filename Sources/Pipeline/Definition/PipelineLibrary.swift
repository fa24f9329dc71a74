public import Foundation

/// The folder in which definitions are found by name.
public struct PipelineLibrary: Sendable {
  private let folder: URL

  public init(folder: URL) {
    self.folder = folder
  }

  /// `vfr-sectional` is a file of the folder; what ends in `.json5` or has a slash is a path.
  public func definition(_ nameOrPath: String) throws -> PipelineDefinition {
    if nameOrPath.hasSuffix(".json5") || nameOrPath.contains("/") {
      return try PipelineDefinition(contentsOf: URL(filePath: nameOrPath))
    }
    let file = folder.appending(path: nameOrPath + ".json5")
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw Fault(
        .badCall, doing: "looking for the pipeline", subject: nameOrPath,
        problem: "\(folder.path) holds no \(nameOrPath).json5",
        remedy: names.isEmpty
          ? "Give the folder of definitions with --pipelines." : "It holds: \(names.joined(separator: ", "))."
      )
    }
    return try PipelineDefinition(contentsOf: file)
  }

  /// The names of all definitions there.
  public var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let parts = DefinitionPart.all.map(\.ending)
    let definitions = files.filter { $0.hasSuffix(".json5") && !parts.contains(where: $0.hasSuffix) }
    return definitions.map { String($0.dropLast(6)) }.sorted()
  }
}

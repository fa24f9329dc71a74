internal import Core
import Foundation

/// The folder of definitions.
struct PipelineLibrary: Sendable {
  let folder: URL
  var kinds = PipelineLibrary.kinds

  /// All kinds of definitions, in the order of error messages.
  static let kinds: [any PipelineDefinition.Type] = [
    ChartFamily.self, NASRDefinition.self, ObstacleDefinition.self, PlatesDefinition.self,
    ProceduresDefinition.self, RasterFamily.self, TFRDefinition.self, WeatherDefinition.self,
  ]

  /// Reads a definition by name or path. A text with a slash or the end `.json5` is a path. `vfr-sectional-webp` is a variant
  /// of `vfr-sectional` unless a file has that name.
  func definition(_ nameOrPath: String) throws -> any PipelineDefinition {
    let file = file(nameOrPath)
    guard isPath(nameOrPath) || FileManager.default.fileExists(atPath: file.path) else {
      if let variant = try variant(named: nameOrPath) { return variant }
      let held = names.isEmpty ? "" : "It holds: \(names.joined(separator: ", ")). "
      throw UserError(
        .badCall, operation: "looking for the pipeline", path: nameOrPath,
        reason: "\(folder.path) holds no \(nameOrPath).json5",
        suggestion: didYouMean(nameOrPath, among: names, or: "\(held)Name another folder with --pipelines."))
    }
    let definition = try PipelineLibrary.read(file, kinds)
    if isPath(nameOrPath) || definition.name == nameOrPath { return definition }
    throw UserError(
      .badInput, operation: "reading the pipeline", path: file.path,
      reason: "its `name` is \"\(definition.name)\"", suggestion: "Give the file the same name.")
  }

  /// The file of a definition, which may be missing.
  func file(_ nameOrPath: String) -> URL {
    isPath(nameOrPath) ? URL(filePath: nameOrPath) : folder.appending(path: nameOrPath + ".json5")
  }

  private func isPath(_ nameOrPath: String) -> Bool {
    nameOrPath.hasSuffix(".json5") || nameOrPath.contains("/")
  }

  /// Returns nil if the name is not that of a family with the suffix of a variant.
  private func variant(named name: String) throws -> (any PipelineDefinition)? {
    for variant in ChartVariant.allCases {
      guard let ending = variant.ending, name.hasSuffix(ending) else { continue }
      let base = String(name.dropLast(ending.count))
      guard FileManager.default.fileExists(atPath: file(base).path) else { continue }
      return try definition(base).variant(variant)
    }
    return nil
  }

  /// The names of all definitions in the folder.
  var names: [String] {
    let files = folder.names.filter { name in
      name.hasSuffix(".json5")
        && ![Correction.ending, KnownAirport.ending].contains(where: name.hasSuffix)
    }
    return files.map { String($0.dropLast(6)) }.sorted()
  }
}

extension PipelineLibrary {
  /// Reads a JSON5 file. Errors name the file and the key.
  static func read(_ file: URL, _ kinds: [any PipelineDefinition.Type] = kinds) throws
    -> any PipelineDefinition
  {
    let doing = "reading the pipeline"
    let (name, folder) = (file.lastPathComponent, file.deletingLastPathComponent())
    let others = folder.names.filter { $0 != name && $0.hasSuffix(".json5") }
    let help = "Name a pipeline of the folder given with --pipelines, or the path of a file."
    let data = try UserError.wrapping(
      doing, file.path, kind: .badCall, suggestion: didYouMean(name, among: others, or: help) ?? help
    ) { try Data(contentsOf: file) }
    var definition: any PipelineDefinition
    do {
      definition = try JSON5.definition(kind(of: data, among: kinds), from: data)
      try definition.load(from: folder)
    } catch let error as DecodingError {
      throw UserError(
        .badInput, operation: doing, path: file.path, reason: error.whereAndWhy(in: data, "JSON5"),
        suggestion: "Correct the definition; docs/CHARTS.md and docs/schemas show its form.",
        causes: [error])
    }
    if let problem = idProblem(definition) ?? definition.problem {
      throw UserError(.badInput, operation: doing, path: file.path, reason: problem)
    }
    return definition
  }

  private struct Header: Decodable {
    let kind: String
  }

  private static func kind(
    of data: Data, among kinds: [any PipelineDefinition.Type]
  ) throws -> any PipelineDefinition.Type {
    let name = try JSON5.decode(Header.self, from: data).kind
    if let kind = kinds.first(where: { $0.kind == name }) { return kind }
    throw DecodingError.dataCorrupted(
      .init(
        codingPath: [WrittenKey(stringValue: JSON5.kindKey)],
        debugDescription: unknownValue(name, among: kinds.map { $0.kind })))
  }

  private static func idProblem(_ definition: any PipelineDefinition) -> String? {
    let ids = definition.items.map(\.id)
    // Apps list the names of charts.
    for (key, texts) in [("id", ids), ("name", definition.items.filter(\.isOfCharts).map(\.name))] {
      let doubles = Dictionary(grouping: texts, by: { $0 }).filter { $1.count > 1 }.keys
      if let double = doubles.min() { return "the \(key) \"\(double)\" occurs twice" }
    }
    if let odd = (ids + [definition.name]).first(where: { !$0.isPlainName }) {
      return "\"\(odd)\" is not an id: letters, digits, '_', '-' and '.' only"
    }
    return definition.items.compactMap(\.region).first { !$0.isPlainName }.map {
      "\"\($0)\" is not a region id: letters, digits, '_', '-' and '.' only"
    }
  }
}

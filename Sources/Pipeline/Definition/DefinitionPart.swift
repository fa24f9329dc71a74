internal import Core
internal import Foundation

/// A file of JSON5 beside a definition that is a part of it.
struct DefinitionPart {
  /// How its file's name ends, so that it is not taken for a pipeline.
  let ending: String
  let doing: String
  let remedy: String

  static let corrections = DefinitionPart(
    ending: "corrections.json5", doing: "reading the corrections",
    remedy: "Correct the file; the comment at the head of pipelines/corrections.json5 shows its form.")
  static let columns = DefinitionPart(
    ending: "columns.json5", doing: "reading what the columns look like",
    remedy: "`chartpipe inspect X.sqlite --columns` writes such a file from a database that is right.")
  static let all = [corrections, columns]

  /// Every fault names the file.
  func read<Content: Decodable>(_ type: Content.Type, from url: URL) throws -> Content {
    guard url.lastPathComponent.hasSuffix(ending) else { throw fault(url, "its name must end in \(ending)") }
    var data = Data()
    do {
      data = try Data(contentsOf: url)
      return try JSON5.decode(type, from: data)
    } catch let error as DecodingError {
      throw fault(url, error.whereAndWhy(in: data), error)
    } catch {
      throw fault(url, error.fileErrorReason, error)
    }
  }

  func fault(_ file: URL, _ problem: String, _ cause: (any Error)? = nil) -> UserError {
    UserError(
      .badInput, operation: doing, path: file.path, reason: problem, suggestion: remedy,
      causes: [cause].compactMap(\.self))
  }
}

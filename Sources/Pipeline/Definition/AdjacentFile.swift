internal import Core
internal import Foundation

/// A separate file beside a definition, which holds the file's name. The definition's hash covers the content.
public struct AdjacentFile<Content>: Equatable, Sendable
where Content: RangeReplaceableCollection & Codable & Equatable & Sendable {
  public let file: String
  /// Empty until it is read.
  public internal(set) var content = Content()

  mutating func load(from folder: URL, _ read: (URL) throws -> Content) rethrows {
    content = try read(folder.appending(path: file))
  }
}

extension AdjacentFile: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(file: try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }
}

extension JSON5 {
  /// The elements of a file beside a definition. Errors name the file and the element.
  ///
  /// - Parameters:
  ///   - ending: the end of the file's name, which distinguishes it from a pipeline.
  ///   - problem: the first problem of an element that decoding does not detect; nil if there is none.
  static func list<Item: DefinitionObject>(
    at url: URL, ending: String, _ operation: String, suggestion: String,
    problem: (_ item: Item, _ index: Int, _ earlier: ArraySlice<Item>) -> String?
  ) throws -> [Item] {
    func fault(_ reason: String, _ causes: [any Error] = []) -> UserError {
      UserError(
        .badInput, operation: operation, path: url.path, reason: reason, suggestion: suggestion,
        causes: causes)
    }
    guard url.lastPathComponent.hasSuffix(ending) else { throw fault("its name must end in \(ending)") }
    var data = Data()
    let items = try explaining({ error in
      fault((error as? DecodingError)?.whereAndWhy(in: data, "JSON5") ?? error.fileErrorReason, [error])
    }) {
      data = try Data(contentsOf: url)
      return try decode([Checked<Item>].self, from: data).map(\.value)
    }
    for (index, item) in items.enumerated() {
      if let problem = problem(item, index, items[..<index]) { throw fault(problem) }
    }
    return items
  }
}

internal import Foundation

/// What the tables of a good database look like: a file of its own beside the definition, and part of it.
///
/// In the definition it is the file's name. What is hashed is the content.
public struct ColumnReference: Equatable, Sendable {
  /// How its file's name ends, so that it is not taken for a pipeline.
  static let fileEnding = "columns.json5"

  /// The role of the product's file that holds the tables, for validation.
  public static let role = "columns"

  public let file: String
  /// By the tables' names.
  public private(set) var tables: [String: TableProfile] = [:]

  /// Reads the file; every fault names it.
  mutating func load(from folder: URL) throws {
    let url = folder.appending(path: file)
    guard file.hasSuffix(ColumnReference.fileEnding) else {
      throw ColumnReference.fault(url, "its name must end in \(ColumnReference.fileEnding)")
    }
    do {
      tables = try JSON5.decode([String: TableProfile].self, from: Data(contentsOf: url))
    } catch let error as DecodingError {
      throw ColumnReference.fault(url, error.whereAndWhy("JSON5"), error)
    } catch {
      throw ColumnReference.fault(url, error.fileTrouble, error)
    }
  }

  private static func fault(_ file: URL, _ problem: String, _ cause: (any Error)? = nil) -> Fault {
    Fault(
      .badInput, doing: "reading what the columns look like", subject: file.path, problem: problem,
      remedy: "`chartpipe inspect X.sqlite --columns` writes such a file from a database that is right.",
      causes: [cause].compactMap(\.self))
  }
}

extension ColumnReference: Codable {
  public init(from decoder: any Decoder) throws {
    file = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws { try tables.encode(to: encoder) }
}

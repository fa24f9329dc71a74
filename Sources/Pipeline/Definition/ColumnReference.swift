internal import Foundation

/// What the tables of a good database look like: a file of its own beside the definition, and part of it.
///
/// In the definition it is the file's name. What is hashed is the content.
public struct ColumnReference: Equatable, Sendable {
  /// The role of the product's file that holds the tables, for validation.
  public static let role = "columns"

  public let file: String
  /// By the tables' names.
  public private(set) var tables: [String: TableProfile] = [:]

  /// Reads the file; every fault names it.
  mutating func load(from folder: URL) throws {
    tables = try DefinitionPart.columns.read([String: TableProfile].self, from: folder.appending(path: file))
  }
}

extension ColumnReference: Codable {
  public init(from decoder: any Decoder) throws {
    file = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws { try tables.encode(to: encoder) }
}

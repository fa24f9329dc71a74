internal import Foundation

/// Statistics of the tables of a verified database, in a separate file beside the definition.
///
/// The definition holds the file's name. The hash of the definition covers the content.
public struct ColumnReference: Equatable, Sendable {
  /// The role of the product's file that holds the tables, for validation.
  public static let role = "columns"

  public let file: String
  /// By the tables' names.
  public private(set) var tables: [String: TableProfile] = [:]

  /// Reads the file. Errors name it.
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

/// Statistics of a column: shares, averages and frequent values. They reveal a lost, inverted or shifted column.
public struct ColumnProfile: Codable, Equatable, Sendable {
  /// The share of rows without a value; nil if unknown.
  public var nulls: Double?
  /// Of numbers: the average, and the standard deviation.
  public var mean: Double?
  public var spread: Double?
  /// Of numbers: the share below zero.
  public var negative: Double?
  /// Of numbers: the share with more than two decimals.
  public var fine: Double?
  /// The number of distinct values divided by the number of values that are not NULL.
  public var distinct: Double?
  /// The shares of the most frequent values among those that are not NULL; for an enumeration, of all values.
  public var values: [String: Double]?
  /// Of texts: the average length in bytes.
  public var length: Double?
  /// Of texts: the shares of letters that are lower case or vowels, and the shares of characters that are digits or not
  /// ASCII.
  public var lowercase: Double?
  public var vowels: Double?
  public var digits: Double?
  public var foreign: Double?

  public init(nulls: Double) { self.nulls = nulls }
}

/// Statistics of the columns of a table.
public struct TableProfile: Codable, Equatable, Sendable {
  /// The number of rows in the statistics.
  public var rows: Int
  /// Whether the rows are a sample, so that shares also differ by chance.
  public var isSample: Bool?
  /// The data that the statistics describe.
  public var origin: String?
  public var columns: [String: ColumnProfile]

  public init(rows: Int, isSample: Bool? = nil, origin: String? = nil, columns: [String: ColumnProfile]) {
    self.rows = rows
    self.isSample = isSample
    self.origin = origin
    self.columns = columns
  }
}

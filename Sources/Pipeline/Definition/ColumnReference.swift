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

/// What the values of one column look like as a whole: shares, averages and frequent values, by which a column that was
/// lost, inverted or shifted differs from one that is right.
public struct ColumnProfile: Codable, Equatable, Sendable {
  /// The share of rows without a value; nil where that is not known.
  public var nulls: Double?
  /// Of numbers: the average, and the standard deviation.
  public var mean: Double?
  public var spread: Double?
  /// Of numbers: the share below zero.
  public var negative: Double?
  /// Of numbers: the share with more than two decimals.
  public var fine: Double?
  /// How many different values there are for each value that is not NULL.
  public var distinct: Double?
  /// The shares of the most frequent values among those that are not NULL; of an enumeration all.
  public var values: [String: Double]?
  /// Of texts: the average length in bytes.
  public var length: Double?
  /// Of texts: the shares of letters that are small and that are vowels, and the shares of characters that are digits and
  /// that are not ASCII.
  public var lowercase: Double?
  public var vowels: Double?
  public var digits: Double?
  public var foreign: Double?

  public init(nulls: Double) { self.nulls = nulls }
}

/// What the columns of one table look like.
public struct TableProfile: Codable, Equatable, Sendable {
  /// From how many rows it was taken.
  public var rows: Int
  /// Whether these were some of the table's rows only, so that shares differ by chance too.
  public var isSample: Bool?
  /// Which data it was taken from.
  public var origin: String?
  public var columns: [String: ColumnProfile]

  public init(rows: Int, isSample: Bool? = nil, origin: String? = nil, columns: [String: ColumnProfile]) {
    self.rows = rows
    self.isSample = isSample
    self.origin = origin
    self.columns = columns
  }
}

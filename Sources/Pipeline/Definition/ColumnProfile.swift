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

/// A fault of the FAA's data that somebody has found out, and what is right.
///
/// It is about one field of one row, and names the value that is wrong: where the FAA mends or changes it, the FAA's word
/// counts again.
public struct Correction: Equatable, Sendable {
  /// The FAA's name of the table, such as `APT_BASE`.
  public var table: String
  /// What tells the row from all others: the FAA's columns with their values.
  public var row: [String: String]
  /// The FAA's column that is wrong.
  public var column: String
  /// What the FAA has there, as it is written in the file.
  public var faa: String
  public var right: String
  /// For those who read it later: how it is known.
  public var why: String
  /// The day on which the FAA was told.
  public var reported: String?
  /// The last AIRAC cycle in which it may be used.
  public var until: String?

  public init(
    table: String, row: [String: String], column: String, faa: String, right: String, why: String,
    reported: String? = nil, until: String? = nil
  ) {
    self.table = table
    self.row = row
    self.column = column
    self.faa = faa
    self.right = right
    self.why = why
    self.reported = reported
    self.until = until
  }

  /// `APT_BASE with ARPT_ID PAO, SITE_TYPE_CODE A: ELEV`
  public var place: String {
    let keys = row.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return "\(table) with \(keys.joined(separator: ", ")): \(column)"
  }

  /// All columns that it needs.
  public var columns: [String] { row.keys.sorted() + [column] }
}

extension Correction: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case table, row, column, faa, right, why, reported, until
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    table = try keys.decode(String.self, forKey: .table)
    row = try keys.decode([String: String].self, forKey: .row)
    column = try keys.decode(String.self, forKey: .column)
    faa = try keys.decode(String.self, forKey: .faa)
    right = try keys.decode(String.self, forKey: .right)
    why = try keys.decode(String.self, forKey: .why)
    reported = try keys.decodeIfPresent(String.self, forKey: .reported)
    until = try keys.decodeIfPresent(String.self, forKey: .until)
  }
}

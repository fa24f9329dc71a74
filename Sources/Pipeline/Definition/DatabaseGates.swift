/// What must hold for a database to be worth having.
public struct DatabaseGates: Codable, Equatable, Sendable {
  /// The share of a table's rows that may be dropped as unusable.
  public var droppedRowShare: Double
  /// The share of a column's values that may be unknown codes or unreadable; by default `defaultUnusableValueShare`.
  public var unusableValueShare: Double?
  /// The least number of rows a table of the database may have.
  public var minimumRows: [String: Int]
  /// What share of its rows a table may have lost since the last cycle in the site: above `warn` there is a warning, from `stop`
  /// on the database is not staged. From one cycle to the next the FAA's tables change by some hundredths.
  public var rowLoss: Product.RowLoss?

  public static let defaultUnusableValueShare = 0.05

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case droppedRowShare, unusableValueShare, minimumRows, rowLoss
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    droppedRowShare = try container.decode(Double.self, forKey: .droppedRowShare)
    unusableValueShare = try container.decodeIfPresent(Double.self, forKey: .unusableValueShare)
    minimumRows = try container.decode([String: Int].self, forKey: .minimumRows)
    rowLoss = try container.decodeIfPresent(Product.RowLoss.self, forKey: .rowLoss)
    for (key, share) in [
      (CodingKeys.droppedRowShare, droppedRowShare as Double?), (.unusableValueShare, unusableValueShare),
    ] {
      guard let share, !(0...1).contains(share) else { continue }
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "\(share) is no share: it must be from 0 to 1")
    }
    for (table, rows) in minimumRows.sorted(by: { $0.key < $1.key }) where rows < 0 {
      throw DecodingError.dataCorruptedError(
        forKey: .minimumRows, in: container, debugDescription: "\(rows) for \(table) is no number of rows")
    }
  }
}

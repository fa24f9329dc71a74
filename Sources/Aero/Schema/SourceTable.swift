/// A table of a database that is filled row by row from one table of the NASR.
struct SourceTable: Sendable {
  /// To what its rows belong.
  enum Owner: Sendable {
    case nothing
    /// The airport that SITE_NO and SITE_TYPE_CODE name; a row without one is dropped.
    case airport
    /// The same, but a row may be without one.
    case perhapsAirport
  }

  /// The FAA's name of the table it is read from, such as `AWOS`.
  let source: String
  let owner: Owner
  let fields: [Field]
  let schema: TableSchema
  /// Whether a cycle may come without the table; it is then empty here.
  let mayLack: Bool

  init(
    _ name: String, from source: String, of owner: Owner = .nothing, _ comment: String, _ fields: [Field],
    constraints: [String] = [], isKeyed: Bool = false, indexes: [[String]] = [],
    extent: TableSchema.Extent? = nil, search: TableSchema.Search = [], mayLack: Bool = true
  ) {
    self.source = source
    self.owner = owner
    self.fields = fields
    self.mayLack = mayLack
    schema = TableSchema(
      name, comment, fields.map(\.column), constraints: constraints, isKeyed: isKeyed, indexes: indexes,
      extent: extent, search: search)
  }

  /// The site that owns a row, before the columns of the fields.
  static let siteColumns = ["SITE_NO", "SITE_TYPE_CODE"].map { WantedColumn(name: $0, mayLack: false) }

  var wanted: [WantedColumn] {
    if case .nothing = owner { return fields.wanted }
    return SourceTable.siteColumns + fields.wanted
  }
}

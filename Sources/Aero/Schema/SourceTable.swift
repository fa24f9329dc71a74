/// A table of a database that is filled row by row from one table of the NASR.
struct SourceTable: Sendable {
  /// To what its rows belong.
  enum Owner: Sendable {
    case nothing
    /// The airport that SITE_NO and SITE_TYPE_CODE name; a row without one is dropped.
    case airport
    /// The same, but a row may be without one.
    case perhapsAirport
    /// The row of another table that these columns name; a row without one is dropped.
    case row(RowKey, by: [String])

    static func row(_ key: RowKey) -> Owner { .row(key, by: key.columns) }

    var isAirport: Bool {
      switch self {
      case .airport, .perhapsAirport: true
      case .nothing, .row: false
      }
    }

    var key: RowKey? {
      if case .row(let key, _) = self { key } else { nil }
    }

    var columns: [String] {
      switch self {
      case .nothing: []
      case .airport, .perhapsAirport: ["SITE_NO", "SITE_TYPE_CODE"]
      case .row(_, let columns): columns
      }
    }
  }

  /// The FAA's name of the table it is read from, such as `AWOS`.
  let source: String
  let owner: Owner
  let fields: [Field]
  /// By what other tables know its rows, which then have their number as their `id`.
  let keys: [RowKey]
  let schema: TableSchema
  /// Whether a cycle may come without the table; it is then empty here.
  let mayLack: Bool

  init(
    _ name: String, from source: String, of owner: Owner = .nothing, _ comment: String, _ fields: [Field],
    keys: [RowKey] = [], constraints: [String] = [], isKeyed: Bool = false, indexes: [[String]] = [],
    extent: TableSchema.Extent? = nil, search: TableSchema.Search = [], mayLack: Bool = true
  ) {
    self.source = source
    self.owner = owner
    self.fields = fields
    self.keys = keys
    self.mayLack = mayLack
    schema = TableSchema(
      name, comment, fields.map(\.column), source: source, constraints: constraints, isKeyed: isKeyed,
      indexes: indexes,
      extent: extent, search: search)
  }

  /// The columns that name the owner, those of the fields, and those of the keys. Where a cycle may lack the table, it may lack each
  /// column too without which a row is of use.
  var wanted: [WantedColumn] {
    let around = { (names: [String]) in names.map { WantedColumn(name: $0, mayLack: false) } }
    let own = fields.flatMap { field in
      field.reading.sources.map {
        WantedColumn(name: $0, mayLack: field.mayLack || (mayLack && !field.isRequired))
      }
    }
    return around(owner.columns) + own + around(keys.flatMap(\.columns))
  }

  /// Whether its rows stand together by their owners, in the order of these.
  var isInOrderOfOwners: Bool { schema.isKeyed && fields.first?.reading.isOwner == true }

  /// What is gathered for its rows from other tables, each once.
  var gatherings: [Gathering] {
    var seen: Set<String> = []
    return fields.compactMap { field in
      guard case .gathered(_, let gathering, _, _) = field.reading else { return nil }
      return seen.insert(gathering.source).inserted ? gathering : nil
    }
  }
}

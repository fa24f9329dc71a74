/// A table of a database that is filled row by row from one NASR table.
///
/// `TableLoader` fills every such table with the same loop.
package struct SourceTable: Sendable {
  /// What its rows belong to.
  package enum Owner: Sendable {
    case nothing
    /// The airport that SITE_NO and SITE_TYPE_CODE name; a row without one is dropped.
    case airport
    /// The same airport, but a row may be without one.
    case perhapsAirport
    /// The airport of a weather station, see `AirportDirectory.number(ofStation:)`; a row may be without one.
    case stationAirport
    /// The row of another table that these columns name; a row without one is dropped.
    case row(RowKey, by: [String])

    static func row(_ key: RowKey) -> Owner { .row(key, by: key.columns) }

    var isAirport: Bool {
      switch self {
      case .airport, .perhapsAirport, .stationAirport: true
      case .nothing, .row: false
      }
    }

    package var key: RowKey? {
      if case .row(let key, _) = self { key } else { nil }
    }

    var columns: [WantedColumn] {
      switch self {
      case .nothing: []
      case .airport, .perhapsAirport: ["SITE_NO", "SITE_TYPE_CODE"].map { WantedColumn(name: $0) }
      case .stationAirport:
        ["SITE_NO", "SITE_TYPE_CODE", "ASOS_AWOS_ID", "STATE_CODE", "LAT_DECIMAL", "LONG_DECIMAL"].map {
          WantedColumn(name: $0, mayLack: true)
        }
      case .row(_, let columns): columns.map { WantedColumn(name: $0) }
      }
    }
  }

  /// The FAA's name of the table that it is read from, such as `AWOS`.
  package let source: String
  /// `AWOS.csv`
  var file: String { source + ".csv" }
  package let owner: Owner
  package let fields: [Field]
  /// The keys by which other tables name its rows, which then have an `id`.
  package let keys: [RowKey]
  package let schema: TableSchema
  /// Whether a cycle may come without the table, which is then empty in the database.
  let mayLack: Bool
  /// A column of the FAA. Only rows without a value in it are read; nil for all rows.
  package let onlyWhereEmpty: String?
  /// SQL that fills the `.linked` fields, after all tables are there.
  let links: String?

  init(
    _ name: String, from source: String, of owner: Owner = .nothing, _ comment: String, _ fields: [Field],
    keys: [RowKey] = [], constraints: [String] = [], isKeyed: Bool = false, indexes: [[String]] = [],
    extent: TableSchema.Extent? = nil, search: TableSchema.Search = [], mayLack: Bool = true,
    waits: Bool = false, isStaged: Bool = false, onlyWhereEmpty: String? = nil, links: String? = nil
  ) {
    self.source = source
    self.owner = owner
    self.fields = fields
    self.keys = keys
    self.mayLack = mayLack
    self.onlyWhereEmpty = onlyWhereEmpty
    self.links = links
    var schema = TableSchema(
      name, comment, fields.map(\.column), source: source, constraints: constraints, isKeyed: isKeyed,
      isStaged: isStaged, indexes: indexes, extent: extent, search: search)
    schema.waits = waits
    self.schema = schema
  }

  /// A table of the rows of an airport, or of a row of another table, which are numbered within it.
  ///
  /// - Parameters:
  ///   - owner: the key of the row that owns the rows; nil for an airport.
  ///   - column: the name of the owner's column.
  static func numbered(
    _ name: String, from source: String, of owner: RowKey? = nil, as column: String = "airport",
    _ comment: String, _ fields: [Field]
  ) -> SourceTable {
    SourceTable(
      name, from: source, of: owner.map { .row($0) } ?? .airport, comment,
      [owner.map { Field(column, .owner($0)) } ?? .airport, .number] + fields,
      constraints: ["PRIMARY KEY (\(column), number)"], isKeyed: true)
  }

  /// The columns of the owner, of the fields and of the keys, and last `onlyWhereEmpty`. A cycle that may lack the table may also lack each column that no row
  /// requires.
  var wanted: [WantedColumn] {
    let own = fields.flatMap { field in
      field.reading.columns.map {
        WantedColumn(name: $0, mayLack: field.mayLack || (mayLack && !field.isRequired))
      }
    }
    let names = keys.flatMap(\.columns) + [onlyWhereEmpty].compactMap(\.self)
    return owner.columns + own + names.map { WantedColumn(name: $0) }
  }

  /// What is gathered for its rows from other tables, each once.
  var gatherings: [Gathering] {
    var seen: Set<String> = []
    return fields.compactMap(\.reading.gathering).filter { seen.insert($0.source).inserted }
  }
}

/// The columns of one table that are read.
///
/// The cases are the FAA's own names, so that a column is found by the same word here, in the header and in the
/// FAA's pages; their numbers make the way from a column to its field one step in an array.
protocol NASRColumn: RawRepresentable<Int>, CaseIterable, Hashable, Sendable {
  /// Columns that not every cycle has.
  static var optional: Set<Self> { get }
}

extension NASRColumn {
  static var optional: Set<Self> { [] }
  var name: String { String(describing: self) }
}

/// What one row of a table of the NASR says.
protocol NASRRecord {
  associatedtype Column: NASRColumn
  /// The table's name, such as `APT_BASE`.
  static var table: String { get }
  /// Reads a row; nil for a row that is not about what is wanted here.
  init?(_ row: NASRRow<Column>) throws(UnusableRow)
}

extension NASRRecord {
  static var file: String { table + ".csv" }
}

/// Why a row cannot be used.
struct UnusableRow: Error {
  let column: String?
  let value: String
  let reason: String
}

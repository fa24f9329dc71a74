internal import SQLiteIO

/// A table of an export with its rows. The writer puts them into a file; the rule `exports-agree` compares a file with them.
struct ExportTable {
  let schema: TableSchema
  /// An SQL condition: which rows of a file come from the database.
  var condition = "1"
  /// Columns with JSON arrays: the properties of the objects in them, under the name of the column.
  var nested: [TableSchema] = []
  let forEachRow: (_ row: ([SQLiteValue]) throws -> Void) throws -> Void
}

extension RecordTable {
  /// The table with a row for each record.
  func rows(
    where condition: String = "1", _ forEach: @escaping (_ record: (Record) throws -> Void) throws -> Void
  ) -> ExportTable {
    ExportTable(schema: schema, condition: condition) { row in try forEach { try row(values($0)) } }
  }
}

/// A row of a query that stays valid, with its values by the names of their columns.
struct NamedRow {
  fileprivate let columns: [String: Int]
  fileprivate let values: [SQLiteValue]

  subscript(name: String) -> SQLiteValue { columns[name].map { values[$0] } ?? .null }

  func text(_ name: String) -> String? { if case .text(let text) = self[name] { text } else { nil } }

  func real(_ name: String) -> Double? {
    switch self[name] {
    case .real(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  /// 0 for a missing number.
  func int(_ name: String) -> Int { if case .integer(let number) = self[name] { number } else { 0 } }
}

extension SQLiteStatement {
  func forEachNamed(_ values: [SQLiteValue] = [], _ each: (NamedRow) throws -> Void) throws {
    var columns: [String: Int] = [:]
    try rows(values) { row in
      let all = 0..<row.columnCount
      if columns.isEmpty { columns = Dictionary(all.map { (row.name($0), $0) }) { first, _ in first } }
      try each(NamedRow(columns: columns, values: all.map(row.value)))
    }
  }
}

extension DatabaseWriter {
  /// Adds the rows of an export's table. Returns how many there are.
  func fill(_ table: ExportTable) throws -> Int {
    try insert(table.schema) { insert in
      var count = 0
      try table.forEachRow {
        try insert.run($0)
        count += 1
      }
      return count
    }
  }
}

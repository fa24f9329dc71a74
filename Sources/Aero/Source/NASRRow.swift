/// One row of a table whose columns have names in Swift: the same ways to its fields, by name.
struct NASRRow<Column: NASRColumn> {
  let row: SourceRow

  var line: Int { row.line }
  var place: RowPlace { row.place }

  func value(_ column: Column) -> CSVValue { row.value(column.rawValue) }
  func text(_ column: Column) -> String? { row.text(column.rawValue) }
  func flag(_ column: Column) -> Bool? { row.flag(column.rawValue) }

  func number(_ column: Column, in range: ClosedRange<Double>) -> Double? {
    row.number(column.rawValue, in: range)
  }

  func whole(_ column: Column, in range: ClosedRange<Int>) -> Int? { row.whole(column.rawValue, in: range) }

  func variation(_ column: Column, _ hemisphere: Column) -> Double? {
    row.variation(column.rawValue, hemisphere.rawValue)
  }

  func word(_ column: Column, _ book: CodeBook) -> String? { row.word(column.rawValue, book) }

  func required(_ column: Column) throws(UnusableRow) -> String { try row.required(column.rawValue) }

  func latitude(_ column: Column) throws(UnusableRow) -> Double {
    try row.requiredNumber(column.rawValue, in: -90...90)
  }

  func longitude(_ column: Column) throws(UnusableRow) -> Double {
    try row.requiredNumber(column.rawValue, in: -180...180)
  }

  func report(_ kind: RecordProblem.Kind, _ column: Column, _ reason: String) {
    row.report(kind, column.rawValue, reason)
  }

  func unusable(_ column: Column, _ reason: String) -> UnusableRow { row.unusable(column.rawValue, reason) }

  func drop<Value>(_ column: Column, _ reason: String) -> Value? { row.drop(column.rawValue, reason) }
}

/// One row of a table, with typed ways to its fields.
///
/// A field that is there and cannot be read is null, and a problem; a field that is empty is null, and none.
struct NASRRow<Column: NASRColumn> {
  let line: Int
  let file: String
  let bytes: UnsafeBufferPointer<UInt8>
  let fields: [CSVField]
  /// The field of each column, by the column's number; -1 where this cycle has no such column.
  let positions: [Int]
  let problems: ProblemLog

  func value(_ column: Column) -> CSVValue {
    let position = positions[column.rawValue]
    let none = CSVField(start: 0, end: 0)
    return CSVValue(position < 0 ? none : fields[position], in: bytes)
  }

  func text(_ column: Column) -> String? {
    let value = value(column)
    return value.isEmpty ? nil : value.text
  }

  func isYes(_ column: Column) -> Bool { value(column).equals("Y") }

  func number(_ column: Column, in range: ClosedRange<Double>) -> Double? {
    let value = value(column)
    guard !value.isEmpty else { return nil }
    guard let number = value.decimal else { return drop(column, "it is no number") }
    guard range.contains(number) else { return drop(column, "it is out of range") }
    return number
  }

  func whole(_ column: Column, in range: ClosedRange<Int>) -> Int? {
    let value = value(column)
    guard !value.isEmpty else { return nil }
    guard let number = value.integer else { return drop(column, "it is no whole number") }
    guard range.contains(number) else { return drop(column, "it is out of range") }
    return number
  }

  /// Degrees with the hemisphere in a column of its own, as magnetic variation is written; south and west negative.
  func variation(_ column: Column, _ hemisphere: Column) -> Double? {
    guard let degrees = number(column, in: 0...180) else { return nil }
    let side = value(hemisphere)
    if degrees == 0 || side.equals("E") { return degrees }
    if side.equals("W") { return -degrees }
    return drop(column, "there is no hemisphere with it")
  }

  /// A code in plain words. One that is not in the book is kept, in small letters, and reported.
  func word(_ column: Column, _ book: CodeBook) -> String? {
    let value = value(column)
    guard !value.isEmpty else { return nil }
    let code = value.text
    if let word = book[code] { return word }
    report(.unknownCode, column, "the code is not known")
    return code.lowercased()
  }

  func required(_ column: Column) throws(UnusableRow) -> String {
    guard let text = text(column) else { throw unusable(column, "it is empty") }
    return text
  }

  func requiredNumber(_ column: Column, in range: ClosedRange<Double>) throws(UnusableRow) -> Double {
    let value = value(column)
    guard let number = value.decimal, range.contains(number) else {
      throw unusable(column, value.isEmpty ? "it is empty" : "it is no number within \(range.words)")
    }
    return number
  }

  func latitude(_ column: Column) throws(UnusableRow) -> Double { try requiredNumber(column, in: -90...90) }
  func longitude(_ column: Column) throws(UnusableRow) -> Double {
    try requiredNumber(column, in: -180...180)
  }

  func report(_ kind: RecordProblem.Kind, _ column: Column, _ reason: String) {
    problems.record(
      kind, file: file, line: line, column: column.name, value: value(column).text, reason: reason)
  }

  func unusable(_ column: Column, _ reason: String) -> UnusableRow {
    UnusableRow(column: column.name, value: value(column).text, reason: reason)
  }

  /// Records that the field cannot be used; nil, so that a reader can end with it.
  func drop<Value>(_ column: Column, _ reason: String) -> Value? {
    report(.fieldDropped, column, reason)
    return nil
  }
}

extension ClosedRange<Double> {
  fileprivate var words: String { "\(Int(lowerBound)) to \(Int(upperBound))" }
}

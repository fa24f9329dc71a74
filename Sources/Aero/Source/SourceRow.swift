internal import SQLiteIO

/// One row of a table, with typed access to the wanted columns by their numbers.
///
/// A field that cannot be read is null and recorded as a problem. An empty field is null without a problem.
struct SourceRow {
  let line: Int
  let table: OpenTable
  let bytes: UnsafeBufferPointer<UInt8>
  let fields: [CSVField]
  let problems: ProblemLog

  func value(_ wanted: Int) -> CSVValue {
    let place = table.places[wanted]
    let none = CSVField(start: 0, end: 0)
    return CSVValue(place < 0 ? none : fields[place], in: bytes)
  }

  func text(_ wanted: Int) -> String? {
    let value = value(wanted)
    return value.isEmpty ? nil : value.text
  }

  /// Whether a column is `Y`. Nil for any code but `N`, which is reported, and if the cycle lacks the column.
  func flag(_ wanted: Int, whenEmpty: Bool? = nil) -> Bool? {
    let value = value(wanted)
    if value.equals("Y") { return true }
    if value.equals("N") { return false }
    if value.isEmpty { return table.isMissing(wanted) ? nil : whenEmpty }
    report(.unknownCode, wanted, "the code is neither Y nor N")
    return nil
  }

  func number(_ wanted: Int, in range: ClosedRange<Double>) -> Double? {
    let value = value(wanted)
    guard !value.isEmpty else { return angle(wanted, in: range) }
    guard let number = value.decimal else { return drop(wanted, "it is no number") }
    guard range.contains(number) else { return drop(wanted, "it is out of range") }
    return number
  }

  /// A decimal number, or the degrees, minutes and seconds of a position that has no decimal.
  func decimal(_ wanted: Int) -> Double? {
    let value = value(wanted)
    return value.isEmpty ? angles(wanted)?.degrees(field) : value.decimal
  }

  private func angle(_ wanted: Int, in range: ClosedRange<Double>) -> Double? {
    guard let angles = angles(wanted) else { return nil }
    if let degrees = angles.degrees(field), range.contains(degrees) { return degrees }
    let flaw = unusable(angles)
    problems.record(
      .fieldDropped, file: table.file, line: line, column: flaw.column, value: flaw.value, reason: flaw.reason
    )
    return nil
  }

  /// The degrees, minutes and seconds of a position without a decimal; nil if there are none.
  private func angles(_ wanted: Int) -> AngleColumns? {
    guard let angles = table.angles[wanted], !angles.text(field).isEmpty else { return nil }
    return angles
  }

  private func field(_ place: Int) -> CSVValue { CSVValue(fields[place], in: bytes) }

  /// The wrong one among the columns of degrees, minutes, seconds and hemisphere.
  private func unusable(_ angles: AngleColumns) -> UnusableRow {
    let flaw = angles.flaw(field)
    return UnusableRow(column: table.names[flaw.place], value: field(flaw.place).text, reason: flaw.reason)
  }

  func whole(_ wanted: Int, in range: ClosedRange<Int>) -> Int? {
    let value = value(wanted)
    guard !value.isEmpty else { return nil }
    guard let number = value.integer else { return drop(wanted, "it is no whole number") }
    guard range.contains(number) else { return drop(wanted, "it is out of range") }
    return number
  }

  /// Degrees with the hemisphere in a separate column, as for magnetic variation; south and west are negative.
  func variation(_ wanted: Int, _ hemisphere: Int) -> Double? {
    guard let degrees = number(wanted, in: 0...180) else { return nil }
    let side = value(hemisphere)
    if degrees == 0 || side.equals("E") { return degrees }
    if side.equals("W") { return -degrees }
    return drop(wanted, "there is no hemisphere with it")
  }

  /// `2026-02-19` for `2026/02/19`, `2026-02` for `2026/02`.
  func date(_ wanted: Int) -> String? {
    let value = value(wanted)
    guard !value.isEmpty else { return nil }
    return value.date ?? drop(wanted, "it is no date")
  }

  /// The word for a code. A code that is not in the book is kept in lower case and reported.
  func word(_ wanted: Int, _ book: CodeBook) -> String? {
    let value = value(wanted)
    guard !value.isEmpty else { return nil }
    if let word = book[value] { return word.description }
    report(.unknownCode, wanted, "the code is not known")
    return value.text.lowercased()
  }

  func required(_ wanted: Int) throws(UnusableRow) -> String {
    guard let text = text(wanted) else { throw unusable(wanted, "it is empty") }
    // These values identify rows; a stray quote would make a different value.
    guard !text.utf8.contains(.quote) else { throw unusable(wanted, "it holds a quotation mark") }
    return text
  }

  func requiredNumber(_ wanted: Int, in range: ClosedRange<Double>) throws(UnusableRow) -> Double {
    guard let number = decimal(wanted), range.contains(number) else {
      guard value(wanted).isEmpty else {
        throw unusable(wanted, "it is no number within \(range.words)")
      }
      throw angles(wanted).map { unusable($0) } ?? unusable(wanted, "it is empty")
    }
    return number
  }

  func report(_ kind: RecordProblem.Kind, _ wanted: Int, _ reason: String) {
    problems.record(
      kind, file: table.file, line: line, column: table.columns[wanted], value: value(wanted).text,
      reason: reason)
  }

  /// Records that the code is not known. Returns NULL, so that a reader can return its result.
  func unknownCode(_ wanted: Int) -> SQLiteValue {
    report(.unknownCode, wanted, "the code is not known")
    return .null
  }

  func unusable(_ wanted: Int, _ reason: String) -> UnusableRow {
    UnusableRow(column: table.columns[wanted], value: value(wanted).text, reason: reason)
  }

  /// Records that the field cannot be used. Returns nil, so that a reader can return its result.
  func drop<Value>(_ wanted: Int, _ reason: String) -> Value? {
    report(.fieldDropped, wanted, reason)
    return nil
  }
}

extension ClosedRange<Double> {
  fileprivate var words: String { "\(Int(lowerBound)) to \(Int(upperBound))" }
}

/// A row of a table that is read as a whole, by the names of its columns.
protocol TableRecord {
  /// The table's name, such as `APT_BASE`.
  static var table: String { get }
  /// The names of the columns that are read.
  static var columns: [String] { get }
  /// Reads a row; nil for a row of another subject.
  init?(_ row: SourceRow) throws(UnusableRow)
}

extension TableRecord {
  static var file: String { table + ".csv" }
  static var wanted: [WantedColumn] { columns.map { WantedColumn(name: $0) } }
}

extension SourceRow {
  func value(_ name: String) -> CSVValue { value(table.number(of: name)) }
  func decimal(_ name: String) -> Double? { decimal(table.number(of: name)) }
  func text(_ name: String) -> String? { text(table.number(of: name)) }
  func word(_ name: String, _ book: CodeBook) -> String? { word(table.number(of: name), book) }
  func whole(_ name: String, in range: ClosedRange<Int>) -> Int? { whole(table.number(of: name), in: range) }
  func report(_ kind: RecordProblem.Kind, _ name: String, _ reason: String) {
    report(kind, table.number(of: name), reason)
  }
  func unusable(_ name: String, _ reason: String) -> UnusableRow { unusable(table.number(of: name), reason) }
  func drop<Value>(_ name: String, _ reason: String) -> Value? { drop(table.number(of: name), reason) }

  func number(_ name: String, in range: ClosedRange<Double>) -> Double? {
    number(table.number(of: name), in: range)
  }

  func required(_ name: String) throws(UnusableRow) -> String { try required(table.number(of: name)) }

  func required(_ name: String, in range: ClosedRange<Double>) throws(UnusableRow) -> Double {
    try requiredNumber(table.number(of: name), in: range)
  }
}

/// One row of a table, with typed access to the wanted columns by their numbers.
///
/// A field that cannot be read is null and recorded as a problem. An empty field is null without a problem.
struct SourceRow {
  let line: Int
  let table: OpenTable
  let bytes: UnsafeBufferPointer<UInt8>
  let fields: [CSVField]
  let problems: ProblemLog

  init(
    _ record: CSVRecord, of table: OpenTable, in bytes: UnsafeBufferPointer<UInt8>, _ problems: ProblemLog
  ) {
    line = record.line
    fields = record.fields
    self.table = table
    self.bytes = bytes
    self.problems = problems
  }

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
      .fieldDropped, file: table.file, line: line, column: flaw.column, value: flaw.value,
      reason: flaw.reason)
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
    return UnusableRow(
      column: table.names[flaw.place], value: field(flaw.place).text, reason: flaw.reason)
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

/// The columns of one table that are read.
///
/// The cases are the FAA's own names, so that a search for a column finds it here, in the header and in the FAA's pages. Their raw
/// values are the numbers of the wanted columns.
protocol NASRColumn: RawRepresentable<Int>, CaseIterable, Hashable, Sendable {
  /// Columns that not every cycle has.
  static var optional: Set<Self> { get }
}

extension NASRColumn {
  static var optional: Set<Self> { [] }
  var name: String { String(describing: self) }
}

/// One row of a NASR table.
protocol NASRRecord {
  associatedtype Column: NASRColumn
  /// The table's name, such as `APT_BASE`.
  static var table: String { get }
  /// Reads a row; nil for a row of another subject.
  init?(_ row: NASRRow<Column>) throws(UnusableRow)
}

extension NASRRecord {
  static var file: String { table + ".csv" }

  static var wanted: [WantedColumn] {
    Column.allCases.map { WantedColumn(name: $0.name, mayLack: Column.optional.contains($0)) }
  }
}

/// One row of a table whose columns have names in Swift.
struct NASRRow<Column: NASRColumn> {
  let row: SourceRow

  var line: Int { row.line }

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

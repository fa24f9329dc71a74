/// One row of a table, with typed ways to the columns that are wanted of it, by their numbers.
///
/// A field that is there and cannot be read is null, and a problem; a field that is empty is null, and none.
struct SourceRow {
  let place: RowPlace
  let table: OpenTable
  let bytes: UnsafeBufferPointer<UInt8>
  let fields: [CSVField]
  let problems: ProblemLog

  init(
    _ record: CSVRecord, of table: OpenTable, in bytes: UnsafeBufferPointer<UInt8>, _ problems: ProblemLog
  ) {
    place = RowPlace(start: record.start, line: record.line)
    fields = record.fields
    self.table = table
    self.bytes = bytes
    self.problems = problems
  }

  var line: Int { place.line }

  func value(_ wanted: Int) -> CSVValue {
    let place = table.places[wanted]
    let none = CSVField(start: 0, end: 0)
    return CSVValue(place < 0 ? none : fields[place], in: bytes)
  }

  func text(_ wanted: Int) -> String? {
    let value = value(wanted)
    return value.isEmpty ? nil : value.text
  }

  /// Whether a column says `Y`; an empty field means no. Nil for any other code, which is reported, and where the cycle lacks the
  /// column.
  func flag(_ wanted: Int) -> Bool? {
    let value = value(wanted)
    if value.equals("Y") { return true }
    if value.equals("N") { return false }
    if value.isEmpty { return table.places[wanted] < 0 ? nil : false }
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

  /// A decimal number; of a position also what its degrees, minutes and seconds say where there is no decimal.
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

  /// The degrees, minutes and seconds beside an empty decimal; nil where there are none.
  private func angles(_ wanted: Int) -> AngleColumns? {
    guard let angles = table.angles[wanted], !angles.text(field).isEmpty else { return nil }
    return angles
  }

  private func field(_ place: Int) -> CSVValue { CSVValue(fields[place], in: bytes) }

  /// Names the one of the columns of degrees, minutes, seconds and hemisphere that is wrong.
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

  /// Degrees with the hemisphere in a column of its own, as magnetic variation is written; south and west negative.
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

  /// A code in plain words. One that is not in the book is kept, in small letters, and reported.
  func word(_ wanted: Int, _ book: CodeBook) -> String? {
    let value = value(wanted)
    guard !value.isEmpty else { return nil }
    if let word = book[value] { return word.description }
    report(.unknownCode, wanted, "the code is not known")
    return value.text.lowercased()
  }

  func required(_ wanted: Int) throws(UnusableRow) -> String {
    guard let text = text(wanted) else { throw unusable(wanted, "it is empty") }
    // By these values rows are found, and a stray quote would make another of each.
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

  /// Records that the field cannot be used; nil, so that a reader can end with it.
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

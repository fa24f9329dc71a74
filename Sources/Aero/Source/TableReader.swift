internal import Core

/// Reads the tables of one cycle.
struct TableReader {
  let archive: SubscriptionArchive
  let cycle: AiracCycle
  let problems: ProblemLog

  /// All rows of a table that can be used, in the file's order. The problems list the others.
  func records<Record: TableRecord>() throws -> [Record] {
    var records: [Record] = []
    try scan(Record.table, Record.wanted) { row in
      if let usable = try Record(row) { records.append(usable) }
    }
    return records
  }

  /// Passes each row of a table to a closure, in the file's order. A row for which it throws `UnusableRow` is dropped and recorded.
  func scan(_ table: String, _ columns: [WantedColumn], _ each: (SourceRow) throws -> Void) throws {
    try archive.read(table).withUnsafeBufferPointer { try scan($0, table, columns, each) }
  }

  func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, _ table: String, _ columns: [WantedColumn],
    _ each: (SourceRow) throws -> Void
  ) throws {
    var scan = TableScan(table + ".csv", of: archive.origin, columns, problems) {
      try dateCheck(of: table, $0)
    }
    try scan.read(bytes, each)
    try scan.finish()
  }

  /// Checks the header, or the date of the first row, in the first bytes of a table.
  func checkStart(_ bytes: [UInt8], _ table: String, _ columns: [WantedColumn], checksDate: Bool) throws {
    try bytes.withUnsafeBufferPointer { bytes in
      var scanner = CSVScanner(bytes)
      var record = CSVRecord()
      guard scanner.next(&record) else { throw archive.empty(table) }
      let open = try OpenTable(table + ".csv", record, in: bytes, wanted: columns, archive.origin)
      guard checksDate else { return }
      let dates = try dateCheck(of: table, open)
      guard scanner.next(&record), record.flaw == nil, record.fields.count == open.width else { return }
      try dates?(record, bytes)
    }
  }

  /// Checks that a row belongs to the cycle. Throws `UnusableRow` if there is no date, and `UserError` if it is another date.
  ///
  /// One row of another cycle fails the whole build: a database that mixes two months would look right everywhere.
  typealias RowCheck = (CSVRecord, UnsafeBufferPointer<UInt8>) throws -> Void

  /// Nil for a table without dates.
  private func dateCheck(of table: String, _ open: OpenTable) throws -> RowCheck? {
    guard let expected = EffectiveDates.day(of: table, in: cycle) else { return nil }
    guard let place = open.datePlace else {
      throw archive.origin.error("\(table).csv has no column EFF_DATE")
    }
    let bytesOfDay = Array(expected.slashed.utf8)
    return { [origin = archive.origin] record, bytes in
      let value = CSVValue(record.fields[place], in: bytes)
      guard !value.equals(bytesOfDay) else { return }
      guard let day = EffectiveDates.read(value.text) else {
        throw UnusableRow(column: "EFF_DATE", value: value.text, reason: "it is no date such as 2026/02/19")
      }
      guard day != expected else { return }
      throw origin.error(
        "line \(record.line) of \(table).csv is effective \(day), in this cycle it must be \(expected)",
        suggestion: SubscriptionArchive.otherCycle)
    }
  }
}

/// The layout of a table in this cycle's file: the set of columns and their order differ by cycle.
final class OpenTable {
  /// `APT_BASE.csv`
  let file: String
  /// The FAA's names of the wanted columns.
  let columns: [String]
  /// The numbers of the wanted columns by their names.
  private let numbers: [String: Int]
  /// The field of each wanted column; -1 if this cycle has no such column.
  let places: [Int]
  /// The names of all columns.
  let names: [String]
  /// For each wanted column of a position: its columns in degrees, minutes and seconds.
  let angles: [AngleColumns?]
  /// How many fields each row must have.
  let width: Int
  /// The field of EFF_DATE.
  let datePlace: Int?

  init(
    _ file: String, _ header: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>, wanted: [WantedColumn],
    _ archive: TableSource
  ) throws {
    guard !NotText.isStart(of: bytes) else {
      throw archive.error("\(file) cannot be read: \(NotText())", suggestion: "Get it again.")
    }
    let names = header.fields.map { CSVValue($0, in: bytes).text.uppercased() }
    var missing: [String] = []
    let angles = wanted.map { AngleColumns(beside: $0.name, in: names) }
    for (column, angle) in zip(wanted, angles)
    where !names.contains(column.name) && !column.mayLack && angle == nil {
      if !missing.contains(column.name) { missing.append(column.name) }
    }
    guard header.flaw == nil, missing.isEmpty else {
      throw archive.error(
        "\(file) has no column \(missing.joined(separator: ", "))",
        suggestion:
          "The file is damaged, or its form has changed; docs/formats names the columns that are read.")
    }
    var seen: Set = [""]
    if let doubled = names.first(where: { !$0.isEmpty && !seen.insert($0).inserted }) {
      throw archive.error(
        "\(file) has the column \(doubled) \(names.count { $0 == doubled }) times",
        suggestion: "Which of them counts is not known: get the file again.")
    }
    self.names = names
    self.file = file
    self.angles = angles
    columns = wanted.map(\.name)
    numbers = Dictionary(first: zip(columns, columns.indices))
    width = names.count
    places = columns.map { names.firstIndex(of: $0) ?? -1 }
    datePlace = names.firstIndex(of: "EFF_DATE")
  }

  /// Throws if a field contains a NUL byte, which no text has. Called only for files that contain one.
  func checkNULs(_ record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) throws(UnusableRow) {
    for (field, name) in zip(record.fields, names) where bytes[field.start..<field.end].contains(0) {
      throw UnusableRow(
        column: name, value: CSVValue(field, in: bytes).text.replacing("\0", with: "\\0"),
        reason: "it holds a NUL byte: the row is damaged")
    }
  }

  /// The number of a wanted column.
  func number(of column: String) -> Int {
    guard let number = numbers[column] else { preconditionFailure("\(column) is not read from \(file)") }
    return number
  }

  /// Whether this cycle lacks a wanted column, also as degrees, minutes and seconds.
  func isMissing(_ wanted: Int) -> Bool { places[wanted] < 0 && angles[wanted] == nil }

  func check(_ record: CSVRecord) throws(UnusableRow) {
    if let flaw = record.flaw { throw UnusableRow(reason: flaw.rawValue) }
    guard record.fields.count == width else {
      throw UnusableRow(
        value: "\(record.fields.count)", reason: "the number of fields is not the header's, \(width)")
    }
  }
}

/// A column that a reader needs.
struct WantedColumn {
  let name: String
  /// Whether a cycle may lack it.
  var mayLack = false
}

/// Scans the rows of a table, which may come in several blocks of whole rows.
///
/// A row for which the closure throws `UnusableRow` is dropped and recorded.
struct TableScan {
  private let file: String
  private let source: TableSource
  private let wanted: [WantedColumn]
  private let problems: ProblemLog
  /// The columns of a file without commas; the names of the columns are its first line, as in CSV.
  private let columns: [Range<Int>]?
  /// Makes the check of the rows' dates, if the table has dates, or another check.
  private let check: (OpenTable) throws -> TableReader.RowCheck?
  private var table: OpenTable?
  private var rowCheck: TableReader.RowCheck?
  private var count = 0
  private var lastByte: UInt8?
  private var brokenRow: Int?

  init(
    _ file: String, of source: TableSource, _ wanted: [WantedColumn], _ problems: ProblemLog,
    columns: [Range<Int>]? = nil, check: @escaping (OpenTable) throws -> TableReader.RowCheck? = { _ in nil }
  ) {
    (self.file, self.source, self.wanted, self.problems) = (file, source, wanted, problems)
    (self.columns, self.check) = (columns, check)
  }

  mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, firstLine: Int = 1, _ each: (SourceRow) throws -> Void
  ) throws {
    var scanner = CSVScanner(bytes)
    if firstLine > 1 { scanner.move(to: 0, line: firstLine) }
    var record = CSVRecord()
    if table == nil {
      guard scanner.next(&record) else { return }
      try open(record, in: bytes)
    }
    guard let table else { return }
    scanner.columns = columns
    let hasNULs = NotText.containsNUL(bytes)
    while scanner.next(&record) {
      guard !isBlank(record, in: bytes) else { continue }
      count += 1
      brokenRow = nil
      do {
        do throws(UnusableRow) {
          try table.check(record)
        } catch {
          brokenRow = record.line
          scanner.resume(afterFirstLineOf: record)
          throw error
        }
        if hasNULs { try table.checkNULs(record, in: bytes) }
        try rowCheck?(record, bytes)
        try each(
          SourceRow(
            line: record.line, table: table, bytes: bytes, fields: record.fields, problems: problems))
      } catch let unusable as UnusableRow {
        problems.drop(unusable, file, line: record.line)
      }
    }
    lastByte = bytes.last ?? lastByte
  }

  private mutating func open(_ header: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) throws {
    let open = try OpenTable(file, header, in: bytes, wanted: wanted, source)
    for (column, place) in zip(wanted, open.places.indices) where open.isMissing(place) {
      problems.miss(column: column.name, of: file)
    }
    rowCheck = try check(open)
    table = open
  }

  /// Called after the last block.
  func finish() throws {
    guard table != nil else {
      throw source.error("\(file) is empty", suggestion: "Get it again.")
    }
    try source.checkEnd(of: file, lastByte: lastByte, brokenRow: brokenRow)
    problems.read(rows: count, of: file)
  }

  /// A line of blanks alone, with which older files end.
  private func isBlank(_ record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    record.flaw == nil && record.fields.count == 1 && CSVValue(record.fields[0], in: bytes).isEmpty
  }
}

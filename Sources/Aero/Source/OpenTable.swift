internal import Pipeline

/// A table as it lies in this cycle's file: the set of columns and their order differ by cycle.
final class OpenTable {
  /// `APT_BASE.csv`
  let file: String
  /// The FAA's names of the wanted columns.
  let columns: [String]
  /// The field of each wanted column; -1 where this cycle has no such column.
  let places: [Int]
  /// Of all columns.
  let names: [String]
  /// Of each wanted column that is a position's, where the same is in degrees, minutes and seconds.
  let angles: [AngleColumns?]
  /// How many fields each row must have.
  let width: Int
  /// Where EFF_DATE is.
  let datePlace: Int?
  private let flawPlace: Int?

  init(
    _ file: String, _ header: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>, wanted: [WantedColumn],
    _ archive: any TableSource
  ) throws {
    guard !NotText.fits(bytes) else {
      throw archive.fault("\(file) cannot be read: \(NotText())", remedy: "Get it again.", causes: [])
    }
    let names = header.fields.map { CSVValue($0, in: bytes).text.uppercased() }
    var missing: [String] = []
    let angles = wanted.map { AngleColumns(beside: $0.name, in: names) }
    for (column, angle) in zip(wanted, angles)
    where !names.contains(column.name) && !column.mayLack && angle == nil {
      if !missing.contains(column.name) { missing.append(column.name) }
    }
    guard header.flaw == nil, missing.isEmpty else {
      throw archive.fault(
        "\(file) has no column \(missing.joined(separator: ", "))",
        remedy:
          "The file is damaged, or its form has changed; docs/FORMATS.md names the columns that are read.",
        causes: [])
    }
    let doubled = names.filter { name in !name.isEmpty && names.count { $0 == name } > 1 }
    guard doubled.isEmpty else {
      throw archive.fault(
        "\(file) has the column \(doubled[0]) \(doubled.count { $0 == doubled[0] }) times",
        remedy: "Which of them counts is not known: get the file again.", causes: [])
    }
    self.names = names
    self.file = file
    self.angles = angles
    columns = wanted.map(\.name)
    width = names.count
    places = columns.map { names.firstIndex(of: $0) ?? -1 }
    datePlace = names.firstIndex(of: "EFF_DATE")
    flawPlace = names.firstIndex(of: RowFlaw.column)
  }

  /// Throws where a field holds a byte of nought, which no text has. Asked only of the rows of a file that holds one somewhere.
  func checkNULs(_ record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) throws(UnusableRow) {
    for (field, name) in zip(record.fields, names) where bytes[field.start..<field.end].contains(0) {
      throw UnusableRow(
        column: name, value: CSVValue(field, in: bytes).text.replacing("\0", with: "\\0"),
        reason: "it holds a NUL byte: the row is damaged")
    }
  }

  /// Throws where the row says of itself that it is none.
  func checkFlaw(_ record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) throws(UnusableRow) {
    guard let flawPlace else { return }
    let value = CSVValue(record.fields[flawPlace], in: bytes)
    if !value.isEmpty { throw RowFlaw.row(value.text) }
  }

  /// Whether this cycle has a wanted column in no form.
  func isMissing(_ wanted: Int) -> Bool { places[wanted] < 0 && angles[wanted] == nil }

  func check(_ record: CSVRecord) throws(UnusableRow) {
    if let flaw = record.flaw { throw UnusableRow(column: nil, value: "", reason: flaw.rawValue) }
    guard record.fields.count == width else {
      throw UnusableRow(
        column: nil, value: "\(record.fields.count)",
        reason: "the number of fields is not the header's, \(width)")
    }
  }
}

@available(*, unavailable)
extension OpenTable: Sendable {}

/// A column that a reader asks for.
struct WantedColumn {
  let name: String
  /// Whether a cycle may lack it.
  let mayLack: Bool
}

/// How a file that is no CSV, and is turned into one to be read, says that a line is no row: in a column of its own, which is empty
/// in rows that can be used.
enum RowFlaw {
  static let column = "CHARTPIPE ROW FLAW"

  /// - Parameter column: the one at fault, in the words of the file; empty where the line as a whole is.
  static func text(column: String = "", reason: String, value: String) -> String {
    "\(column);\(reason);\(value)"
  }

  static func row(_ text: String) -> UnusableRow {
    let parts = text.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 else { return UnusableRow(column: nil, value: "", reason: text) }
    return UnusableRow(column: parts[0].isEmpty ? nil : parts[0], value: parts[2], reason: parts[1])
  }
}

/// Reads the rows of a table that has no effective dates, and that may come in several blocks of whole rows.
///
/// A row for which the reader throws is dropped, and recorded.
struct BlockScan {
  let file: String
  let source: any TableSource
  let wanted: [WantedColumn]
  let problems: ProblemLog
  private var table: OpenTable?
  private var count = 0
  private var lastByte: UInt8?
  private var brokenRow: Int?

  init(_ file: String, of source: any TableSource, _ wanted: [WantedColumn], _ problems: ProblemLog) {
    self.file = file
    self.source = source
    self.wanted = wanted
    self.problems = problems
  }

  mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, firstLine: Int = 1, _ each: (SourceRow) throws -> Void
  ) throws {
    var scanner = CSVScanner(bytes)
    let hasNULs = NotText.holdsNUL(bytes)
    if firstLine > 1 { scanner.move(to: 0, line: firstLine) }
    var record = CSVRecord()
    while scanner.next(&record) {
      guard let open = table else {
        table = try OpenTable(file, record, in: bytes, wanted: wanted, source)
        continue
      }
      count += 1
      brokenRow = record.line
      do {
        try open.check(record)
        brokenRow = nil
        try open.checkFlaw(record, in: bytes)
        if hasNULs { try open.checkNULs(record, in: bytes) }
        try each(SourceRow(record, of: open, in: bytes, problems))
      } catch let unusable as UnusableRow {
        problems.drop(unusable, file, line: record.line)
      }
    }
    lastByte = bytes.last ?? lastByte
  }

  /// Called after the last block.
  func finish() throws {
    guard table != nil else { throw source.fault("\(file) is empty", remedy: "Get it again.", causes: []) }
    try source.checkEnd(of: file, lastByte: lastByte, brokenRow: brokenRow)
    problems.read(rows: count, of: file)
  }
}

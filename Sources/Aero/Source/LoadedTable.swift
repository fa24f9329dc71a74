/// A table of the cycle, whole in memory, so that its rows can be looked at more than once.
///
/// What the other tables need of a row is read first, and where the row lies is kept; the rest of it goes to the database
/// later, straight from the bytes.
struct LoadedTable {
  /// Without its ending: `APT_BASE`.
  let name: String
  private let bytes: [UInt8]
  private let reader: TableReader

  init(_ name: String, _ bytes: [UInt8], _ reader: TableReader) {
    self.name = name
    self.bytes = bytes
    self.reader = reader
  }

  /// All rows that can be used, in the file's order. The rest is in the problems.
  func records<Record: NASRRecord>(of type: Record.Type = Record.self) throws -> [Record] {
    let columns = Record.Column.allCases.map {
      WantedColumn(name: $0.name, mayLack: Record.Column.optional.contains($0))
    }
    var records: [Record] = []
    try scan(columns) { row in
      if let usable = try Record(NASRRow(row: row)) { records.append(usable) }
    }
    return records
  }

  /// Gives each row to a reader, in the file's order. A row for which it throws is dropped, and recorded.
  func scan(_ columns: [WantedColumn], _ each: (SourceRow) throws -> Void) throws {
    try bytes.withUnsafeBufferPointer { try reader.scan($0, name, columns, each) }
  }

  /// Gives a reader the way to rows that were found before.
  func visit<Value>(_ columns: [WantedColumn], _ visit: (inout RowCursor) throws -> Value) throws -> Value {
    try bytes.withUnsafeBufferPointer { bytes in
      var cursor = try RowCursor(reader, name, columns, bytes)
      return try visit(&cursor)
    }
  }
}

/// Where a row lies in its file.
struct RowPlace {
  let start: Int
  let line: Int
}

/// Goes to rows of a table that were found before.
struct RowCursor {
  private let open: OpenTable
  private let bytes: UnsafeBufferPointer<UInt8>
  private let problems: ProblemLog
  private var scanner: CSVScanner
  private var record = CSVRecord()

  fileprivate init(
    _ reader: TableReader, _ name: String, _ columns: [WantedColumn], _ bytes: UnsafeBufferPointer<UInt8>
  ) throws {
    self.bytes = bytes
    problems = reader.problems
    scanner = CSVScanner(bytes)
    open = try reader.open(name, columns, &scanner, in: bytes)
  }

  /// Gives the row to a reader. A row for which it throws is dropped, and recorded.
  mutating func read(_ place: RowPlace, _ each: (SourceRow) throws -> Void) throws {
    do {
      try each(row(at: place))
    } catch let unusable as UnusableRow {
      problems.drop(unusable, open.file, line: place.line)
    }
  }

  mutating func row(at place: RowPlace) -> SourceRow {
    scanner.move(to: place.start, line: place.line)
    _ = scanner.next(&record)
    return SourceRow(record, of: open, in: bytes, problems)
  }
}

internal import Core
internal import Pipeline

/// Reads whole tables of one cycle.
struct TableReader {
  let archive: SubscriptionArchive
  let cycle: AiracCycle
  let problems: ProblemLog

  /// In place of a table of runways' ends that the source lacks.
  var noRunwayEnds: LoadedTable {
    let columns =
      RunwayEnd.Column.allCases.map(\.name) + ["EFF_DATE"]
      + SourceTable.runwayEndDetails.fields.flatMap(\.reading.sources)
      + RunwayFields.end("baseEnd").flatMap(\.reading.sources)
    return LoadedTable(
      RunwayEnd.table, Array((Set(columns).sorted().joined(separator: ",") + "\n").utf8), self)
  }

  func load(_ table: String) throws -> LoadedTable {
    LoadedTable(table, try archive.read(table), self)
  }

  /// All rows of a table that can be used, in the file's order. The rest is in the problems.
  func records<Record: NASRRecord>(of type: Record.Type = Record.self) throws -> [Record] {
    try load(Record.table).records()
  }

  /// Gives each row of a table to a reader, in the file's order. A row for which it throws is dropped, and recorded.
  func scan(
    _ table: String, _ columns: [WantedColumn], _ each: (SourceRow) throws -> Void
  ) throws {
    try load(table).scan(columns, each)
  }

  /// The same, but in the order of the rank that a row has, with that rank; rows of one rank stay in the file's order.
  func scan(
    _ table: String, _ columns: [WantedColumn], by rank: (SourceRow) throws -> Int,
    _ each: (SourceRow, Int) throws -> Void
  ) throws {
    let table = try load(table)
    var places: [(rank: Int, place: RowPlace)] = []
    try table.scan(columns) { places.append((try rank($0), $0.place)) }
    places.sort { ($0.rank, $0.place.start) < ($1.rank, $1.place.start) }
    try table.visit(columns) { cursor in
      for (rank, place) in places { try cursor.read(place) { try each($0, rank) } }
    }
  }

  func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, _ table: String, _ columns: [WantedColumn],
    _ each: (SourceRow) throws -> Void
  ) throws {
    var scanner = CSVScanner(bytes)
    let open = try open(table, columns, &scanner, in: bytes)
    let dates = try DateCheck(table: table, cycle: cycle, position: open.datePlace, archive: archive)
    var record = CSVRecord()
    var count = 0
    var brokenRow: Int?
    let hasNULs = NotText.holdsNUL(bytes)
    while scanner.next(&record) {
      guard !isBlank(record, in: bytes) else { continue }
      count += 1
      brokenRow = nil
      do {
        do throws(UnusableRow) {
          try open.check(record)
        } catch {
          brokenRow = record.line
          scanner.resume(afterFirstLineOf: record)
          throw error
        }
        if hasNULs { try open.checkNULs(record, in: bytes) }
        try dates?.check(record, in: bytes)
        try each(SourceRow(record, of: open, in: bytes, problems))
      } catch let unusable as UnusableRow {
        problems.drop(unusable, open.file, line: record.line)
      }
    }
    try archive.checkEnd(of: open.file, lastByte: bytes.last, brokenRow: brokenRow)
    problems.read(rows: count, of: open.file)
  }

  /// Checks the header, or the date of the first row, in the first bytes of a table.
  func checkStart(_ bytes: [UInt8], _ table: String, _ columns: [WantedColumn], checksDate: Bool) throws {
    try bytes.withUnsafeBufferPointer { bytes in
      var scanner = CSVScanner(bytes)
      let open = try open(table, columns, &scanner, in: bytes)
      var record = CSVRecord()
      guard checksDate else { return }
      let dates = try DateCheck(table: table, cycle: cycle, position: open.datePlace, archive: archive)
      guard scanner.next(&record), record.flaw == nil, record.fields.count == open.width else { return }
      try dates?.check(record, in: bytes)
    }
  }

  /// Reads the header.
  func open(
    _ table: String, _ columns: [WantedColumn], _ scanner: inout CSVScanner,
    in bytes: UnsafeBufferPointer<UInt8>
  ) throws -> OpenTable {
    let file = table + ".csv"
    var header = CSVRecord()
    guard scanner.next(&header) else {
      throw archive.fault("the table \(file) is empty", remedy: "Get the subscription again from the FAA.")
    }
    let open = try OpenTable(file, header, in: bytes, wanted: columns, archive)
    for (column, place) in zip(columns, open.places.indices) where open.isMissing(place) {
      problems.miss(column: column.name, of: file)
    }
    return open
  }

  /// A line of blanks alone, with which older files end.
  private func isBlank(_ record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    record.flaw == nil && record.fields.count == 1 && CSVValue(record.fields[0], in: bytes).isEmpty
  }
}

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

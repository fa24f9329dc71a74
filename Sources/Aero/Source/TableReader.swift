internal import Airac
internal import Pipeline

/// Reads whole tables of one cycle.
struct TableReader {
  let archive: SubscriptionArchive
  let cycle: AiracCycle
  let problems: ProblemLog

  /// All rows of a table that can be used, in the file's order. The rest is in the problems.
  func records<Record: NASRRecord>(of type: Record.Type = Record.self) throws -> [Record] {
    let columns = Record.Column.allCases.map {
      WantedColumn(name: $0.name, mayLack: Record.Column.optional.contains($0))
    }
    var records: [Record] = []
    try scan(Record.table, columns) { row in
      if let usable = try Record(NASRRow(row: row)) { records.append(usable) }
    }
    return records
  }

  /// Gives each row of a table to a reader, in the file's order. A row for which it throws is dropped, and recorded.
  func scan(
    _ table: String, _ columns: [WantedColumn], _ each: (SourceRow) throws -> Void
  ) throws {
    let bytes = try archive.read(table)
    try bytes.withUnsafeBufferPointer { try scan($0, table, columns, each) }
  }

  /// The same, but in the order of the rank that a row has; rows of one rank stay in the file's order.
  func scan(
    _ table: String, _ columns: [WantedColumn], by rank: (SourceRow) throws -> Int,
    _ each: (SourceRow) throws -> Void
  ) throws {
    let bytes = try archive.read(table)
    try bytes.withUnsafeBufferPointer { bytes in
      var places: [(rank: Int, start: Int, line: Int)] = []
      var open: OpenTable?
      try scan(bytes, table, columns) { row in
        places.append((try rank(row), row.start, row.line))
        open = row.table
      }
      guard let open else { return }
      var scanner = CSVScanner(bytes)
      var record = CSVRecord()
      for place in places.sorted(by: { ($0.rank, $0.start) < ($1.rank, $1.start) }) {
        scanner.move(to: place.start, line: place.line)
        guard scanner.next(&record) else { continue }
        try keep(SourceRow(record, of: open, in: bytes, problems), each)
      }
    }
  }

  private func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, _ table: String, _ columns: [WantedColumn],
    _ each: (SourceRow) throws -> Void
  ) throws {
    let file = table + ".csv"
    var scanner = CSVScanner(bytes)
    var record = CSVRecord()
    guard scanner.next(&record) else {
      throw archive.fault("the table \(file) is empty", remedy: "Get the subscription again from the FAA.")
    }
    let open = try OpenTable(file, record, in: bytes, wanted: columns, archive)
    let dates = try DateCheck(table: table, cycle: cycle, position: open.datePlace, archive: archive)
    var count = 0
    while scanner.next(&record) {
      guard !isBlank(record, in: bytes) else { continue }
      count += 1
      do {
        do throws(UnusableRow) {
          try open.check(record)
        } catch {
          scanner.resume(afterFirstLineOf: record)
          throw error
        }
        try dates?.check(record, in: bytes)
        try each(SourceRow(record, of: open, in: bytes, problems))
      } catch let unusable as UnusableRow {
        drop(unusable, file, line: record.line)
      }
    }
    problems.read(rows: count, of: file)
  }

  /// A line of blanks alone, with which older files end.
  private func isBlank(_ record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    record.flaw == nil && record.fields.count == 1 && CSVValue(record.fields[0], in: bytes).isEmpty
  }

  private func keep(_ row: SourceRow, _ each: (SourceRow) throws -> Void) throws {
    do {
      try each(row)
    } catch let unusable as UnusableRow {
      drop(unusable, row.table.file, line: row.line)
    }
  }

  private func drop(_ row: UnusableRow, _ file: String, line: Int) {
    problems.record(
      .rowDropped, file: file, line: line, column: row.column, value: row.value, reason: row.reason)
  }
}

internal import Airac
internal import Pipeline

/// Reads whole tables of one cycle.
struct TableReader {
  let archive: SubscriptionArchive
  let cycle: AiracCycle
  let problems: ProblemLog

  /// All rows of a table that can be used, in the file's order. The rest is in the problems.
  func records<Record: NASRRecord>(of type: Record.Type = Record.self) throws -> [Record] {
    let bytes = try archive.read(Record.table)
    return try bytes.withUnsafeBufferPointer { try read($0) }
  }

  private func read<Record: NASRRecord>(_ bytes: UnsafeBufferPointer<UInt8>) throws -> [Record] {
    var scanner = CSVScanner(bytes)
    var record = CSVRecord()
    guard scanner.next(&record) else {
      throw archive.fault(
        "the table \(Record.file) is empty", remedy: "Get the subscription again from the FAA.")
    }
    let header = try TableHeader<Record.Column>(record, in: bytes, file: Record.file, archive)
    let dates = try DateCheck(
      table: Record.table, cycle: cycle, position: header.datePosition, archive: archive)
    var records: [Record] = []
    var count = 0
    while scanner.next(&record) {
      guard !isBlank(record, in: bytes) else { continue }
      count += 1
      do {
        do throws(UnusableRow) {
          try header.check(record)
        } catch {
          scanner.resume(afterFirstLineOf: record)
          throw error
        }
        try dates?.check(record, in: bytes)
        let row = NASRRow<Record.Column>(
          line: record.line, file: Record.file, bytes: bytes, fields: record.fields,
          positions: header.positions,
          problems: problems)
        if let usable = try Record(row) { records.append(usable) }
      } catch let unusable as UnusableRow {
        drop(unusable, Record.file, line: record.line)
      }
    }
    problems.read(rows: count, of: Record.file)
    return records
  }

  /// A line of blanks alone, with which older files end.
  private func isBlank(_ record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    record.flaw == nil && record.fields.count == 1 && CSVValue(record.fields[0], in: bytes).isEmpty
  }

  private func drop(_ row: UnusableRow, _ file: String, line: Int) {
    problems.record(
      .rowDropped, file: file, line: line, column: row.column, value: row.value, reason: row.reason)
  }
}

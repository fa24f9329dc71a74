internal import SQLiteIO

/// Copies each table of the cycle unchanged: `raw_APT_ATT` with the columns of the header, all of them text.
struct RawTables {
  let reader: TableReader
  let writer: DatabaseWriter

  /// The suffix of the FAA's descriptions of its tables, which are in the same archive.
  private static let descriptions = "_CSV_DATA_STRUCTURE"

  func fill() throws {
    for table in reader.archive.tableNames where !table.uppercased().hasSuffix(RawTables.descriptions) {
      try copy(table)
    }
  }

  private func copy(_ table: String) throws {
    var count = 0
    let bytes = try reader.archive.read(table)
    try bytes.withUnsafeBufferPointer { bytes in
      var scanner = CSVScanner(bytes)
      var record = CSVRecord()
      guard scanner.next(&record), record.flaw == nil else { return }
      let schema = RawTables.schema(table, RawTables.columns(record, in: bytes))
      try writer.create(schema)
      try writer.insert(schema) { insert in
        while scanner.next(&record) {
          let isBlank = record.fields.count == 1 && record.fields[0].start == record.fields[0].end
          guard record.flaw == nil, record.fields.count == schema.columns.count else {
            if record.flaw != nil { scanner.resume(afterFirstLineOf: record) }
            if !isBlank { drop(record, table) }
            continue
          }
          for (index, field) in record.fields.enumerated() { try bind(field, bytes, insert, at: index + 1) }
          try insert.runBound()
          count += 1
        }
      }
    }
  }

  /// An empty field becomes NULL: the FAA's files do not distinguish the two.
  private func bind(
    _ field: CSVField, _ bytes: UnsafeBufferPointer<UInt8>, _ insert: SQLiteStatement, at index: Int
  ) throws {
    let value = CSVValue(untrimmed: field, in: bytes)
    if value.isEmpty {
      try insert.bindNull(at: index)
    } else if let ascii = value.asciiBytes {
      try insert.bind(borrowed: ascii, at: index)
    } else {
      try insert.bind(.text(value.text), at: index)
    }
  }

  private func drop(_ record: CSVRecord, _ table: String) {
    reader.problems.record(
      .rowDropped, file: "raw_" + table, line: record.line, column: nil, value: "\(record.fields.count)",
      reason: record.flaw?.rawValue ?? "the number of fields is not the header's")
  }

  private static func schema(_ table: String, _ columns: [String]) -> TableSchema {
    TableSchema(
      "\"raw_\(quoted(table))\"", "\(table).csv as the FAA has it",
      columns.map { .init("\"\(quoted($0))\"", "TEXT") }, source: table)
  }

  /// The names in the header. A repeated name gets a number, since SQLite accepts each name once.
  private static func columns(_ header: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) -> [String] {
    var seen: Set<String> = []
    return header.fields.enumerated().map { index, field in
      let name = CSVValue(field, in: bytes).text
      let isFree = !name.isEmpty && seen.insert(name.lowercased()).inserted
      return isFree ? name : "\(name)_\(index + 1)"
    }
  }

  private static func quoted(_ name: String) -> String {
    name.filter { !$0.isNewline && $0 != "\0" }.replacing("\"", with: "\"\"")
  }
}

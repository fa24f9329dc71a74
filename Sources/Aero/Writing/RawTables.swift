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
          for (index, field) in record.fields.enumerated() {
            try insert.bind(CSVValue(untrimmed: field, in: bytes), at: index + 1)
          }
          try insert.runBound()
        }
      }
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

internal import Pipeline

/// Where the columns of a table lie in this cycle's file: the set of columns and their order differ by cycle.
struct TableHeader<Column: NASRColumn> {
  /// How many fields each row must have.
  let width: Int
  /// The field of each column, by the column's number; -1 where this cycle has no such column.
  let positions: [Int]
  /// Where EFF_DATE is.
  let datePosition: Int?

  init(
    _ record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>, file: String, _ archive: SubscriptionArchive
  ) throws {
    let names = record.fields.map { CSVValue($0, in: bytes).text.uppercased() }
    let missing = Column.allCases.filter { !names.contains($0.name) && !Column.optional.contains($0) }
    guard record.flaw == nil, missing.isEmpty else {
      throw archive.fault(
        "\(file) has no column \(missing.map(\.name).joined(separator: ", "))",
        remedy:
          "The file is damaged, or the FAA has changed its form; docs/FORMATS.md names the columns that are read."
      )
    }
    width = names.count
    positions = Column.allCases.map { column in names.firstIndex(of: column.name) ?? -1 }
    datePosition = names.firstIndex(of: "EFF_DATE")
  }

  func check(_ record: CSVRecord) throws(UnusableRow) {
    if let flaw = record.flaw { throw UnusableRow(column: nil, value: "", reason: flaw.rawValue) }
    guard record.fields.count == width else {
      throw UnusableRow(
        column: nil, value: "\(record.fields.count)",
        reason: "the number of fields is not the header's, \(width)")
    }
  }
}

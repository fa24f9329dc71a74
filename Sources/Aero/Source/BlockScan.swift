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

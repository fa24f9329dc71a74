/// One field of a record: the place of its bytes in the file, without the quotes around it.
struct CSVField {
  var start: Int
  var end: Int
  /// Whether there are quotes inside it, each of them doubled.
  var isEscaped = false
}

/// One record of a CSV file. It is reused for the next one, so that reading allocates nothing.
struct CSVRecord {
  /// The reason why a record cannot be split into fields.
  enum Flaw: String {
    case textAfterQuote = "there is text after a closing quote"
    case openQuote = "a quote is never closed"
    /// The quote that opened a field of this row is closed by the one that opens the next row.
    case cutShort = "the row is cut short: a quoted field goes on into the next line"
    case longField = "a field has more than 65,536 bytes"
  }

  var fields: [CSVField] = []
  var flaw: Flaw?
  /// Its first byte, and its first line.
  fileprivate(set) var start = 0
  fileprivate(set) var line = 1

  /// Its bytes, without the line end.
  func range(in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    let end = fields.last?.end ?? start
    return start..<(end < bytes.count && bytes[end] == .quote ? end + 1 : end)
  }
}

/// Splits the bytes of a CSV file into records, with line ends of any kind. Quoted fields may contain line ends.
///
/// A bad quote affects only its own line: the scanner continues with the next line, not at the next quote further down.
struct CSVScanner {
  /// Longer than any row of the FAA, and short enough that a lost quote costs little time.
  private static let longestField = 1 << 16

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var line = 1
  /// If set, each line has its fields in these columns, counted in bytes, in place of commas and quotes.
  var columns: [Range<Int>]?

  /// The bytes must outlive the scanner.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Reads the next record. Returns false at the end of the file. Skips empty lines.
  mutating func next(_ record: inout CSVRecord) -> Bool {
    while takeLineEnd() {}
    guard position < bytes.count else { return false }
    record.fields.removeAll(keepingCapacity: true)
    record.flaw = nil
    record.start = position
    record.line = line
    if let columns {
      scanLine(columns, &record.fields)
    } else {
      repeat { record.flaw = scanField(&record.fields) } while record.flaw == nil && takeComma()
    }
    if record.flaw == nil { _ = takeLineEnd() } else { resume(afterFirstLineOf: record) }
    return true
  }

  /// Goes back to the second line of a record that was invalid.
  mutating func resume(afterFirstLineOf record: CSVRecord) {
    move(to: record.start, line: record.line)
    while position < bytes.count, !bytes[position].isLineEnd { position += 1 }
    _ = takeLineEnd()
  }

  /// Goes to the start of a record.
  mutating func move(to start: Int, line: Int) {
    position = start
    self.line = line
  }

  /// A line of blanks has one field.
  private mutating func scanLine(_ columns: [Range<Int>], _ fields: inout [CSVField]) {
    let start = position
    while position < bytes.count, !bytes[position].isLineEnd { position += 1 }
    let isBlank = bytes[start..<position].allSatisfy { $0 <= 0x20 }
    for column in isBlank ? [0..<0] : columns {
      let field = column.clamped(to: 0..<position - start)
      fields.append(CSVField(start: start + field.lowerBound, end: start + field.upperBound))
    }
  }

  private mutating func scanField(_ fields: inout [CSVField]) -> CSVRecord.Flaw? {
    guard position < bytes.count, bytes[position] == .quote else {
      let start = position
      while position < bytes.count, bytes[position] != .comma, !bytes[position].isLineEnd { position += 1 }
      fields.append(CSVField(start: start, end: position))
      return position - start > CSVScanner.longestField ? .longField : nil
    }
    return scanQuoted(&fields)
  }

  private mutating func scanQuoted(_ fields: inout [CSVField]) -> CSVRecord.Flaw? {
    position += 1
    var field = CSVField(start: position, end: position)
    let limit = min(bytes.count, position + CSVScanner.longestField)
    let firstLine = line
    while position < limit {
      let byte = bytes[position]
      if byte.isLineEnd {
        _ = takeLineEnd()
      } else if byte != .quote {
        position += 1
      } else if position + 1 < bytes.count, bytes[position + 1] == .quote {
        field.isEscaped = true
        position += 2
      } else {
        field.end = position
        fields.append(field)
        position += 1
        let isEnd = position == bytes.count || bytes[position] == .comma || bytes[position].isLineEnd
        if isEnd { return nil }
        return line > firstLine ? .cutShort : .textAfterQuote
      }
    }
    if limit == bytes.count { return .openQuote }
    return line > firstLine ? .openQuote : .longField
  }

  private mutating func takeComma() -> Bool {
    guard position < bytes.count, bytes[position] == .comma else { return false }
    position += 1
    return true
  }

  /// Takes CRLF, LF or CR.
  private mutating func takeLineEnd() -> Bool {
    guard position < bytes.count, bytes[position].isLineEnd else { return false }
    let isPair =
      bytes[position] == .carriageReturn && position + 1 < bytes.count && bytes[position + 1] == .lineFeed
    position += isPair ? 2 : 1
    line += 1
    return true
  }
}

extension UInt8 {
  static let quote = UInt8(ascii: "\"")
  static let comma = UInt8(ascii: ",")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")

  fileprivate var isLineEnd: Bool { self == .lineFeed || self == .carriageReturn }
}

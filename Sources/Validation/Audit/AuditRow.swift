/// One row of a source file: the places of its fields in the bytes.
///
/// The audit reads the FAA's files with code of its own, so that an error of the build's reader is not repeated here.
struct AuditRow {
  let bytes: UnsafeBufferPointer<UInt8>
  /// Without the quotes around them. Empty for a line that is no row.
  var fields: [Range<Int>] = []
  /// Whether a quoted field contains doubled quotes.
  var hasQuotes = false
  var line = 1
  /// Corrected values by the places of their columns.
  var corrected: [Int: UnsafeBufferPointer<UInt8>] = [:]

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The trimmed bytes of a field; none for a column that the file lacks.
  subscript(place: Int) -> UnsafeBufferPointer<UInt8> {
    if !corrected.isEmpty, let value = corrected[place] { return value }
    guard fields.indices.contains(place) else { return UnsafeBufferPointer(start: nil, count: 0) }
    var field = fields[place]
    while let first = field.first, bytes[first].isSpace { field.removeFirst() }
    while let last = field.last, bytes[last].isSpace { field.removeLast() }
    return UnsafeBufferPointer(rebasing: bytes[field])
  }

  /// The text of a field in UTF-8 or Latin-1; nil if it is empty.
  func text(_ place: Int) -> String? {
    let value = self[place]
    guard !value.isEmpty else { return nil }
    let text =
      String(validating: value, as: UTF8.self)
      ?? String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
    return hasQuotes ? text.replacing("\"\"", with: "\"") : text
  }

  /// The texts by which a row of another table names it; nil if all of them are empty.
  func key(_ places: [Int]) -> String? {
    // The FAA's two ways to say that a procedure has no code.
    let texts = places.map { text($0).flatMap { $0 == "NOT ASSIGNED" ? nil : $0 } ?? "" }
    return texts.allSatisfy(\.isEmpty) ? nil : texts.joined(separator: "\0")
  }

  /// The value of a field, without a copy if it is plain.
  func value(_ place: Int) -> AuditValue {
    let value = self[place]
    if value.isEmpty { return .null }
    if !hasQuotes, value.allSatisfy({ $0 < 0x80 }) { return .bytes(value) }
    return AuditValue(text(place))
  }

  /// A decimal number in plain digits.
  func number(_ place: Int) -> Double? {
    let value = self[place]
    let digits = value.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    guard value.count - digits.count <= 1, digits.contains(where: \.isDigit),
      digits.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Double(String(decoding: digits, as: UTF8.self)).map {
      $0 != 0 && value.first == UInt8(ascii: "-") ? -$0 : $0
    }
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
  fileprivate var isLineEnd: Bool { self == 0x0A || self == 0x0D }
  var isDigit: Bool { (0x30...0x39).contains(self) }
}

/// Splits the bytes of a CSV file into rows.
struct AuditCSV {
  private static let quote = UInt8(ascii: "\"")
  /// Longer than any field of the FAA. A quote that is never closed costs no more.
  private static let longest = 1 << 16
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var at = 0
  private(set) var line: Int
  /// Whether more bytes could change the last row.
  private(set) var isCut = false

  init(_ bytes: UnsafeBufferPointer<UInt8>, line: Int) {
    (self.bytes, self.line) = (bytes, line)
    if line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
  }

  /// Reads the next row; false at the end. A row with another number of fields than `width` has no fields.
  mutating func next(_ row: inout AuditRow, width: Int?) -> Bool {
    while endLine() {}
    guard at < bytes.count else { return false }
    let start = (at, line)
    row.line = line
    row.fields.removeAll(keepingCapacity: true)
    row.hasQuotes = false
    var isWhole = field(&row)
    while isWhole, at < bytes.count, bytes[at] == UInt8(ascii: ",") {
      at += 1
      isWhole = field(&row)
    }
    isCut = at == bytes.count
    if isWhole, width == nil || width == row.fields.count { return true }
    // What follows the line's end may be a row.
    row.fields.removeAll(keepingCapacity: true)
    (at, line) = start
    while at < bytes.count, !bytes[at].isLineEnd { at += 1 }
    isCut = isCut || at == bytes.count
    return true
  }

  private mutating func field(_ row: inout AuditRow) -> Bool {
    let start = at
    guard at < bytes.count, bytes[at] == Self.quote else {
      while at < bytes.count, bytes[at] != UInt8(ascii: ","), !bytes[at].isLineEnd { at += 1 }
      row.fields.append(start..<at)
      return at - start <= Self.longest
    }
    at += 1
    while at < bytes.count, at - start <= Self.longest {
      if bytes[at].isLineEnd {
        _ = endLine()
      } else if bytes[at] != Self.quote {
        at += 1
      } else if at + 1 < bytes.count, bytes[at + 1] == Self.quote {
        row.hasQuotes = true
        at += 2
      } else {
        row.fields.append(start + 1..<at)
        at += 1
        return at == bytes.count || bytes[at] == UInt8(ascii: ",") || bytes[at].isLineEnd
      }
    }
    return false
  }

  private mutating func endLine() -> Bool {
    guard at < bytes.count, bytes[at].isLineEnd else { return false }
    at += bytes[at] == 0x0D && at + 1 < bytes.count && bytes[at + 1] == 0x0A ? 2 : 1
    line += 1
    return true
  }
}

/// The value of a field: a trimmed slice of the file's bytes. Only `text` copies it.
struct CSVValue {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let isEscaped: Bool

  init(_ field: CSVField, in file: UnsafeBufferPointer<UInt8>) {
    var (start, end) = (field.start, field.end)
    while start < end, file[start].isBlank { start += 1 }
    while end > start, file[end - 1].isBlank { end -= 1 }
    bytes = UnsafeBufferPointer(rebasing: file[start..<end])
    isEscaped = field.isEscaped
  }

  /// Keeps the blanks around the value.
  init(untrimmed field: CSVField, in file: UnsafeBufferPointer<UInt8>) {
    bytes = UnsafeBufferPointer(rebasing: file[field.start..<field.end])
    isEscaped = field.isEscaped
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, isEscaped: Bool) {
    (self.bytes, self.isEscaped) = (bytes, isEscaped)
  }

  var isEmpty: Bool { bytes.isEmpty }
  var count: Int { bytes.count }
  var first: UInt8? { bytes.first }
  var last: UInt8? { bytes.last }
  /// The value without its first, or its last byte.
  var dropFirst: CSVValue { CSVValue(.init(rebasing: bytes.dropFirst()), isEscaped: isEscaped) }
  var dropLast: CSVValue { CSVValue(.init(rebasing: bytes.dropLast()), isEscaped: isEscaped) }

  /// The digit at a place; nil for another character.
  func digit(_ place: Int) -> Int? {
    CSVValue.isDigit(bytes[place]) ? Int(bytes[place] - UInt8(ascii: "0")) : nil
  }

  /// The bytes of the text in the file; nil if they need decoding.
  var asciiBytes: UnsafeBufferPointer<UInt8>? {
    !isEscaped && isASCII ? bytes : nil
  }

  /// The text in UTF-8, else in Latin-1, where every byte is a character: the FAA uses both.
  var text: String {
    // Nearly all text is ASCII, which needs no validation.
    if isASCII, !isEscaped { return String(decoding: bytes, as: UTF8.self) }
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    return isEscaped ? text.replacing("\"\"", with: "\"") : text
  }

  /// Whether it is exactly this ASCII text.
  func equals(_ text: StaticString) -> Bool {
    bytes.count == text.utf8CodeUnitCount && bytes.elementsEqual(text.bytes)
  }

  func matches(_ wanted: String) -> Bool { asciiBytes?.elementsEqual(wanted.utf8) ?? (text == wanted) }

  func equals(_ text: [UInt8]) -> Bool { bytes.count == text.count && bytes.elementsEqual(text) }

  /// A whole number, or nil.
  var integer: Int? {
    guard let value = decimal, abs(value) < 1e15, value == value.rounded() else { return nil }
    return Int(value)
  }

  /// A decimal number in plain digits, or nil.
  var decimal: Double? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    let digits = bytes.dropFirst(isNegative || bytes.first == UInt8(ascii: "+") ? 1 : 0)
    guard digits.allSatisfy({ CSVValue.isDigit($0) || $0 == UInt8(ascii: ".") }) else { return nil }
    return Double(String(decoding: digits, as: UTF8.self)).map { isNegative && $0 != 0 ? -$0 : $0 }
  }

  /// `2026-02-19` for `2026/02/19` and for itself; a year and a month, or a year, in the same way.
  var date: String? {
    guard bytes.count == 4 || bytes.count == 7 || bytes.count == 10 else { return nil }
    let isDate = bytes.indices.allSatisfy { index in
      index == 4 || index == 7
        ? bytes[index] == UInt8(ascii: "/") || bytes[index] == UInt8(ascii: "-")
        : CSVValue.isDigit(bytes[index])
    }
    return isDate
      ? String(decoding: bytes.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "-") : $0 }, as: UTF8.self) : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Tests all bytes: without an early exit the compiler vectorises the loop.
  private var isASCII: Bool { bytes.reduce(0, |) < 0x80 }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

/// The words for the codes of one column.
///
/// Codes and words are constants of the program, and a code is compared with the bytes of the file.
struct CodeBook: ExpressibleByDictionaryLiteral {
  private let entries: [(code: StaticString, word: StaticString)]

  init(dictionaryLiteral pairs: (StaticString, StaticString)...) { entries = pairs }

  /// In the order of the declaration.
  var pairs: [(code: String, word: String)] {
    entries.map { ($0.code.description, $0.word.description) }
  }

  subscript(code: CSVValue) -> StaticString? { entries.first { code.equals($0.code) }?.word }

  subscript(code: some StringProtocol) -> String? {
    entries.first { $0.code.bytes.elementsEqual(code.utf8) }?.word.description
  }
}

extension StaticString {
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}

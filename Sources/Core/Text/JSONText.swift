public import Foundation

/// Checks a JSON or JSON5 text, and finds the places of its keys and of its first error. Foundation's decoder reports neither.
///
/// Two parsers can read the same JSON in different ways: of `"serial":3,"serial":99` one takes the first value, another the last. The
/// `json` dialect refuses all that RFC 8259 leaves open. Memory does not grow with the number of values, since texts may be untrusted.
public struct JSONText {
  public enum Dialect: Sendable {
    /// RFC 8259 in UTF-8 without a byte order mark. Numbers are at most 2^53 - 1 in magnitude, with at most two digits of exponent.
    case json
    /// The format of definitions: JSON with comments and with keys without quotes.
    case json5
  }

  private struct Stop: Error {
    let reason: String
    let offset: Int
  }

  private static let deepest = 200
  private static let largestNumber = 9_007_199_254_740_991.0

  private let text: [UInt8]
  private let isStrict: Bool
  private var position = 0
  private var depth = 0
  /// The path whose place is sought, and the start of its innermost part so far.
  private var wanted: [any CodingKey] = []
  private var found: Int?
  private var stop: Stop?

  public init(_ data: Data, _ dialect: Dialect) {
    text = Array(data)
    isStrict = dialect == .json
    do throws(Stop) {
      try document()
    } catch {
      stop = error
    }
  }

  /// The first error with its place; nil if the text is valid.
  public var flaw: String? { stop.map { "\($0.reason) (\(place(of: $0.offset)))" } }

  /// The place of the key or element at a path, or of its innermost ancestor in the text: `line 3, column 7`.
  public func place(of path: [any CodingKey]) -> String? {
    var scan = self
    (scan.position, scan.depth, scan.wanted, scan.found) = (0, 0, path, nil)
    try? scan.document()
    return scan.found.map(place)
  }

  /// Counted from 1.
  private func place(of offset: Int) -> String {
    let before = text[..<min(offset, text.count)]
    let newline = UInt8(ascii: "\n")
    let line = before.lastIndex(of: newline).map { before[($0 + 1)...] } ?? before
    // The bytes that continue a character do not count.
    let column = line.count { $0 & 0xC0 != 0x80 } + 1
    return "line \(before.count { $0 == newline } + 1), column \(column)"
  }

  private func end(_ reason: String) -> Stop {
    Stop(reason: position < text.count ? reason : "unexpected end of the text: \(reason)", offset: position)
  }

  // MARK: - Values

  private mutating func document() throws(Stop) {
    if isStrict {
      guard String(bytes: text, encoding: .utf8) != nil else { throw end("it is no text in UTF-8") }
      guard !text.starts(with: [0xEF, 0xBB, 0xBF]) else { throw end("it begins with a byte order mark") }
    }
    try skipBlanks()
    try value(0)
    try skipBlanks()
    if position < text.count { throw end("there is more text after the end of the value") }
  }

  /// - Parameter matched: how many keys of the wanted path lead to this value; nil for a value beside it.
  private mutating func value(_ matched: Int?) throws(Stop) {
    switch peek {
    case nil: throw end("a value is missing")
    case UInt8(ascii: "{"): try members(until: UInt8(ascii: "}"), matched)
    case UInt8(ascii: "["): try members(until: UInt8(ascii: "]"), matched)
    case .some(let mark) where isQuote(mark): _ = try quoted()
    default: try word()
    }
  }

  /// Reads the members between brackets, separated by commas; in JSON5 with an optional comma at the end.
  private mutating func members(until close: UInt8, _ matched: Int?) throws(Stop) {
    let open = position
    guard depth < JSONText.deepest else { throw end("it is nested too deeply") }
    depth += 1
    position += 1
    var (keys, count): (Set<[UInt8]>, Int) = ([], 0)
    var isLast = false
    while true {
      try skipBlanks()
      if count == 0 || isLast || !isStrict, take(close) { break }
      guard position < text.count else { throw Stop(reason: "the bracket is not closed", offset: open) }
      if isLast { throw end("a comma or \(Character(Unicode.Scalar(close))) is missing") }
      let start = position
      let key = close == UInt8(ascii: "}") ? try memberKey(&keys) : nil
      try value(step(matched, start) { key == nil ? $0.intValue == count : $0.stringValue == key })
      count += 1
      try skipBlanks()
      isLast = !take(UInt8(ascii: ","))
    }
    depth -= 1
  }

  /// Compares the bytes of keys: two strings are equal also if only their accents are encoded in different ways.
  private mutating func memberKey(_ keys: inout Set<[UInt8]>) throws(Stop) -> String {
    let start = position
    let key = try key()
    guard keys.insert(Array(key.utf8)).inserted else {
      throw Stop(reason: "the key \"\(key)\" is repeated", offset: start)
    }
    try skipBlanks()
    guard take(UInt8(ascii: ":")) else { throw end("a colon is missing after the key \"\(key)\"") }
    try skipBlanks()
    return key
  }

  private mutating func step(_ matched: Int?, _ start: Int, _ isWanted: (any CodingKey) -> Bool) -> Int? {
    guard let matched, matched < wanted.count, isWanted(wanted[matched]) else { return nil }
    found = start
    return matched + 1
  }

  private mutating func key() throws(Stop) -> String {
    if let mark = peek, isQuote(mark) { return try quoted() }
    let word = isStrict ? "" : nextWord("_$")
    guard !word.isEmpty else { throw end("a key is missing") }
    return word
  }

  /// A number, true, false or null.
  private mutating func word() throws(Stop) {
    let start = position
    let word = nextWord("+-._")
    guard !word.isEmpty else { throw end("a value is missing") }
    let plain = word.drop { "+-".contains($0) }
    let isNumber =
      isStrict
      ? JSONText.isNumber(word.utf8)
      : plain.first.map { $0.isNumber || $0 == "." } ?? false || ["Infinity", "NaN"].contains(plain)
    guard isNumber || ["true", "false", "null"].contains(word) else {
      let remedy = isStrict ? "" : "; text needs quotation marks"
      throw Stop(reason: "\(word.prefix(40)) is not a value\(remedy)", offset: start)
    }
  }

  /// Whether all parsers read a number alike.
  private static func isNumber(_ word: String.UTF8View) -> Bool {
    var rest = word[...]
    func digits() -> Int {
      let before = rest.count
      rest = rest.drop { isDigit($0) }
      return before - rest.count
    }
    func take(_ letters: String) -> Bool {
      guard let first = rest.first, letters.utf8.contains(first) else { return false }
      rest.removeFirst()
      return true
    }
    _ = take("-")
    guard take("0") || (1...16).contains(digits()) else { return false }
    if take("."), digits() == 0 { return false }
    if take("eE") {
      _ = take("+-")
      guard (1...2).contains(digits()) else { return false }
    }
    return rest.isEmpty && Double(String(word)).map { abs($0) <= largestNumber } == true
  }

  // MARK: - Texts

  private mutating func quoted() throws(Stop) -> String {
    let start = position
    let mark = text[position]
    position += 1
    var content: [UInt8] = []
    while let byte = peek, isStrict ? byte >= 0x20 : byte != UInt8(ascii: "\n") {
      position += 1
      if byte == mark { return String(decoding: content, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") { try escape(&content) } else { content.append(byte) }
    }
    throw Stop(reason: "the quotation mark is not closed", offset: start)
  }

  private static let escapes: [UInt8: UInt8] = Dictionary(
    uniqueKeysWithValues: zip("\"\\/bfnrt".utf8, "\"\\/\u{8}\u{C}\n\r\t".utf8))

  private mutating func escape(_ content: inout [UInt8]) throws(Stop) {
    let start = position - 1
    guard let letter = peek else { return }
    position += 1
    if letter == UInt8(ascii: "u") {
      content += try unicode(from: start)
    } else {
      guard let byte = JSONText.escapes[letter] ?? (isStrict ? nil : letter) else {
        throw Stop(reason: "there is no such escape", offset: start)
      }
      content.append(byte)
    }
  }

  /// The character of `\u00e9`, or of a pair such as `\ud83d\ude00`.
  private mutating func unicode(from start: Int) throws(Stop) -> [UInt8] {
    var units = [try hexadecimal(from: start)]
    if units[0] & 0xFC00 == 0xD800, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
      units.append(try hexadecimal(from: start))
    }
    // `String(validating:as:)` needs iOS 18. Half a character becomes U+FFFD.
    let character = String(decoding: units, as: UTF16.self)
    guard Array(character.utf16) == units else {
      throw Stop(reason: "the escape is half a character", offset: start)
    }
    return Array(character.utf8)
  }

  private mutating func hexadecimal(from start: Int) throws(Stop) -> UInt16 {
    let digits = String(decoding: text[position...].prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16) else {
      throw Stop(reason: "the escape needs four hexadecimal digits", offset: start)
    }
    position += 4
    return unit
  }

  // MARK: - Tokens

  private var peek: UInt8? { position < text.count ? text[position] : nil }

  private func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || !isStrict && byte == UInt8(ascii: "'")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  /// Letters, digits, and some more marks.
  private mutating func nextWord(_ marks: String) -> String {
    let start = position
    while let byte = peek,
      JSONText.isDigit(byte) || (97...122).contains(byte | 0x20) || byte >= 0x80 || marks.utf8.contains(byte)
    {
      position += 1
    }
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  private mutating func skipBlanks() throws(Stop) {
    while let byte = peek {
      if byte == 32 || byte == 10 || byte == 13 || byte == 9 || !isStrict && (11...12).contains(byte) {
        position += 1
      } else if isStrict {
        return
      } else if let other = [[0xEF, 0xBB, 0xBF], [0xC2, 0xA0]].first(where: {
        text[position...].starts(with: $0)
      }) {
        position += other.count
      } else if text[position...].starts(with: "//".utf8) {
        while let next = peek, next != UInt8(ascii: "\n") { position += 1 }
      } else if text[position...].starts(with: "/*".utf8) {
        guard let close = text[(position + 2)...].firstRange(of: "*/".utf8) else {
          throw Stop(reason: "the comment is not closed", offset: position)
        }
        position = close.upperBound
      } else {
        return
      }
    }
  }
}

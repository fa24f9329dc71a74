internal import Foundation

/// Decodes JSON5, the format of definitions: JSON with comments and with keys without quotes.
enum JSON5 {
  static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    // Foundation traps on an incomplete character.
    guard String(validating: data, as: UTF8.self) != nil else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "it is no text in UTF-8"))
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    return try decoder.decode(type, from: data)
  }
}

/// Finds the places of keys and of syntax errors in a JSON5 file, which Foundation's decoder does not report.
struct JSON5Text {
  /// A place in the text, counted from 1.
  struct Place: Equatable, CustomStringConvertible {
    let line: Int
    let column: Int
    var description: String { "line \(line), column \(column)" }
  }

  struct Flaw: Error {
    let reason: String
    let place: Place
  }

  private struct Stop: Error {
    let reason: String
    let offset: Int
  }

  private static let deepest = 200

  private let text: [Unicode.Scalar]
  private var position = 0
  /// The start of each key and element, by its path.
  private var places: [String: Int] = [:]
  private var stop: Stop?

  init(_ text: String) {
    self.text = Array(text.unicodeScalars)
    do throws(Stop) {
      try skipBlanks()
      try value(at: "", depth: 0)
      try skipBlanks()
      if position < self.text.count { throw end("there is more text after the end of the value") }
    } catch {
      stop = error
    }
  }

  /// The first syntax error; nil if the text is valid.
  var flaw: Flaw? { stop.map { Flaw(reason: $0.reason, place: place(of: $0.offset)) } }

  /// The place of the key or element at a path, or of its innermost ancestor in the text.
  func place(of path: [any CodingKey]) -> Place? {
    for count in stride(from: path.count, through: 1, by: -1) {
      if let offset = places[JSON5Text.name(path.prefix(count))] { return place(of: offset) }
    }
    return nil
  }

  private static func name(_ path: some Collection<any CodingKey>) -> String {
    path.map { key in key.intValue.map { "\u{1}\($0)" } ?? "\u{0}\(key.stringValue)" }.joined()
  }

  private func place(of offset: Int) -> Place {
    let before = text[..<min(offset, text.count)]
    let line = before.count { $0 == "\n" } + 1
    let column = before.reversed().prefix { $0 != "\n" }.count + 1
    return Place(line: line, column: column)
  }

  private func end(_ reason: String, at offset: Int? = nil) -> Stop {
    Stop(
      reason: position < text.count || offset != nil ? reason : "unexpected end of the text: \(reason)",
      offset: offset ?? position)
  }

  // MARK: - Values

  private mutating func value(at path: String, depth: Int) throws(Stop) {
    guard depth < JSON5Text.deepest else { throw end("it is nested too deeply") }
    guard position < text.count else { throw end("a value is missing") }
    switch text[position] {
    case "{": try object(at: path, depth)
    case "[": try array(at: path, depth)
    case "\"", "'": _ = try quoted()
    default: try word()
    }
  }

  private mutating func object(at path: String, _ depth: Int) throws(Stop) {
    try members(until: "}") { (text: inout JSON5Text, _) throws(Stop) in
      let start = text.position
      let key = try text.key()
      let name = path + "\u{0}" + key
      if text.places[name] == nil { text.places[name] = start }
      try text.skipBlanks()
      guard text.take(":") else { throw text.end("a colon is missing after the key \"\(key)\"") }
      try text.skipBlanks()
      try text.value(at: name, depth: depth + 1)
    }
  }

  private mutating func array(at path: String, _ depth: Int) throws(Stop) {
    try members(until: "]") { (text: inout JSON5Text, number) throws(Stop) in
      let name = path + "\u{1}\(number)"
      text.places[name] = text.position
      try text.value(at: name, depth: depth + 1)
    }
  }

  /// Reads the members between brackets, separated by commas, with an optional comma at the end.
  private mutating func members(
    until close: Unicode.Scalar, _ member: (inout JSON5Text, Int) throws(Stop) -> Void
  ) throws(Stop) {
    let open = position
    position += 1
    var count = 0
    while true {
      try skipBlanks()
      if take(close) { return }
      guard position < text.count else {
        throw Stop(reason: "the bracket is not closed", offset: open)
      }
      try member(&self, count)
      count += 1
      try skipBlanks()
      if take(",") || (position < text.count && text[position] == close) { continue }
      guard position < text.count else {
        throw Stop(reason: "the bracket is not closed", offset: open)
      }
      throw end("a comma or \(close) is missing")
    }
  }

  private mutating func key() throws(Stop) -> String {
    if let mark = peek, mark == "\"" || mark == "'" { return try quoted() }
    let start = position
    while let scalar = peek,
      scalar.properties.isAlphabetic || scalar == "_" || scalar == "$" || isDigit(scalar)
    {
      position += 1
    }
    guard position > start else { throw end("a key is missing") }
    return String(String.UnicodeScalarView(text[start..<position]))
  }

  private mutating func quoted() throws(Stop) -> String {
    let start = position
    let mark = text[position]
    position += 1
    var content = String.UnicodeScalarView()
    while let scalar = peek {
      position += 1
      if scalar == mark { return String(content) }
      if scalar == "\n" { break }
      if scalar == "\\", position < text.count {
        content.append(text[position])
        position += 1
      } else {
        content.append(scalar)
      }
    }
    throw Stop(reason: "the quotation mark is not closed", offset: start)
  }

  /// A number, true, false or null.
  private mutating func word() throws(Stop) {
    let start = position
    while let scalar = peek,
      scalar.properties.isAlphabetic || isDigit(scalar) || "+-._".unicodeScalars.contains(scalar)
    {
      position += 1
    }
    let word = String(String.UnicodeScalarView(text[start..<position]))
    guard !word.isEmpty else { throw end("a value is missing") }
    let plain = word.drop { "+-".contains($0) }
    let isNumber = plain.first.map { $0.isNumber || $0 == "." } ?? false
    guard isNumber || ["true", "false", "null"].contains(word) || ["Infinity", "NaN"].contains(plain) else {
      throw Stop(reason: "\(word) is not a value; text needs quotation marks", offset: start)
    }
  }

  // MARK: - Tokens

  private var peek: Unicode.Scalar? { position < text.count ? text[position] : nil }

  private func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  private mutating func skipBlanks() throws(Stop) {
    while let scalar = peek {
      if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
        position += 1
      } else if scalar == "/", position + 1 < text.count, text[position + 1] == "/" {
        while let next = peek, next != "\n" { position += 1 }
      } else if scalar == "/", position + 1 < text.count, text[position + 1] == "*" {
        try skipComment()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(Stop) {
    let start = position
    position += 2
    while position + 1 < text.count {
      if text[position] == "*", text[position + 1] == "/" {
        position += 2
        return
      }
      position += 1
    }
    throw Stop(reason: "the comment is not closed", offset: start)
  }
}

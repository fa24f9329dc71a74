internal import Foundation

/// A JSON document of which the last value is a long array, one element a line, so that it can be read line by line too. It is
/// written in large pieces.
final class JSONLines {
  private static let pieceBytes = 1 << 18

  private let handle: FileHandle
  private var pending: [UInt8] = []
  private var isFirst = true

  /// Begins the document with these members, and with the name of the array.
  init(_ url: URL, _ head: [(String, String)], array: String) throws {
    try Data().write(to: url)
    handle = try FileHandle(forWritingTo: url)
    pending.reserveCapacity(JSONLines.pieceBytes * 2)
    pending.append(UInt8(ascii: "{"))
    for (name, value) in head {
      pending.append(quoted: name.utf8)
      pending.append(UInt8(ascii: ":"))
      pending.append(quoted: value.utf8)
      pending.append(UInt8(ascii: ","))
    }
    pending.append(quoted: array.utf8)
    pending.append(contentsOf: ":[".utf8)
  }

  deinit { try? handle.close() }

  /// Adds the element that the closure appends to the bytes it is given.
  func add(_ element: (inout [UInt8]) throws -> Void) throws {
    pending.append(contentsOf: (isFirst ? "\n" : ",\n").utf8)
    try element(&pending)
    isFirst = false
    if pending.count >= JSONLines.pieceBytes { try flush() }
  }

  func close() throws {
    pending.append(contentsOf: "\n]}\n".utf8)
    try flush()
    try handle.close()
  }

  private func flush() throws {
    try handle.write(contentsOf: pending)
    pending.removeAll(keepingCapacity: true)
  }
}

@available(*, unavailable)
extension JSONLines: Sendable {}

extension [UInt8] {
  /// Appends UTF-8 as a JSON string.
  mutating func append(quoted text: some Collection<UInt8>) {
    append(.quote)
    if text.contains(where: \.needsEscape) {
      for byte in text { append(escaped: byte) }
    } else {
      append(contentsOf: text)
    }
    append(.quote)
  }

  private mutating func append(escaped byte: UInt8) {
    guard byte.needsEscape else { return append(byte) }
    switch byte {
    case .quote, .backslash: append(contentsOf: [.backslash, byte])
    case .lineFeed: append(contentsOf: "\\n".utf8)
    case .carriageReturn: append(contentsOf: "\\r".utf8)
    case UInt8(ascii: "\t"): append(contentsOf: "\\t".utf8)
    default: append(contentsOf: ((byte < 16 ? "\\u000" : "\\u00") + String(byte, radix: 16)).utf8)
    }
  }
}

extension UInt8 {
  fileprivate static let backslash = UInt8(ascii: "\\")
  fileprivate var needsEscape: Bool { self < 0x20 || self == .quote || self == .backslash }
}

/// A JSON object under way, as bytes.
struct JSONObject {
  private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

  mutating func add(_ name: String, _ value: String) {
    begin(name)
    bytes.append(quoted: value.utf8)
  }

  mutating func add(_ name: String, _ value: Int) {
    begin(name)
    bytes.append(contentsOf: "\(value)".utf8)
  }

  /// Without a value there is no member.
  mutating func add(_ name: String, _ value: Double?) {
    guard let value else { return }
    begin(name)
    bytes.append(contentsOf: "\(value)".utf8)
  }

  private mutating func begin(_ name: String) {
    if bytes.count > 1 { bytes.append(.comma) }
    bytes.append(quoted: name.utf8)
    bytes.append(UInt8(ascii: ":"))
  }

  /// A JSON array of texts.
  static func array(of texts: [String]) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    for (index, text) in texts.enumerated() {
      if index > 0 { bytes.append(.comma) }
      bytes.append(quoted: text.utf8)
    }
    bytes.append(UInt8(ascii: "]"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A JSON array of the objects.
  static func array(_ objects: [JSONObject]) -> String {
    var text: [UInt8] = [UInt8(ascii: "[")]
    for (index, object) in objects.enumerated() {
      if index > 0 { text.append(.comma) }
      text += object.bytes
      text.append(UInt8(ascii: "}"))
    }
    text.append(UInt8(ascii: "]"))
    return String(decoding: text, as: UTF8.self)
  }
}

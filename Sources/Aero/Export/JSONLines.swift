internal import Foundation
internal import SQLiteIO

/// Writes a JSON document whose last value is a long array with one element per line, so that it can be read line by line too.
final class JSONLines {
  private static let bufferBytes = 1 << 18

  private let handle: FileHandle
  private var pending: [UInt8] = []
  private var isFirst = true

  /// Starts the document with members and the name of the array.
  init(_ url: URL, _ head: [(String, String)], array: String) throws {
    try Data().write(to: url)
    handle = try FileHandle(forWritingTo: url)
    pending.reserveCapacity(JSONLines.bufferBytes * 2)
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

  /// Adds an element. The closure appends it to the buffer.
  func add(_ element: (inout [UInt8]) throws -> Void) throws {
    pending.append(contentsOf: (isFirst ? "\n" : ",\n").utf8)
    try element(&pending)
    isFirst = false
    if pending.count >= JSONLines.bufferBytes { try flush() }
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

extension RecordTable {
  /// A JSON object of the values of a record under the names of the columns. Members without a value are left out.
  ///
  /// - Parameter names: The order of the members; nil for that of the columns.
  func json(_ record: Record, order names: [String]? = nil) -> [UInt8] {
    let members = names.map { $0.compactMap { name in fields.first { $0.column.name == name } } } ?? fields
    var bytes = [UInt8(ascii: "{")]
    for field in members {
      let value = field.value(record)
      guard value != .null else { continue }
      if bytes.count > 1 { bytes.append(.comma) }
      bytes.append(quoted: field.column.name.utf8)
      bytes.append(UInt8(ascii: ":"))
      switch value {
      case .integer(let number): bytes.append(contentsOf: "\(number)".utf8)
      case .real(let number): bytes.append(contentsOf: "\(number)".utf8)
      case .text(let text): bytes.append(quoted: text.utf8)
      case .null, .blob: break
      }
    }
    return bytes + [UInt8(ascii: "}")]
  }
}

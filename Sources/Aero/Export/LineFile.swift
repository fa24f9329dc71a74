internal import Foundation

/// A text file that is written line by line, in large pieces.
final class LineFile {
  private static let pieceBytes = 1 << 18

  private let handle: FileHandle
  private var pending: [UInt8] = []

  init(_ url: URL) throws {
    try Data().write(to: url)
    handle = try FileHandle(forWritingTo: url)
    pending.reserveCapacity(LineFile.pieceBytes)
  }

  deinit { try? handle.close() }

  func write(_ text: String) throws {
    pending.append(contentsOf: text.utf8)
    if pending.count >= LineFile.pieceBytes { try flush() }
  }

  func close() throws {
    try flush()
    try handle.close()
  }

  private func flush() throws {
    try handle.write(contentsOf: pending)
    pending.removeAll(keepingCapacity: true)
  }
}

@available(*, unavailable)
extension LineFile: Sendable {}

/// A JSON document of which the last value is a long array, one element a line, so that it can be read line by line too.
struct JSONLines {
  private let file: LineFile
  private var isFirst = true

  /// Begins the document with these members, and with the name of the array.
  init(_ url: URL, _ head: [(String, String)], array: String) throws {
    file = try LineFile(url)
    let members = head.map { "\(JSONText.quoted($0)):\(JSONText.quoted($1))" }
    try file.write("{\(members.joined(separator: ",")),\(JSONText.quoted(array)):[")
  }

  mutating func add(_ element: String) throws {
    try file.write(isFirst ? "\n" : ",\n")
    try file.write(element)
    isFirst = false
  }

  func close() throws {
    try file.write("\n]}\n")
    try file.close()
  }
}

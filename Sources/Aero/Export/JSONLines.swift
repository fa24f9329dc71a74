internal import Core
internal import Foundation
internal import SQLiteIO

/// JSON documents whose last member is a long array with one element a line, so that they can be read line by line too.
enum JSONLines {
  private static let bufferBytes = 1 << 18

  /// SQL for a JSON object of columns, without those that are NULL.
  ///
  /// - Parameter members: their names, with their values as JSON.
  static func object(_ members: [(name: String, json: String)]) -> String {
    let texts = members.map { name, json in
      #"iif("\#(name)" IS NULL, '', ',"\#(name)":' || \#(json))"#
    }
    return "'{' || substr(\(texts.joined(separator: " || ")), 2) || '}'"
  }

  /// Writes a document of the rows of a statement, whose first column has JSON. Returns the number of rows.
  ///
  /// - Parameter head: the members before the array.
  static func write(
    _ rows: SQLiteStatement, to file: URL, _ head: [(String, String)], array: String
  ) throws -> Int {
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    var pending = Data("{".utf8)
    for (name, text) in head {
      pending += Data("\"\(name)\":".utf8) + (try CanonicalJSON.line(text)) + Data(",".utf8)
    }
    pending += Data("\"\(array)\":[".utf8)
    var count = 0
    try rows.rows { row in
      if count.isMultiple(of: 4096) { try CancellationToken.current.check() }
      pending += Data((count == 0 ? "\n" : ",\n").utf8)
      row.withText(0) { pending.append($0) }
      count += 1
      if pending.count >= bufferBytes {
        try handle.write(contentsOf: pending)
        pending.removeAll(keepingCapacity: true)
      }
    }
    try handle.write(contentsOf: pending + Data("\n]}\n".utf8))
    return count
  }
}

internal import Foundation
internal import SQLiteIO

/// A JSON document of one element a line against the rows that it was written of, in their order.
struct LineComparison {
  private let reader: SQLiteStatement
  private let paths: [String]

  /// - Parameter paths: where a line has the values of the rows' columns: `$.properties.icao`. SQLite reads JSON fast.
  init(_ paths: [String]) throws {
    self.paths = paths
    let members = paths.map { "CASE WHEN json_valid(?1) THEN json_extract(?1, '\($0)') END" }
    reader = try SQLiteConnection(":memory:", mode: .create).prepare(
      "SELECT json_valid(?1), \(members.joined(separator: ", "))")
  }

  func disagreements(
    _ file: URL, with rows: SQLiteStatement, place: (SQLiteRow) -> String
  ) throws -> [Disagreement] {
    var found: [Disagreement] = []
    var missing = 0
    try LinesUnderTest(file, place: "").forEachLine { line, number in
      guard line != Data("]}".utf8) else { return }
      guard let row = try rows.next() else {
        missing += 1
        return
      }
      if let path = try difference(line, row) {
        found.append(
          Disagreement(place(row), "\(path.dropFirst(2)) is not as in the database (line \(number))"))
      }
    }
    var left = 0
    while try rows.next() != nil { left += 1 }
    if missing > 0 {
      found.append(Disagreement(file.lastPathComponent, "\(missing) of its lines are in no database"))
    }
    if left > 0 {
      found.append(Disagreement(file.lastPathComponent, "\(left) rows of the database are missing"))
    }
    return found
  }

  /// The first path under which the line has another value than the row; of a line that is no JSON another rule tells.
  private func difference(_ line: Data, _ row: SQLiteRow) throws -> String? {
    let bare = line.last == UInt8(ascii: ",") ? line.dropLast() : line
    return try reader.map([.text(String(decoding: bare, as: UTF8.self))]) { told -> String? in
      guard told.int(0) == 1 else { return nil }
      return paths.indices.first { told.value($0 + 1) != row.value($0) }.map { paths[$0] }
    }.first ?? nil
  }
}

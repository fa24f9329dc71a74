internal import Foundation
internal import SQLiteIO

/// A JSON document line by line: that it is JSON to its end, and that each place of it is on this earth.
struct LinesParse: Rule {
  let name = "lines-parse"
  let protects = "A map draws every airport, airspace and obstacle where it is."

  func check(_ file: LinesUnderTest) throws -> [Finding] {
    let parser = try LineParser()
    var findings: [Finding] = []
    var (count, isEnded) = (0, false)
    try file.forEachLine { line, number in
      let problem: String?
      if isEnded {
        problem = "there is something after the end"
      } else if line == Data("]}".utf8) {
        isEnded = true
        return
      } else {
        count += 1
        problem = try parser.problem(with: line.last == UInt8(ascii: ",") ? line.dropLast() : line)
      }
      if let problem { findings.append(error("\(file.place) line \(number)", problem)) }
    }
    if !isEnded { findings.append(error(file.place, "it is cut short")) }
    if count == 0 { findings.append(error(file.place, "there is nothing in it")) }
    return findings
  }
}

/// SQLite parses JSON several times as fast as the library's own parser, and there are hundreds of thousands of points.
private struct LineParser {
  private let look: SQLiteStatement

  init() throws {
    let connection = try SQLiteConnection(":memory:", mode: .create)
    let members = [
      "$.type", "$.properties", "$.geometry.type", "$.geometry.coordinates[0]", "$.geometry.coordinates[1]",
      "$.lon", "$.lat",
    ]
    let paths = members.map { "CASE WHEN json_valid(?1) THEN json_extract(?1, '\($0)') END" }
    look = try connection.prepare("SELECT json_valid(?1), \(paths.joined(separator: ", "))")
  }

  func problem(with line: Data) throws -> String? {
    try look.map([.text(String(decoding: line, as: UTF8.self))]) { row -> String? in
      guard row.int(0) == 1 else { return "it is no JSON" }
      guard row.text(1) == "Feature" else {
        return isOnEarth(row, 6) ? nil : "its position is missing, or is not on this earth"
      }
      guard !row.isNull(2), let shape = row.text(3) else { return "it is no GeoJSON feature" }
      let lies = shape == "Point" ? isOnEarth(row, 4) : isOnEarth(shapeOf: line)
      return lies ? nil : "its coordinates are not on this earth"
    }.first ?? nil
  }

  private func isOnEarth(_ row: SQLiteRow, _ column: Int) -> Bool {
    row.isNumber(column) && row.isNumber(column + 1) && abs(row.double(column)) <= 180
      && abs(row.double(column + 1)) <= 90
  }

  private func isOnEarth(shapeOf line: Data) -> Bool {
    let feature = try? JSONSerialization.jsonObject(with: line) as? [String: Any]
    let geometry = feature?["geometry"] as? [String: Any]
    return geometry?["coordinates"].map(isOnEarth) ?? false
  }

  /// Longitude and latitude, or arrays of arrays of these.
  private func isOnEarth(_ coordinates: Any) -> Bool {
    if let point = coordinates as? [Double], point.count >= 2 {
      return abs(point[0]) <= 180 && abs(point[1]) <= 90
    }
    guard let parts = coordinates as? [Any], !parts.isEmpty else { return false }
    return parts.allSatisfy(isOnEarth)
  }
}

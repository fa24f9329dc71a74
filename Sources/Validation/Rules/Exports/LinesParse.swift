internal import Foundation

/// A JSON document line by line: that it is JSON to its end, and that each place of it is on this earth.
struct LinesParse: Rule {
  let name = "lines-parse"
  let protects = "A map draws every airport, airspace and obstacle where it is."

  func check(_ file: LinesUnderTest) throws -> [Finding] {
    var findings: [Finding] = []
    var (count, isEnded) = (0, false)
    try file.forEachLine { line, number in
      guard !isEnded else {
        findings.append(error("\(file.place) line \(number)", "there is something after the end"))
        return
      }
      if line == Data("]}".utf8) {
        isEnded = true
        return
      }
      count += 1
      let element = line.last == UInt8(ascii: ",") ? line.dropLast() : line
      if let problem = LinesParse.problem(element) {
        findings.append(error("\(file.place) line \(number)", problem))
      }
    }
    if !isEnded { findings.append(error(file.place, "it is cut short")) }
    if count == 0 { findings.append(error(file.place, "there is nothing in it")) }
    return findings
  }

  private static func problem(_ line: Data) -> String? {
    guard let element = try? JSONSerialization.jsonObject(with: line) as? [String: Any] else {
      return "it is no JSON object"
    }
    if let geometry = element["geometry"] as? [String: Any] {
      guard element["type"] as? String == "Feature", element["properties"] is [String: Any],
        geometry["type"] is String, let coordinates = geometry["coordinates"]
      else { return "it is no GeoJSON feature" }
      return isOnEarth(coordinates) ? nil : "its coordinates are not on this earth"
    }
    guard let latitude = element["lat"] as? Double, let longitude = element["lon"] as? Double else {
      return "it has no position"
    }
    return isOnEarth([longitude, latitude]) ? nil : "its position is not on this earth"
  }

  /// Longitude and latitude, or arrays of arrays of these.
  private static func isOnEarth(_ coordinates: Any) -> Bool {
    if let point = coordinates as? [Double], point.count >= 2 {
      return abs(point[0]) <= 180 && abs(point[1]) <= 90
    }
    guard let parts = coordinates as? [Any], !parts.isEmpty else { return false }
    return parts.allSatisfy(isOnEarth)
  }
}

internal import SQLiteIO

/// An airport's frequencies as the JSON that the app decodes, those that civil radios receive first within each type.
struct OpenEFBFrequencies {
  let reader: RowsOfAirports
  private let problems: ProblemLog

  init(database: SQLiteConnection, problems: ProblemLog) throws {
    self.problems = problems
    reader = try RowsOfAirports(
      database, ["number", "type", "frequency", "name", "use", "sector", "receiveOnly"], of: "frequencies",
      order: "number")
  }

  /// Two frequencies of an airport that agree in this are the same to a pilot.
  private struct Use: Hashable {
    let type: String
    let frequency: Double
    let name: String
  }

  /// - Parameters:
  ///   - name: the airport's.
  ///   - site: the FAA's key of the airport.
  func json(of airport: String, name: String, site: String) throws -> (text: String, count: Int) {
    var objects: [JSONObject] = []
    var seen: Set<Use> = []
    try reader.forEach(of: airport) { row in
      let place = "\(airport) frequency \(row.int(0))"
      let frequency = row.double(2)
      let use = row.text(4) ?? ""
      guard let type = type(row, use) else {
        problems.leaveOut(
          place, of: "frequencies", column: "type",
          value: use.isEmpty ? row.text(1) ?? "" : use,
          "the app has no such type")
        return
      }
      guard row.int(6) == 0 else {
        problems.leaveOut(
          place, of: "frequencies", column: "receiveOnly", value: "\(frequency)",
          "the station listens on it and does not transmit")
        return
      }
      let name = callName(type, row, of: name)
      guard seen.insert(Use(type: type, frequency: frequency, name: name)).inserted else {
        problems.record(
          .rowRepeated, file: "frequencies", part: place, line: 0, column: "frequency",
          value: "\(frequency)", reason: "\(type) \(name) is there with this frequency")
        return
      }
      let hertz = Int((frequency * 1_000_000).rounded())
      let key = ["frequency", site, type, "\(hertz)", row.text(3) ?? "", row.text(5) ?? ""]
      var object = JSONObject()
      object.add("id", try StableID.text(of: key.joined(separator: "|")))
      object.add("type", type)
      object.add("frequency", frequency)
      object.add("name", name)
      objects.append(object)
    }
    return (JSONObject.array(objects), objects.count)
  }

  /// The automatic weather of the FAA's words `CXF AWOS-3P` is `other` in the database.
  private func type(_ row: SQLiteRow, _ use: String) -> String? {
    let type = row.text(1) ?? ""
    if let known = OpenEFBWords.frequencyTypes[type] { return known }
    return type == "other" && OpenEFBFrequencies.weatherWord(use) != nil ? "awos" : nil
  }

  /// `AWOS-3P` of `CXF AWOS-3P`.
  private static func weatherWord(_ use: String) -> String? {
    use.split(separator: " ").first { $0.hasPrefix("AWOS") || $0.hasPrefix("ASOS") }.map(String.init)
  }

  /// `Palo Alto Tower`; with the sector where the frequency has one: `NorCal Departure (NW-E)`.
  private func callName(_ type: String, _ row: SQLiteRow, of airport: String) -> String {
    let use = row.text(4) ?? ""
    let weather = type == "awos" ? OpenEFBFrequencies.weatherWord(use) : nil
    let call = type == "awos" ? airport : row.text(3).map(TitleCase.name) ?? airport
    let word = weather ?? OpenEFBWords.callWords[type] ?? ""
    let name = call.hasSuffix(" " + word) ? call : call + " " + word
    return row.text(5).map { "\(name) (\($0))" } ?? name
  }
}

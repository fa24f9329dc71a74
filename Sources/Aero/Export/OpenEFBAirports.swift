internal import Foundation
internal import SQLiteIO

/// The rows of the airports, with their runways and frequencies.
struct OpenEFBAirports {
  let database: SQLiteConnection
  let problems: ProblemLog

  private static let columns = [
    "icao", "faaID", "name", "latitude", "longitude", "elevation", "type", "ownership", "status",
    "hasBeaconLight",
    "ctafFrequency", "unicomFrequency", "artccID", "fssID", "magneticVariation", "patternAltitude",
    "fuelTypes",
    "siteNumber", "siteType", "city", "searchWords",
  ]

  private struct Row {
    let icao: String
    let name: String
    let values: [SQLiteValue]
    let city: String?
    let words: String?
    /// The FAA's key of the site, which stays when an identifier changes.
    let site: String
  }

  func write(to writer: DatabaseWriter) throws -> [String: Int] {
    var counts = ["airports": 0, "runways": 0, "frequencies": 0]
    var words: [[SQLiteValue]] = []
    let runways = try OpenEFBRunways(database: database, problems: problems)
    let frequencies = try OpenEFBFrequencies(database: database, problems: problems)
    var read = 0
    try writer.insert(OpenEFBSchema.airports) { insert in
      let columns = OpenEFBAirports.columns.joined(separator: ", ")
      try database.prepare("SELECT \(columns) FROM airports ORDER BY id").rows { source in
        read += 1
        guard let row = row(source) else { return }
        let number = words.count + 1
        let (runwayText, runwayCount) = try runways.json(of: row.icao)
        let (frequencyText, frequencyCount) = try frequencies.json(
          of: row.icao, name: row.name, site: row.site)
        try insert.run([.integer(number)] + row.values + [.text(runwayText), .text(frequencyText)])
        words.append([.integer(number), SQLiteValue(row.city.map(TitleCase.name)), SQLiteValue(row.words)])
        counts["runways", default: 0] += runwayCount
        counts["frequencies", default: 0] += frequencyCount
      }
    }
    try writer.fill(OpenEFBSchema.airportWords, words) { $1 }
    counts["airports"] = words.count
    problems.read(rows: read, of: "airports")
    problems.read(rows: runways.reader.rows, of: "runways")
    problems.read(rows: frequencies.reader.rows, of: "frequencies")
    return counts
  }

  /// Nil for what the app has no word for: an airport without an elevation, one that is closed.
  private func row(_ row: SQLiteRow) -> Row? {
    func text(_ column: Int) -> String { row.text(column) ?? "" }
    let icao = text(0)
    func leaveOut(_ column: String, _ value: String, _ reason: String) -> Row? {
      problems.leaveOut(icao, of: "airports", column: column, value: value, reason)
      return nil
    }
    if text(8).hasPrefix("closed") {
      return leaveOut("status", text(8), "the app cannot show that it is closed")
    }
    guard let type = OpenEFBWords.airportTypes[text(6)] else {
      return leaveOut("type", text(6), "the app has no such type")
    }
    guard let ownership = OpenEFBWords.ownerships[text(7)] else {
      return leaveOut("ownership", text(7), "the app has no such ownership")
    }
    guard let elevation = row.real(5) else { return leaveOut("elevation", "", "it has no elevation") }
    if type != text(6) { problems.map(icao, of: "airports", column: "type", value: text(6), to: type) }
    if row.isNull(9) {
      problems.map(icao, of: "airports", column: "hasBeaconLight", value: "", to: "without a beacon")
    }
    let name = TitleCase.name(text(2))
    let values: [SQLiteValue] = [
      .text(icao), SQLiteValue(row.text(1)), .text(name), .real(row.double(3)), .real(row.double(4)),
      .real(elevation), .text(type), .text(ownership), SQLiteValue(row.real(10)), SQLiteValue(row.real(11)),
      SQLiteValue(row.text(12)), SQLiteValue(row.text(13)), SQLiteValue(row.real(14)),
      SQLiteValue(row.real(15).map { Int($0.rounded()) }), .text(fuels(row.text(16) ?? "[]", of: icao)),
      .integer(row.int(9)),
    ]
    return Row(
      icao: icao, name: name, values: values, city: row.text(19), words: row.text(20),
      site: text(17) + text(18))
  }

  /// The JSON array of the app's words for the fuels. Validation reports a text that is none.
  private func fuels(_ text: String, of icao: String) -> String {
    guard text != "[]", let words = try? JSONDecoder().decode([String].self, from: Data(text.utf8))
    else { return text }
    let fuels = OpenEFBWords.fuels(words)
    guard fuels != words else { return text }
    problems.map(
      icao, of: "airports", column: "fuelTypes", value: words.joined(separator: ","),
      to: fuels.joined(separator: ","))
    return JSONObject.array(of: fuels)
  }
}

/// An airport's runways as the JSON that the app decodes.
struct OpenEFBRunways {
  let reader: RowsOfAirports
  private let problems: ProblemLog

  private static let ends = ["baseEnd", "reciprocalEnd"]

  init(database: SQLiteConnection, problems: ProblemLog) throws {
    self.problems = problems
    let columns = OpenEFBRunways.ends.flatMap { end in
      ["ID", "Latitude", "Longitude", "TouchdownElevation"].map { end + $0 }
    }
    reader = try RowsOfAirports(
      database, ["id", "length", "width", "surface", "lighting"] + columns, of: "runways", order: "id")
  }

  func json(of airport: String) throws -> (text: String, count: Int) {
    var objects: [JSONObject] = []
    try reader.forEach(of: airport) { row in
      if let object = object(row, at: airport) { objects.append(object) }
    }
    return (JSONObject.array(objects), objects.count)
  }

  /// Nil where one of the app's properties that are not optional has no value.
  private func object(_ row: SQLiteRow, at airport: String) -> JSONObject? {
    let id = row.text(0) ?? ""
    let name = airport + " " + id
    func leaveOut(_ column: String, _ value: String, _ reason: String) -> JSONObject? {
      problems.leaveOut(name, of: "runways", column: column, value: value, reason)
      return nil
    }
    guard row.text(9) != nil else { return leaveOut("reciprocalEndID", id, "it has one end only") }
    for (column, end) in zip([5, 9], OpenEFBRunways.ends)
    where row.isNull(column + 1) || row.isNull(column + 2) {
      return leaveOut(end + "Latitude", "", "the position of its end \(row.text(column) ?? "") is not known")
    }
    for (column, property) in [(1, "length"), (2, "width")] where row.isNull(column) {
      return leaveOut(property, "", "it has no \(property)")
    }
    let words = row.text(3) ?? ""
    guard let surface = OpenEFBWords.surface(words) else {
      return leaveOut("surface", words, "the app has no such surface")
    }
    guard let lighting = OpenEFBWords.lightings[row.text(4) ?? ""] else {
      return leaveOut("lighting", row.text(4) ?? "", "whether it is lighted is not known")
    }
    if surface != words { problems.map(name, of: "runways", column: "surface", value: words, to: surface) }
    var object = JSONObject()
    object.add("id", id)
    object.add("length", row.int(1))
    object.add("width", row.int(2))
    object.add("surface", surface)
    object.add("lighting", lighting)
    for (column, end) in zip([5, 9], OpenEFBRunways.ends) {
      object.add(end + "ID", row.text(column) ?? "")
      object.add(end + "Latitude", row.double(column + 1))
      object.add(end + "Longitude", row.double(column + 2))
      object.add(end + "Elevation", row.real(column + 3))
    }
    return object
  }
}

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

/// Reads the rows of a table that belong to one airport after another, and counts them.
final class RowsOfAirports {
  private let statement: SQLiteStatement
  private(set) var rows = 0

  /// - Parameter order: of the rows of one airport.
  init(_ database: SQLiteConnection, _ columns: [String], of table: String, order: String) throws {
    statement = try database.prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE airport = ? ORDER BY \(order)")
  }

  func forEach(of airport: String, _ each: (SQLiteRow) throws -> Void) throws {
    try statement.rows([.text(airport)]) { row in
      rows += 1
      try each(row)
    }
  }
}

@available(*, unavailable)
extension RowsOfAirports: Sendable {}

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

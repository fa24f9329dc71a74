internal import Foundation
internal import SQLiteIO

/// Writes the airports with their runways and frequencies.
struct OpenEFBAirports {
  let source: ExportSource
  private var problems: ProblemLog { source.problems }

  private enum Column: Int, CaseIterable {
    case icao, faaID, name, latitude, longitude, elevation, type, ownership, status, hasBeaconLight
    case ctafFrequency, unicomFrequency, artccID, fssID, magneticVariation, patternAltitude, fuelTypes
    case siteNumber, siteType, city, searchWords
  }

  private struct Row {
    let icao: String
    let name: String
    let values: [SQLiteValue]
    let city: String?
    let words: String?
    /// The FAA's permanent key of the site.
    let site: String
  }

  func write(to writer: DatabaseWriter) throws -> [String: Int] {
    var counts = ["airports": 0, "runways": 0, "frequencies": 0]
    var words: [[SQLiteValue]] = []
    let runways = try OpenEFBRunways(source)
    let frequencies = try OpenEFBFrequencies(source)
    var read = 0
    try writer.insert(OpenEFBSchema.airports) { insert in
      let columns = Column.allCases.map { "\($0)" }.joined(separator: ", ")
      try source.database.prepare("SELECT \(columns) FROM airports ORDER BY id").rows { airport in
        read += 1
        guard let row = row(airport) else { return }
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

  /// Returns nil for an airport that the app cannot express, such as a closed one or one without an elevation.
  private func row(_ row: SQLiteRow) -> Row? {
    func text(_ column: Column) -> String { row.text(column.rawValue) ?? "" }
    func real(_ column: Column) -> Double? { row.real(column.rawValue) }
    func value(_ column: Column) -> SQLiteValue { row.value(column.rawValue) }
    let icao = text(.icao)
    func dropRow(_ column: String, _ value: String, _ reason: String) -> Row? {
      problems.recordDropped(icao, of: "airports", column: column, value: value, reason)
      return nil
    }
    if text(.status).hasPrefix("closed") {
      return dropRow("status", text(.status), "the app cannot show that it is closed")
    }
    guard let type = OpenEFBWords.airportTypes[text(.type)] else {
      return dropRow("type", text(.type), "the app has no such type")
    }
    guard let ownership = OpenEFBWords.ownerships[text(.ownership)] else {
      return dropRow("ownership", text(.ownership), "the app has no such ownership")
    }
    guard let elevation = real(.elevation) else { return dropRow("elevation", "", "it has no elevation") }
    if type != text(.type) {
      problems.recordMapped(icao, of: "airports", column: "type", value: text(.type), to: type)
    }
    let hasBeacon = row.isNull(Column.hasBeaconLight.rawValue) ? nil : row.int(Column.hasBeaconLight.rawValue)
    if hasBeacon == nil {
      problems.recordMapped(icao, of: "airports", column: "hasBeaconLight", value: "", to: "without a beacon")
    }
    let name = TitleCase.name(text(.name))
    let pattern = real(.patternAltitude).map { Int($0.rounded()) }
    let fuels = fuels(row.text(Column.fuelTypes.rawValue) ?? "[]", of: icao)
    let values: [SQLiteValue] =
      [.text(icao), value(.faaID), .text(name), value(.latitude), value(.longitude), .real(elevation)]
      + [.text(type), .text(ownership), value(.ctafFrequency), value(.unicomFrequency), value(.artccID)]
      + [
        value(.fssID), value(.magneticVariation), SQLiteValue(pattern), .text(fuels),
        .integer(hasBeacon ?? 0),
      ]
    return Row(
      icao: icao, name: name, values: values, city: row.text(Column.city.rawValue),
      words: row.text(Column.searchWords.rawValue), site: text(.siteNumber) + text(.siteType))
  }

  /// The JSON array of the app's fuels. Validation reports a text that is not an array.
  private func fuels(_ text: String, of icao: String) -> String {
    guard text != "[]", let words = try? JSONDecoder().decode([String].self, from: Data(text.utf8))
    else { return text }
    let fuels = OpenEFBWords.fuels(words)
    guard fuels != words else { return text }
    problems.recordMapped(
      icao, of: "airports", column: "fuelTypes", value: words.joined(separator: ","),
      to: fuels.joined(separator: ","))
    return JSONObject.array(of: fuels)
  }
}

/// The runways of an airport as JSON.
struct OpenEFBRunways {
  let reader: AirportRowReader
  private let problems: ProblemLog

  private static let ends = ["baseEnd", "reciprocalEnd"]

  init(_ source: ExportSource) throws {
    problems = source.problems
    let columns = OpenEFBRunways.ends.flatMap { end in
      ["ID", "Latitude", "Longitude", "TouchdownElevation"].map { end + $0 }
    }
    reader = try AirportRowReader(
      source.database, ["id", "length", "width", "surface", "lighting"] + columns, of: "runways", order: "id")
  }

  func json(of airport: String) throws -> (text: String, count: Int) {
    var objects: [JSONObject] = []
    try reader.forEach(of: airport) { row in
      if let object = object(row, at: airport) { objects.append(object) }
    }
    return (JSONObject.array(objects), objects.count)
  }

  /// Returns nil where a required property has no value.
  private func object(_ row: SQLiteRow, at airport: String) -> JSONObject? {
    let id = row.text(0) ?? ""
    let name = airport + " " + id
    func dropRow(_ column: String, _ value: String, _ reason: String) -> JSONObject? {
      problems.recordDropped(name, of: "runways", column: column, value: value, reason)
      return nil
    }
    guard row.text(9) != nil else { return dropRow("reciprocalEndID", id, "it has one end only") }
    for (column, end) in zip([5, 9], OpenEFBRunways.ends)
    where row.isNull(column + 1) || row.isNull(column + 2) {
      return dropRow(end + "Latitude", "", "the position of its end \(row.text(column) ?? "") is not known")
    }
    for (column, property) in [(1, "length"), (2, "width")] where row.isNull(column) {
      return dropRow(property, "", "it has no \(property)")
    }
    let words = row.text(3) ?? ""
    guard let surface = OpenEFBWords.surface(words) else {
      return dropRow("surface", words, "the app has no such surface")
    }
    guard let lighting = OpenEFBWords.lightings[row.text(4) ?? ""] else {
      return dropRow("lighting", row.text(4) ?? "", "whether it is lighted is not known")
    }
    if surface != words {
      problems.recordMapped(name, of: "runways", column: "surface", value: words, to: surface)
    }
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

/// The frequencies of an airport that civil radios receive, as JSON.
struct OpenEFBFrequencies {
  let reader: AirportRowReader
  private let problems: ProblemLog

  init(_ source: ExportSource) throws {
    problems = source.problems
    reader = try AirportRowReader(
      source.database, ["number", "type", "frequency", "name", "use", "sector", "receiveOnly", "vhf"],
      of: "frequencies",
      order: "number")
  }

  /// Frequencies with the same values are duplicates for a pilot.
  private struct Identity: Hashable {
    let type: String
    let frequency: Double
    let name: String
  }

  /// - Parameters:
  ///   - name: The name of the airport.
  ///   - site: The FAA's key of the airport.
  func json(of airport: String, name: String, site: String) throws -> (text: String, count: Int) {
    var objects: [JSONObject] = []
    var seen: Set<Identity> = []
    try reader.forEach(of: airport) { row in
      let place = "\(airport) frequency \(row.int(0))"
      let frequency = row.double(2)
      let use = row.text(4) ?? ""
      guard let type = type(row, use) else {
        problems.recordDropped(
          place, of: "frequencies", column: "type",
          value: use.isEmpty ? row.text(1) ?? "" : use,
          "the app has no such type")
        return
      }
      // The app cannot mark a frequency, and its pilot has a civil radio. A VOR may broadcast an ATIS.
      let isCivil = row.int(7) == 1 || (["atis", "awos"].contains(type) && (108..<118).contains(frequency))
      guard row.int(6) == 0, isCivil else {
        problems.recordDropped(
          place, of: "frequencies", column: isCivil ? "receiveOnly" : "frequency", value: "\(frequency)",
          isCivil
            ? "the station listens on it and does not transmit" : "civil radios do not receive it")
        return
      }
      let name = callName(type, row, of: name)
      guard seen.insert(Identity(type: type, frequency: frequency, name: name)).inserted else {
        problems.record(
          .rowRepeated, file: "frequencies", part: place, line: 0, column: "frequency",
          value: "\(frequency)", reason: "\(type) \(name) is repeated with this frequency")
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

  /// The app's type. Weather stations such as `CXF AWOS-3P` have the type `other` in the database.
  private func type(_ row: SQLiteRow, _ use: String) -> String? {
    let type = row.text(1) ?? ""
    if let known = OpenEFBWords.frequencyTypes[type] { return known }
    return type == "other" && OpenEFBFrequencies.weatherStation(use) != nil ? "awos" : nil
  }

  /// `AWOS-3P` for `CXF AWOS-3P`.
  private static func weatherStation(_ use: String) -> String? {
    use.split(separator: " ").first { $0.hasPrefix("AWOS") || $0.hasPrefix("ASOS") }.map(String.init)
  }

  /// `Palo Alto Tower`, or with a sector `NorCal Departure (NW-E)`.
  private func callName(_ type: String, _ row: SQLiteRow, of airport: String) -> String {
    let use = row.text(4) ?? ""
    let weather = type == "awos" ? OpenEFBFrequencies.weatherStation(use) : nil
    let call = type == "awos" ? airport : row.text(3).map(TitleCase.name) ?? airport
    let word = weather ?? OpenEFBWords.callWords[type] ?? ""
    let name = call.hasSuffix(" " + word) ? call : call + " " + word
    return row.text(5).map { "\(name) (\($0))" } ?? name
  }
}

/// Reads the rows of a table for one airport after another, and counts them.
final class AirportRowReader {
  private let statement: SQLiteStatement
  private(set) var rows = 0

  /// - Parameter order: The order of the rows of an airport.
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
extension AirportRowReader: Sendable {}

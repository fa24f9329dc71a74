internal import Foundation
internal import SQLiteIO

/// An airport that the app can express.
struct OpenEFBAirport {
  /// Counts from 1.
  let number: Int
  let row: NamedRow
  let type: String
  let ownership: String
  let fuels: String
  /// JSON arrays.
  let runways: String
  let frequencies: String

  static let table = RecordTable<OpenEFBAirport>(
    "airports", "Open landing facilities. An airport is identified by icao.",
    [
      OpenEFBSchema.key(\.number),
      .init("icao", "TEXT NOT NULL UNIQUE", "The ICAO code, else the FAA identifier: KPAO, O69.") {
        $0.row["icao"]
      },
      .init("faaID", "TEXT", "The FAA identifier: PAO.") { $0.row["faaID"] },
      .init("name", "TEXT NOT NULL", "In title case: Palo Alto.") { $0.name },
      .init("latitude", "REAL NOT NULL", "Degrees, NAD83, south negative.") { $0.row["latitude"] },
      .init("longitude", "REAL NOT NULL", "Degrees, NAD83, west negative.") { $0.row["longitude"] },
      .init("elevation", "REAL NOT NULL", "Feet above mean sea level.") { $0.row["elevation"] },
      .init(
        "type", "TEXT NOT NULL", "airport, heliport, seaplane or ultralight.",
        words: Set(OpenEFBWords.airportTypes.values)
      ) { $0.type },
      .init(
        "ownership", "TEXT NOT NULL", "public, private or military.",
        words: Set(OpenEFBWords.ownerships.values)
      ) { $0.ownership },
      .init("ctafFrequency", "REAL", "MHz.") { $0.row["ctafFrequency"] },
      .init("unicomFrequency", "REAL", "MHz.") { $0.row["unicomFrequency"] },
      .init("artccID", "TEXT", "The center in whose area it lies.") { $0.row["artccID"] },
      .init("fssID", "TEXT", "The flight service station that serves it.") { $0.row["fssID"] },
      .init("magneticVariation", "REAL", "Degrees, west negative.") { $0.row["magneticVariation"] },
      .init("patternAltitude", "INTEGER", "Feet above ground.") {
        $0.row.real("patternAltitude").map { Int($0.rounded()) }
      },
      .init(
        "fuelTypes", "TEXT NOT NULL",
        "A JSON array of texts: 100LL, JetA. Before a kind of Jet A, such as JetA+, there is JetA."
      ) { $0.fuels },
      .init("hasBeaconLight", "INTEGER NOT NULL", "0 or 1.") { $0.row.int("hasBeaconLight") },
      .init(
        "runways", "TEXT NOT NULL", "A JSON array of objects, each with all properties that have a value.",
        mayDiffer: "1"
      ) { $0.runways },
      .init(
        "frequencies", "TEXT NOT NULL", "A JSON array of objects, the most important first.", mayDiffer: "1"
      ) { $0.frequencies },
    ], indexes: [["faaID"]], extent: .point, key: ["icao"])

  /// Additional search texts of airports, by rowid.
  static let words = RecordTable<OpenEFBAirport>(
    "airportWords", "Cities and other spellings, for the search.",
    [
      .init("rowid", "INTEGER PRIMARY KEY", "As in airports.") { $0.number },
      .init("city", "TEXT", "In title case.") { $0.row.text("city").map(TitleCase.name) },
      .init("words", "TEXT", "Other spellings of words of name and city: OHARE, SAINT.") {
        $0.row["searchWords"]
      },
    ], key: ["rowid"])

  var icao: String { row.text("icao") ?? "" }
  var name: String { TitleCase.name(row.text("name") ?? "") }
}

extension ExportSource {
  /// The airports with their runways and frequencies, and after them their words for the search.
  func openEFBAirports() throws -> [ExportTable] {
    let runways = try database.prepare("SELECT * FROM runways WHERE airport = ? ORDER BY id")
    let frequencies = try database.prepare("SELECT * FROM frequencies WHERE airport = ? ORDER BY number")
    for table in ["runways", "frequencies"] {
      count(0, of: table)
      problems.read(rows: 0, of: table)
    }
    var words: [[SQLiteValue]] = []
    var airports = OpenEFBAirport.table.rows { [self] add in
      let query = try database.prepare("SELECT * FROM airports ORDER BY id")
      try forEachRow(of: "airports", query, named: { $0.text("icao") ?? "" }) { row in
        let airport = try openEFBAirport(row, words.count + 1, runways, frequencies)
        try add(airport)
        words.append(OpenEFBAirport.words.values(airport))
      }
    }
    airports.nested = OpenEFBSchema.nested
    let search = ExportTable(schema: OpenEFBAirport.words.schema, forEachRow: { try words.forEach($0) })
    return [airports, search]
  }

  /// Throws for an airport that the app cannot express, such as a closed one or one without an elevation.
  private func openEFBAirport(
    _ row: NamedRow, _ number: Int, _ runways: SQLiteStatement, _ frequencies: SQLiteStatement
  ) throws -> OpenEFBAirport {
    let icao = row.text("icao") ?? ""
    if let status = row.text("status"), status.hasPrefix("closed") {
      throw UnusableRow(column: "status", value: status, reason: "the app cannot show that it is closed")
    }
    let type = try row.word("type", OpenEFBWords.airportTypes, orOmit: "the app has no such type")
    let ownership = try row.word(
      "ownership", OpenEFBWords.ownerships, orOmit: "the app has no such ownership")
    guard row.real("elevation") != nil else {
      throw UnusableRow(column: "elevation", reason: "it has no elevation")
    }
    problems.recordMapped(icao, of: "airports", column: "type", value: row.text("type") ?? "", to: type)
    if row["hasBeaconLight"] == .null {
      problems.recordMapped(icao, of: "airports", column: "hasBeaconLight", value: "", to: "without a beacon")
    }
    return OpenEFBAirport(
      number: number, row: row, type: type, ownership: ownership,
      fuels: openEFBFuels(row.text("fuelTypes") ?? "[]", of: icao),
      runways: try openEFBRunways(of: icao, runways),
      frequencies: try openEFBFrequencies(of: icao, row, frequencies))
  }

  /// The JSON array of the app's fuels. Validation reports a text that is not an array.
  private func openEFBFuels(_ text: String, of icao: String) -> String {
    guard text != "[]", let words = try? JSONDecoder().decode([String].self, from: Data(text.utf8))
    else { return text }
    let fuels = OpenEFBWords.fuels(words)
    guard fuels != words else { return text }
    problems.recordMapped(
      icao, of: "airports", column: "fuelTypes", value: words.joined(separator: ","),
      to: fuels.joined(separator: ","))
    return JSONArray.array(of: fuels)
  }

  private func openEFBRunways(of airport: String, _ query: SQLiteStatement) throws -> String {
    var objects: [[UInt8]] = []
    let name = { (row: NamedRow) in "\(airport) \(row.text("id") ?? "")" }
    try forEachRow(of: "runways", query, [.text(airport)], named: name) { row in
      let runway = try OpenEFBRunway(row)
      problems.recordMapped(
        name(row), of: "runways", column: "surface", value: row.text("surface") ?? "", to: runway.surface)
      objects.append(OpenEFBRunway.table.json(runway))
    }
    count(objects.count, of: "runways")
    return JSONArray.array(objects)
  }

  private func openEFBFrequencies(
    of icao: String, _ airport: NamedRow, _ query: SQLiteStatement
  ) throws -> String {
    var objects: [[UInt8]] = []
    var seen: Set<OpenEFBFrequency> = []
    let name = { (row: NamedRow) in "\(icao) frequency \(row.int("number"))" }
    try forEachRow(of: "frequencies", query, [.text(icao)], named: name) { row in
      let frequency = try OpenEFBFrequency(row, of: airport)
      guard seen.insert(frequency).inserted else {
        problems.record(
          .rowRepeated, file: "frequencies", part: name(row), line: 0, column: "frequency",
          value: "\(frequency.megahertz)",
          reason: "\(frequency.type) \(frequency.name) is repeated with this frequency")
        return
      }
      let id = try StableID.text(of: frequency.key(row, of: airport))
      objects.append(OpenEFBFrequency.table.json((id, frequency)))
    }
    count(objects.count, of: "frequencies")
    return JSONArray.array(objects)
  }
}

/// A runway that the app can express: an object in the JSON of an airport.
struct OpenEFBRunway {
  let row: NamedRow
  let surface: String
  let lighting: String

  static let table = RecordTable<OpenEFBRunway>(
    "runways", "The runways in the JSON of an airport.",
    [
      .init("id", "TEXT NOT NULL", "13/31") { $0.row["id"] },
      .init("length", "INTEGER NOT NULL", "Feet.") { $0.row["length"] },
      .init("width", "INTEGER NOT NULL", "Feet.") { $0.row["width"] },
      .init(
        "surface", "TEXT NOT NULL", "asphalt, concrete, turf, gravel or water.",
        words: Set(OpenEFBWords.surfaces.values)
      ) { $0.surface },
      .init(
        "lighting", "TEXT NOT NULL", "none, partTime or fullTime.", words: Set(OpenEFBWords.lightings.values)
      ) { $0.lighting },
    ] + end("baseEnd") + end("reciprocalEnd"), key: ["id"])

  private static func end(_ end: String) -> [RecordTable<OpenEFBRunway>.Field] {
    [
      .init(end + "ID", "TEXT NOT NULL") { $0.row[end + "ID"] },
      .init(end + "Latitude", "REAL NOT NULL", "Degrees.") { $0.row[end + "Latitude"] },
      .init(end + "Longitude", "REAL NOT NULL", "Degrees.") { $0.row[end + "Longitude"] },
      .init(end + "Elevation", "REAL", "Feet above mean sea level, of the touchdown zone (TDZE).") {
        $0.row[end + "TouchdownElevation"]
      },
    ]
  }

  /// Throws where a required property has no value.
  init(_ row: NamedRow) throws {
    self.row = row
    guard row["reciprocalEndID"] != .null else {
      throw UnusableRow(column: "reciprocalEndID", value: row.text("id") ?? "", reason: "it has one end only")
    }
    for end in ["baseEnd", "reciprocalEnd"]
    where row[end + "Latitude"] == .null || row[end + "Longitude"] == .null {
      let name = row.text(end + "ID") ?? ""
      throw UnusableRow(column: end + "Latitude", reason: "the position of its end \(name) is not known")
    }
    for size in ["length", "width"] where row[size] == .null {
      throw UnusableRow(column: size, reason: "it has no \(size)")
    }
    let words = row.text("surface") ?? ""
    guard let surface = OpenEFBWords.surface(words) else {
      throw UnusableRow(column: "surface", value: words, reason: "the app has no such surface")
    }
    self.surface = surface
    lighting = try row.word("lighting", OpenEFBWords.lightings, orOmit: "whether it is lighted is not known")
  }
}

/// A frequency of an airport that civil radios receive: an object in the JSON of the airport. Frequencies with the same values are duplicates
/// for a pilot.
struct OpenEFBFrequency: Hashable {
  let type: String
  let megahertz: Double
  let name: String

  static let table = RecordTable<(id: String, frequency: OpenEFBFrequency)>(
    "frequencies", "The frequencies in the JSON of an airport.",
    [
      .init("id", "TEXT NOT NULL", "A UUID of version 5.", mayDiffer: "1") { $0.id },
      .init(
        "type", "TEXT NOT NULL",
        "ctaf, tower, ground, clearance, approach, departure, atis, awos, unicom or multicom.",
        words: Set(OpenEFBWords.frequencyTypes.values)
      ) { $0.frequency.type },
      .init("frequency", "REAL NOT NULL", "MHz.") { $0.frequency.megahertz },
      .init("name", "TEXT NOT NULL", "Palo Alto Tower") { $0.frequency.name },
    ], key: ["name", "type", "frequency"])

  init(_ row: NamedRow, of airport: NamedRow) throws {
    let use = row.text("use") ?? ""
    let own = row.text("type") ?? ""
    // Weather stations such as `CXF AWOS-3P` have the type `other` in the database.
    let weather = Self.weatherStation(use)
    guard let type = OpenEFBWords.frequencyTypes[own] ?? (own == "other" && weather != nil ? "awos" : nil)
    else {
      throw UnusableRow(column: "type", value: use.isEmpty ? own : use, reason: "the app has no such type")
    }
    let megahertz = row.real("frequency") ?? 0
    // The app cannot mark a frequency, and its pilot has a civil radio. A VOR may broadcast an ATIS.
    guard
      row.int("vhf") == 1 || (["atis", "awos"].contains(type) && (108..<118).contains(megahertz))
    else {
      throw UnusableRow(column: "frequency", value: "\(megahertz)", reason: "civil radios do not receive it")
    }
    guard row.int("receiveOnly") == 0 else {
      throw UnusableRow(
        column: "receiveOnly", value: "\(megahertz)",
        reason: "the station listens on it and does not transmit")
    }
    self.type = type
    self.megahertz = megahertz
    let airportName = TitleCase.name(airport.text("name") ?? "")
    let call = type == "awos" ? airportName : row.text("name").map(TitleCase.name) ?? airportName
    let word = (type == "awos" ? weather : nil) ?? OpenEFBWords.callWords[type] ?? ""
    let plain = call.hasSuffix(" " + word) ? call : call + " " + word
    // With a sector `NorCal Departure (NW-E)`.
    name = row.text("sector").map { "\(plain) (\($0))" } ?? plain
  }

  /// `AWOS-3P` for `CXF AWOS-3P`.
  private static func weatherStation(_ use: String) -> String? {
    use.split(separator: " ").first { $0.hasPrefix("AWOS") || $0.hasPrefix("ASOS") }.map(String.init)
  }

  /// The key of its UUID, with the FAA's permanent key of the site.
  func key(_ row: NamedRow, of airport: NamedRow) -> String {
    let site = ["siteNumber", "siteType"].map { airport.text($0) ?? "" }.joined()
    let hertz = Int((megahertz * 1_000_000).rounded())
    return ["frequency", site, type, "\(hertz)", row.text("name") ?? "", row.text("sector") ?? ""].joined(
      separator: "|")
  }
}

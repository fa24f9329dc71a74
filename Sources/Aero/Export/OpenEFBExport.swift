internal import Foundation
internal import SQLiteIO

/// Writes `openefb.sqlite`, whose rows OpenEFB's Codable structs decode directly.
///
/// A row that the app's types cannot express is left out, and a value becomes the app's nearest value. The problem report counts both.
struct OpenEFBExport: ExportFormat {
  let source: ExportSource

  /// The counts include the runways and frequencies inside the rows of the airports.
  func write(_ scratch: (String) -> URL) throws -> ExportContents {
    let file = ExportContents.File.database("\(source.definition.id).sqlite")
    var writer = try DatabaseWriter(scratch(file.name), as: OpenEFBSchema.form)
    var counts = try OpenEFBAirports(source: source).write(to: writer)
    counts["navaids"] = try OpenEFBNavaids(source: source).write(to: writer)
    counts.merge(try OpenEFBAirspaces(source: source).write(to: writer)) { $1 }
    let rows = counts.sorted { $0.key < $1.key }.map { ("counts." + $0.key, "\($0.value)") }
    try writer.fill(DatabaseSchema.metadata, (source.metadata + rows).sorted { $0.0 < $1.0 }) { _, pair in
      [.text(pair.0), .text(pair.1)]
    }
    try writer.finish()
    return ExportContents(
      files: [file], counts: counts,
      problemTotals: ["droppedRows": .rowDropped, "mappedValues": .valueMapped])
  }
}

extension ProblemLog {
  /// Records a row of the database that the app's format cannot express.
  ///
  /// - Parameter row: The name of the row for display, unique in its table: `KPAO 13/31`.
  func recordDropped(_ row: String, of table: String, column: String, value: String, _ reason: String) {
    record(.rowDropped, file: table, part: row, line: 0, column: column, value: value, reason: reason)
  }

  /// Records a value that is replaced with the nearest one of the app's format.
  func recordMapped(
    _ row: String, of table: String, column: String, value: String, to word: String,
    because reason: String? = nil
  ) {
    record(
      .valueMapped, file: table, part: row, line: 0, column: column, value: value,
      reason: "it is \(word) here" + (reason.map { ", since \($0)" } ?? ""))
  }
}

/// The tables of `openefb.sqlite`. Columns have the names of the properties of the app's Codable structs. Nested values are JSON text.
public enum OpenEFBSchema {
  /// "OEF1", in the file's header.
  public static let applicationID = 0x4f45_4631
  static let version = 1

  /// The tables that the app decodes.
  static let tables = [airports, navaids, airspaces]

  static let form = DatabaseForm(
    applicationID: applicationID, version: version,
    tables: tables + [airportWords, DatabaseSchema.metadata],
    finishing: [searchView, searchIndex, DatabaseSchema.analysis])

  private static let key = TableSchema.Column(
    "rowid", "INTEGER PRIMARY KEY", "As in the R-tree's id. In airports in the order of importance.")

  static let airports = TableSchema(
    "airports", "Open landing facilities. An airport is identified by icao.",
    [
      key,
      .init("icao", "TEXT NOT NULL UNIQUE", "The ICAO code, else the FAA identifier: KPAO, O69."),
      .init("faaID", "TEXT", "The FAA identifier: PAO."),
      .init("name", "TEXT NOT NULL", "In title case: Palo Alto."),
      .init("latitude", "REAL NOT NULL", "Degrees, NAD83, south negative."),
      .init("longitude", "REAL NOT NULL", "Degrees, NAD83, west negative."),
      .init("elevation", "REAL NOT NULL", "Feet above mean sea level."),
      .init(
        "type", "TEXT NOT NULL", "airport, heliport, seaplane or ultralight.",
        words: OpenEFBWords.airportTypes.words),
      .init(
        "ownership", "TEXT NOT NULL", "public, private or military.", words: OpenEFBWords.ownerships.words),
      .init("ctafFrequency", "REAL", "MHz."),
      .init("unicomFrequency", "REAL", "MHz."),
      .init("artccID", "TEXT", "The center in whose area it lies."),
      .init("fssID", "TEXT", "The flight service station that serves it."),
      .init("magneticVariation", "REAL", "Degrees, west negative."),
      .init("patternAltitude", "INTEGER", "Feet above ground."),
      .init(
        "fuelTypes", "TEXT NOT NULL",
        "A JSON array of texts: 100LL, JetA. Before a kind of Jet A, such as JetA+, there is JetA."),
      .init("hasBeaconLight", "INTEGER NOT NULL", "0 or 1."),
      .init(
        "runways", "TEXT NOT NULL", "A JSON array of objects, each with all properties that have a value."),
      .init("frequencies", "TEXT NOT NULL", "A JSON array of objects, the most important first."),
    ], indexes: [["faaID"]], extent: .point)

  static let navaids = TableSchema(
    "navaids", "VORs and NDBs that are in service.",
    [
      key,
      .init(
        "id", "TEXT NOT NULL UNIQUE",
        "The identifier: SJC. One that several navaids share has the state added."),
      .init("name", "TEXT NOT NULL", "In title case: San Jose."),
      .init(
        "type", "TEXT NOT NULL", "vor, vortac, vorDme, ndb or ndbDme.", words: OpenEFBWords.navaidTypes.words
      ),
      .init("latitude", "REAL NOT NULL", "Degrees, NAD83, south negative."),
      .init("longitude", "REAL NOT NULL", "Degrees, NAD83, west negative."),
      .init("frequency", "REAL NOT NULL", "MHz; kHz of an ndb and an ndbDme."),
      .init("magneticVariation", "REAL", "Degrees, west negative: to what the radials are set."),
      .init("elevation", "REAL", "Feet above mean sea level."),
    ], extent: .point)

  static let airspaces = TableSchema(
    "airspaces",
    "Airspace whose floor and ceiling are known in feet above mean sea level; one row for each polygon.",
    [
      key,
      .init("id", "TEXT NOT NULL UNIQUE", "A UUID of version 5."),
      .init(
        "classification", "TEXT NOT NULL",
        "bravo, charlie, delta, echo, prohibited, restricted, moa, alert or warning.",
        words: OpenEFBWords.classifications.words),
      .init("name", "TEXT NOT NULL", "In title case: San Francisco Class B."),
      .init("floor", "INTEGER NOT NULL", "Feet above mean sea level, 0 for the surface."),
      .init("ceiling", "INTEGER NOT NULL", "Feet above mean sea level; 99999 is unlimited."),
      .init("geometry", "TEXT NOT NULL", "A GeoJSON Polygon, longitude first, WGS84."),
    ])

  /// Additional search texts of airports, by rowid.
  static let airportWords = TableSchema(
    "airportWords", "Cities and other spellings, for the search.",
    [
      .init("rowid", "INTEGER PRIMARY KEY", "As in airports."),
      .init("city", "TEXT", "In title case."),
      .init("words", "TEXT", "Other spellings of words of name and city: OHARE, SAINT."),
    ])

  private static let searchView = """
    CREATE VIEW airportTexts AS SELECT a.rowid AS rowid, icao, faaID, name, city, words
    FROM airports a INNER JOIN airportWords w ON w.rowid = a.rowid
    """

  /// The weights are those of the same columns in `aviation.sqlite`.
  private static let searchIndex = """
    CREATE VIRTUAL TABLE airports_fts USING fts5(
      icao, faaID, name, city, words, content='airportTexts', content_rowid='rowid', prefix='2', tokenize='unicode61');
    INSERT INTO airports_fts(airports_fts, rank) VALUES ('rank', 'bm25(10, 20, 4, 2, 4)');
    INSERT INTO airports_fts(airports_fts, rank) VALUES ('hashsize', 33554432);
    INSERT INTO airports_fts(airports_fts) VALUES ('rebuild');
    INSERT INTO airports_fts(airports_fts, rank) VALUES ('hashsize', 1048576);
    """
}

/// The values of the app's closed enumerations for the values of the database. docs/FORMATS.md has the same tables.
enum OpenEFBWords {
  /// The same or the nearest value of the app for values of the database.
  struct Mapping: Sendable, ExpressibleByDictionaryLiteral {
    /// The app's value by the value of the database.
    let pairs: [String: String]

    init(dictionaryLiteral pairs: (String, String)...) {
      self.pairs = Dictionary(uniqueKeysWithValues: pairs)
    }

    /// The app's values that rows can have.
    var words: Set<String> { Set(pairs.values) }

    subscript(word: String) -> String? { pairs[word] }
  }

  static let airportTypes: Mapping = [
    "airport": "airport", "heliport": "heliport", "seaplane": "seaplane", "ultralight": "ultralight",
    "gliderport": "airport", "vertiport": "heliport",
  ]

  static let ownerships: Mapping = ["public": "public", "private": "private", "military": "military"]

  static let lightings: Mapping = ["none": "none", "partTime": "partTime", "fullTime": "fullTime"]

  static let frequencyTypes: Mapping = [
    "ctaf": "ctaf", "tower": "tower", "ground": "ground", "clearance": "clearance", "approach": "approach",
    "departure": "departure", "atis": "atis", "awos": "awos", "unicom": "unicom", "multicom": "multicom",
  ]

  static let navaidTypes: Mapping = [
    "vor": "vor", "vortac": "vortac", "vorDme": "vorDme", "ndb": "ndb", "ndbDme": "ndbDme",
    "marineNdb": "ndb", "marineNdbDme": "ndbDme",
  ]

  static let classifications: Mapping = [
    "bravo": "bravo", "charlie": "charlie", "delta": "delta", "echo": "echo", "prohibited": "prohibited",
    "restricted": "restricted", "moa": "moa", "alert": "alert", "warning": "warning",
  ]

  /// The suffix of a frequency's call after the name of the airport.
  static let callWords: Mapping = [
    "ctaf": "CTAF", "tower": "Tower", "ground": "Ground", "clearance": "Clearance", "approach": "Approach",
    "departure": "Departure", "atis": "ATIS", "awos": "AWOS", "unicom": "UNICOM", "multicom": "MULTICOM",
  ]

  /// The kinds of Jet A, which the app searches as `JetA`. Other fuels have the values of the database.
  static let jetA: Mapping = [
    "JetA": "JetA", "JetA+": "JetA", "JetA++": "JetA", "JetA++10": "JetA", "JetA1": "JetA", "JetA1+": "JetA",
  ]

  /// The app's fuels, with `JetA` before the first kind of Jet A.
  static func fuels(_ words: [String]) -> [String] {
    words.reduce(into: []) { fuels, word in
      for fuel in [jetA[word], word].compactMap(\.self) where !fuels.contains(fuel) { fuels.append(fuel) }
    }
  }

  static let surfaces: Mapping = [
    "asphalt": "asphalt", "porous asphalt": "asphalt", "macadam": "asphalt", "concrete": "concrete",
    "turf": "turf", "gravel": "gravel", "dirt": "gravel", "graded earth": "gravel", "caliche": "gravel",
    "coral": "gravel", "sand": "gravel", "treated": "gravel", "water": "water",
  ]

  private static let paved: Set<String> = ["asphalt", "concrete"]

  /// The app's surface; nil where the app has none.
  ///
  /// Of two surfaces the unpaved one counts, which is the safer assumption for a pilot, else the first.
  static func surface(_ words: String) -> String? {
    if let one = surfaces[words] { return one }
    let parts = words.split(separator: "-").map { surfaces[String($0)] }
    let known = parts.compactMap(\.self)
    guard !known.isEmpty, known.count == parts.count else { return nil }
    return known.first { !paved.contains($0) } ?? known[0]
  }
}

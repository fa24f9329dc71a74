/// The tables of `openefb.sqlite`. Columns are named as the properties of the app's Codable structs, which the app decodes
/// by name; nested values are JSON text.
public enum OpenEFBSchema {
  /// "OEF1", in the file's header.
  public static let applicationID = 0x4f45_4631
  static let version = 1

  /// The tables that the app decodes.
  static let tables = [airports, navaids, airspaces]

  static let form = DatabaseForm(
    applicationID: applicationID, version: version,
    tables: tables + [airportWords, DatabaseSchema.metadata],
    finishing: [searchView, searchIndex, "PRAGMA analysis_limit = 1000; ANALYZE"])

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
        "type", "TEXT NOT NULL", "vor, vortac, vorDme, ndb or ndbDme.", words: OpenEFBWords.navaidTypes.words),
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

  /// What the search finds an airport by besides its identifiers and its name, by the airport's rowid.
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

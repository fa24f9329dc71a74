internal import Core
internal import Foundation
internal import SQLiteIO

/// The identifiers, names and positions of airports for logbooks.
enum IdentifierExport {
  /// "IDT1", by which `chartpipe inspect` and validation identify the file.
  static let applicationID = 0x4944_5431
  static let version = 1

  typealias Place = (
    ident: String, icao: String?, iata: String?, name: String, latitude: Double, longitude: Double,
    country: String?, type: String, source: String, rank: Int
  )

  static let airports = RecordTable<Place>(
    "airports",
    "Places at which a flight can begin or end, ordered by ident and rank.",
    [
      .init("ident", "TEXT NOT NULL", "What the country's authority calls it: PAO, 2CA9, EDDF.") { $0.ident },
      .init("icao", "TEXT", "The ICAO code, where it has one: KPAO.") { $0.icao },
      .init(
        "iata", "TEXT", "The IATA code, unless it is the ident of another airport of the FAA: LHR.",
        mayDiffer: "there.iata IS NULL"
      ) { $0.iata },
      .init("name", "TEXT NOT NULL") { $0.name },
      .init("lat", "REAL NOT NULL", "Degrees, south negative, to a metre.") { metre($0.latitude) },
      .init("lon", "REAL NOT NULL", "Degrees, west negative, to a metre.") { metre($0.longitude) },
      .init("country", "TEXT", "Two letters, ISO 3166.") { $0.country },
      .init(
        "type", "TEXT NOT NULL",
        "airport, heliport, seaplane, ultralight, gliderport, balloonport or vertiport."
      ) { $0.type },
      .init(
        "source", "TEXT NOT NULL",
        "faa_nasr: in this cycle of the FAA; ourairports: elsewhere, or known to OurAirports only."
      ) { $0.source },
      .init(
        "rank", "INTEGER NOT NULL",
        "Of the places with a typed ident, icao or iata, a pilot in the United States means the one with the lowest rank."
      ) { $0.rank },
    ],
    indexes: [["ident"], ["icao"]], key: ["ident", "icao", "country"])

  /// The order of the members in the JSON.
  private static let members = [
    "ident", "icao", "iata", "name", "country", "type", "lat", "lon", "source", "rank",
  ]

  static let form = DatabaseForm(
    applicationID: applicationID, version: version, tables: [airports.schema, DatabaseSchema.metadata],
    finishing: [
      // Without the world all are NULL, and SQLite would read the whole table rather than such an index.
      "CREATE INDEX airports_iata ON airports(iata) WHERE iata IS NOT NULL", DatabaseSchema.analysis,
    ])

  /// Writes them as a small database and as JSON.
  static func write(_ source: ExportSource, _ scratch: (String) -> URL) throws -> ExportContents {
    let id = source.definition.id
    let files: [ExportContents.File] = [
      ExportContents.database("\(id).sqlite"), ("\(id).json", "application/json", .json),
    ]
    let places = try places(source)
    var writer = try DatabaseWriter(scratch(files[0].name), as: form)
    try writer.fill(airports, places)
    try writer.fill(DatabaseSchema.metadata, source.metadata) { pair in [.text(pair.0), .text(pair.1)] }
    try writer.finish()
    _ = try JSONLines.write(
      lines(of: scratch(files[0].name)), to: scratch(files[1].name),
      [("format", "chartpipe-identifiers-1")] + source.metadata, array: "airports")
    return ExportContents(
      files: files, counts: ["airports": places.count],
      problemTotals: ["droppedRows": .rowDropped, "droppedFields": .fieldDropped])
  }

  /// The rows of the database as JSON, and what names them.
  static func lines(of database: URL) throws -> SQLiteStatement {
    let object = JSONLines.object(members.map { ($0, "json_quote(\($0))") })
    return try SQLiteConnection(database.path, mode: .readOnly).prepare(
      "SELECT \(object), ident FROM airports ORDER BY rowid")
  }

  /// The table of the FAA's airports.
  static func table(_ source: ExportSource) throws -> ExportTable {
    let places = try places(source)
    return airports.rows(where: "source = '\(ExportSource.faa)'") { add in
      for place in places { try add(place) }
    }
  }

  /// An `icao` of four letters is an ICAO code. Other values only distinguish sites with the same identifier.
  private static func places(_ source: ExportSource) throws -> [Place] {
    let union = try source.airports()
    let idents = Set(union.faa.map(\.faaID))
    let faa = union.faa.enumerated().map { number, airport -> Place in
      let isCode = airport.icao.utf8.count == 4 && airport.icao.allSatisfy(\.isLetter)
      let iata = union.matches[number]?["iata_code"]
      return (
        airport.faaID, isCode ? airport.icao : nil,
        iata == airport.faaID || iata.map(idents.contains) == false ? iata : nil, airport.name,
        airport.latitude, airport.longitude, airport.region.country, airport.type, ExportSource.faa, 0
      )
    }
    let others = union.others.map { airport -> Place in
      (
        airport.ident, airport.icao, airport["iata_code"], airport.name, airport.latitude, airport.longitude,
        airport["iso_country"], type(of: airport), ExportSource.ourAirports, order(of: airport)
      )
    }
    var places = (faa + others).sorted {
      ($0.rank, $0.ident, $0.icao ?? "", $0.country ?? "", metre($0.latitude)) < (
        $1.rank, $1.ident, $1.icao ?? "", $1.country ?? "", metre($1.latitude)
      )
    }
    for index in places.indices { places[index].rank = index + 1 }
    return places.sorted { ($0.ident, $0.rank) < ($1.ident, $1.rank) }
  }

  /// A number that is less for an airport that a pilot in the United States rather means: one there, one whose identifier OurAirports
  /// did not make up, such as `AF-0005`, and a larger one. The FAA's have 0.
  private static func order(of airport: WorldAirport) -> Int {
    let sizes = ["large_airport", "medium_airport", "small_airport"]
    return (airport["iso_country"] == "US" ? 100 : 200) + (airport.ident.contains("-") ? 10 : 0)
      + (sizes.firstIndex(of: airport.type) ?? sizes.count)
  }

  private static func type(of airport: WorldAirport) -> String {
    switch airport.type {
    case "heliport", "balloonport": airport.type
    case "seaplane_base": "seaplane"
    default: "airport"
    }
  }

  /// Rounds to a hundred-thousandth of a degree, about a metre.
  private static func metre(_ degrees: Double) -> Double { (degrees * 100_000).rounded() / 100_000 }
}

internal import Foundation
internal import SQLiteIO

/// Writes what a logbook needs to know a place: identifiers, name and position, as a small database and as JSON.
struct IdentifierExport {
  let database: SQLiteConnection
  let world: WorldFile?
  /// What both files say of themselves.
  let head: [(String, String)]

  /// `chartpipe inspect` and validation know the file by it: "IDT1".
  static let applicationID = 0x4944_5431
  static let version = 1

  static let airports = TableSchema(
    "airports", "Places at which a flight can begin or end, ordered by ident.",
    [
      .init("ident", "TEXT NOT NULL", "What the country's authority calls it: PAO, 2CA9, EDDF."),
      .init("icao", "TEXT", "The ICAO code, where it has one: KPAO."),
      .init("name", "TEXT NOT NULL"),
      .init("lat", "REAL NOT NULL", "Degrees, south negative, to a metre."),
      .init("lon", "REAL NOT NULL", "Degrees, west negative, to a metre."),
      .init("country", "TEXT", "Two letters, ISO 3166."),
      .init(
        "type", "TEXT NOT NULL",
        "airport, heliport, seaplane, ultralight, gliderport, balloonport or vertiport."),
    ],
    indexes: [["ident"], ["icao"]])

  static let form = DatabaseForm(
    applicationID: applicationID, version: version, tables: [airports, DatabaseSchema.metadata],
    finishing: ["ANALYZE"])

  private struct Place {
    var ident: String
    var icao: String?
    var name: String
    var latitude: Double
    var longitude: Double
    var country: String?
    var type: String
  }

  /// How many places there are.
  func write(database file: URL, json: URL) throws -> Int {
    let places = try places()
    try write(places, to: file)
    let lines = try JSONLines(json, [("format", "chartpipe-identifiers-1")] + head, array: "airports")
    for place in places { try lines.add { IdentifierExport.append(place, to: &$0) } }
    try lines.close()
    return places.count
  }

  private func write(_ places: [Place], to file: URL) throws {
    var writer = try DatabaseWriter(file, as: IdentifierExport.form)
    try writer.fill(IdentifierExport.airports, places) { _, place in
      [
        .text(place.ident), SQLiteValue(place.icao), .text(place.name), .real(place.latitude),
        .real(place.longitude), SQLiteValue(place.country), .text(place.type),
      ]
    }
    try writer.fill(DatabaseSchema.metadata, head) { _, pair in [.text(pair.0), .text(pair.1)] }
    try writer.finish()
  }

  private static func append(_ place: Place, to bytes: inout [UInt8]) {
    let texts = [
      ("ident", place.ident), ("icao", place.icao), ("name", place.name), ("country", place.country),
      ("type", place.type),
    ]
    bytes.append(UInt8(ascii: "{"))
    for case (let name, let text?) in texts {
      bytes.append(contentsOf: "\"\(name)\":".utf8)
      bytes.append(quoted: text.utf8)
      bytes.append(.comma)
    }
    bytes.append(contentsOf: "\"lat\":\(place.latitude),\"lon\":\(place.longitude)}".utf8)
  }

  /// An identity that is not the FAA's own identifier is an ICAO code, unless it was only made up to tell two sites apart.
  private func places() throws -> [Place] {
    let union = AirportUnion(try DatabaseAirport.all(in: database), try world?.airports() ?? [])
    let own = union.own.enumerated().map { number, airport in
      let isCode = airport.icao.utf8.count == 4 && airport.icao.allSatisfy(\.isLetter)
      return Place(
        ident: airport.faaID, icao: isCode ? airport.icao : nil, name: airport.name,
        latitude: IdentifierExport.metre(airport.latitude),
        longitude: IdentifierExport.metre(airport.longitude),
        country: airport.place.country, type: airport.type)
    }
    let others = union.others.map { airport in
      Place(
        ident: airport.ident, icao: airport.icao, name: airport.name,
        latitude: IdentifierExport.metre(airport.latitude),
        longitude: IdentifierExport.metre(airport.longitude),
        country: airport.country, type: IdentifierExport.type(of: airport))
    }
    return (own + others).sorted {
      ($0.ident, $0.icao ?? "", $0.country ?? "", $0.latitude) < (
        $1.ident, $1.icao ?? "", $1.country ?? "", $1.latitude
      )
    }
  }

  private static func type(of airport: WorldAirport) -> String {
    switch airport.type {
    case "heliport", "balloonport": airport.type
    case "seaplane_base": "seaplane"
    default: "airport"
    }
  }

  /// A hundred-thousandth of a degree.
  private static func metre(_ degrees: Double) -> Double { (degrees * 100_000).rounded() / 100_000 }
}

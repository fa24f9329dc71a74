internal import Foundation
internal import SQLiteIO

/// Writes the identifiers, names and positions of airports for logbooks, as a small database and as JSON.
struct IdentifierExport: ExportFormat {
  let source: ExportSource

  /// "IDT1", by which `chartpipe inspect` and validation identify the file.
  static let applicationID = 0x4944_5431
  static let version = 1

  static let airports = TableSchema(
    "airports",
    "Places at which a flight can begin or end, ordered by ident; of those with the same ident the FAA's is first.",
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
      .init(
        "source", "TEXT NOT NULL",
        "faa_nasr: in this cycle of the FAA; ourairports: elsewhere, or known to OurAirports only."),
    ],
    indexes: [["ident"], ["icao"]])

  static let form = DatabaseForm(
    applicationID: applicationID, version: version, tables: [airports, DatabaseSchema.metadata],
    finishing: [DatabaseSchema.analysis])

  private struct Place {
    var ident: String
    var icao: String?
    var name: String
    var latitude: Double
    var longitude: Double
    var country: String?
    var type: String
    var source: String

    var json: JSONObject {
      var object = JSONObject()
      object.add("ident", ident)
      object.add("icao", icao)
      object.add("name", name)
      object.add("country", country)
      object.add("type", type)
      object.add("lat", latitude)
      object.add("lon", longitude)
      object.add("source", source)
      return object
    }
  }

  func write(_ scratch: (String) -> URL) throws -> ExportContents {
    let id = source.definition.id
    let files = [
      ExportContents.File.database("\(id).sqlite"),
      ExportContents.File(name: "\(id).json", mediaType: "application/json", role: .json),
    ]
    let places = try places()
    try write(places, to: scratch(files[0].name))
    let lines = try JSONLines(
      scratch(files[1].name), [("format", "chartpipe-identifiers-1")] + source.metadata, array: "airports")
    for place in places { try lines.add { $0.append(contentsOf: place.json.bytes) } }
    try lines.close()
    return ExportContents(
      files: files, counts: ["airports": places.count],
      problemTotals: ["droppedRows": .rowDropped, "droppedFields": .fieldDropped])
  }

  private func write(_ places: [Place], to file: URL) throws {
    var writer = try DatabaseWriter(file, as: IdentifierExport.form)
    try writer.fill(IdentifierExport.airports, places) { _, place in
      [
        .text(place.ident), SQLiteValue(place.icao), .text(place.name), .real(place.latitude),
        .real(place.longitude), SQLiteValue(place.country), .text(place.type), .text(place.source),
      ]
    }
    try writer.fill(DatabaseSchema.metadata, source.metadata) { _, pair in [.text(pair.0), .text(pair.1)] }
    try writer.finish()
  }

  /// An `icao` of four letters is an ICAO code. Other values only distinguish sites with the same identifier.
  private func places() throws -> [Place] {
    let union = try source.airports()
    let faa = union.faa.map { airport in
      let isCode = airport.icao.utf8.count == 4 && airport.icao.allSatisfy(\.isLetter)
      return Place(
        ident: airport.faaID, icao: isCode ? airport.icao : nil, name: airport.name,
        latitude: IdentifierExport.metre(airport.latitude),
        longitude: IdentifierExport.metre(airport.longitude),
        country: airport.region.country, type: airport.type, source: RZFlightSource.faa)
    }
    let others = union.others.map { airport in
      Place(
        ident: airport.ident, icao: airport.icao, name: airport.name,
        latitude: IdentifierExport.metre(airport.latitude),
        longitude: IdentifierExport.metre(airport.longitude),
        country: airport.country, type: IdentifierExport.type(of: airport), source: RZFlightSource.world)
    }
    return (faa + others).sorted {
      ($0.ident, $0.source, $0.icao ?? "", $0.country ?? "", $0.latitude) < (
        $1.ident, $1.source, $1.icao ?? "", $1.country ?? "", $1.latitude
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

  /// Rounds to a hundred-thousandth of a degree, about a metre.
  private static func metre(_ degrees: Double) -> Double { (degrees * 100_000).rounded() / 100_000 }
}

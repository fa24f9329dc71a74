internal import Foundation
internal import SQLiteIO

/// A layer of GeoJSON against the table that it was made of, feature by feature.
struct MapAgreement {
  private let file: URL
  private let layer: String
  private let connection: SQLiteConnection

  init(layer: String, _ file: URL, of database: URL) throws {
    self.layer = layer
    self.file = file
    connection = try SQLiteConnection(database.path, mode: .readOnly)
  }

  /// What is compared of a feature; the first column names it.
  private static let columns = [
    "airports": [
      "icao", "faaID", "name", "elevation", "ctafFrequency", "unicomFrequency", "longestRunway", "status",
      "type", "ownership", "use", "isTowered", "magneticVariation", "patternAltitude",
    ],
    "airspaces": [
      "name", "designator", "kind", "class", "type", "floor", "floorDatum", "floorFeet", "floorText",
      "ceiling", "ceilingDatum", "ceilingFeet", "ceilingText",
    ],
    "obstacles": ["oas", "type", "heightAGL", "heightMSL", "lighting", "quantity", "verified"],
  ]

  func problems() throws -> [Disagreement] {
    guard let columns = MapAgreement.columns[layer] else { return [] }
    let isShape = layer == "airspaces"
    let place = isShape ? ["json(geometry)"] : ["longitude", "latitude"]
    let placePaths = isShape ? ["$.geometry"] : ["$.geometry.coordinates[0]", "$.geometry.coordinates[1]"]
    let rows = try connection.prepare(
      "SELECT \((columns + place).joined(separator: ", ")) FROM \(layer) WHERE \(place[0]) IS NOT NULL ORDER BY rowid"
    )
    return try LineComparison(columns.map { "$.properties." + $0 } + placePaths)
      .disagreements(file, with: rows) { "\(file.lastPathComponent) \($0.text(0) ?? "")" }
  }
}

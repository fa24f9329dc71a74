internal import Foundation
internal import SQLiteIO

/// Writes the tables that have a place on the map as GeoJSON (RFC 7946), one file each and one feature a line.
struct GeoJSONExport {
  /// A table and how its rows become features.
  struct Layer {
    enum Geometry {
      /// From `latitude` and `longitude`.
      case point
      /// A column that holds GeoJSON.
      case column(String)
    }

    let table: String
    let geometry: Geometry
    /// Columns that are of no use on a map.
    let without: Set<String>
    /// Columns that hold JSON.
    var json: Set<String> = []
  }

  static let layers = [
    Layer(
      table: "airports", geometry: .point,
      without: ["id", "latitude", "longitude", "siteNumber", "siteType", "effectiveDate"],
      json: ["fuelTypes"]),
    Layer(
      table: "airspaces", geometry: .column("geometry"),
      without: ["id", "geometry", "south", "north", "west", "east"]),
    Layer(table: "obstacles", geometry: .point, without: ["id", "latitude", "longitude"]),
  ]

  let database: SQLiteConnection
  /// What each file says of itself, beside its features.
  let head: [(String, String)]

  /// The layers that the database has rows of.
  func filledLayers() throws -> [Layer] {
    try GeoJSONExport.layers.filter { layer in
      let exists = try database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
        .map([.text(layer.table)]) { _ in true }
      guard !exists.isEmpty else { return false }
      return try !database.prepare("SELECT 1 FROM \(layer.table) LIMIT 1").map { _ in true }.isEmpty
    }
  }

  /// How many features there are.
  func write(_ layer: Layer, to file: URL) throws -> Int {
    var lines = try JSONLines(
      file, [("type", "FeatureCollection"), ("name", layer.table)] + head, array: "features")
    var count = 0
    try database.prepare("SELECT * FROM \(layer.table) ORDER BY rowid").rows { row in
      if count.isMultiple(of: 4096) { try Task.checkCancellation() }
      guard let feature = feature(row, of: layer) else { return }
      try lines.add(feature)
      count += 1
    }
    try lines.close()
    return count
  }

  /// Nil for a row without a place.
  private func feature(_ row: SQLiteRow, of layer: Layer) -> String? {
    var properties: [(String, String?)] = []
    var values: [String: String] = [:]
    var shape: String?
    for column in 0..<row.columnCount {
      let name = row.name(column)
      if case .column(name) = layer.geometry {
        shape = row.text(column)
      } else if layer.json.contains(name) {
        properties.append((name, row.text(column)))
      } else {
        let value = JSONText.of(row.value(column))
        values[name] = value
        if !layer.without.contains(name) { properties.append((name, value)) }
      }
    }
    if case .point = layer.geometry, let longitude = values["longitude"], let latitude = values["latitude"] {
      shape = "{\"type\":\"Point\",\"coordinates\":[\(longitude),\(latitude)]}"
    }
    guard let shape else { return nil }
    return "{\"type\":\"Feature\",\"geometry\":\(shape),\"properties\":\(JSONText.object(properties))}"
  }
}

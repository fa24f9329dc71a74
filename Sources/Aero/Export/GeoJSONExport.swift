internal import Core
internal import Foundation
internal import SQLiteIO

extension ExportSource {
  /// Writes the tables with positions as GeoJSON (RFC 7946), one file per table and one feature per line.
  func writeGeoJSON(_ scratch: (String) -> URL) throws -> ExportContents {
    var contents = ExportContents(files: [], counts: [:])
    for layer in try GeoJSONLayer.all.filter({ try $0.hasRows(in: database) }) {
      let name = (layer.file ?? layer.table) + ".geojson"
      contents.counts[layer.table] = try JSONLines.write(
        layer.features(in: database), to: scratch(name),
        [("type", "FeatureCollection"), ("name", layer.file ?? layer.table)] + metadata
          + (layer.file == nil ? [] : [("notForNavigation", "true")]), array: "features")
      contents.files.append((name, "application/geo+json", .init(rawValue: layer.table)))
    }
    return contents
  }
}

/// A table and the conversion of its rows to features.
struct GeoJSONLayer {
  let table: String
  /// The name of its file, where that is not the table's, and what it shows is not for navigation.
  var file: String?
  /// The column that names a feature.
  let label: String
  /// The column with GeoJSON. Without one a feature is a point, from `latitude` and `longitude`.
  var geometry: String?
  /// Columns that are useless on a map.
  var without: Set<String> = []
  /// Columns with JSON.
  var json: Set<String> = []
  /// Columns that become title case.
  let names: Set<String>

  static let all = [
    GeoJSONLayer(
      table: "airports", label: "icao", without: ["siteNumber", "siteType", "effectiveDate"],
      json: ["fuelTypes"], names: ["name", "city"]),
    GeoJSONLayer(
      table: "airspaces", label: "name", geometry: "geometry", without: ["south", "north", "west", "east"],
      json: ["times"], names: ["name", "sector", "city"]),
    GeoJSONLayer(table: "routes", file: "procedures", label: "procedure", geometry: "geometry", names: []),
    GeoJSONLayer(table: "obstacles", label: "oas", names: ["city"]),
  ]

  fileprivate func hasRows(in database: SQLiteConnection) throws -> Bool {
    try database.hasTable(table)
      && !database.prepare("SELECT 1 FROM \(table) LIMIT 1").map { _ in true }.isEmpty
  }

  /// Whether a column of the table is a property of the features.
  private func isProperty(_ column: String) -> Bool {
    let place: Set<String> = geometry.map { [$0] } ?? ["latitude", "longitude"]
    return column != "id" && !place.contains(column) && !without.contains(column)
  }

  /// The value of a column in SQL.
  private func value(_ column: String) -> String {
    names.contains(column) ? "title_case(\"\(column)\")" : "\"\(column)\""
  }

  /// Each row with a geometry as a feature, of which members without a value are left out, and what names it.
  func features(in database: SQLiteConnection) throws -> SQLiteStatement {
    let shape = geometry ?? #"'{"type":"Point","coordinates":[' || longitude || ',' || latitude || ']}'"#
    let properties = try database.columns(of: table).filter(isProperty).map { name in
      (name, json.contains(name) ? value(name) : "json_quote(\(value(name)))")
    }
    return try database.prepare(
      #"""
      SELECT '{"type":"Feature","geometry":' || \#(shape) || ',"properties":' || \#(JSONLines.object(properties)) || '}', \#(label)
      FROM \#(table) WHERE \#(shape) IS NOT NULL ORDER BY rowid
      """#)
  }
}

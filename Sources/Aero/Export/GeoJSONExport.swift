internal import Core
internal import Foundation
internal import SQLiteIO

extension ExportSource {
  /// Writes the tables with positions as GeoJSON (RFC 7946), one file per table and one feature per line.
  func writeGeoJSON(_ scratch: (String) -> URL) throws -> ExportContents {
    var contents = ExportContents(files: [], counts: [:])
    for layer in try GeoJSONLayer.all.filter({ try $0.hasRows(in: database) }) {
      let name = layer.table + ".geojson"
      contents.counts[layer.table] = try write(layer, to: scratch(name))
      contents.files.append((name, "application/geo+json", .init(rawValue: layer.table)))
    }
    return contents
  }

  /// Returns the number of features.
  private func write(_ layer: GeoJSONLayer, to file: URL) throws -> Int {
    let lines = try JSONLines(
      file, [("type", "FeatureCollection"), ("name", layer.table)] + metadata, array: "features")
    var columns: FeatureColumns?
    var count = 0
    try database.prepare("SELECT * FROM \(layer.table) ORDER BY rowid").rows { row in
      if count.isMultiple(of: 4096) { try CancellationToken.current.check() }
      let layout = columns ?? FeatureColumns(row, of: layer)
      columns = layout
      guard layout.hasGeometry(row) else { return }
      try lines.add { layout.append(row, to: &$0) }
      count += 1
    }
    try lines.close()
    return count
  }
}

/// A table and the conversion of its rows to features.
struct GeoJSONLayer {
  let table: String
  /// The column that names a feature.
  let label: String
  /// The column with GeoJSON. Without one a feature is a point, from `latitude` and `longitude`.
  var geometry: String?
  /// Columns that are useless on a map.
  var without: Set<String> = []
  /// Columns with JSON.
  var json: Set<String> = []

  static let all = [
    GeoJSONLayer(
      table: "airports", label: "icao", without: ["siteNumber", "siteType", "effectiveDate"],
      json: ["fuelTypes"]),
    GeoJSONLayer(
      table: "airspaces", label: "name", geometry: "geometry", without: ["south", "north", "west", "east"],
      json: ["times"]),
    GeoJSONLayer(table: "obstacles", label: "oas"),
  ]

  fileprivate func hasRows(in database: SQLiteConnection) throws -> Bool {
    try database.hasTable(table)
      && !database.prepare("SELECT 1 FROM \(table) LIMIT 1").map { _ in true }.isEmpty
  }

  /// Whether a column of the table is a property of the features.
  func isProperty(_ column: String) -> Bool {
    let place: Set<String> = geometry.map { [$0] } ?? ["latitude", "longitude"]
    return column != "id" && !place.contains(column) && !without.contains(column)
  }
}

/// The columns of a table and their parts of a feature.
private struct FeatureColumns {
  /// The key is such as `"name":`.
  private var properties: [(column: Int, key: [UInt8], isJSON: Bool)] = []
  private var geometry: Int?
  private var latitude: Int?
  private var longitude: Int?

  init(_ row: SQLiteRow, of layer: GeoJSONLayer) {
    for column in 0..<row.columnCount {
      switch row.name(column) {
      case let name where layer.isProperty(name):
        properties.append((column, Array("\"\(name)\":".utf8), layer.json.contains(name)))
      case layer.geometry: geometry = column
      case "latitude" where layer.geometry == nil: latitude = column
      case "longitude" where layer.geometry == nil: longitude = column
      default: continue
      }
    }
  }

  func hasGeometry(_ row: SQLiteRow) -> Bool {
    if let geometry { return !row.isNull(geometry) }
    guard let latitude, let longitude else { return false }
    return !row.isNull(latitude) && !row.isNull(longitude)
  }

  func append(_ row: SQLiteRow, to bytes: inout [UInt8]) {
    bytes += #"{"type":"Feature","geometry":"#.utf8
    if let geometry {
      row.withText(geometry) { bytes.append(contentsOf: $0) }
    } else if let latitude, let longitude {
      bytes += #"{"type":"Point","coordinates":["#.utf8
      row.withText(longitude) { bytes.append(contentsOf: $0) }
      bytes.append(.comma)
      row.withText(latitude) { bytes.append(contentsOf: $0) }
      bytes += "]}".utf8
    }
    bytes += #","properties":{"#.utf8
    var isFirst = true
    for property in properties where !row.isNull(property.column) {
      if !isFirst { bytes.append(.comma) }
      isFirst = false
      bytes.append(contentsOf: property.key)
      let isBare = property.isJSON || row.isNumber(property.column)
      row.withText(property.column) {
        if isBare { bytes.append(contentsOf: $0) } else { bytes.append(quoted: $0) }
      }
    }
    bytes += "}}".utf8
  }
}

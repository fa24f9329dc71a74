internal import Core
internal import Foundation
internal import SQLiteIO

/// Compares the deepest zoom of vector tiles with the database: each row is there once or more, under its number and name, and each point
/// at its position.
enum VectorTilesAgreement {
  static func problems(_ archive: URL, of database: URL) throws -> [Difference] {
    let connection = try SQLiteConnection(database.path, mode: .readOnly)
    try connection.addTitleCase()
    let source = try ArchiveKind.open(archive)
    guard let zoom = try source.summary().zooms.last?.zoom else { return [] }
    var layers = try MapLayer.layers(in: connection).map { try expected($0, zoom: zoom, connection) }
    var unknown: Set<String> = []
    try source.forEachTile { tile in
      guard tile.id.zoom == zoom else { return }
      // A rule about the archive reports a tile that cannot be decoded.
      for shown in (try? VectorTile(stored: tile.data))?.layers ?? [] {
        if let index = layers.firstIndex(where: { $0.layer.name == shown.name }) {
          layers[index].compare(shown, in: tile.id)
        } else {
          unknown.insert(shown.name)
        }
      }
    }
    return layers.flatMap(\.problems)
      + unknown.sorted().map { Difference("layer \($0)", "the database has no such table") }
  }

  private static func expected(
    _ layer: MapLayer, zoom: Int, _ connection: SQLiteConnection
  ) throws -> ExpectedLayer {
    var expected = ExpectedLayer(layer: layer, zoom: zoom)
    try connection.prepare(layer.boxQuery).rows { row in
      expected.add(row.int(0), GeoPoint(longitude: row.double(2), latitude: row.double(3)))
    }
    let names = layer.properties.map { AuditValue.text($0.name).hash }
    let label = 1 + (layer.properties.firstIndex { $0.name == layer.label } ?? 0)
    try connection.prepare(layer.propertyQuery).rows { row in
      let values = names.indices.filter { !row.isNull($0 + 1) }
      let hash = values.reduce(0) { $0 &+ AuditHash.mix(names[$1] ^ row.auditHash($1 + 1)) }
      expected.add(row.int(0), name: row.text(label) ?? "", properties: hash)
    }
    return expected
  }
}

/// The rows of a layer and what is wrong with their features.
private struct ExpectedLayer {
  private struct Row {
    /// The hash of its name, since a full obstacle file has 600,000 names.
    var name = 0
    /// Parts of the map's side from its north-western corner.
    let x: Float64
    let y: Float64
    /// The hash of all properties.
    var properties: UInt64 = 0
    var isFound = false
  }

  let layer: MapLayer
  private let zoom: Int
  private var rows: [Int: Row] = [:]
  private var wrong: [String: Int] = [:]

  /// A position is rounded to a unit, and tiles have this many on a side, or more.
  private static let (tolerance, leastExtent) = (1.0, 4096)

  init(layer: MapLayer, zoom: Int) { (self.layer, self.zoom) = (layer, zoom) }

  mutating func add(_ number: Int, _ place: GeoPoint) {
    let (x, y) = WebMercator.project(place)
    let side = 2 * WebMercator.halfWorld
    rows[number] = Row(x: x / side + 0.5, y: 0.5 - y / side)
  }

  mutating func add(_ number: Int, name: String, properties: UInt64) {
    rows[number]?.name = name.hashValue
    rows[number]?.properties = properties
  }

  mutating func compare(_ shown: VectorTile.Layer, in tile: TileID) {
    for feature in shown.features {
      let name = shown.text(layer.label, of: feature) ?? ""
      guard let id = feature.id, let row = rows[id] else {
        wrong["\(name.isEmpty ? "a feature" : name) is not in the database", default: 0] += 1
        continue
      }
      if row.name != name.hashValue {
        wrong["number \(id) is \(name), and has another name in the database", default: 0] += 1
      } else if case .point = layer.shape, !isPlaced(feature, of: shown, in: tile, like: row) {
        wrong["\(name) is not at its position in the database", default: 0] += 1
      } else if row.properties != ExpectedLayer.hash(shown.properties(of: feature)) {
        wrong["\(name) has other properties in the database", default: 0] += 1
      }
      rows[id]?.isFound = true
    }
  }

  private static func hash(_ properties: [(name: String, value: VectorTile.Value)]) -> UInt64 {
    properties.reduce(0) { sum, property in
      let value =
        switch property.value {
        case .text(let text): AuditValue.text(text)
        case .number(let number): AuditValue.number(number)
        case .flag(let flag): AuditValue.number(flag ? 1 : 0)
        }
      return sum &+ AuditHash.mix(AuditValue.text(property.name).hash ^ value.hash)
    }
  }

  private func isPlaced(
    _ feature: VectorTile.Feature, of shown: VectorTile.Layer, in tile: TileID, like row: Row
  ) -> Bool {
    guard shown.extent >= ExpectedLayer.leastExtent, let point = feature.firstPoint else { return false }
    let units = Double(shown.extent) * Double(1 << zoom)
    let off = [
      Double(point.x) + Double(tile.column) * Double(shown.extent) - row.x * units,
      Double(point.y) + Double(tile.row) * Double(shown.extent) - row.y * units,
    ]
    return off.allSatisfy { abs($0) <= ExpectedLayer.tolerance }
  }

  var problems: [Difference] {
    let missing = rows.count { !$0.value.isFound }
    let place = "layer \(layer.name)"
    let lost = Difference(
      place, "\(missing) of \(rows.count) rows of the database are in no tile of zoom \(zoom)")
    return (missing > 0 ? [lost] : []) + wrong.keys.sorted().map { Difference(place, $0) }
  }
}

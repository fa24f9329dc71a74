internal import ArchiveIO
internal import Core
internal import Foundation
internal import RasterIO
internal import SQLiteIO

/// Encodes the tiles of a unit from the rows of the database.
struct TileUnitEncoder: Sendable {
  let database: URL
  let layers: [MapLayer]

  struct Result: Sendable {
    /// Compressed tiles.
    var tiles: [Tile] = []
    /// The features of each tile's zoom, by layer.
    var drawn: [Drawn: Set<Int>] = [:]
  }

  struct Drawn: Hashable, Sendable {
    let layer: Int
    let zoom: Int
  }

  /// By how many units of a tile lines are simplified at the zooms above the deepest, where a unit is 10 metres and more.
  private static let tolerance = 1.0

  func encode(_ unit: TileUnit) throws -> Result {
    let encoder = try VectorTileEncoder(
      zooms: unit.zooms, tolerance: TileUnitEncoder.tolerance,
      deepestTolerance: unit.zooms.upperBound == MapLayer.deepestZoom ? 0 : TileUnitEncoder.tolerance)
    let connection = try SQLiteConnection(database.path, mode: .readOnly)
    for index in layers.indices where !unit.rows[index].isEmpty {
      try add(layers[index], unit.rows[index], in: unit.rectangle, from: connection, to: encoder)
    }
    let tiles = try encoder.finish(
      unit.tiles.map { .init(zoom: $0.zoom, column: $0.column, row: $0.row) })
    var result = Result()
    for (position, bytes) in tiles {
      try note(VectorTileFeatures.all(in: bytes), zoom: position.zoom, in: &result)
      let id = TileID(zoom: position.zoom, column: position.column, row: position.row)
      result.tiles.append(Tile(id: id, data: try Gzip.compress(bytes)))
    }
    return result
  }

  private func add(
    _ layer: MapLayer, _ rows: [Int], in rectangle: PlaneRectangle, from connection: SQLiteConnection,
    to encoder: VectorTileEncoder
  ) throws {
    let statement = try connection.prepare(layer.rowQuery)
    /// The encoder's groups by first zoom.
    var groups: [Int: Int] = [:]
    for (index, number) in rows.enumerated() {
      if index.isMultiple(of: 64) { try CancellationToken.current.check() }
      try statement.rows([.integer(number)]) { row in
        guard let shape = try layer.shape(row)?.clipped(to: rectangle) else { return }
        let zoom = row.int(0)
        let group = try groups[zoom] ?? encoder.addLayer(layer.name, from: zoom, layer.fields)
        groups[zoom] = group
        try encoder.add(shape, id: number, layer.values(row), to: group)
      }
    }
  }

  /// Notes what the tile shows, as a reader decodes it.
  private func note(_ tile: [VectorTileFeatures], zoom: Int, in result: inout Result) {
    for shown in tile {
      guard let layer = layers.firstIndex(where: { $0.name == shown.layer }) else { continue }
      result.drawn[Drawn(layer: layer, zoom: zoom), default: []].formUnion(shown.features.compactMap(\.id))
    }
  }
}

extension MapLayer {
  /// The shape of a row of `rowQuery` in the plane of the map.
  fileprivate func shape(_ row: SQLiteRow) throws -> PlaneShape? {
    func project(_ longitude: Double, _ latitude: Double) -> PlaneShape.Point {
      WebMercator.project(GeoPoint(longitude: longitude, latitude: latitude))
    }
    switch shape {
    case .point: return try PlaneShape(point: project(row.double(1), row.double(2)))
    case .area: return try row.text(1).map { try PlaneShape(geoJSON: $0, project: project) }
    case .segment:
      let (from, to) = (row.double(1), row.double(3))
      let (south, north) = (row.double(2), row.double(4))
      guard abs(from - to) > 180 else {
        return try PlaneShape(lines: [[project(from, south), project(to, north)]])
      }
      // Across 180 degrees: once from either side, beyond the edge of the map, where the tiles cut it.
      let turn = from < to ? -360.0 : 360.0
      return try PlaneShape(lines: [
        [project(from, south), project(to + turn, north)], [project(from - turn, south), project(to, north)],
      ])
    }
  }
}

internal import ArchiveIO
internal import Core
internal import Foundation
internal import RasterIO
internal import SQLiteIO

/// Encodes the tiles of a unit from the rows of the database.
extension TileUnit {
  /// Compressed tiles, and by layer and zoom the features that they show.
  typealias Encoded = (tiles: [Tile], drawn: [[Int]: Set<Int>])

  /// By how many units of a tile lines are simplified at the zooms above the deepest, where a unit is 10 metres and more.
  private static let tolerance = 1.0

  func encode(_ layers: [MapLayer], of database: URL) throws -> Encoded {
    let encoder = try VectorTileEncoder(
      zooms: zooms, tolerance: TileUnit.tolerance,
      deepestTolerance: zooms.upperBound == MapLayer.deepestZoom ? 0 : TileUnit.tolerance)
    let connection = try SQLiteConnection(database.path, mode: .readOnly)
    try connection.addTitleCase()
    for (layer, rows) in zip(layers, rows) where !rows.isEmpty {
      try add(layer, rows, from: connection, to: encoder)
    }
    var encoded: Encoded = ([], [:])
    for (position, bytes) in try encoder.finish(
      tiles.map { .init(zoom: $0.zoom, column: $0.column, row: $0.row) })
    {
      // What the tile shows, as a reader decodes it.
      for shown in try VectorTile(stored: bytes).layers {
        guard let layer = layers.firstIndex(where: { $0.name == shown.name }) else { continue }
        encoded.drawn[[layer, position.zoom], default: []].formUnion(shown.features.compactMap(\.id))
      }
      let id = TileID(zoom: position.zoom, column: position.column, row: position.row)
      encoded.tiles.append(Tile(id: id, data: try Gzip.compress(bytes)))
    }
    return encoded
  }

  private func add(
    _ layer: MapLayer, _ rows: [Int], from connection: SQLiteConnection, to encoder: VectorTileEncoder
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
}

extension MapLayer {
  /// The shape of a row of `rowQuery` in the plane of the map.
  fileprivate func shape(_ row: SQLiteRow) throws -> PlaneShape? {
    func project(_ longitude: Double, _ latitude: Double) -> PlaneShape.Point {
      WebMercator.project(GeoPoint(longitude: longitude, latitude: latitude))
    }
    switch shape {
    case .point: return try PlaneShape(point: project(row.double(1), row.double(2)))
    case .geometry: return try row.text(1).map { try PlaneShape(geoJSON: $0, project: project) }
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

internal import ArchiveIO
internal import Core
internal import Foundation
internal import SQLiteIO

/// Encodes the tiles of a unit from the rows of the database.
extension TileUnit {
  /// Compressed tiles, and by layer and zoom the features that they show.
  typealias Encoded = (tiles: [Tile], drawn: [[Int]: Set<Int>])

  /// - Parameter shapes: the shapes of rows that the database has as GeoJSON, by layer and number.
  func encode(
    _ layers: [MapLayer], _ shapes: [[Int: TileShape]], of database: URL
  ) throws -> Encoded {
    let connection = try SQLiteConnection(database.path, mode: .readOnly)
    try connection.addTitleCase()
    var tiles: [TileID: [UInt8]] = [:]
    for (index, layer) in layers.enumerated() where !rows[index].isEmpty {
      try add(layer, rows[index], shapes[index], from: connection, to: &tiles)
    }
    var encoded: Encoded = ([], [:])
    for (tile, bytes) in tiles.sorted(by: { $0.key < $1.key }) {
      // What the tile shows, as a reader decodes it.
      for shown in try VectorTile(stored: bytes).layers {
        guard let layer = layers.firstIndex(where: { $0.name == shown.name }) else { continue }
        encoded.drawn[[layer, tile.zoom], default: []].formUnion(shown.features.compactMap(\.id))
      }
      encoded.tiles.append(Tile(id: tile, data: try Gzip.compress(bytes)))
    }
    return encoded
  }

  /// Appends a layer to the tiles that show some of its rows.
  private func add(
    _ layer: MapLayer, _ rows: [Int], _ shapes: [Int: TileShape], from connection: SQLiteConnection,
    to tiles: inout [TileID: [UInt8]]
  ) throws {
    let statement = try connection.prepare(layer.rowQuery)
    var values = VectorTileLayer.Numbering<VectorTile.Value>()
    var parts: [TileID: VectorTileLayer] = [:]
    for (index, number) in rows.enumerated() {
      if index.isMultiple(of: 64) { try CancellationToken.current.check() }
      try statement.rows([.integer(number)]) { row in
        guard let shape = shapes[number] ?? layer.shape(row) else { return }
        let properties = layer.values(row).enumerated().compactMap { key, value in
          value.map { (key: key, value: values.number(of: $0)) }
        }
        for zoom in zooms where zoom >= row.int(0) {
          shape.geometry(at: zoom).divide(zoom: zoom, under: root) { tile, part in
            let paths = part.paths(in: tile)
            guard !paths.isEmpty else { return }
            parts[tile, default: VectorTileLayer()].add(part.kind, paths, id: number, properties)
          }
        }
      }
    }
    let keys = layer.properties.map(\.name)
    for (tile, part) in parts {
      tiles[tile, default: []] += part.encoded(
        layer.name, extent: TileGrid.extent(tile.zoom), keys: keys, values: values.things)
    }
  }
}

extension MapLayer {
  /// The point or line of a row of `rowQuery` on the map.
  fileprivate func shape(_ row: SQLiteRow) -> TileShape? {
    func place(_ longitude: Double, _ latitude: Double) -> TileShape.Point {
      TileShape.Point(GeoPoint(longitude: longitude, latitude: latitude))
    }
    switch shape {
    case .geometry: return nil
    case .point: return TileShape(point: place(row.double(1), row.double(2)))
    case .segment:
      let (from, to) = (row.double(1), row.double(3))
      let (south, north) = (row.double(2), row.double(4))
      guard abs(from - to) > 180 else {
        return TileShape(lines: [[place(from, south), place(to, north)]])
      }
      // Across 180 degrees: once from either side, beyond the edge of the map, where the tiles cut it.
      let turn = from < to ? -360.0 : 360.0
      return TileShape(lines: [
        [place(from, south), place(to + turn, north)], [place(from - turn, south), place(to, north)],
      ])
    }
  }
}

internal import Core
internal import SQLiteIO

/// A part of the pyramid that one thread encodes: some zooms of the tiles under one tile, and the rows that reach into it.
struct TileUnit: Sendable {
  let root: TileID
  let zooms: ClosedRange<Int>
  /// The numbers of rows, ascending, for each layer.
  fileprivate(set) var rows: [[Int]]

  /// The zooms of the pyramid in two parts. Each unit starts at the first zoom of a part.
  fileprivate static let parts = [MapLayer.zooms.lowerBound...6, 7...MapLayer.deepestZoom]
}

/// The units of an export, and the number of rows of each layer.
struct TileUnitPlan {
  /// Only those with rows, in a fixed order.
  let units: [TileUnit]
  /// The number of rows by layer and first zoom.
  let rows: [[Int: Int]]
  /// The lines and areas that are read from GeoJSON, by layer and number. Many units show the same ones.
  let shapes: [[Int: TileShape]]

  init(_ layers: [MapLayer], _ database: SQLiteConnection) throws {
    var found: [TileID: TileUnit] = [:]
    var rows: [[Int: Int]] = Array(repeating: [:], count: layers.count)
    var shapes: [[Int: TileShape]] = Array(repeating: [:], count: layers.count)
    for (index, layer) in layers.enumerated() {
      var count = 0
      try database.prepare(layer.boxQuery).rows { row in
        if count.isMultiple(of: 4096) { try CancellationToken.current.check() }
        count += 1
        let firstZoom = row.int(1)
        rows[index][firstZoom, default: 0] += 1
        if case .geometry = layer.shape {
          shapes[index][row.int(0)] = row.text(6).flatMap { TileShape(geoJSON: $0) }
        }
        for zooms in TileUnit.parts where firstZoom <= zooms.upperBound {
          for root in TileUnitPlan.roots(zooms.lowerBound, row) {
            let empty = TileUnit(root: root, zooms: zooms, rows: Array(repeating: [], count: layers.count))
            found[root, default: empty].rows[index].append(row.int(0))
          }
        }
      }
    }
    (self.rows, self.shapes) = (rows, shapes)
    units = found.values.sorted { $0.root.hilbert < $1.root.hilbert }
  }

  /// The number of a layer's rows that a zoom shows.
  func rows(of layer: Int, zoom: Int) -> Int {
    rows[layer].reduce(0) { $1.key <= zoom ? $0 + $1.value : $0 }
  }

  /// The tiles whose square with its buffer touches a row's box. A box with an end on each side of 180 degrees is the whole width.
  private static func roots(_ zoom: Int, _ row: SQLiteRow) -> [TileID] {
    var (west, east) = (row.double(2), row.double(4))
    if east - west > 180 { (west, east) = (-180, 180) }
    let corners = [(west, row.double(5)), (east, row.double(3))].map {
      TileShape.Point(GeoPoint(longitude: $0, latitude: $1))
    }
    let (first, last) = TileGrid.tiles(zoom, from: corners[0], to: corners[1])
    return (first.x...max(first.x, last.x)).flatMap { column in
      (first.y...max(first.y, last.y)).map { TileID(zoom: zoom, column: column, row: $0) }
    }
  }
}

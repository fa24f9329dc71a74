internal import Foundation

/// A tile of the Web Mercator pyramid. Rows count from the north, as in a tile's URL.
public struct MapTile: Hashable, Comparable, Sendable {
  public var zoom: Int
  public var column: Int
  public var row: Int

  public init(zoom: Int, column: Int, row: Int) {
    self.zoom = zoom
    self.column = column
    self.row = row
  }

  /// The tile of a zoom that holds a place.
  public init(zoom: Int, containing place: Coordinate) {
    let side = Double(1 << zoom)
    let height = 1 - asinh(tan(place.latitude.radians)) / .pi
    func number(_ share: Double) -> Int { Int(min(max(share * side, 0), side - 1)) }
    self.init(
      zoom: zoom, column: number((place.longitude + 180) / 360), row: number(height / 2))
  }

  /// How MBTiles counts the rows.
  public var tmsRow: Int { (1 << zoom) - 1 - row }

  /// North-west, north-east, south-west, south-east.
  public var children: [MapTile] {
    [(0, 0), (1, 0), (0, 1), (1, 1)].map {
      MapTile(zoom: zoom + 1, column: column * 2 + $0.0, row: row * 2 + $0.1)
    }
  }

  public var box: BoundingBox {
    let side = Double(1 << zoom)
    func latitude(_ row: Int) -> Double { atan(sinh((1 - 2 * Double(row) / side) * .pi)) * 180 / .pi }
    return BoundingBox(
      west: Double(column) / side * 360 - 180, south: latitude(row + 1),
      east: Double(column + 1) / side * 360 - 180, north: latitude(row))
  }

  public static func < (left: MapTile, right: MapTile) -> Bool {
    (left.zoom, left.row, left.column) < (right.zoom, right.row, right.column)
  }
}

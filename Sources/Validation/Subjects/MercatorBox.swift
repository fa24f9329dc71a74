internal import Geo

/// A rectangle in metres of Web Mercator.
struct MercatorBox {
  var west: Double
  var south: Double
  var east: Double
  var north: Double

  init(west: Double, south: Double, east: Double, north: Double) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }

  init(of tile: TileID) {
    let (west, north, side) = tile.mercator
    self.init(west: west, south: north - side, east: west + side, north: north)
  }

  init(_ box: GeoBox) {
    (west, south) = WebMercator.project(GeoPoint(longitude: box.west, latitude: box.south))
    (east, north) = WebMercator.project(GeoPoint(longitude: box.east, latitude: box.north))
  }

  var center: (x: Double, y: Double) { ((west + east) / 2, (south + north) / 2) }

  func grown(by margin: Double) -> MercatorBox {
    MercatorBox(west: west - margin, south: south - margin, east: east + margin, north: north + margin)
  }

  func union(_ other: MercatorBox) -> MercatorBox {
    MercatorBox(
      west: min(west, other.west), south: min(south, other.south), east: max(east, other.east),
      north: max(north, other.north))
  }

  func contains(_ other: MercatorBox) -> Bool {
    west <= other.west && other.east <= east && south <= other.south && other.north <= north
  }

  func intersects(_ other: MercatorBox) -> Bool {
    west <= other.east && other.west <= east && south <= other.north && other.south <= north
  }

  /// Whether any point of a line lies inside.
  func touches(from a: (x: Double, y: Double), to b: (x: Double, y: Double)) -> Bool {
    share(from: a, to: b) != nil
  }

  /// From which to which share of its way a line lies inside: each side cuts off what is beyond it, and something may
  /// be left.
  func share(from a: (x: Double, y: Double), to b: (x: Double, y: Double)) -> ClosedRange<Double>? {
    var (enters, leaves) = (0.0, 1.0)
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    for (speed, room) in [(-dx, a.x - west), (dx, east - a.x), (-dy, a.y - south), (dy, north - a.y)] {
      if speed == 0 {
        if room < 0 { return nil }
      } else if speed < 0 {
        enters = max(enters, room / speed)
      } else {
        leaves = min(leaves, room / speed)
      }
    }
    return enters <= leaves ? enters...leaves : nil
  }
}

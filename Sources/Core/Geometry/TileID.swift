/// A tile of the Web Mercator pyramid. Rows count from the north (XYZ); MBTiles counts from the south (TMS).
public struct TileID: Hashable, Comparable, Sendable {
  public let zoom: Int
  public let column: Int
  public let row: Int

  public init(zoom: Int, column: Int, row: Int) { (self.zoom, self.column, self.row) = (zoom, column, row) }

  public init(zoom: Int, column: Int, tmsRow: Int) {
    self.init(zoom: zoom, column: column, row: (1 << zoom) - 1 - tmsRow)
  }

  /// The tile that contains a position.
  public init(zoom: Int, containing point: GeoPoint) {
    let (x, y) = WebMercator.project(point)
    let tiles = Double(1 << zoom)
    let column = (x / WebMercator.halfWorld + 1) / 2 * tiles
    let row = (1 - y / WebMercator.halfWorld) / 2 * tiles
    self.init(
      zoom: zoom, column: min(max(Int(column.rounded(.down)), 0), (1 << zoom) - 1),
      row: min(max(Int(row.rounded(.down)), 0), (1 << zoom) - 1))
  }

  /// By zoom, row and column.
  public static func < (left: TileID, right: TileID) -> Bool {
    (left.zoom, left.row, left.column) < (right.zoom, right.row, right.column)
  }

  public var tmsRow: Int { (1 << zoom) - 1 - row }
  public var parent: TileID { TileID(zoom: zoom - 1, column: column >> 1, row: row >> 1) }

  /// North-west, north-east, south-west, south-east.
  public var children: [TileID] {
    [(0, 0), (1, 0), (0, 1), (1, 1)].map {
      TileID(zoom: zoom + 1, column: column * 2 + $0.0, row: row * 2 + $0.1)
    }
  }

  /// The ancestor at a lower zoom.
  public func ancestor(zoom lower: Int) -> TileID {
    TileID(zoom: lower, column: column >> (zoom - lower), row: row >> (zoom - lower))
  }

  /// Metres of EPSG:3857: the western and northern edge, and the length of a side.
  public var mercator: (west: Double, north: Double, side: Double) {
    let side = 2 * WebMercator.halfWorld / Double(1 << zoom)
    return (-WebMercator.halfWorld + Double(column) * side, WebMercator.halfWorld - Double(row) * side, side)
  }

  public var box: GeoBox {
    let (west, north, side) = mercator
    let northWest = WebMercator.unproject(x: west, y: north)
    let southEast = WebMercator.unproject(x: west + side, y: north - side)
    return GeoBox(
      west: northWest.longitude, south: southEast.latitude, east: southEast.longitude,
      north: northWest.latitude)
  }
}

extension TileID: CustomStringConvertible {
  /// `12/656/1586`, as in a tile's URL.
  public var description: String { "\(zoom)/\(column)/\(row)" }
}

/// The tiles of one zoom that touch a box.
public struct TileRange: Hashable, Sendable {
  public let zoom: Int
  public let columns: ClosedRange<Int>
  public let rows: ClosedRange<Int>

  public init(zoom: Int, covering box: GeoBox) {
    let first = TileID(zoom: zoom, containing: GeoPoint(longitude: box.west, latitude: box.north))
    let last = TileID(zoom: zoom, containing: GeoPoint(longitude: box.east, latitude: box.south))
    self.zoom = zoom
    columns = first.column...max(first.column, last.column)
    rows = first.row...max(first.row, last.row)
  }

  public var count: Int { columns.count * rows.count }

  public func contains(_ tile: TileID) -> Bool {
    tile.zoom == zoom && columns.contains(tile.column) && rows.contains(tile.row)
  }
}

/// The tile numbers of PMTiles: tiles of lower zooms first, then the tiles of a zoom along a Hilbert curve, so that neighbours on the map
/// are mostly neighbours in the file.
extension TileID {
  /// The last zoom whose numbers, multiplied by three, fit into a 64-bit integer.
  private static let lastHilbertZoom = 30

  /// The first number of a zoom: the number of tiles of all lower zooms.
  private static func firstHilbert(zoom: Int) -> Int { ((1 << (2 * zoom)) - 1) / 3 }

  public var hilbert: Int {
    var (x, y) = (column, row)
    var number = TileID.firstHilbert(zoom: zoom)
    for bit in (0..<zoom).reversed() {
      let (right, low) = (x >> bit & 1, y >> bit & 1)
      number += (3 * right ^ low) << (2 * bit)
      (x, y) = TileID.turned(x, y, right: right, low: low, side: 1 << bit)
    }
    return number
  }

  /// Returns nil for a number beyond the last zoom.
  public init?(hilbert number: Int) {
    guard number >= 0, number <= Int.max / 3 - 1 else { return nil }
    // The first number of a zoom, multiplied by three, plus one, is 4 to the power of the zoom.
    let zoom = (Int.bitWidth - 1 - (3 * number + 1).leadingZeroBitCount) / 2
    guard zoom <= TileID.lastHilbertZoom else { return nil }
    var rest = number - TileID.firstHilbert(zoom: zoom)
    var (x, y) = (0, 0)
    for bit in 0..<zoom {
      let right = rest >> 1 & 1
      let low = (rest ^ right) & 1
      (x, y) = TileID.turned(x, y, right: right, low: low, side: 1 << bit)
      x += right << bit
      y += low << bit
      rest >>= 2
    }
    self.init(zoom: zoom, column: x, row: y)
  }

  /// Turns a place in one of the four quarters of a square on the curve: the curve is transposed in the upper quarters, and also
  /// mirrored in the upper right one.
  private static func turned(_ x: Int, _ y: Int, right: Int, low: Int, side: Int) -> (Int, Int) {
    guard low == 0 else { return (x, y) }
    return right == 0 ? (y, x) : (side - 1 - (y & (side - 1)), side - 1 - (x & (side - 1)))
  }
}

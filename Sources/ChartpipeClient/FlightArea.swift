public import Core
internal import Foundation

/// An area for which an app or a pack needs charts: a corridor along a route, a circle, or a box.
///
/// ```swift
/// let corridor = try FlightArea(route: [paloAlto, monterey], eitherSide: 25)
/// let tiles = corridor.tiles(zooms: 6...12)
/// ```
///
/// Legs are great circles on a sphere with the mean radius of the earth. Distances on it differ from those on the ellipsoid by at
/// most 0.6 %. A corridor includes the half circles around its ends.
public struct FlightArea: Sendable {
  private enum Shape {
    case corridor([GreatCircleArc], halfWidth: Double)
    case box(GraticuleCell)
  }

  /// The points of the route, or the centre of the circle; empty for a box.
  public let route: [Coordinate]
  private let shape: Shape

  /// Creates a corridor along a route, or a circle around a single point.
  ///
  /// - Parameter nauticalMiles: The distance on either side of the route: 25 makes the corridor 50 NM wide.
  public init(route: [Coordinate], eitherSide nauticalMiles: Double) throws(FlightAreaError) {
    guard !route.isEmpty else { throw .emptyRoute }
    for place in route where !place.isValid { throw .invalidCoordinate(place) }
    guard nauticalMiles > 0, nauticalMiles <= FlightArea.widest else { throw .invalidDistance(nauticalMiles) }
    let points = route.map(UnitVector.init)
    for (index, ends) in zip(points, points.dropFirst()).enumerated()
    where ends.0.angle(to: ends.1) > FlightArea.longestLeg {
      throw .antipodalLeg(route[index], route[index + 1])
    }
    let legs = zip(points, points.dropFirst()).map { GreatCircleArc($0, $1) }
    self.route = route
    shape = .corridor(
      legs.isEmpty ? [GreatCircleArc(points[0], points[0])] : legs,
      halfWidth: nauticalMiles / earthRadius)
  }

  /// Creates a circle.
  public init(around center: Coordinate, radius nauticalMiles: Double) throws(FlightAreaError) {
    try self.init(route: [center], eitherSide: nauticalMiles)
  }

  /// Creates a box between meridians and parallels. With a west larger than its east it crosses 180 degrees.
  public init(_ box: BoundingBox) throws(FlightAreaError) {
    guard (-180...180).contains(box.west), (-180...180).contains(box.east), box.west != box.east,
      box.west < 180 || box.east > -180,
      -90 <= box.south, box.south < box.north, box.north <= 90
    else { throw .invalidBox(box) }
    route = []
    shape = .box(GraticuleCell(box))
  }

  /// Nautical miles.
  private static let widest = 1_000.0
  /// Between antipodes there is more than one great circle.
  private static let longestLeg = 179.5.radians

  public func contains(_ place: Coordinate) -> Bool {
    let vector = UnitVector(place)
    switch shape {
    case .corridor(let legs, let halfWidth):
      return legs.contains { $0.distance(to: vector) <= halfWidth }
    case .box(let cell): return cell.contains(vector)
    }
  }

  /// Whether the area and a box overlap.
  public func intersects(_ box: BoundingBox) -> Bool { intersects(GraticuleCell(box)) }

  public func intersects(_ tile: MapTile) -> Bool { intersects(GraticuleCell(tile)) }

  private func intersects(_ cell: GraticuleCell) -> Bool {
    switch shape {
    case .corridor(let legs, let halfWidth): return legs.contains { cell.distance(to: $0) <= halfWidth }
    case .box(let own): return own.overlaps(cell)
    }
  }

  /// Calls a closure with every tile of the zooms that intersects the area, parents before their children.
  ///
  /// - Parameter isWanted: Returns false to skip a tile and all tiles below it, such as one outside all charts.
  public func forEachTile(
    zooms: ClosedRange<Int>, where isWanted: (MapTile) -> Bool = { _ in true }, _ body: (MapTile) -> Void
  ) {
    visit(MapTile(zoom: 0, column: 0, row: 0), zooms, isWanted, body)
  }

  /// Returns the tiles of the zooms that intersect the area, ordered by zoom, row and column.
  public func tiles(
    zooms: ClosedRange<Int>, where isWanted: (MapTile) -> Bool = { _ in true }
  ) -> [MapTile] {
    var tiles: [MapTile] = []
    forEachTile(zooms: zooms, where: isWanted) { tiles.append($0) }
    return tiles.sorted()
  }

  private func visit(
    _ tile: MapTile, _ zooms: ClosedRange<Int>, _ isWanted: (MapTile) -> Bool, _ body: (MapTile) -> Void
  ) {
    guard isWanted(tile), intersects(tile) else { return }
    if zooms.contains(tile.zoom) { body(tile) }
    guard tile.zoom < zooms.upperBound else { return }
    for child in tile.children { visit(child, zooms, isWanted, body) }
  }
}

/// Why an area is invalid.
public enum FlightAreaError: Error, Equatable, Sendable {
  case emptyRoute
  case invalidCoordinate(Coordinate)
  /// At most 0 or more than 1,000 NM.
  case invalidDistance(Double)
  case invalidBox(BoundingBox)
  /// The two positions are antipodes, so no great circle is the shortest.
  case antipodalLeg(Coordinate, Coordinate)
}

extension GraticuleCell {
  /// Exact at the multiples of a fraction of 180 degrees, where boxes often end.
  init(_ tile: MapTile) {
    let side = Double(1 << tile.zoom)
    func latitude(_ row: Int) -> Double { atan(sinh((1 - 2 * Double(row) / side) * .pi)) * 180 / .pi }
    self.init(
      west: Double(tile.column) / side * 360 - 180, south: latitude(tile.row + 1),
      east: Double(tile.column + 1) / side * 360 - 180, north: latitude(tile.row))
  }
}

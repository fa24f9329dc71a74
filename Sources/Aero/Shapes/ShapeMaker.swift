internal import RasterIO

/// Why rings are no shape.
enum ShapeFlaw: String, Error {
  case noPlace = "it has a position that is no place on the earth"
  case noArea = "it encloses no area"
  case tooLarge = "it has more corners or parts than any airspace"
  case beyondMending = "its boundary crosses itself, and cannot be mended"
}

/// Makes valid shapes of what the sources draw.
struct ShapeMaker {
  /// Many times what the most detailed airspace has, a coast.
  static let mostCorners = 1_000_000

  private let simplifier: RingSimplifier

  /// How far a line may be moved to save corners.
  init(toleranceInMetres tolerance: Double) { simplifier = RingSimplifier(metres: tolerance) }

  /// What one ring encloses.
  func shape(within ring: ShapeRing) throws -> (shape: MapShape, wasMended: Bool) {
    guard let ring = ring.unwound else { throw ShapeFlaw.noArea }
    return try shape(of: [[ring]])
  }

  /// Also whether the boundary had to be mended, for it crossed or touched itself.
  func shape(of polygons: [[ShapeRing]]) throws -> (shape: MapShape, wasMended: Bool) {
    guard !polygons.isEmpty else { throw ShapeFlaw.noArea }
    let simple = polygons.map { $0.map(simplifier.simplified) }
    let area = try PlaneArea(simple)
    if area.isValid { return (try ShapeMaker.split(simple), false) }
    // Moved lines can cross where the true ones do not.
    if try PlaneArea(polygons).isValid { return (try ShapeMaker.split(polygons), false) }
    guard CrossingCheck.isMendable(simple) else { throw ShapeFlaw.beyondMending }
    return (try ShapeMaker.split(try ShapeMaker.settled(area)), true)
  }

  /// The polygons of a plane in whole millionths, and valid as such: rounding can make rings touch that did not.
  static func settled(_ area: PlaneArea) throws -> [[ShapeRing]] {
    var area = area
    for _ in 0..<4 {
      if !area.isValid { area = try area.mended() }
      let polygons = area.polygons.compactMap { rounded($0) }
      guard !polygons.isEmpty else { throw ShapeFlaw.noArea }
      area = try PlaneArea(polygons)
      if area.isValid { return polygons }
    }
    throw ShapeFlaw.beyondMending
  }

  /// Nil when nothing is left of the outer ring.
  private static func rounded(_ rings: [PlaneArea.Ring]) -> [ShapeRing]? {
    let limit = Double(4 * ShapePoint.halfTurn)
    let whole = rings.map { ring in
      ring.filter { abs($0.x) < limit && abs($0.y) < limit }
        .map { ShapePoint(x: Int($0.x.rounded()), y: Int($0.y.rounded())) }.withoutRepeats
    }
    guard let outer = whole.first ?? nil, outer.doubledArea != 0 else { return nil }
    return [outer] + whole.dropFirst().compactMap { $0 }.filter { $0.doubledArea != 0 }
  }

  /// Cut at 180 degrees, with all of it between -180 and 180.
  private static func split(_ polygons: [[ShapeRing]]) throws -> MapShape {
    let half = ShapePoint.halfTurn
    if polygons.joined().joined().allSatisfy({ abs($0.x) <= half }) { return MapShape(polygons) }
    var parts: [[ShapeRing]] = []
    for turn in -1...1 {
      let middle = turn * 2 * half
      let window = [
        ShapePoint(x: middle - half, y: -half / 2), ShapePoint(x: middle + half, y: -half / 2),
        ShapePoint(x: middle + half, y: half / 2), ShapePoint(x: middle - half, y: half / 2),
      ]
      let part = try PlaneArea(polygons).intersection(PlaneArea([[window]]))
      guard !part.isEmpty else { continue }
      parts += try settled(part).map { $0.map { $0.moved(by: -middle) } }
    }
    guard !parts.isEmpty else { throw ShapeFlaw.noArea }
    return MapShape(parts)
  }
}

extension PlaneArea {
  convenience init(_ polygons: [[ShapeRing]]) throws(GDALError) {
    try self.init(
      polygons: polygons.map { rings in rings.map { ring in ring.map { (Double($0.x), Double($0.y)) } } })
  }
}

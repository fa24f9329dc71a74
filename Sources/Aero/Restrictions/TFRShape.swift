internal import Foundation
internal import RasterIO

/// The place of an area. Its polygons contain all of the area by the law, and are at most a thousandth larger if its recipe is known.
struct TFRShape {
  private(set) var map = MapShape([])
  /// The circle that it is; nil for another form.
  private(set) var circle: (center: ShapePoint, metres: Double)?
  private(set) var isRecipe = true
  /// Whether it is the polygon of the map server.
  private(set) var isFromMap = false
  /// Whether a hundredth of it is outside of the recipe, in the FAA's own polygon.
  private(set) var differs = false

  /// How far lines may be from the true ones, in metres: as they are drawn, and with the rounding to millionths of a degree, twice.
  static let error = 0.5
  private static let margin = error * 1.1 + 0.25

  /// Reads a `TFRAreaGroup`; nil without a place that can be drawn.
  init?(_ group: AIXMElement) {
    let merged = group["abdMergedArea"].flatMap { ShapeRing(tfr: $0) }
    let own = TFRRecipe(group).flatMap { try? TFRShape($0, merged: merged) }
    guard let shape = own ?? merged.flatMap({ try? TFRShape(merged: [$0]) }) else { return nil }
    self = shape
  }

  /// A polygon of the map server; nil if it cannot be drawn.
  init?(ofMap polygon: [[[Double]]]) {
    let rings = polygon.compactMap { ring in
      ring.compactMap { ShapePoint(longitude: $0[0], latitude: $0[1]) }.unwound
    }
    guard rings.count == polygon.count, let shape = try? TFRShape(merged: rings) else { return nil }
    self = shape
    isFromMap = true
  }

  /// The area of a recipe, joined with the FAA's own polygon where that has more. Throws if there is no area.
  private init(_ recipe: TFRRecipe, merged: ShapeRing?) throws {
    let rings = recipe.steps.map(\.ring)
    let plane = try TFRPlane(Array(rings.joined()))
    var area = try plane.area([rings[0]])
    for (ring, step) in zip(rings, recipe.steps).dropFirst() {
      let next = try plane.area([ring])
      area = try step.isAdded ? area.union(next) : area.subtracting(next)
    }
    if let merged {
      let near = try area.widened(by: (plane.largestSagitta(merged) + TFRShape.margin) / TFRPlane.metres)
      let missing = try plane.area([merged]).subtracting(near)
      differs = missing.area > area.area / 100
      if differs { area = try area.union(missing) }
    }
    circle = differs ? nil : recipe.circle
    map =
      try circle.map { try ShapeBuilder(toleranceInMetres: 0).shape(within: TFRShape.ring(around: $0)).shape }
      ?? plane.shape(area, widenedBy: TFRShape.margin)
  }

  /// A polygon of the FAA or of its map server, widened, since the sides of its arcs are inside.
  private init(merged rings: [ShapeRing]) throws {
    let plane = try TFRPlane(Array(rings.joined()))
    let sagitta = rings.map { plane.largestSagitta($0) }.max() ?? 0
    map = try plane.shape(plane.area(rings), widenedBy: sagitta + TFRShape.margin)
    isRecipe = false
  }

  /// A polygon around a circle: all its sides are outside.
  private static func ring(around circle: (center: ShapePoint, metres: Double)) -> ShapeRing {
    let count = 120.0
    let bulge = TFRPlane.bulge(2 * .pi * circle.metres / count, at: circle.center)
    let outer = GeodesicCircle(
      center: circle.center, metres: circle.metres / cos(.pi / count) + bulge * 1.25 + 0.15)
    return stride(from: 0, to: count, by: 1).map { outer.point(azimuth: -360 * $0 / count) }
  }
}

/// A plane for an area: longitudes are shortened to the scale of latitudes at its end that is nearest to a pole. So a distance in the plane
/// is nowhere less on the earth.
struct TFRPlane {
  private let origin: ShapePoint
  private let shrink: Double
  /// The least metres of a unit, which is a millionth of a degree.
  static let metres = 0.1105
  private static let mostCorners = 100_000

  init(_ points: [ShapePoint]) throws(ShapeError) {
    guard let first = points.first, points.count <= TFRPlane.mostCorners else { throw .tooLarge }
    let farthest = points.reduce(0) { max($0, abs($1.y)) }
    guard farthest < 87 * ShapePoint.perDegree else { throw .noPlace }
    origin = first
    // Rounded, so that the last digit of a processor's cosine does not matter.
    shrink = (cos(ShapePoint.degrees(farthest) * .pi / 180) * 1000).rounded(.down) / 1000
  }

  /// The distance in metres between a straight side on the map and the shortest line on the earth with the same ends.
  static func bulge(_ side: Double, at place: ShapePoint) -> Double {
    side * side * tan(abs(place.radians.latitude)) / (8 * 6_350_000)
  }

  /// The area inside rings, the outer one first. Lines that cross are cut where they cross.
  func area(_ rings: [ShapeRing]) throws -> PlaneArea {
    let near = rings.map { $0.moved(by: $0[0].near(origin).x - $0[0].x) }
    let area = try PlaneArea(polygons: [near.map { $0.map { (Double($0.x) * shrink, Double($0.y)) } }])
    if area.isValid { return area }
    guard CrossingCheck.isRepairable([near]) else { throw ShapeError.irreparable }
    return try area.repaired()
  }

  func shape(_ area: PlaneArea, widenedBy distance: Double) throws -> MapShape {
    guard !area.isEmpty else { throw ShapeError.noArea }
    let wide = try area.widened(by: distance / TFRPlane.metres)
    let polygons = wide.polygons.map { $0.map { ring in ring.map { (x: $0.x / shrink, y: $0.y) } } }
    let settled = try ShapeBuilder.settled(PlaneArea(polygons: polygons))
    return try ShapeBuilder(toleranceInMetres: 0).shape(of: settled).shape
  }

  /// How far an arc may be outside of a ring in metres, if the ring has a corner every 10 degrees: a 46th of the longest side with such a
  /// corner, and a little more.
  func largestSagitta(_ ring: ShapeRing) -> Double {
    let sides = zip(ring, ring.dropFirst() + ring.prefix(1)).map { from, to in
      (x: Double(to.x - from.x) * shrink, y: Double(to.y - from.y))
    }
    let lengths = zip(sides, sides.dropFirst() + sides.prefix(1)).map { side, next in
      let turn = atan2(side.x * next.y - side.y * next.x, side.x * next.x + side.y * next.y) * 180 / .pi
      return (0.5...11).contains(abs(turn)) ? max(hypot(side.x, side.y), hypot(next.x, next.y)) : 0
    }
    return (lengths.max() ?? 0) / 43 * TFRPlane.metres
  }
}

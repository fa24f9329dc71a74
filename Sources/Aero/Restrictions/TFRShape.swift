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
  private(set) var wasRepaired = false
  /// Whether a hundredth of it is outside of the recipe, in the FAA's own polygon.
  private(set) var differs = false

  /// Metres: the rounding to millionths of a degree, twice.
  private static let rounding = 0.25

  /// The area of a recipe, joined with the FAA's own polygon where that has more. Throws if there is no area.
  init(_ recipe: TFRRecipe, merged: ShapeRing?) throws {
    let plane = try TFRPlane(recipe.steps.flatMap { RingPath($0.segments, chordError: 500).ring })
    // A first drawing shows how large the errors may be.
    let draft = try plane.area(recipe, error: 500, &wasRepaired)
    let error = min(500, draft.area / plane.perimeter(draft) * TFRPlane.metres / 2000)
    var area = try plane.area(recipe, error: error, &wasRepaired)
    if let merged {
      let near = try area.widened(by: (plane.largestSagitta(merged) + error) / TFRPlane.metres)
      let missing = try plane.area([merged], &wasRepaired).subtracting(near)
      differs = missing.area > area.area / 100
      if differs { area = try area.union(missing) }
    }
    if let circle = recipe.circle, !differs {
      self.circle = circle
      map = try ShapeBuilder(toleranceInMetres: 0).shape(within: TFRShape.ring(around: circle)).shape
    } else {
      map = try plane.shape(area, widenedBy: error * 1.1 + TFRShape.rounding)
    }
  }

  /// A polygon of the FAA or of its map server, widened, since the sides of its arcs are inside.
  init(merged rings: [ShapeRing], isFromMap: Bool = false) throws {
    let plane = try TFRPlane(Array(rings.joined()))
    let area = try plane.area(rings, &wasRepaired)
    let sagitta = rings.map { plane.largestSagitta($0) }.max() ?? 0
    map = try plane.shape(area, widenedBy: sagitta + TFRShape.rounding)
    (isRecipe, self.isFromMap) = (false, isFromMap)
  }

  /// A polygon around a circle: all its sides are outside.
  private static func ring(around circle: (center: ShapePoint, metres: Double)) -> ShapeRing {
    let count = 120.0
    let bulge = TFRPlane.bulge(2 * .pi * circle.metres / count, at: circle.center)
    let metres = circle.metres / cos(.pi / count) + bulge + rounding / 2
    let outer = GeodesicCircle(center: circle.center, metres: metres)
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
    guard let first = points.first, let farthest = points.map({ abs($0.y) }).max(),
      farthest < 87 * ShapePoint.perDegree
    else { throw .noPlace }
    origin = first
    // Rounded, so that the last digit of a processor's cosine does not matter.
    shrink =
      (cos(ShapePoint.degrees(farthest + ShapePoint.perDegree) * .pi / 180) * 1000).rounded(.down) / 1000
  }

  /// The distance in metres between a straight side on the map and the shortest line on the earth with the same ends.
  static func bulge(_ side: Double, at place: ShapePoint) -> Double {
    side * side * tan(abs(place.radians.latitude)) / (8 * 6_350_000)
  }

  /// The area inside rings, the outer one first. Lines that cross are cut where they cross.
  func area(_ rings: [ShapeRing], _ wasRepaired: inout Bool) throws -> PlaneArea {
    let near = rings.map { $0.moved(by: $0[0].near(origin).x - $0[0].x) }
    let area = try PlaneArea(polygons: [near.map { $0.map { (Double($0.x) * shrink, Double($0.y)) } }])
    if area.isValid { return area }
    guard CrossingCheck.isRepairable([near]) else { throw ShapeError.irreparable }
    wasRepaired = true
    return try area.repaired()
  }

  /// - Parameter error: how far a line may be from the true one, in metres.
  func area(_ recipe: TFRRecipe, error: Double, _ wasRepaired: inout Bool) throws -> PlaneArea {
    var corners = 0
    var area: PlaneArea?
    for (isAdded, segments) in recipe.steps {
      let path = RingPath(segments.map { TFRPlane.curved($0, error) }, chordError: error)
      guard let ring = path.ring.unwound else { throw ShapeError.noArea }
      corners += ring.count
      guard corners <= TFRPlane.mostCorners else { throw ShapeError.tooLarge }
      let next = try self.area([ring], &wasRepaired)
      area = try isAdded ? area?.union(next) ?? next : area?.subtracting(next)
    }
    guard let area, !area.isEmpty else { throw ShapeError.noArea }
    return area
  }

  /// A line with points between its ends, since the shortest line on the earth is curved on the map.
  private static func curved(_ segment: PathSegment, _ error: Double) -> PathSegment {
    guard case .line(let points) = segment, points.count == 2 else { return segment }
    let line = points[0].line(to: points[1])
    let bulge = points.map { TFRPlane.bulge(line.metres, at: $0) }.max() ?? 0
    let count = max(1, min((bulge / error).squareRoot(), 200).rounded(.up))
    let between = stride(from: 1, to: count, by: 1).map { index in
      GeodesicCircle(center: points[0], metres: line.metres * index / count).point(azimuth: line.azimuth)
    }
    return .line([points[0]] + between + [points[1]])
  }

  func perimeter(_ area: PlaneArea) -> Double {
    area.polygons.joined().reduce(0) { sum, ring in
      zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(sum) {
        $0 + hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y)
      }
    }
  }

  func shape(_ area: PlaneArea, widenedBy distance: Double) throws -> MapShape {
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

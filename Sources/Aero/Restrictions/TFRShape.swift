internal import Foundation
internal import RasterIO

/// The place of an area. Its polygons contain all of the area by the law, and are at most a thousandth larger if its recipe is known.
struct TFRShape {
  var map: MapShape
  /// The circle that it is; nil for another form.
  var circle: (center: ShapePoint, metres: Double)?
  var isRecipe = true
  var wasRepaired = false
  /// Whether a hundredth of it is outside of the recipe, in the FAA's own polygon.
  var differs = false

  /// Metres: the rounding to millionths of a degree, twice.
  fileprivate static let rounding = 0.25
}

extension TFRShape {
  /// The area of a recipe, joined with the FAA's own polygon where that has more. Throws if GEOS finds no area.
  init(_ recipe: TFRRecipe, merged: ShapeRing?) throws {
    let plane = try TFRPlane(recipe.steps.flatMap { $0.part.points })
    var drawing = TFRDrawing(plane: plane)
    // A first drawing shows how large the errors may be.
    let draft = try drawing.area(recipe, error: 500)
    let error = min(500, draft.area / plane.perimeter(draft) * plane.metres / 2000)
    var area = try drawing.area(recipe, error: error)
    if let merged {
      let near = try area.widened(by: (plane.largestSagitta(merged) + error) / plane.metres)
      let missing = try plane.area([merged], &drawing.wasRepaired).subtracting(near)
      differs = missing.area > area.area / 100
      if differs { area = try area.union(missing) }
    }
    wasRepaired = drawing.wasRepaired
    if let circle = recipe.circle, !differs {
      self.circle = circle
      map = try ShapeBuilder(toleranceInMetres: 0).shape(within: TFRShape.ring(around: circle)).shape
    } else {
      map = try plane.shape(area, widenedBy: error + TFRShape.rounding)
    }
  }

  /// A polygon of the FAA or of its map server, widened, since the sides of its arcs are inside.
  init(merged polygons: [[ShapeRing]]) throws {
    let plane = try TFRPlane(polygons.flatMap { $0.joined() })
    var repaired = false
    var area: PlaneArea?
    for rings in polygons {
      let next = try plane.area(rings, &repaired)
      area = try area?.union(next) ?? next
    }
    guard let area, !area.isEmpty else { throw ShapeError.noArea }
    let sagitta = polygons.joined().map { plane.largestSagitta($0) }.max() ?? 0
    map = try plane.shape(area, widenedBy: sagitta + TFRShape.rounding)
    (isRecipe, wasRepaired) = (false, repaired)
  }

  /// A polygon around a circle: all its sides are outside.
  static func ring(around circle: (center: ShapePoint, metres: Double)) -> ShapeRing {
    let count = 120
    let side = 2 * Double.pi * circle.metres / Double(count)
    let bulge = TFRPlane.bulge(side, at: circle.center)
    let metres = circle.metres / cos(.pi / Double(count)) + bulge + rounding / 2
    let outer = GeodesicCircle(center: circle.center, metres: metres)
    return (0..<count).map { outer.point(azimuth: -360 * Double($0) / Double(count)) }
  }
}

/// A plane for an area: longitudes are shortened to the scale of latitudes at its end that is nearest to a pole. So a distance in the plane
/// is nowhere less on the earth.
struct TFRPlane {
  let origin: ShapePoint
  private let shrink: Double
  /// The least metres of a unit, which is a millionth of a degree.
  let metres = 0.1105

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
    let area = try PlaneArea(polygons: [
      near.map { ring in ring.map { (Double($0.x) * shrink, Double($0.y)) } }
    ])
    if area.isValid { return area }
    guard CrossingCheck.isRepairable([near]) else { throw ShapeError.irreparable }
    wasRepaired = true
    return try area.repaired()
  }

  func perimeter(_ area: PlaneArea) -> Double {
    area.polygons.joined().reduce(0) { sum, ring in
      zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(sum) {
        $0 + hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y)
      }
    }
  }

  func shape(_ area: PlaneArea, widenedBy distance: Double) throws -> MapShape {
    let polygons = try area.widened(by: distance / metres).polygons.map { rings in
      rings.map { ring in ring.map { (x: $0.x / shrink, y: $0.y) } }
    }
    let settled = try ShapeBuilder.settled(PlaneArea(polygons: polygons))
    return try ShapeBuilder(toleranceInMetres: 0).shape(of: settled).shape
  }

  /// How far an arc may be outside of a ring in metres, if the ring has a corner every 10 degrees: a 46th of the longest side with such a
  /// corner, and a little more.
  func largestSagitta(_ ring: ShapeRing) -> Double {
    let sides = ring.indices.map { index in
      let (from, to) = (ring[index], ring[(index + 1) % ring.count])
      return (x: Double(to.x - from.x) * shrink, y: Double(to.y - from.y))
    }
    let turns = sides.indices.map { index in
      let (before, side) = (sides[(index + sides.count - 1) % sides.count], sides[index])
      return abs(atan2(before.x * side.y - before.y * side.x, before.x * side.x + before.y * side.y)) * 180
        / .pi
    }
    let arcs = sides.indices.filter { index in
      [turns[index], turns[(index + 1) % turns.count]].contains { (0.5...11).contains($0) }
    }
    return (arcs.map { hypot(sides[$0].x, sides[$0].y) }.max() ?? 0) / 43 * metres
  }
}

/// Draws a recipe in a plane.
struct TFRDrawing {
  let plane: TFRPlane
  var wasRepaired = false

  private static let mostCorners = 100_000
  private static let mostOfSide = 720

  /// - Parameter error: how far a line may be from the true one, in metres.
  mutating func area(_ recipe: TFRRecipe, error: Double) throws -> PlaneArea {
    var corners = 0
    var area: PlaneArea?
    for (operation, part) in recipe.steps {
      guard let ring = try TFRDrawing.ring(part, error).unwound else { throw ShapeError.noArea }
      corners += ring.count
      guard corners <= TFRDrawing.mostCorners else { throw ShapeError.tooLarge }
      let next = try plane.area([ring], &wasRepaired)
      switch operation {
      case .add: area = try area?.union(next) ?? next
      case .cut: area = try area?.subtracting(next)
      }
    }
    guard let area, !area.isEmpty else { throw ShapeError.noArea }
    return area
  }

  private static func ring(_ part: TFRRecipe.Part, _ error: Double) throws -> ShapeRing {
    switch part {
    case .circle(let center, let metres):
      return arc(metres, metres, around: center, from: 0, by: -360, error)
    case .path(let path):
      return try path.indices.flatMap { index in
        let (from, to) = (path[index].corner, path[(index + 1) % path.count].corner)
        return [from] + (try points(from, to, path[index].side, error)).dropFirst()
      }
    }
  }

  /// The points of a side without its end.
  private static func points(
    _ from: ShapePoint, _ to: ShapePoint, _ side: TFRRecipe.Side, _ error: Double
  ) throws -> ShapeRing {
    switch side {
    case .line:
      let line = from.line(to: to)
      let polar = abs(from.y) > abs(to.y) ? from : to
      let count = steps((TFRPlane.bulge(line.metres, at: polar) / error).squareRoot())
      return (0..<count).map { index in
        GeodesicCircle(center: from, metres: line.metres * Double(index) / Double(count)).point(
          azimuth: line.azimuth)
      }
    case .arc(let center, let metres, let isClockwise):
      let (start, end) = (center.line(to: from), center.line(to: to))
      // Corners are rounded, also to whole seconds.
      let tolerance = max(200, metres / 50)
      guard abs(start.metres - metres) < tolerance, abs(end.metres - metres) < tolerance else {
        throw ShapeError.noPlace
      }
      let turn = (isClockwise ? 1 : -1) * (end.azimuth - start.azimuth)
      let sweep = turn - 360 * (turn / 360).rounded(.down)
      return arc(
        start.metres, end.metres, around: center, from: start.azimuth, by: isClockwise ? sweep : -sweep, error
      )
    }
  }

  /// The points of an arc without its end, whose radius changes evenly from one to the other.
  private static func arc(
    _ first: Double, _ last: Double, around center: ShapePoint, from azimuth: Double, by sweep: Double,
    _ error: Double
  ) -> ShapeRing {
    let step = (8 * error / max(first, last)).squareRoot() * 180 / .pi
    let count = steps(abs(sweep) / min(step, 15))
    return (0..<count).map { index in
      let share = Double(index) / Double(count)
      return GeodesicCircle(center: center, metres: first + (last - first) * share).point(
        azimuth: azimuth + sweep * share)
    }
  }

  private static func steps(_ number: Double) -> Int {
    max(1, Int(min(number, Double(mostOfSide)).rounded(.up)))
  }
}

extension TFRRecipe.Part {
  /// Points that show how far it reaches.
  fileprivate var points: [ShapePoint] {
    switch self {
    case .circle(let center, let metres):
      [0, 180].map { GeodesicCircle(center: center, metres: metres).point(azimuth: $0) }
    case .path(let path): path.map(\.corner)
    }
  }
}

extension ShapePoint {
  /// The shortest line to another point: its azimuth, and metres.
  fileprivate func line(to other: ShapePoint) -> (azimuth: Double, metres: Double) {
    func degrees(_ millionths: Int) -> Double { ShapePoint.degrees(millionths) }
    return Geodesic.line(
      fromLatitude: degrees(y), longitude: degrees(x), toLatitude: degrees(other.y),
      longitude: degrees(other.x))
  }
}

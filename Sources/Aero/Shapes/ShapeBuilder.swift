internal import Foundation
internal import RasterIO

/// Why rings do not form a shape.
enum ShapeError: String, Error {
  case noPlace = "it has a position that is not on the earth"
  case noArea = "it encloses no area"
  case tooLarge = "it has more corners or parts than any airspace"
  case irreparable = "its boundary crosses itself and cannot be repaired"
}

/// Builds valid shapes from the boundaries of the sources.
struct ShapeBuilder {
  /// Many times as many as in the most detailed airspace, along a coast.
  static let mostCorners = 1_000_000

  private let simplifier: RingSimplifier

  /// - Parameter tolerance: How far a line may move when corners are removed.
  init(toleranceInMetres tolerance: Double) { simplifier = RingSimplifier(metres: tolerance) }

  /// Builds the shape inside a ring.
  func shape(within ring: ShapeRing) throws -> (shape: MapShape, wasRepaired: Bool) {
    guard let ring = ring.unwound else { throw ShapeError.noArea }
    return try shape(of: [[ring]])
  }

  /// Builds the shape of polygons. Repairs boundaries that cross or touch themselves.
  func shape(of polygons: [[ShapeRing]]) throws -> (shape: MapShape, wasRepaired: Bool) {
    guard !polygons.isEmpty else { throw ShapeError.noArea }
    let simple = polygons.map { $0.map(simplifier.simplified) }
    let area = try PlaneArea(simple)
    if area.isValid { return (try ShapeBuilder.split(simple), false) }
    // Simplified lines can cross where the original ones do not.
    if try PlaneArea(polygons).isValid { return (try ShapeBuilder.split(polygons), false) }
    guard CrossingCheck.isRepairable(simple) else { throw ShapeError.irreparable }
    return (try ShapeBuilder.split(try ShapeBuilder.settled(area)), true)
  }

  /// Returns the polygons of an area, rounded to millionths and valid. Rounding can make rings touch, so it repeats repair and rounding.
  static func settled(_ area: PlaneArea) throws -> [[ShapeRing]] {
    var area = area
    for _ in 0..<4 {
      if !area.isValid { area = try area.repaired() }
      let polygons = area.polygons.compactMap { rounded($0) }
      guard !polygons.isEmpty else { throw ShapeError.noArea }
      area = try PlaneArea(polygons)
      if area.isValid { return polygons }
    }
    throw ShapeError.irreparable
  }

  /// Nil when the outer ring vanishes.
  private static func rounded(_ rings: [PlaneArea.Ring]) -> [ShapeRing]? {
    let limit = Double(4 * ShapePoint.halfTurn)
    let integers = rings.map { ring in
      ring.filter { abs($0.x) < limit && abs($0.y) < limit }
        .map { ShapePoint(x: Int($0.x.rounded()), y: Int($0.y.rounded())) }.withoutRepeats
    }
    guard let outer = integers.first ?? nil, outer.doubledArea != 0 else { return nil }
    return [outer] + integers.dropFirst().compactMap { $0 }.filter { $0.doubledArea != 0 }
  }

  /// Cuts at 180 degrees and moves all parts between -180 and 180.
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
    guard !parts.isEmpty else { throw ShapeError.noArea }
    return MapShape(parts)
  }
}

extension PlaneArea {
  convenience init(_ polygons: [[ShapeRing]]) throws(GDALError) {
    try self.init(
      polygons: polygons.map { rings in rings.map { ring in ring.map { (Double($0.x), Double($0.y)) } } })
  }
}

/// Counts how often boundaries cross themselves. Ten thousand random corners cross millions of times, and the repair would use all memory.
enum CrossingCheck {
  /// Errors in the FAA's data cross a few times.
  private static let mostCrossings = 1000
  private static let mostComparisons = 50_000_000

  private struct Side {
    let from: ShapePoint
    let to: ShapePoint

    var west: Int { min(from.x, to.x) }
    var east: Int { max(from.x, to.x) }

    /// Whether each has its ends on both sides of the other.
    func crosses(_ other: Side) -> Bool {
      guard max(from.y, to.y) >= min(other.from.y, other.to.y),
        max(other.from.y, other.to.y) >= min(from.y, to.y)
      else { return false }
      return turn(other.from) * turn(other.to) < 0 && other.turn(from) * other.turn(to) < 0
    }

    /// 1 for a point to the left, -1 to the right.
    private func turn(_ place: ShapePoint) -> Int {
      let area = (to.x - from.x) * (place.y - from.y) - (to.y - from.y) * (place.x - from.x)
      return area.signum()
    }
  }

  /// Whether a repair is possible.
  static func isRepairable(_ polygons: [[ShapeRing]]) -> Bool {
    let sides = polygons.joined().flatMap { ring in
      ring.indices.map { Side(from: ring[$0], to: ring[($0 + 1) % ring.count]) }
    }.sorted { $0.west < $1.west }
    var (crossings, comparisons) = (0, 0)
    for (index, side) in sides.enumerated() {
      for other in sides[(index + 1)...] {
        // Sides are sorted by their western ends, so all following ones start farther east.
        if other.west > side.east { break }
        comparisons += 1
        if side.crosses(other) { crossings += 1 }
        if crossings > mostCrossings || comparisons > mostComparisons { return false }
      }
    }
    return true
  }
}

/// Removes corners that are within a tolerance of the line between their neighbours (Douglas and Peucker), since the FAA draws arcs with
/// hundreds of corners.
struct RingSimplifier {
  private static let metresPerMillionth = 0.111_32
  /// The number of corners in one step, since the time for a winding line grows with their square.
  private static let run = 4096
  private let tolerance: Double

  init(metres: Double) { tolerance = metres / RingSimplifier.metresPerMillionth }

  /// Returns the simplified ring, or the ring itself where it would vanish.
  func simplified(_ ring: ShapeRing) -> ShapeRing {
    guard tolerance > 0, ring.count > 4, let start = ring.indices.min(by: { ring[$0] < ring[$1] }) else {
      return ring
    }
    // Start at the westernmost corner, so that equal rings always lose the same corners.
    let line = Array(ring[start...] + ring[...start])
    let kept = corners(of: line)
    let result = line.indices.dropLast().filter { kept[$0] }.map { line[$0] }
    return result.count < 3 ? ring : result
  }

  /// Whether each point of a line stays.
  private func corners(of line: [ShapePoint]) -> [Bool] {
    var kept = [Bool](repeating: false, count: line.count)
    // The scale of longitudes, rounded to thousandths, so that rounding errors of the cosine do not matter.
    let shrink = (cos(line[0].radians.latitude) * 1000).rounded() / 1000
    var open = stride(from: 0, to: line.count - 1, by: RingSimplifier.run).map { start in
      (start, min(start + RingSimplifier.run, line.count - 1))
    }
    for (from, to) in open { (kept[from], kept[to]) = (true, true) }
    while let (from, to) = open.popLast() {
      guard let farthest = farthest(in: line, from, to, shrink) else { continue }
      kept[farthest] = true
      open.append((from, farthest))
      open.append((farthest, to))
    }
    return kept
  }

  /// The point between two that is farthest from their line; nil when it is within the tolerance.
  private func farthest(in line: [ShapePoint], _ from: Int, _ to: Int, _ shrink: Double) -> Int? {
    guard to - from > 1 else { return nil }
    let (a, b) = (line[from], line[to])
    let (width, height) = (Double(b.x - a.x) * shrink, Double(b.y - a.y))
    let length = width * width + height * height
    var (worst, index) = (tolerance * tolerance, -1)
    for candidate in (from + 1)..<to {
      let x = Double(line[candidate].x - a.x) * shrink
      let y = Double(line[candidate].y - a.y)
      let along = length == 0 ? 0 : min(1, max(0, (x * width + y * height) / length))
      let (dx, dy) = (x - along * width, y - along * height)
      let square = dx * dx + dy * dy
      if square > worst { (worst, index) = (square, candidate) }
    }
    return index < 0 ? nil : index
  }
}

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

/// How often boundaries cross themselves: a scribble of ten thousand corners does so millions of times, and mending it
/// would take all memory.
enum CrossingCheck {
  /// The FAA's own mistakes cross a few times.
  private static let mostCrossings = 1000
  private static let mostComparisons = 50_000_000

  private struct Side {
    let from: ShapePoint
    let to: ShapePoint

    var west: Int { min(from.x, to.x) }
    var east: Int { max(from.x, to.x) }

    /// Whether each lies on both sides of the other.
    func crosses(_ other: Side) -> Bool {
      guard max(from.y, to.y) >= min(other.from.y, other.to.y),
        max(other.from.y, other.to.y) >= min(from.y, to.y)
      else { return false }
      return turn(other.from) * turn(other.to) < 0 && other.turn(from) * other.turn(to) < 0
    }

    /// 1 where a place lies to the left, -1 to the right.
    private func turn(_ place: ShapePoint) -> Int {
      let area = (to.x - from.x) * (place.y - from.y) - (to.y - from.y) * (place.x - from.x)
      return area.signum()
    }
  }

  /// Whether it can be mended.
  static func isMendable(_ polygons: [[ShapeRing]]) -> Bool {
    let sides = polygons.joined().flatMap { ring in
      ring.indices.map { Side(from: ring[$0], to: ring[($0 + 1) % ring.count]) }
    }.sorted { $0.west < $1.west }
    var (crossings, comparisons) = (0, 0)
    for (index, side) in sides.enumerated() {
      for other in sides[(index + 1)...] {
        // Sorted by their western ends, all that follow begin farther east.
        if other.west > side.east { break }
        comparisons += 1
        if side.crosses(other) { crossings += 1 }
        if crossings > mostCrossings || comparisons > mostComparisons { return false }
      }
    }
    return true
  }
}

/// Leaves out corners of a ring from which the line between their neighbours is not farther than some metres away
/// (Douglas and Peucker), as the FAA draws an arc by hundreds of corners.
struct RingSimplifier {
  private static let metresPerMillionth = 0.111_32
  /// So many corners are looked at together; a line that winds would take their square of steps.
  private static let run = 4096
  private let tolerance: Double

  init(metres: Double) { tolerance = metres / RingSimplifier.metresPerMillionth }

  /// A ring that would vanish stays as it is.
  func simplified(_ ring: ShapeRing) -> ShapeRing {
    guard tolerance > 0, ring.count > 4, let start = ring.indices.min(by: { ring[$0] < ring[$1] }) else {
      return ring
    }
    // From a corner that the ring's form decides, so that the same ring always loses the same corners.
    let line = Array(ring[start...] + ring[...start])
    let kept = corners(of: line)
    let result = line.indices.dropLast().filter { kept[$0] }.map { line[$0] }
    return result.count < 3 ? ring : result
  }

  /// Which points of a line stay.
  private func corners(of line: [ShapePoint]) -> [Bool] {
    var kept = [Bool](repeating: false, count: line.count)
    // Longitudes are narrower; in whole thousandths, so that no rounding of the cosine matters.
    let shrink = (EvenTrigonometry.cosine(line[0].radians.latitude) * 1000).rounded() / 1000
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

  /// The point between two that is farthest from the line through them, when it is too far.
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

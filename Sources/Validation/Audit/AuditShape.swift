internal import Foundation
internal import RasterIO
internal import SQLiteIO

/// A position in millionths of a degree: longitude and latitude.
typealias AuditPoint = SIMD2<Int>

/// Polygons of a source or of the database, each an outer ring and its holes. No ring repeats its first point.
struct AuditShape {
  let polygons: [[[AuditPoint]]]

  /// A ring on one line is none.
  init(_ polygons: [[[AuditPoint]]]) {
    self.polygons = polygons.map { $0.filter { !$0.isStraight } }.filter { !$0.isEmpty }
  }

  /// Reads a GeoJSON Polygon or MultiPolygon as databases have it. It is empty for any other text, and for a ring that does not close.
  init(geoJSON text: UnsafeBufferPointer<UInt8>) {
    var (polygons, polygon, ring): ([[[AuditPoint]]], [[AuditPoint]], [AuditPoint]) = ([], [], [])
    var (point, count, depth) = (AuditPoint(), 0, 0)
    var at = text.firstIndex(of: UInt8(ascii: "[")) ?? text.count
    var isSound = text.starts(with: "{\"type\":\"".utf8) && text.last == UInt8(ascii: "}")
    while isSound, at < text.count {
      switch text[at] {
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        point[count % 2] = Self.millionths(text, &at)
        count += 1
        continue
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"):
        depth -= 1
        if count > 0 {
          isSound = count == 2 && abs(point.x) <= 180_000_000 && abs(point.y) <= 90_000_000
          ring.append(point)
          count = 0
        } else if !ring.isEmpty {
          isSound = ring.count >= 4 && ring.first == ring.last
          polygon.append(ring.dropLast())
          ring.removeAll()
        } else if !polygon.isEmpty {
          polygons.append(polygon)
          polygon.removeAll()
        }
      case UInt8(ascii: ","): break
      default: isSound = at == text.count - 1
      }
      at += 1
    }
    self.init(isSound && depth == 0 ? polygons : [])
  }

  /// A number of up to nine digits before the point and six after it; further digits make it too large.
  private static func millionths(_ text: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Int {
    let isNegative = text[at] == UInt8(ascii: "-")
    if isNegative { at += 1 }
    var (value, decimals, isFraction) = (0, 0, false)
    while at < text.count, text[at].isDigit || text[at] == UInt8(ascii: ".") {
      if text[at].isDigit {
        value = value < 1 << 50 ? value * 10 + Int(text[at] - UInt8(ascii: "0")) : 1 << 50
        decimals += isFraction ? 1 : 0
      } else {
        isFraction = true
      }
      at += 1
    }
    guard decimals <= 6, value < 1 << 40 else { return .max }
    value *= powers[6 - decimals]
    return isNegative ? -value : value
  }

  private static let powers = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]

  // MARK: - Measures

  static func area(_ ring: [AuditPoint]) -> Double {
    guard let first = ring.first, var from = ring.last else { return 0 }
    var sum = 0.0
    for to in ring {
      let (one, other) = (from &- first, to &- first)
      sum += Double(one.x) * Double(other.y) - Double(other.x) * Double(one.y)
      from = to
    }
    return sum / 2
  }

  /// Of all polygons without their holes.
  var area: Double {
    polygons.reduce(0) { sum, rings in
      rings.dropFirst().reduce(sum + abs(Self.area(rings[0]))) { $0 - abs(Self.area($1)) }
    }
  }

  /// The length of all rings, with longitudes as long as latitudes.
  private var length: Double {
    polygons.joined().reduce(0) { sum, ring in
      ring.sides.reduce(sum) { sum, side in
        let way = side.1 &- side.0
        return sum + (Double(way.x) * Double(way.x) + Double(way.y) * Double(way.y)).squareRoot()
      }
    }
  }

  private var holes: Int { polygons.reduce(0) { $0 + $1.count - 1 } }

  /// West, east, south and north.
  private var bounds: [Int] {
    guard var low = polygons.first?.first?.first else { return [0, 0, 0, 0] }
    var high = low
    for point in polygons.joined().joined() {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    return [low.x, high.x, low.y, high.y]
  }

  private var isAcrossDateLine: Bool { bounds[0] < -180_000_000 || bounds[1] > 180_000_000 }

  // MARK: - Comparison

  /// The first difference between this shape of a source and that of the database; nil if there is none.
  ///
  /// The build leaves out corners within a tolerance, cuts at 180 degrees, and repairs rings that cross themselves.
  ///
  /// - Parameter tolerance: in millionths of a degree.
  func difference(_ other: AuditShape, tolerance: Double) -> String? {
    guard let text = difference(other, tolerance: tolerance, comparesCorners: true) else { return nil }
    if isWhole { return text }
    return repaired.map { $0.difference(other, tolerance: tolerance, comparesCorners: false) } ?? text
  }

  private func difference(_ other: AuditShape, tolerance: Double, comparesCorners: Bool) -> String? {
    let slack = 0.001 * area + 2 * tolerance * length
    guard abs(area - other.area) <= slack else { return "its area is another one in the source" }
    if isAcrossDateLine { return nil }
    // Degrees of longitude are shorter than those of latitude.
    let limit = 2 + Int(tolerance) * 4
    guard zip(bounds, other.bounds).allSatisfy({ abs($0 - $1) <= limit }) else {
      return "its box is another one in the source"
    }
    guard comparesCorners else { return nil }
    guard polygons.count == other.polygons.count, holes == other.holes else {
      return "the source has other parts or holes"
    }
    return cornerDifference(other, metres: 1 + 2 * tolerance * Self.metre)
  }

  /// Compares the corners ring by ring in their order. Those that the other shape lacks are near its lines.
  private func cornerDifference(_ other: AuditShape, metres: Double) -> String? {
    let rings = Array(polygons.joined())
    // Rings may share corners.
    var places: [AuditPoint: [(ring: Int, index: Int)]] = [:]
    for (number, ring) in rings.enumerated() {
      for (index, corner) in ring.enumerated() { places[corner, default: []].append((number, index)) }
    }
    var missing = Set(rings.indices)
    for ring in other.polygons.joined() {
      var problem: String? = Self.strange
      for start in Self.near(ring[0], { places[$0] }) ?? [] where missing.contains(start.ring) {
        problem = Self.difference(of: rings[start.ring], from: start.index, to: ring, metres: metres) {
          corner in
          (Self.near(corner) { places[$0] } ?? []).filter { $0.ring == start.ring }.map(\.index)
        }
        guard problem != nil else {
          missing.remove(start.ring)
          break
        }
      }
      if let problem { return problem }
    }
    return missing.isEmpty ? nil : "the source has other parts or holes"
  }

  /// Walks along a ring to each corner of another one.
  ///
  /// - Parameter places: the indexes of a corner in the first ring.
  private static func difference(
    of own: [AuditPoint], from start: Int, to ring: [AuditPoint], metres: Double,
    _ places: (AuditPoint) -> [Int]
  ) -> String? {
    let step = (area(own) < 0) == (area(ring) < 0) ? 1 : own.count - 1
    var (at, count) = (start, 0)
    for (from, to) in ring.sides {
      let goals = places(to)
      if goals.isEmpty { return strange }
      repeat {
        (at, count) = ((at + step) % own.count, count + 1)
        if !goals.contains(at), distance(own[at], from: from, to: to) > metres { return lacking }
      } while !goals.contains(at) && count <= own.count
    }
    return count == own.count ? nil : "its corners are in another order than in the source"
  }

  static let strange = "it has corners that the source does not have"
  static let lacking = "it lacks corners of the source"

  /// The same for the shape of arcs and lines, whose area may differ by half a percent.
  func difference(_ other: AuditShape, metres: Double) -> String? {
    let areas = [self, repaired].compactMap { $0?.area }
    let slack = 0.005 * other.area + metres / AuditShape.metre * other.length
    return areas.contains { abs($0 - other.area) <= slack } ? nil : "its area is another one in the source"
  }

  /// Whether another shape has corners that are on no side of this one.
  func hasStrangers(in other: AuditShape, metres: Double) -> Bool {
    let own = Set(polygons.joined().joined())
    let isOwn = { (point: AuditPoint) in own.contains(point) ? true : nil }
    let sides = polygons.joined().flatMap(\.sides)
    return other.polygons.joined().joined().contains { corner in
      abs(corner.x) != 180_000_000 && Self.near(corner, isOwn) == nil
        && !sides.contains { Self.distance(corner, from: $0, to: $1) <= metres }
    }
  }

  /// The length of a millionth of a degree of latitude.
  private static let metre = 0.111

  /// In metres, also across 180 degrees.
  static func distance(_ point: AuditPoint, from: AuditPoint, to: AuditPoint) -> Double {
    let shrink = cos(Double(point.y) / 1e6 * .pi / 180)
    let turn =
      Double(from.x - point.x) > 180e6 ? 360_000_000 : Double(point.x - from.x) > 180e6 ? -360_000_000 : 0
    let plane = { (other: AuditPoint) in
      SIMD2(Double(other.x - point.x - turn) * shrink, Double(other.y - point.y)) * metre
    }
    let (start, way) = (plane(from), plane(to) - plane(from))
    let length = (way * way).sum()
    let share = length > 0 ? min(1, max(0, -(start * way).sum() / length)) : 0
    let nearest = start + way * share
    return (nearest * nearest).sum().squareRoot()
  }

  private var plane: PlaneArea? {
    try? PlaneArea(polygons: polygons.map { $0.map { $0.map { (x: Double($0.x), y: Double($0.y)) } } })
  }

  /// Whether no ring crosses or touches itself or another one.
  var isWhole: Bool { plane?.isValid ?? false }

  /// The area that crossing rings enclose.
  private var repaired: AuditShape? {
    (try? plane?.repaired()).map { area in
      AuditShape(
        area.polygons.map { $0.map { $0.map { AuditPoint(Int($0.x.rounded()), Int($0.y.rounded())) } } })
    }
  }

  /// Whether four columns with its south, north, west and east differ from it.
  func difference(fromBox row: SQLiteRow, at first: Int) -> String? {
    let own = [bounds[2], bounds[3], bounds[0], bounds[1]]
    let isSame = own.indices.allSatisfy { abs(row.double(first + $0) * 1e6 - Double(own[$0])) <= 2 }
    return isSame ? nil : "its box is not that of its shape"
  }

  /// The value of a point, or of one that differs by rounding.
  private static func near<Value>(_ point: AuditPoint, _ value: (AuditPoint) -> Value?) -> Value? {
    if let exact = value(point) { return exact }
    for east in -1...1 {
      for north in -1...1 {
        if let found = value(point &+ AuditPoint(east, north)) { return found }
      }
    }
    return nil
  }
}

extension [AuditPoint] {
  /// From each corner of a ring to the next.
  fileprivate var sides: Zip2Sequence<[AuditPoint], ArraySlice<AuditPoint>> {
    zip(self, dropFirst() + prefix(1))
  }

  /// Whether all corners are on one line, so that the ring encloses nothing.
  fileprivate var isStraight: Bool {
    guard let first, let other = dropFirst().first(where: { $0 != first }) else { return true }
    let way = other &- first
    return allSatisfy { corner in
      let to = corner &- first
      return way.x &* to.y == way.y &* to.x
    }
  }

  /// The ring with each point near the one before it, also beyond 180 degrees, and without repeated points.
  var unwound: [AuditPoint] {
    var ring: [AuditPoint] = []
    for var point in self {
      if let last = ring.last {
        while point.x - last.x > 180_000_000 { point.x -= 360_000_000 }
        while last.x - point.x > 180_000_000 { point.x += 360_000_000 }
        if point == last { continue }
      }
      ring.append(point)
    }
    if ring.count > 1, ring.first == ring.last { ring.removeLast() }
    return ring
  }
}

extension AuditPoint {
  init(longitude: Double, latitude: Double) {
    self.init(Int((longitude * 1e6).rounded()), Int((latitude * 1e6).rounded()))
  }
}

internal import RasterIO

/// How the FAA composes an area: rings that are added to each other and cut out in their order, the first one added to nothing.
struct TFRRecipe {
  private(set) var steps: [(isAdded: Bool, ring: ShapeRing)] = []
  /// A single circle, which needs no other form; nil for other areas.
  private(set) var circle: (center: ShapePoint, metres: Double)?

  /// More than any area has.
  private static let mostCorners = 2000
  private static let operations = ["BASE": true, "UNION": true, "SUBTR": false]
  private static let units = ["NM": 1852, "KM": 1000, "M": 1, "FT": 0.3048, "SM": 1609.344, "MI": 1609.344]

  /// Reads the parts of a `TFRAreaGroup`; nil if one of them cannot be read, since what it would add is not known.
  init?(_ group: AIXMElement) {
    let parts = group.children.filter { $0.name == "aseShapes" }
    var shapes = Dictionary(parts.map { ($0["AseUid"]?["codeId"]?.text ?? "", $0) }) { $1 }
    guard shapes.count == parts.count else { return nil }
    for step in group.children where step.name == "Aac" {
      guard let isAdded = TFRRecipe.operations[step["codeOpr"]?.text ?? ""],
        // A part can be composed of others only in one way that is known: in the area itself.
        step["AacUid"]?["AseUidChi"]?["codeType"]?.text != "PART",
        let id = step["AacUid"]?["AseUidPar"]?["codeId"]?.text,
        let segments = shapes.removeValue(forKey: id)?["Abd"].flatMap(TFRRecipe.segments),
        let ring = RingPath(segments, chordError: TFRShape.error).ring.unwound
      else { return nil }
      if case .circle(let center, let metres)? = segments.first, parts.count == 1 {
        circle = (center, metres)
      }
      steps.append((isAdded, ring))
    }
    guard shapes.isEmpty, steps.first?.isAdded ?? false else { return nil }
  }

  private static func segments(_ boundary: AIXMElement) -> [PathSegment]? {
    let corners = boundary.children.filter { $0.name == "Avx" }
    if corners.count == 1, corners[0]["codeType"]?.text == "CIR" {
      return circle(corners[0], "").map { [.circle(center: $0.center, metres: $0.metres)] }
    }
    let points = corners.compactMap { $0.point() }
    guard points.count == corners.count, (2...mostCorners).contains(points.count) else { return nil }
    var segments: [PathSegment] = []
    for (corner, (from, to)) in zip(corners, zip(points, points.dropFirst() + points.prefix(1))) {
      // `RingPath` joins an arc to the ends of the lines beside it.
      segments.append(.line([from]))
      if from == to, corner["codeType"]?.text == "GRC" { continue }
      guard let side = side(corner, from, to) else { return nil }
      segments.append(side)
    }
    return segments
  }

  /// The way from a corner to the next one. Nil if the ends of an arc, which may be rounded to seconds, are not on its circle.
  private static func side(_ corner: AIXMElement, _ from: ShapePoint, _ to: ShapePoint) -> PathSegment? {
    let type = corner["codeType"]?.text
    if type == "GRC" { return .line(line(from, to)) }
    guard type == "CWA" || type == "CCA", let circle = circle(corner, "Arc") else { return nil }
    let lines = [from, to].map { circle.center.line(to: $0) }
    guard from != to, lines.allSatisfy({ abs($0.metres - circle.metres) < max(200, circle.metres / 50) })
    else {
      return nil
    }
    let turn = lines[0].azimuth - lines[1].azimuth
    let whole = 360 * (turn / 360).rounded(type == "CWA" ? .up : .down)
    let start = 90 - lines[0].azimuth
    return .arc(center: circle.center, metres: circle.metres, from: start, to: start + turn - whole)
  }

  /// The shortest line, which is curved on the map, with points between its ends.
  fileprivate static func line(_ from: ShapePoint, _ to: ShapePoint) -> [ShapePoint] {
    let line = from.line(to: to)
    let bulge = max(TFRPlane.bulge(line.metres, at: from), TFRPlane.bulge(line.metres, at: to))
    let count = min((bulge / TFRShape.error).squareRoot(), 1000).rounded(.up)
    let between = stride(from: 1, to: count, by: 1).map { index in
      GeodesicCircle(center: from, metres: line.metres * index / count).point(azimuth: line.azimuth)
    }
    return [from] + between + [to]
  }

  private static func circle(_ corner: AIXMElement, _ end: String) -> (center: ShapePoint, metres: Double)? {
    guard let center = corner.point(end), let number = Double(corner["valRadiusArc"]?.text ?? ""),
      let unit = units[corner["uomRadiusArc"]?.text ?? "NM"],
      (1...RingPath.largestRadius).contains(number * unit)
    else { return nil }
    return (center, number * unit)
  }
}

extension AIXMElement {
  /// A position in decimal degrees with letters: `48.39996510N`, `083.74861111W`. Nothing but the element's own children is read: the
  /// positions of navaids are further down.
  fileprivate func point(_ end: String = "") -> ShapePoint? {
    func degrees(_ name: String, _ letters: String) -> Double? {
      guard let text = self[name + end]?.text, let letter = text.last, letters.contains(letter),
        let number = Double(text.dropLast()), number >= 0
      else { return nil }
      return letter == letters.first ? number : -number
    }
    guard let north = degrees("geoLat", "NS"), let east = degrees("geoLong", "EW"), abs(north) < 85 else {
      return nil
    }
    return ShapePoint(longitude: east, latitude: north)
  }
}

extension ShapeRing {
  /// Metres. The sides of arcs are shorter.
  private static var longSide: Double { 60_000 }

  /// The line of an `abdMergedArea`, whose sides are the shortest lines on the earth; nil if a corner cannot be read.
  init?(tfr boundary: AIXMElement) {
    let corners = boundary.children.filter { $0.name == "Avx" }
    let points = corners.compactMap { $0["codeType"]?.text == "GRC" ? $0.point() : nil }
    let sides = zip(points, points.dropFirst()).flatMap { from, to in
      from.line(to: to).metres > ShapeRing.longSide ? TFRRecipe.line(from, to).dropLast() : [from]
    }
    guard points.count == corners.count, let ring = (sides + points.suffix(1)).unwound else { return nil }
    self = ring
  }
}

extension ShapePoint {
  /// The shortest line to another point.
  fileprivate func line(to other: ShapePoint) -> (azimuth: Double, metres: Double) {
    func degrees(_ point: ShapePoint) -> (Double, Double) {
      (ShapePoint.degrees(point.x), ShapePoint.degrees(point.y))
    }
    return Geodesic.line(from: degrees(self), to: degrees(other))
  }
}

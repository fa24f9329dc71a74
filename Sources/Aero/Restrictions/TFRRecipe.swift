internal import Foundation
internal import RasterIO

/// How the FAA composes an area: parts that are added to each other and cut out in their order.
struct TFRRecipe {
  enum Operation {
    case add
    case cut
  }

  /// The way from one corner to the next.
  enum Side: Equatable {
    case line
    case arc(center: ShapePoint, metres: Double, isClockwise: Bool)
  }

  enum Part: Equatable {
    case circle(center: ShapePoint, metres: Double)
    case path([(corner: ShapePoint, side: Side)])

    static func == (left: Part, right: Part) -> Bool {
      switch (left, right) {
      case (.circle(let center, let metres), .circle(let other, let radius)):
        center == other && metres == radius
      case (.path(let path), .path(let other)):
        path.elementsEqual(other) { $0.corner == $1.corner && $0.side == $1.side }
      default: false
      }
    }
  }

  /// The first one is added to nothing.
  var steps: [(operation: Operation, part: Part)]

  /// More than any area has.
  private static let mostCorners = 5000
  private static let operations: [String: Operation] = ["BASE": .add, "UNION": .add, "SUBTR": .cut]

  /// Reads the parts of a `TFRAreaGroup`; nil if one of them cannot be read, since what it would add is not known.
  init?(_ group: AIXMElement) {
    var shapes: [String: AIXMElement] = [:]
    for shape in group.children where shape.name == "aseShapes" {
      guard let id = shape["AseUid"]?["codeId"]?.text, shapes.updateValue(shape, forKey: id) == nil else {
        return nil
      }
    }
    steps = []
    for step in group.children where step.name == "Aac" {
      guard let operation = TFRRecipe.operations[step["codeOpr"]?.text ?? ""],
        let id = step["AacUid"]?["AseUidPar"]?["codeId"]?.text,
        let part = shapes.removeValue(forKey: id)?["Abd"].flatMap({ TFRRecipe.part($0) })
      else { return nil }
      steps.append((operation, part))
    }
    guard shapes.isEmpty, case .add? = steps.first?.operation else { return nil }
  }

  /// A single circle, which needs no other form.
  var circle: (center: ShapePoint, metres: Double)? {
    guard steps.count == 1, case .circle(let center, let metres) = steps[0].part else { return nil }
    return (center, metres)
  }

  private static func part(_ boundary: AIXMElement) -> Part? {
    let corners = boundary.children.filter { $0.name == "Avx" }
    guard corners.count <= mostCorners else { return nil }
    if corners.count == 1, corners[0]["codeType"]?.text == "CIR" {
      return circle(corners[0], "geoLat", "geoLong").map { .circle(center: $0.center, metres: $0.metres) }
    }
    var path: [(corner: ShapePoint, side: Side)] = []
    for element in corners {
      guard let corner = element.point(), let side = side(element) else { return nil }
      path.append((corner, side))
    }
    if path.count > 1, path[0].corner == path[path.count - 1].corner { path.removeLast() }
    return path.count > 1 ? .path(path) : nil
  }

  private static func side(_ corner: AIXMElement) -> Side? {
    let type = corner["codeType"]?.text
    switch type {
    case "GRC": return .line
    case "CWA", "CCA":
      return circle(corner, "geoLatArc", "geoLongArc").map {
        .arc(center: $0.center, metres: $0.metres, isClockwise: type == "CWA")
      }
    default: return nil
    }
  }

  private static let units = ["NM": 1852, "KM": 1000, "M": 1, "FT": 0.3048, "SM": 1609.344, "MI": 1609.344]

  private static func circle(
    _ corner: AIXMElement, _ latitude: String, _ longitude: String
  ) -> (center: ShapePoint, metres: Double)? {
    guard let center = corner.point(latitude, longitude),
      let number = corner["valRadiusArc"]?.text.flatMap(Double.init),
      let unit = units[corner["uomRadiusArc"]?.text ?? "NM"]
    else { return nil }
    let metres = number * unit
    return metres >= 1 && metres <= RingPath.largestRadius ? (center, metres) : nil
  }
}

extension AIXMElement {
  /// A position in decimal degrees with letters: `48.39996510N`, `083.74861111W`. Nothing but the element's own children is read: the
  /// positions of navaids are further down.
  fileprivate func point(_ latitude: String = "geoLat", _ longitude: String = "geoLong") -> ShapePoint? {
    guard let north = self[latitude]?.degrees("N", "S"), let east = self[longitude]?.degrees("E", "W"),
      abs(north) < 85
    else { return nil }
    return ShapePoint(longitude: east, latitude: north)
  }

  private func degrees(_ positive: Character, _ negative: Character) -> Double? {
    guard let text, let letter = text.last, letter == positive || letter == negative,
      text.dropLast().allSatisfy({ $0.isNumber || $0 == "." }), let number = Double(text.dropLast())
    else { return nil }
    return letter == positive ? number : -number
  }
}

extension ShapeRing {
  /// The corners of an `abdMergedArea`; nil if one cannot be read.
  init?(tfr boundary: AIXMElement) {
    let corners = boundary.children.filter { $0.name == "Avx" }
    let points = corners.compactMap { $0["codeType"]?.text == "GRC" ? $0.point() : nil }
    guard points.count == corners.count, let ring = points.unwound else { return nil }
    self = ring
  }
}

internal import Foundation

/// An element of an AIXM file with its descendants.
final class AIXMElement: XMLTreeElement {
  let name: String
  var attributes: [String: String]
  let line: Int
  /// Whether the latitude is first in a position, as declared by the element or its ancestors. The FAA's default is longitude first.
  let isLatitudeFirst: Bool
  /// The number of coordinates of a position.
  let dimension: Int
  fileprivate(set) var children: [AIXMElement] = []
  var characters = ""

  /// The FAA's largest files have a few megabytes.
  static let mostBytes = 64 << 20

  /// The elements with these names and their descendants; the root if there are no names.
  static func read(_ bytes: [UInt8], wanted: Set<String> = []) throws(XMLDefect) -> [AIXMElement] {
    var found: [AIXMElement] = []
    let isWanted = { wanted.isEmpty || wanted.contains($0) }
    try XMLTreeReader(limits: (elements: 500_000, depth: 64), wanted: isWanted) { found.append($0) }
      .read(Data(bytes))
    return found
  }

  /// Throws for an unknown reference system or an invalid number of dimensions.
  init(_ name: String, _ attributes: [String: String], line: Int, in parent: AIXMElement?) throws(XMLDefect) {
    self.name = name
    self.attributes = attributes
    self.line = line
    isLatitudeFirst = try AIXMElement.axes(attributes, line) ?? parent?.isLatitudeFirst ?? false
    dimension = try AIXMElement.dimension(attributes, line) ?? parent?.dimension ?? 2
  }

  private static func axes(_ attributes: [String: String], _ line: Int) throws(XMLDefect) -> Bool? {
    guard let name = attributes["srsName"]?.trimmed, !name.isEmpty else { return nil }
    let parts = name.uppercased().split(whereSeparator: { ":/#".contains($0) })
    // WGS84 and NAD83 differ by a metre or two and count as equal.
    switch parts.last {
    case "CRS84", "CRS83": return false
    case "84" where parts.first == "CRS": return false
    case "4326" where parts.contains("EPSG"), "4269" where parts.contains("EPSG"): return true
    default: break
    }
    throw XMLDefect(
      line: line, reason: "its srsName \(name) is not supported; OGC:CRS84, EPSG:4326 and EPSG:4269 are")
  }

  private static func dimension(_ attributes: [String: String], _ line: Int) throws(XMLDefect) -> Int? {
    guard let text = attributes["srsDimension"]?.trimmed else { return nil }
    guard let number = Int(text), (2...3).contains(number) else {
      throw XMLDefect(line: line, reason: "its srsDimension \(text) is neither 2 nor 3")
    }
    return number
  }

  func add(_ child: AIXMElement) { children.append(child) }
  func add(_ text: String) { characters += text }

  /// The trimmed text; nil when it is empty.
  var text: String? {
    let text = characters.trimmed
    return text.isEmpty ? nil : text
  }

  /// The target of a reference, without `#` or `urn:uuid:`.
  var reference: String? {
    attributes["href"].map { href in
      href.hasPrefix("#") ? String(href.dropFirst()) : String(href.split(separator: ":").last ?? "")
    }
  }

  subscript(name: String) -> AIXMElement? { children.first { $0.name == name } }

  /// The first descendant of a name.
  func first(_ name: String) -> AIXMElement? {
    for child in children {
      if child.name == name { return child }
      if let found = child.first(name) { return found }
    }
    return nil
  }

  /// All descendants of a name, in the order of the file.
  func all(_ name: String) -> [AIXMElement] {
    children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
  }

  func text(_ name: String) -> String? { first(name)?.text }
}

extension StringProtocol {
  var trimmed: String {
    guard let start = firstIndex(where: { !$0.isWhitespace }),
      let end = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[start...end])
  }
}

/// The boundary of a volume: `Surface/patches/PolygonPatch`.
extension AIXMElement {
  /// The rings of each patch, the outer one first.
  func patches() throws(UnusableRow) -> [[[PathSegment]]] {
    try all("PolygonPatch").map { patch throws(UnusableRow) in
      try patch.children.filter { $0.name == "exterior" || $0.name == "interior" }
        .map { side throws(UnusableRow) in try side.segments() }
    }
  }

  /// Lines and arcs in their order.
  private func segments() throws(UnusableRow) -> [PathSegment] {
    var segments: [PathSegment] = []
    for piece in pieces() {
      switch piece.name {
      case "ArcByCenterPoint": segments.append(try piece.arc())
      case "CircleByCenterPoint":
        let circle = try piece.circle()
        segments.append(.circle(center: circle.center, metres: circle.metres))
      default: segments.append(.line(try piece.positions()))
      }
    }
    return segments.filter { $0 != .line([]) }
  }

  private static let kinds: Set<String> = [
    "LinearRing", "LineStringSegment", "GeodesicString", "ArcByCenterPoint", "CircleByCenterPoint",
  ]

  private func pieces() -> [AIXMElement] {
    children.flatMap { AIXMElement.kinds.contains($0.name) ? [$0] : $0.pieces() }
  }

  /// The points of `pos` and `posList` at any depth.
  private func positions() throws(UnusableRow) -> [ShapePoint] {
    var points: [ShapePoint] = []
    for element in children {
      guard element.name == "pos" || element.name == "posList" else {
        points += try element.positions()
        continue
      }
      let numbers = (element.text ?? "").split(whereSeparator: \.isWhitespace).map { Double($0) ?? .nan }
      let dimension = element.dimension
      guard element.name == "posList" || numbers.count == dimension, numbers.count.isMultiple(of: dimension)
      else {
        let count = numbers.count == 1 ? "1 number" : "\(numbers.count) numbers"
        throw element.unusable(
          "a position has \(dimension) numbers with spaces between them, and this has \(count)")
      }
      for index in stride(from: 0, to: numbers.count, by: dimension) {
        let (first, second) = (numbers[index], numbers[index + 1])
        let point =
          element.isLatitudeFirst
          ? ShapePoint(longitude: second, latitude: first) : ShapePoint(longitude: first, latitude: second)
        guard let point else { throw element.unusable("it is not a position on the earth") }
        points.append(point)
      }
    }
    return points
  }

  private func circle() throws(UnusableRow) -> (center: ShapePoint, metres: Double) {
    guard let center = try positions().first else { throw unusable("it has no centre") }
    let units = [
      "NM": 1852, "[nmi_i]": 1852, "FT": 0.3048, "[ft_i]": 0.3048, "MI": 1609.344, "KM": 1000, "M": 1,
    ]
    guard let radius = self["radius"], let number = radius.text.flatMap(Double.init),
      let unit = units[radius.attributes["uom"] ?? "NM"]
    else { throw unusable("it has no radius in a known unit") }
    let metres = number * unit
    guard metres >= 1, metres <= RingPath.largestRadius else { throw unusable("its radius is out of range") }
    return (center, metres)
  }

  private func arc() throws(UnusableRow) -> PathSegment {
    let circle = try circle()
    let angles = ["startAngle", "endAngle"].compactMap { self[$0]?.text.flatMap(Double.init) }
    guard angles.count == 2, angles.allSatisfy({ abs($0) <= 1080 }) else {
      throw unusable("it has no angles")
    }
    return .arc(center: circle.center, metres: circle.metres, from: angles[0], to: angles[1])
  }

  private func unusable(_ reason: String) -> UnusableRow {
    UnusableRow(column: name, value: text ?? "", reason: reason)
  }
}

/// The boundary of a volume in GML: `Surface/patches/PolygonPatch`.
extension SourceElement {
  /// The rings of each patch, the outer one first.
  func patches() throws(UnusableRow) -> [[[PathSegment]]] {
    var patches: [[[PathSegment]]] = []
    for patch in all("PolygonPatch") {
      var rings: [[PathSegment]] = []
      for side in patch.children where side.name == "exterior" || side.name == "interior" {
        rings.append(try side.segments())
      }
      patches.append(rings)
    }
    return patches
  }

  /// Lines and arcs in their order; a run of lines is one.
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

  private func pieces() -> [SourceElement] {
    children.flatMap { SourceElement.kinds.contains($0.name) ? [$0] : $0.pieces() }
  }

  /// `pos` and `posList`, at any depth.
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
          "a position has \(dimension) numbers with blanks between them, and this has \(count)")
      }
      for index in stride(from: 0, to: numbers.count, by: dimension) {
        let (first, second) = (numbers[index], numbers[index + 1])
        let point =
          switch element.axes {
          case .longitudeFirst: ShapePoint(longitude: first, latitude: second)
          case .latitudeFirst: ShapePoint(longitude: second, latitude: first)
          }
        guard let point else { throw element.unusable("it is no place on the earth") }
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
      let unit = units[radius.attribute("uom") ?? "NM"]
    else { throw unusable("it has no radius in a known unit") }
    let metres = number * unit
    guard metres >= 1, metres <= RingPath.largestRadius else { throw unusable("its radius is no radius") }
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

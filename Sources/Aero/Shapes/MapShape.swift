/// Where something lies: valid polygons between -180 and 180 degrees in a form that the area alone decides. Outer rings run
/// anticlockwise and holes clockwise (RFC 7946); rings begin with their westernmost corner, and polygons and holes come
/// in the order of these.
struct MapShape: Equatable {
  /// The rings of each polygon, the outer one first.
  let polygons: [[ShapeRing]]

  init(_ polygons: [[ShapeRing]]) {
    self.polygons = polygons.filter { !$0.isEmpty }.map { rings in
      let holes = rings.dropFirst().map { $0.normal(anticlockwise: false) }
      return [rings[0].normal(anticlockwise: true)] + holes.sorted { $0.lexicographicallyPrecedes($1) }
    }.sorted { $0[0].lexicographicallyPrecedes($1[0]) }
  }

  /// South, north, west and east in degrees.
  var box: (south: Double, north: Double, west: Double, east: Double) {
    let points = polygons.lazy.map { $0[0] }.joined()
    func degrees(_ millionths: Int?) -> Double { ShapePoint.degrees(millionths ?? 0) }
    return (
      degrees(points.lazy.map(\.y).min()), degrees(points.lazy.map(\.y).max()),
      degrees(points.lazy.map(\.x).min()), degrees(points.lazy.map(\.x).max())
    )
  }

  /// A GeoJSON geometry in UTF-8, without blanks.
  var geoJSON: [UInt8] {
    var text = GeoJSONText()
    if polygons.count == 1 {
      text.write("{\"type\":\"Polygon\",\"coordinates\":")
      text.write(polygons[0])
    } else {
      text.write("{\"type\":\"MultiPolygon\",\"coordinates\":")
      text.writeList(polygons) { $0.write($1) }
    }
    text.write("}")
    return text.bytes
  }
}

/// Coordinates as the shortest decimal numbers.
private struct GeoJSONText {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func write(_ rings: [ShapeRing]) {
    writeList(rings) { text, ring in
      text.writeList(ring + ring.prefix(1)) { text, point in
        text.write("[")
        text.write(degrees: point.x)
        text.write(",")
        text.write(degrees: point.y)
        text.write("]")
      }
    }
  }

  mutating func writeList<Item>(_ items: [Item], _ each: (inout GeoJSONText, Item) -> Void) {
    write("[")
    for (index, item) in items.enumerated() {
      if index > 0 { write(",") }
      each(&self, item)
    }
    write("]")
  }

  private mutating func write(degrees millionths: Int) {
    if millionths < 0 { write("-") }
    let size = millionths.magnitude
    var (fraction, digits) = (size % UInt(ShapePoint.perDegree), 6)
    while digits > 0, fraction % 10 == 0 { (fraction, digits) = (fraction / 10, digits - 1) }
    writeDigits(size / UInt(ShapePoint.perDegree), least: 1)
    guard digits > 0 else { return }
    write(".")
    writeDigits(fraction, least: digits)
  }

  /// Filled up with zeros from the left.
  private mutating func writeDigits(_ number: UInt, least: Int) {
    let start = bytes.count
    var rest = number
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0 || bytes.count - start < least
    bytes[start...].reverse()
  }
}

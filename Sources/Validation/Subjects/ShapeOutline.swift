internal import Core

/// The box around a GeoJSON polygon whose rings close, read from its bytes: there are millions of corners, and of each only
/// this much is asked.
struct ShapeOutline {
  private(set) var box: GeoBox?
  private var first = GeoPoint(longitude: 0, latitude: 0)
  private var last = GeoPoint(longitude: 0, latitude: 0)
  private var corners = 0

  /// Before the first corner's numbers, and how deep these lie.
  private static let heads = [
    (text: Array("{\"type\":\"Polygon\",\"coordinates\":[[[".utf8), depth: 3),
    (text: Array("{\"type\":\"MultiPolygon\",\"coordinates\":[[[[".utf8), depth: 4),
  ]
  private static let powers: [Double] = [1, 10, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12]

  /// Nil for what is not written as databases have it, or does not close.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let head = ShapeOutline.heads.first(where: { text.starts(with: $0.text) }) else { return nil }
    var at = head.text.count
    var depth = head.depth
    while depth > 0 {
      if depth == head.depth {
        guard let corner = ShapeOutline.corner(text, &at) else { return nil }
        add(corner)
      }
      guard at < text.count else { return nil }
      switch text[at] {
      case UInt8(ascii: "]"):
        depth -= 1
        if depth == head.depth - 2, !closes() { return nil }
      case UInt8(ascii: ","): break
      case UInt8(ascii: "["): depth += 1
      default: return nil
      }
      at += 1
    }
    guard at + 1 == text.count, text[at] == UInt8(ascii: "}") else { return nil }
  }

  private mutating func add(_ corner: GeoPoint) {
    if corners == 0 { first = corner }
    (last, corners) = (corner, corners + 1)
    guard var box else {
      self.box = GeoBox(around: [corner])
      return
    }
    box.west = min(box.west, corner.longitude)
    box.east = max(box.east, corner.longitude)
    box.south = min(box.south, corner.latitude)
    box.north = max(box.north, corner.latitude)
    self.box = box
  }

  /// At the end of a ring.
  private mutating func closes() -> Bool {
    defer { corners = 0 }
    return corners >= 4 && first == last
  }

  /// `-122.115,37.461`
  private static func corner(_ text: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> GeoPoint? {
    guard let longitude = number(text, &at), at < text.count, text[at] == UInt8(ascii: ",") else {
      return nil
    }
    at += 1
    guard let latitude = number(text, &at) else { return nil }
    return GeoPoint(longitude: longitude, latitude: latitude)
  }

  /// Up to twelve decimals, which a Double divides exactly as it would read them.
  private static func number(_ text: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Double? {
    let isNegative = at < text.count && text[at] == UInt8(ascii: "-")
    if isNegative { at += 1 }
    var (digits, value, decimals) = (0, 0, 0)
    var hasPoint = false
    while at < text.count, digits <= 15 {
      let byte = text[at]
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
        digits += 1
        if hasPoint { decimals += 1 }
      } else {
        break
      }
      at += 1
    }
    guard (1...15).contains(digits), decimals < powers.count else { return nil }
    let number = Double(value) / powers[decimals]
    return isNegative ? -number : number
  }
}

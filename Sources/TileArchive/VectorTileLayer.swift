/// A layer of one vector tile (Mapbox Vector Tiles 2.1) while it is written.
struct VectorTileLayer {
  typealias Point = SIMD2<Int>

  enum Shape: UInt64, Sendable {
    case points = 1
    case lines, areas
  }

  /// Numbers things in the order in which they come.
  struct Numbering<Thing: Hashable> {
    private(set) var things: [Thing] = []
    private var numbers: [Thing: Int] = [:]

    mutating func number(of thing: Thing) -> Int {
      if let known = numbers[thing] { return known }
      numbers[thing] = things.count
      things.append(thing)
      return things.count - 1
    }
  }

  private var features = ProtobufWriter()
  private var keys = Numbering<Int>()
  private var values = Numbering<Int>()

  /// - Parameters:
  ///   - paths: in units from the tile's north-western corner. An area is one ring, clockwise on the map, and its holes after it. No ring
  ///     repeats its first point.
  ///   - properties: pairs of positions in the lists that `encoded` gets.
  mutating func add(
    _ shape: Shape, _ paths: [[Point]], id: Int, _ properties: [(key: Int, value: Int)]
  ) {
    var (tags, geometry, feature) = (ProtobufWriter(), ProtobufWriter(), ProtobufWriter())
    for (key, value) in properties {
      tags.add(UInt64(keys.number(of: key)))
      tags.add(UInt64(values.number(of: value)))
    }
    var last = Point.zero
    for path in paths {
      for (index, point) in path.enumerated() {
        if index < 2 { geometry.add(UInt64(index == 0 ? 1 : path.count - 1) << 3 | UInt64(index + 1)) }
        for axis in 0...1 { geometry.add(ProtobufWriter.unsigned(point[axis] - last[axis])) }
        last = point
      }
      if shape == .areas { geometry.add(1 << 3 | 7) }
    }
    feature.add(1, number: UInt64(bitPattern: Int64(id)))
    if !tags.bytes.isEmpty { feature.add(2, tags.bytes) }
    feature.add(3, number: shape.rawValue)
    feature.add(4, geometry.bytes)
    features.add(2, feature.bytes)
  }

  /// The layer as a part of a tile.
  func encoded(
    _ name: String, extent: Int, keys allKeys: [String], values allValues: [VectorTile.Value]
  ) -> [UInt8] {
    var (layer, tile) = (ProtobufWriter(), ProtobufWriter())
    layer.add(15, number: 2)
    layer.add(1, Array(name.utf8))
    layer.bytes += features.bytes
    for key in keys.things { layer.add(3, Array(allKeys[key].utf8)) }
    for value in values.things { layer.add(4, allValues[value].encoded) }
    layer.add(5, number: UInt64(extent))
    tile.add(3, layer.bytes)
    return tile.bytes
  }
}

extension VectorTile.Value {
  fileprivate var encoded: [UInt8] {
    var message = ProtobufWriter()
    switch self {
    case .text(let text): message.add(1, Array(text.utf8))
    case .flag(let flag): message.add(7, number: flag ? 1 : 0)
    case .number(let number):
      // A whole number is short so. Readers in JavaScript take no negative `int_value`.
      if let whole = Int(exactly: number) {
        whole < 0
          ? message.add(6, number: ProtobufWriter.unsigned(whole)) : message.add(5, number: UInt64(whole))
      } else {
        message.add(3, number)
      }
    }
    return message.bytes
  }
}

/// Writes the wire format of protocol buffers.
private struct ProtobufWriter {
  var bytes: [UInt8] = []

  mutating func add(_ number: UInt64) {
    var rest = number
    while rest > 127 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func add(_ key: UInt64, number: UInt64) {
    add(key << 3)
    add(number)
  }

  mutating func add(_ key: UInt64, _ content: [UInt8]) {
    add(key << 3 | 2)
    add(UInt64(content.count))
    bytes += content
  }

  mutating func add(_ key: UInt64, _ number: Double) {
    add(key << 3 | 1)
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
    }
  }

  /// The numbers 0, -1, 1, -2 ... as 0, 1, 2, 3 ...
  static func unsigned(_ number: Int) -> UInt64 { UInt64(bitPattern: Int64(number << 1 ^ number >> 63)) }
}

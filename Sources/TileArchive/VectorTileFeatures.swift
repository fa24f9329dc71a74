/// The features of a layer of a vector tile: their numbers, properties and first points.
public struct VectorTileFeatures: Sendable {
  public struct Feature: Sendable {
    /// Nil for a feature without a number.
    public fileprivate(set) var id: Int?
    /// In units from the tile's north-western corner; nil without a shape.
    public fileprivate(set) var firstPoint: Point?
    /// Pairs of positions in the layer's keys and values.
    fileprivate var tags: [Int] = []
  }

  public struct Point: Equatable, Sendable {
    public let x: Int
    public let y: Int
  }

  public private(set) var layer = ""
  public private(set) var extent = 4096
  public private(set) var features: [Feature] = []
  private var keys: [String] = []
  private var values: [Value] = []

  /// The value of a property.
  public enum Value: Sendable {
    case text(String)
    case number(Double)
  }

  /// Decodes the features of all layers of a stored tile, compressed with gzip or not.
  public static func all(in stored: [UInt8]) throws(VectorTileError) -> [VectorTileFeatures] {
    // Verifies the tile, so that decoding needs no checks.
    _ = try VectorTile(stored: stored)
    var message = ProtobufReader(try VectorTile.unpacked(stored))
    var layers: [VectorTileFeatures] = []
    while let field = try message.next() {
      if field.key == 3 { layers.append(try VectorTileFeatures(layer: try field.bytes())) }
    }
    return layers
  }

  private init(layer bytes: ArraySlice<UInt8>) throws(VectorTileError) {
    var message = ProtobufReader(bytes)
    while let field = try message.next() {
      switch field.key {
      case 1: layer = String(decoding: try field.bytes(), as: UTF8.self)
      case 2: features.append(try Feature(try field.bytes()))
      case 3: keys.append(String(decoding: try field.bytes(), as: UTF8.self))
      case 4: values.append(try VectorTileFeatures.value(try field.bytes()))
      case 5: extent = Int(clamping: try field.number())
      default: continue
      }
    }
  }

  private static func value(_ bytes: ArraySlice<UInt8>) throws(VectorTileError) -> Value {
    var message = ProtobufReader(bytes)
    while let field = try message.next() {
      switch field.key {
      case 1: return .text(String(decoding: try field.bytes(), as: UTF8.self))
      case 2: return .number(Double(Float(bitPattern: UInt32(clamping: bits(try field.bytes())))))
      case 3: return .number(Double(bitPattern: bits(try field.bytes())))
      case 4, 5, 7: return .number(Double(Int64(bitPattern: try field.number())))
      case 6:
        let zigzag = try field.number()
        return .number(Double(Int64(zigzag >> 1) ^ -Int64(zigzag & 1)))
      default: continue
      }
    }
    return .number(.nan)
  }

  /// A number of fixed length, the lowest byte first.
  private static func bits(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The text of a feature's property; nil if it has none, or another value.
  public func text(_ name: String, of feature: Feature) -> String? {
    for pair in stride(from: 0, to: feature.tags.count, by: 2) where keys[feature.tags[pair]] == name {
      if case .text(let text) = values[feature.tags[pair + 1]] { return text }
    }
    return nil
  }
}

extension VectorTileFeatures {
  /// The names and values of a feature's properties.
  public func properties(of feature: Feature) -> [(name: String, value: Value)] {
    stride(from: 0, to: feature.tags.count - 1, by: 2).map {
      (keys[feature.tags[$0]], values[feature.tags[$0 + 1]])
    }
  }
}

extension VectorTileFeatures.Feature {
  fileprivate init(_ bytes: ArraySlice<UInt8>) throws(VectorTileError) {
    var message = ProtobufReader(bytes)
    while let field = try message.next() {
      switch field.key {
      case 1: id = Int(exactly: try field.number())
      case 2: tags = try ProtobufReader(try field.bytes()).numbers().map { Int(clamping: $0) }
      case 4: firstPoint = VectorTileFeatures.Point(try ProtobufReader(try field.bytes()).numbers(limit: 3))
      default: continue
      }
    }
  }
}

extension VectorTileFeatures.Point {
  /// - Parameter commands: A shape begins with the command to move, and the steps to the first point.
  fileprivate init?(_ commands: [UInt64]) {
    guard commands.count == 3, commands[0] & 7 == 1, commands[0] >> 3 > 0 else { return nil }
    let steps = commands[1...].map { Int(clamping: $0 >> 1) ^ -Int($0 & 1) }
    self.init(x: steps[0], y: steps[1])
  }
}

extension ProtobufReader {
  /// The numbers of a packed list, up to a count.
  fileprivate consuming func numbers(limit: Int = .max) throws(VectorTileError) -> [UInt64] {
    var numbers: [UInt64] = []
    while !isAtEnd, numbers.count < limit { numbers.append(try varint()) }
    return numbers
  }
}

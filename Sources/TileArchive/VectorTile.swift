internal import ArchiveIO
internal import Core

/// A Mapbox vector tile (versions 1 and 2), read from untrusted bytes. All of it is verified; of a geometry only the first point is
/// decoded.
public struct VectorTile: Equatable, Sendable {
  public struct Layer: Equatable, Sendable {
    public private(set) var name = ""
    public private(set) var version = 1
    /// The width of the tile in its own units.
    public private(set) var extent = 4096
    public private(set) var features: [Feature] = []
    private var keys: [String] = []
    private var values: [Value] = []
  }

  public struct Feature: Equatable, Sendable {
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

  /// The value of a property.
  public enum Value: Hashable, Sendable {
    case text(String)
    case number(Double)
    case flag(Bool)
  }

  public private(set) var layers: [Layer] = []

  /// The most bytes that a tile may have before compression. Readers on phones load it whole.
  private static let byteLimit = 64 << 20

  /// Reads a stored tile, compressed with gzip or not.
  public init(stored bytes: [UInt8]) throws(VectorTileError) {
    var message = ProtobufReader(try VectorTile.unpacked(bytes))
    while let field = try message.next() {
      guard field.key == 3 else { continue }
      let layer = try Layer(try field.bytes())
      guard !layers.contains(where: { $0.name == layer.name }) else {
        throw VectorTileError("it has two layers \"\(layer.name)\"")
      }
      layers.append(layer)
    }
  }

  /// The bytes of a stored tile before compression.
  public static func unpacked(_ bytes: [UInt8]) throws(VectorTileError) -> ArraySlice<UInt8> {
    guard Gzip.isCompressed(bytes) else { return bytes[...] }
    return try explaining({ VectorTileError("\($0)") }) {
      try Gzip.decompress(bytes, limit: VectorTile.byteLimit)[...]
    }
  }
}

/// A defect of a vector tile.
public struct VectorTileError: Error, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

extension VectorTile.Layer {
  /// The fields may come in any order, so features are read when the keys and values are known.
  fileprivate init(_ bytes: ArraySlice<UInt8>) throws(VectorTileError) {
    var (message, shapes) = (ProtobufReader(bytes), [ArraySlice<UInt8>]())
    while let field = try message.next() {
      switch field.key {
      case 1:
        guard let text = String(validating: try field.bytes(), as: UTF8.self) else {
          throw VectorTileError("the name of a layer is not UTF-8")
        }
        name = text
      case 2: shapes.append(try field.bytes())
      case 3: keys.append(String(decoding: try field.bytes(), as: UTF8.self))
      case 4: values.append(try VectorTile.Value(try field.bytes()))
      case 5: extent = Int(clamping: try field.number())
      case 15: version = Int(clamping: try field.number())
      default: continue
      }
    }
    guard !name.isEmpty else { throw VectorTileError("a layer has no name") }
    guard (1...2).contains(version) else {
      throw VectorTileError("layer \"\(name)\" has version \(version), not 1 or 2")
    }
    guard extent > 0 else { throw VectorTileError("layer \"\(name)\" has no extent") }
    for shape in shapes { features.append(try feature(shape)) }
  }

  private func feature(_ bytes: ArraySlice<UInt8>) throws(VectorTileError) -> VectorTile.Feature {
    var (message, feature) = (ProtobufReader(bytes), VectorTile.Feature())
    while let field = try message.next() {
      switch field.key {
      case 1: feature.id = Int(exactly: try field.number())
      case 2: feature.tags = try tags(try field.bytes())
      case 3:
        guard (try field.number()) <= 3 else { throw defect("unknown geometry type") }
      case 4: feature.firstPoint = try firstPoint(try field.bytes())
      default: continue
      }
    }
    return feature
  }

  private func tags(_ bytes: ArraySlice<UInt8>) throws(VectorTileError) -> [Int] {
    var (numbers, tags) = (ProtobufReader(bytes), [Int]())
    while !numbers.isAtEnd {
      let key = try numbers.varint()
      guard !numbers.isAtEnd else { throw defect("an attribute without a value") }
      let value = try numbers.varint()
      guard key < UInt64(keys.count), value < UInt64(values.count) else {
        throw defect("an attribute that the layer does not have")
      }
      tags += [Int(key), Int(value)]
    }
    return tags
  }

  /// Verifies the commands of a geometry, each with its number of repetitions and two numbers for each point. A shape begins with the
  /// command to move to its first point.
  private func firstPoint(_ bytes: ArraySlice<UInt8>) throws(VectorTileError) -> VectorTile.Point? {
    var (numbers, point) = (ProtobufReader(bytes), VectorTile.Point?.none)
    while !numbers.isAtEnd {
      let isFirst = numbers.remaining == bytes.count
      let command = try numbers.varint()
      let parameters: UInt64
      switch command & 7 {
      case 1, 2: parameters = 2 * (command >> 3)
      case 7: parameters = 0
      default: throw defect("geometry command \(command & 7)")
      }
      // Each number has at least one byte. This is checked before the loop, which an invalid number would make endless.
      guard parameters <= UInt64(numbers.remaining) else { throw defect("a geometry that ends too early") }
      for index in stride(from: 0, to: parameters, by: 2) {
        let (x, y) = (try numbers.step(), try numbers.step())
        if isFirst, index == 0, command & 7 == 1 { point = VectorTile.Point(x: x, y: y) }
      }
    }
    return point
  }

  private func defect(_ what: String) -> VectorTileError {
    VectorTileError("a feature of layer \"\(name)\" has \(what)")
  }

  /// The names and values of a feature's properties.
  public func properties(of feature: VectorTile.Feature) -> [(name: String, value: VectorTile.Value)] {
    stride(from: 0, to: feature.tags.count, by: 2).map {
      (keys[feature.tags[$0]], values[feature.tags[$0 + 1]])
    }
  }

  /// The text of a feature's property; nil if it has none, or another value.
  public func text(_ name: String, of feature: VectorTile.Feature) -> String? {
    for pair in stride(from: 0, to: feature.tags.count, by: 2) where keys[feature.tags[pair]] == name {
      if case .text(let text) = values[feature.tags[pair + 1]] { return text }
    }
    return nil
  }
}

extension VectorTile.Value {
  fileprivate init(_ bytes: ArraySlice<UInt8>) throws(VectorTileError) {
    self = .number(.nan)
    var message = ProtobufReader(bytes)
    while let field = try message.next() {
      switch field.key {
      case 1: self = .text(String(decoding: try field.bytes(), as: UTF8.self))
      case 2: self = .number(Double(Float(bitPattern: UInt32(clamping: Self.bits(try field.bytes())))))
      case 3: self = .number(Double(bitPattern: Self.bits(try field.bytes())))
      case 4, 5: self = .number(Double(Int64(bitPattern: try field.number())))
      case 7: self = .flag(try field.number() != 0)
      case 6: self = .number(Double(ProtobufReader.signed(try field.number())))
      default: continue
      }
    }
  }

  /// A number of fixed length, the lowest byte first.
  private static func bits(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// Reads the wire format of protocol buffers from untrusted bytes.
struct ProtobufReader {
  struct Field {
    let key: UInt64
    /// Nil for a field of bytes.
    fileprivate var value: UInt64?
    /// Nil for a number.
    fileprivate var content: ArraySlice<UInt8>?

    func bytes() throws(VectorTileError) -> ArraySlice<UInt8> {
      guard let content else { throw VectorTileError("field \(key) has a wrong type") }
      return content
    }

    func number() throws(VectorTileError) -> UInt64 {
      guard let value else { throw VectorTileError("field \(key) has a wrong type") }
      return value
    }
  }

  private let message: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) { (message, position) = (bytes, bytes.startIndex) }

  var isAtEnd: Bool { remaining == 0 }
  var remaining: Int { message.endIndex - position }

  /// Nil at the end of the message.
  mutating func next() throws(VectorTileError) -> Field? {
    guard !isAtEnd else { return nil }
    let tag = try varint()
    guard tag >> 3 > 0 else { throw VectorTileError("it has a field with number 0") }
    let key = tag >> 3
    return switch tag & 7 {
    case 0: Field(key: key, value: try varint())
    case 1: Field(key: key, content: try take(8))
    case 2: Field(key: key, content: try take(try varint()))
    case 5: Field(key: key, content: try take(4))
    default: throw VectorTileError("it is not a protocol buffer")
    }
  }

  mutating func varint() throws(VectorTileError) -> UInt64 {
    var (number, shift): (UInt64, UInt64) = (0, 0)
    while shift < 70 {
      guard !isAtEnd else { throw VectorTileError("it ends too early") }
      let byte = message[position]
      position += 1
      number |= UInt64(byte & 127) << shift
      if byte < 128 { return number }
      shift += 7
    }
    throw VectorTileError("a number in it is too long")
  }

  /// A signed number of a geometry.
  mutating func step() throws(VectorTileError) -> Int { Int(ProtobufReader.signed(try varint())) }

  /// The numbers 0, -1, 1, -2 ... as 0, 1, 2, 3 ...
  static func signed(_ number: UInt64) -> Int64 { Int64(number >> 1) ^ -Int64(number & 1) }

  private mutating func take(_ count: UInt64) throws(VectorTileError) -> ArraySlice<UInt8> {
    guard count <= UInt64(remaining) else { throw VectorTileError("it ends too early") }
    defer { position += Int(count) }
    return message[position..<position + Int(count)]
  }
}

internal import ArchiveIO
internal import Core

/// The layers of a Mapbox vector tile (versions 1 and 2), read from untrusted bytes. Names, attributes and geometry are
/// verified, but not decoded.
public struct VectorTile: Equatable, Sendable {
  public struct Layer: Equatable, Sendable {
    public private(set) var name = ""
    public private(set) var version = 1
    /// The width of the tile in its own units.
    public private(set) var extent = 4096
    public private(set) var features = 0
  }

  public private(set) var layers: [Layer] = []

  /// The most bytes that a tile may have before compression. Readers on phones load it whole.
  private static let byteLimit = 64 << 20

  /// Reads a stored tile, compressed with gzip or not.
  public init(stored bytes: [UInt8]) throws(VectorTileError) {
    try self.init(VectorTile.unpacked(bytes))
  }

  /// The bytes of a stored tile before compression.
  public static func unpacked(_ bytes: [UInt8]) throws(VectorTileError) -> ArraySlice<UInt8> {
    guard Gzip.isCompressed(bytes) else { return bytes[...] }
    return try explaining({ VectorTileError("\($0)") }) {
      try Gzip.decompress(bytes, limit: VectorTile.byteLimit)[...]
    }
  }

  init(_ bytes: ArraySlice<UInt8>) throws(VectorTileError) {
    var message = ProtobufReader(bytes)
    while let field = try message.next() {
      guard field.key == 3 else { continue }
      let layer = try Layer(try field.bytes())
      guard !layers.contains(where: { $0.name == layer.name }) else {
        throw VectorTileError("it has two layers \"\(layer.name)\"")
      }
      layers.append(layer)
    }
  }
}

/// A defect of a vector tile.
public struct VectorTileError: Error, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

extension VectorTile.Layer {
  /// The fields may come in any order, so features are verified when the numbers of keys and values are known.
  fileprivate init(_ bytes: ArraySlice<UInt8>) throws(VectorTileError) {
    var (message, keys, values) = (ProtobufReader(bytes), 0, 0)
    var shapes: [ArraySlice<UInt8>] = []
    while let field = try message.next() {
      switch field.key {
      case 1:
        guard let text = String(validating: try field.bytes(), as: UTF8.self) else {
          throw VectorTileError("the name of a layer is not UTF-8")
        }
        name = text
      case 2: shapes.append(try field.bytes())
      case 3:
        _ = try field.bytes()
        keys += 1
      case 4:
        _ = try field.bytes()
        values += 1
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
    for shape in shapes { try verify(shape, keys: keys, values: values) }
    features = shapes.count
  }

  private func verify(_ bytes: ArraySlice<UInt8>, keys: Int, values: Int) throws(VectorTileError) {
    var message = ProtobufReader(bytes)
    while let field = try message.next() {
      switch field.key {
      case 2: try verify(tags: try field.bytes(), keys: keys, values: values)
      case 3:
        guard (try field.number()) <= 3 else { throw defect("unknown geometry type") }
      case 4: try verify(geometry: try field.bytes())
      default: continue
      }
    }
  }

  /// Pairs of positions in the layer's keys and values.
  private func verify(tags bytes: ArraySlice<UInt8>, keys: Int, values: Int) throws(VectorTileError) {
    var numbers = ProtobufReader(bytes)
    while !numbers.isAtEnd {
      let key = try numbers.varint()
      guard !numbers.isAtEnd else { throw defect("an attribute without a value") }
      guard key < UInt64(keys), try numbers.varint() < UInt64(values) else {
        throw defect("an attribute that the layer does not have")
      }
    }
  }

  /// Commands, each with its number of repetitions and two numbers for each point.
  private func verify(geometry bytes: ArraySlice<UInt8>) throws(VectorTileError) {
    var numbers = ProtobufReader(bytes)
    while !numbers.isAtEnd {
      let command = try numbers.varint()
      let parameters: UInt64
      switch command & 7 {
      case 1, 2: parameters = 2 * (command >> 3)
      case 7: parameters = 0
      default: throw defect("geometry command \(command & 7)")
      }
      // Each number has at least one byte. This is checked before the loop, which an invalid number would make endless.
      guard parameters <= UInt64(numbers.remaining) else { throw defect("a geometry that ends too early") }
      for _ in 0..<parameters { _ = try numbers.varint() }
    }
  }

  private func defect(_ what: String) -> VectorTileError {
    VectorTileError("a feature of layer \"\(name)\" has \(what)")
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

  private mutating func take(_ count: UInt64) throws(VectorTileError) -> ArraySlice<UInt8> {
    guard count <= UInt64(remaining) else { throw VectorTileError("it ends too early") }
    defer { position += Int(count) }
    return message[position..<position + Int(count)]
  }
}

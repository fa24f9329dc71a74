public import Foundation

/// A SHA-256 as the 64 lower-case hex digits under which files are addressed.
public struct SHA256Hex: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
  public let text: String

  public init?(_ text: String) {
    guard text.utf8.count == 64,
      text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { return nil }
    self.text = text
  }

  public init(of bytes: [UInt8]) throws(CryptoError) {
    let digest = try Digest(.sha256)
    try digest.update(bytes)
    text = hex(try digest.finish())
  }

  /// Of what was given to a digest of that kind, which cannot be used any more.
  public init(finishing digest: Digest) throws(CryptoError) {
    text = hex(try digest.finish())
  }

  /// Reads the file in pieces, so that its size does not matter.
  public init(ofFile file: URL) throws {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    let digest = try Digest(.sha256)
    while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
      try piece.withUnsafeBytes { try digest.update($0) }
    }
    text = hex(try digest.finish())
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = SHA256Hex(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a SHA-256 is 64 lower-case hex digits")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  public var description: String { text }

  public static func < (left: SHA256Hex, right: SHA256Hex) -> Bool { left.text < right.text }
}

/// Lower-case hex digits of some bytes.
public func hex(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}

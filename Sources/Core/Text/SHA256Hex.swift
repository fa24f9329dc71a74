/// A SHA-256 as 64 lower-case hex digits.
public struct SHA256Hex: Hashable, Comparable, CodableText, Sendable {
  public static let form = "a SHA-256 of 64 lower-case hex digits"
  public let text: String

  public init?(_ text: String) {
    guard text.utf8.count == 64,
      text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { return nil }
    self.text = text
  }

  /// - Parameter digest: The 32 bytes of the hash.
  public init(digest: [UInt8]) { text = hex(digest) }

  public var description: String { text }

  public static func < (left: SHA256Hex, right: SHA256Hex) -> Bool { left.text < right.text }
}

/// Returns the lower-case hex digits of the bytes.
public func hex(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(bytes.underestimatedCount * 2)
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}

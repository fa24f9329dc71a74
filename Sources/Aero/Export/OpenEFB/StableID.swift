internal import CryptoIO

/// UUIDs of version 5 (RFC 9562): the same key gives the same UUID in every cycle.
enum StableID {
  /// The UUID of the URL `urn:chartpipe:openefb`, in which all keys are names.
  static let namespace: [UInt8] = [
    0x4b, 0xd5, 0xeb, 0x0e, 0xae, 0x14, 0x5f, 0xf4, 0x92, 0xb4, 0xf2, 0x46, 0xa1, 0xe9, 0x64, 0xb4,
  ]

  private static let digits = Array("0123456789ABCDEF".utf8)

  /// 36 characters with capitals, as Foundation writes a UUID.
  static func text(of key: String) throws -> String {
    let digest = try Digest(.sha1)
    try digest.update(namespace)
    try digest.update(key)
    var bytes = Array(try digest.finish().prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x50
    bytes[8] = bytes[8] & 0x3f | 0x80
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

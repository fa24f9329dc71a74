/// A JSON object under way, as bytes.
struct JSONObject {
  private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

  mutating func add(_ name: String, _ value: String) {
    begin(name)
    bytes.append(quoted: value.utf8)
  }

  mutating func add(_ name: String, _ value: Int) {
    begin(name)
    bytes.append(contentsOf: "\(value)".utf8)
  }

  /// Without a value there is no member.
  mutating func add(_ name: String, _ value: Double?) {
    guard let value else { return }
    begin(name)
    bytes.append(contentsOf: "\(value)".utf8)
  }

  private mutating func begin(_ name: String) {
    if bytes.count > 1 { bytes.append(.comma) }
    bytes.append(quoted: name.utf8)
    bytes.append(UInt8(ascii: ":"))
  }

  /// A JSON array of texts.
  static func array(of texts: [String]) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    for (index, text) in texts.enumerated() {
      if index > 0 { bytes.append(.comma) }
      bytes.append(quoted: text.utf8)
    }
    bytes.append(UInt8(ascii: "]"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A JSON array of the objects.
  static func array(_ objects: [JSONObject]) -> String {
    var text: [UInt8] = [UInt8(ascii: "[")]
    for (index, object) in objects.enumerated() {
      if index > 0 { text.append(.comma) }
      text += object.bytes
      text.append(UInt8(ascii: "}"))
    }
    text.append(UInt8(ascii: "]"))
    return String(decoding: text, as: UTF8.self)
  }
}

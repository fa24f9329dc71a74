/// What follows the method in a request's first line, taken apart: values, never a path of the file system.
struct Target: Equatable, Sendable {
  /// Without the slashes, decoded one by one, so that an encoded slash stays within its part.
  let path: [String]
  /// Of a name that is there twice the first counts.
  let query: [String: String]

  init(_ text: Substring) throws(Refusal) {
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = halves.first, whole.first == "/", !text.contains("#") else {
      throw Refusal(.badRequest, "the address should begin with a slash")
    }
    var path: [String] = []
    for part in whole.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      path.append(try Target.decoded(part))
    }
    self.path = path
    query = try halves.count == 2 ? Target.pairs(halves[1]) : [:]
  }

  private static func pairs(_ text: Substring) throws(Refusal) -> [String: String] {
    var pairs: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try decoded(halves[0])
      let value = halves.count == 2 ? try decoded(Substring(halves[1].replacing("+", with: " "))) : ""
      if pairs[name] == nil { pairs[name] = value }
    }
    return pairs
  }

  /// Undoes the percent signs; what is then no plain text is refused.
  private static func decoded(_ text: Substring) throws(Refusal) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
        throw Refusal(.badRequest, "a percent sign lacks its two digits")
      }
      bytes.append(high << 4 | low)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self),
      bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { throw Refusal(.badRequest, "the address is no plain text") }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }
}

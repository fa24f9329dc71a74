/// The head of an HTTP/1.1 request, parsed strictly: ambiguous requests are refused.
struct Request: Equatable, Sendable {
  /// The largest head, in bytes.
  static let longestHead = 8192

  /// Whether the answer has a body: it has none for `HEAD`.
  let wantsBody: Bool
  /// The parts of the address between slashes, each decoded on its own, so that an encoded slash stays within its part.
  let path: [String]
  /// The `Host` field; `Connection` checks it.
  let host: String
  /// The bytes of a file that the browser asks for (`Range`).
  private let wantedRange: String?
  /// Whether the browser closes the connection after this request.
  let isLast: Bool

  /// - Parameter head: without the blank line that ends it.
  init(head: [UInt8]) throws(RequestError) {
    guard head.allSatisfy(Request.isPlain) else {
      throw RequestError(.badRequest, "the head is not plain text")
    }
    // Swift treats "\r\n" as one character, so a single "\r" or "\n" is found below.
    let lines = String(decoding: head, as: UTF8.self)
      .split(separator: "\r\n" as Character, omittingEmptySubsequences: false)
    guard !lines.contains(where: { $0.contains("\r") || $0.contains("\n") }), let first = lines.first else {
      throw RequestError(.badRequest, "a line of the head has no proper end")
    }
    let words = first.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, Request.isToken(words[0]), words[2].hasPrefix("HTTP/") else {
      throw RequestError(.badRequest, "the first line should be a method, an address and a version")
    }
    guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
      throw RequestError(.versionNotSupported, "only HTTP/1.1 and 1.0 are supported")
    }
    guard words[0] == "GET" || words[0] == "HEAD" else {
      throw RequestError(.methodNotAllowed, "only GET and HEAD are supported")
    }
    wantsBody = words[0] == "GET"
    path = try Request.path(of: words[1])
    let fields = try Request.fields(lines.dropFirst())
    guard let host = fields["host"] else { throw RequestError(.badRequest, "the Host is missing") }
    self.host = host.lowercased()
    wantedRange = fields["range"]
    isLast = words[2] == "HTTP/1.0" || fields["connection"]?.lowercased() == "close"
  }

  /// The wanted bytes of a file; nil for all of it. Of the forms of HTTP only `bytes=0-127` and `bytes=128-` are supported, and any other
  /// one is ignored, as HTTP allows.
  func range(of size: Int) throws(RequestError) -> Range<Int>? {
    guard let match = wantedRange?.wholeMatch(of: /bytes=([0-9]{1,15})-([0-9]{0,15})/),
      let first = Int(match.1)
    else { return nil }
    guard first < size else { throw RequestError(.rangeNotSatisfiable, "the file has only \(size) bytes") }
    let last = Int(match.2) ?? size - 1
    return first <= last ? first..<min(last + 1, size) : nil
  }

  private static func fields(_ lines: ArraySlice<Substring>) throws(RequestError) -> [String: String] {
    var fields: [String: String] = [:]
    for line in lines {
      let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, isToken(halves[0]) else {
        throw RequestError(.badRequest, "a line of the head should be a name, a colon and a value")
      }
      let name = halves[0].lowercased()
      guard fields[name] == nil else {
        throw RequestError(.badRequest, "\(name) is given twice")
      }
      fields[name] = String(halves[1].drop { $0 == " " || $0 == "\t" }.trimmingEnd())
    }
    guard fields["transfer-encoding"] == nil, ["0", nil].contains(fields["content-length"]) else {
      throw RequestError(.badRequest, "a request may not have a body")
    }
    return fields
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20...0x7E).contains(byte) || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private static func isToken(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~".contains($0) }
  }
}

extension Substring {
  fileprivate func trimmingEnd() -> Substring {
    var text = self
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}

extension Request {
  /// The address of a request. What follows a question mark must be well-formed, and has no effect.
  static func path(of text: Substring) throws(RequestError) -> [String] {
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = halves.first, whole.first == "/", !text.contains("#") else {
      throw RequestError(.badRequest, "the address should begin with a slash")
    }
    for query in halves.dropFirst() { _ = try decoded(query) }
    return try whole.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(decoded)
  }

  /// Decodes percent escapes. Throws for bytes that are not plain UTF-8 text.
  private static func decoded(_ text: Substring) throws(RequestError) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
        throw RequestError(.badRequest, "a percent sign lacks its two digits")
      }
      bytes.append(high << 4 | low)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self),
      bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { throw RequestError(.badRequest, "the address is not plain text") }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }
}

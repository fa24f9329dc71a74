internal import CCurl
internal import Foundation

/// An answer, but not with what was asked for.
public struct HTTPStatusError: Error, Equatable, CustomStringConvertible {
  public let status: Int
  public let url: String
  /// How long the server wants to be left alone.
  public let retryAfter: Duration?

  public init(_ answer: HTTPAnswer) {
    status = answer.status
    url = answer.url
    retryAfter = answer.retryAfter
  }

  /// Whether the same request may do better a little later.
  public var mayPass: Bool { [429, 500, 502, 503, 504].contains(status) }

  public var description: String {
    let words =
      switch status {
      case 401: " (it wants a password)"
      case 403: " (forbidden)"
      case 404: " (not found)"
      case 410: " (gone)"
      case 429: " (too many requests)"
      case 500...599: " (the server is in trouble)"
      default: ""
      }
    return "the server answered \(status)\(words)"
  }
}

extension HTTPAnswer {
  public var etag: String? { headers["etag"] }
  public var lastModified: String? { headers["last-modified"] }

  /// The bytes of the body, as far as the server says it.
  public var length: Int? { headers["content-length"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }

  /// Given as seconds or as an instant; nothing that makes no sense.
  public var retryAfter: Duration? {
    guard let text = headers["retry-after"] else { return nil }
    if let seconds = Int64(text) { return (0...86_400 * 365).contains(seconds) ? .seconds(seconds) : nil }
    let instant = curl_getdate(text, nil)
    return instant < 0 ? nil : .seconds(max(0, Double(instant) - Date().timeIntervalSince1970))
  }

  /// Which bytes of how many these are (`bytes 100-199/200`).
  var range: (first: Int, total: Int?)? {
    guard let text = headers["content-range"], let match = text.wholeMatch(of: /bytes (\d+)-\d+\/(\d+|\*)/),
      let first = Int(match.1)
    else { return nil }
    return (first, Int(match.2))
  }
}

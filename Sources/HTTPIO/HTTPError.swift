internal import CCurl
internal import Foundation

/// No answer, or only part of one.
public struct HTTPError: Error, Equatable, CustomStringConvertible {
  public enum Kind: Sendable {
    /// The address cannot be reached: no network, no such host, nobody listening.
    case unreachable
    case timedOut
    /// The connection ended before the answer did.
    case brokenOff
    /// The server is not whom it should be, or speaks no TLS that is safe.
    case untrusted
    case cancelled
    /// What was asked makes no sense, such as an address of another protocol.
    case unusable
  }

  public let kind: Kind
  public let message: String

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// Whether the same request may do better a little later.
  public var mayPass: Bool {
    switch kind {
    case .unreachable, .timedOut, .brokenOff: true
    case .untrusted, .cancelled, .unusable: false
    }
  }

  public var description: String { message }

  init(_ code: CURLcode, details: String) {
    let words = details.isEmpty ? String(cString: curl_easy_strerror(code)) : details
    self.init(HTTPError.kind(of: code), words)
  }

  private static func kind(of code: CURLcode) -> Kind {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT: .unreachable
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2,
      CURLE_HTTP2_STREAM, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_SEND_FAIL_REWIND:
      .brokenOff
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED:
      .untrusted
    case CURLE_ABORTED_BY_CALLBACK: .cancelled
    default: .unusable
    }
  }
}

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

internal import CCurl
internal import Foundation

/// A request without a response, or with a partial one.
public struct HTTPError: Error, Equatable, CustomStringConvertible {
  public enum Kind: Sendable {
    /// No network, an unknown host or a closed port.
    case unreachable
    case timedOut
    /// The connection ended before the response.
    case brokenOff
    /// The server has no valid certificate or no safe TLS.
    case untrusted
    case cancelled
    /// The request or the response is invalid, such as an address with another protocol.
    case unusable
  }

  public let kind: Kind
  public let message: String

  public init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }

  /// Whether a retry may succeed.
  public var isTransient: Bool {
    switch kind {
    case .unreachable, .timedOut, .brokenOff: true
    case .untrusted, .cancelled, .unusable: false
    }
  }

  public var description: String { message }

  init(_ code: CURLcode, details: String) {
    let message = details.isEmpty ? String(cString: curl_easy_strerror(code)) : details
    // libcurl's own limit for one line of a header is 100 kB.
    let isLongLine = code == CURLE_OUT_OF_MEMORY
    self.init(HTTPError.kind(of: code), isLongLine ? "a header of the response is too large" : message)
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

/// A response with the status of an error.
public struct HTTPStatusError: Error, Equatable, CustomStringConvertible {
  public let status: Int
  public let url: String
  /// How long the server asks to wait before a retry.
  public let retryAfter: Duration?

  public init(_ response: HTTPResponse) {
    status = response.status
    url = response.url
    retryAfter = response.retryAfter
  }

  /// Whether a retry may succeed.
  public var isTransient: Bool { [429, 500, 502, 503, 504].contains(status) }

  public var description: String {
    let meaning =
      switch status {
      case 304: " (not modified)"
      case 401: " (password required)"
      case 403: " (forbidden)"
      case 404: " (not found)"
      case 410: " (gone)"
      case 429: " (too many requests)"
      case 500...599: " (server error)"
      default: ""
      }
    return "the server answered \(status)\(meaning)"
  }
}

extension HTTPResponse {
  public var etag: String? { headers["etag"] }
  public var lastModified: String? { headers["last-modified"] }

  /// The number of bytes of the body, where the server declares it.
  public var length: Int? { headers["content-length"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }

  /// Reads seconds or a date. Nil for implausible values.
  public var retryAfter: Duration? {
    guard let text = headers["retry-after"] else { return nil }
    if let seconds = Int64(text) { return (0...86_400 * 365).contains(seconds) ? .seconds(seconds) : nil }
    let instant = curl_getdate(text, nil)
    return instant < 0 ? nil : .seconds(max(0, Double(instant) - Date().timeIntervalSince1970))
  }

  /// The range of `Content-Range: bytes 100-199/200`.
  var range: (first: Int, total: Int?)? {
    guard let text = headers["content-range"], let match = text.wholeMatch(of: /bytes (\d+)-\d+\/(\d+|\*)/),
      let first = Int(match.1)
    else { return nil }
    return (first, Int(match.2))
  }
}

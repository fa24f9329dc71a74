internal import CCurl

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

public import Core
public import Foundation

/// A complete request. The client adds only headers that the protocol requires.
public struct HTTPRequest: Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case post = "POST"
    case delete = "DELETE"
  }

  public enum Body: Sendable {
    case bytes([UInt8])
    /// A range of a file.
    case file(URL, offset: Int, count: Int)

    var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .file(_, _, let count): count
      }
    }
  }

  /// The keys of a signature as Amazon's services require (AWS Signature Version 4).
  public struct Signature: Sendable {
    public var region: String
    public var service: String
    public var key: String
    public var secret: String

    public init(region: String, service: String = "s3", key: String, secret: String) {
      (self.region, self.service, self.key, self.secret) = (region, service, key, secret)
    }
  }

  public var method: Method
  public var url: String
  public var headers: [(name: String, value: String)]
  public var body: Body?
  public var signature: Signature?
  /// Ends the transfer; nil for no limit of its time.
  public var deadline: TransferDeadline?
  /// A signature is valid for one address, so a signed request follows no redirects.
  public var followsRedirects: Bool { signature == nil }

  public init(
    _ method: Method = .get, _ url: String, headers: [(name: String, value: String)] = [],
    body: Body? = nil, signature: Signature? = nil, deadline: TransferDeadline? = nil
  ) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    (self.signature, self.deadline) = (signature, deadline)
  }
}

/// The response of a server, without the body.
public struct HTTPResponse: Equatable, Sendable {
  public var status: Int
  /// By lower-case name. A repeated header has its last value.
  public var headers: [String: String]
  /// The address after redirects.
  public var url: String
  /// Whether the body was sent more than once: libcurl repeats a request when a kept connection ends without an answer. The server
  /// may have carried out the first one.
  public var isSentAgain = false

  public init(status: Int, headers: [String: String], url: String) {
    (self.status, self.headers, self.url) = (status, headers, url)
  }
}

/// The time-outs of requests.
public struct HTTPTimeouts: Sendable {
  public var connectSeconds: Int
  /// A transfer ends when almost no bytes arrive for this time.
  public var stallSeconds: Int

  public init(connectSeconds: Int = 20, stallSeconds: Int = 30) {
    (self.connectSeconds, self.stallSeconds) = (connectSeconds, stallSeconds)
  }
}

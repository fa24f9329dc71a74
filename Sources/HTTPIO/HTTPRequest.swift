public import Foundation

/// What is asked of a server, in full; nothing is added but what the protocol needs.
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
    /// So many bytes of a file from an offset on.
    case file(URL, offset: Int, count: Int)

    var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .file(_, _, let count): count
      }
    }
  }

  /// Who signs the request, in the way of Amazon's services, which libcurl knows.
  public struct Signature: Sendable {
    public var region: String
    public var service: String
    public var key: String
    public var secret: String

    public init(region: String, service: String = "s3", key: String, secret: String) {
      self.region = region
      self.service = service
      self.key = key
      self.secret = secret
    }
  }

  public var method: Method
  public var url: String
  public var headers: [(name: String, value: String)]
  public var body: Body?
  public var signature: Signature?
  /// A signature is for one address, so a request that bears one is never redirected.
  public var followsRedirects: Bool { signature == nil }

  public init(
    _ method: Method = .get, _ url: String, headers: [(name: String, value: String)] = [],
    body: Body? = nil, signature: Signature? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.signature = signature
  }
}

/// What a server answered, without the body.
public struct HTTPAnswer: Equatable, Sendable {
  public var status: Int
  /// By name in small letters; of two of one name the last.
  public var headers: [String: String]
  /// Where the answer came from in the end.
  public var url: String

  public init(status: Int, headers: [String: String], url: String) {
    self.status = status
    self.headers = headers
    self.url = url
  }
}

/// How long a server may take.
public struct HTTPTimeouts: Sendable {
  public var connectSeconds: Int
  /// Nearly nothing may come for so long.
  public var stallSeconds: Int

  public init(connectSeconds: Int = 20, stallSeconds: Int = 30) {
    self.connectSeconds = connectSeconds
    self.stallSeconds = stallSeconds
  }
}

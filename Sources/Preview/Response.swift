internal import Foundation

/// An HTTP response.
struct Response: Sendable {
  var status: HTTPStatus
  var type = "text/plain; charset=utf-8"
  var body: [UInt8] = []
  /// The `ETag` of the content.
  var tag: String?

  init(_ status: HTTPStatus) { self.status = status }

  init(_ body: [UInt8], type: String, tag: String? = nil) {
    (status, self.body, self.type, self.tag) = (.ok, body, type, tag)
  }

  init(json text: String) { self.init(Array(text.utf8), type: "application/json") }

  /// The page shows the reason.
  init(_ error: RequestError) {
    let text = (try? JSONEncoder().encode(["error": error.reason])) ?? Data("{}".utf8)
    (status, body, type) = (error.status, [UInt8](text), "application/json")
  }

  /// The page shows files of this machine, so it may not load anything from outside, and other sites may not read it. Its icon
  /// is a `data:` address.
  private static let fixedFields = """
    Cache-Control: no-cache\r
    Content-Security-Policy: default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'\r
    Cross-Origin-Resource-Policy: same-origin\r
    Cross-Origin-Opener-Policy: same-origin\r
    Referrer-Policy: no-referrer\r
    X-Content-Type-Options: nosniff\r

    """

  func bytes(withBody: Bool, isLast: Bool) -> [UInt8] {
    var head = "HTTP/1.1 \(status.rawValue) \(status.phrase)\r\n" + Response.fixedFields
    if !status.isBare { head += "Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n" }
    if let tag { head += "ETag: \"\(tag)\"\r\n" }
    if status == .methodNotAllowed { head += "Allow: GET, HEAD\r\n" }
    head += "Connection: \(isLast ? "close" : "keep-alive")\r\n\r\n"
    return Array(head.utf8) + (withBody && !status.isBare ? body : [])
  }
}

/// The HTTP status codes that this server uses.
enum HTTPStatus: Int, Sendable {
  case ok = 200
  case noContent = 204
  case notModified = 304
  case badRequest = 400
  case notFound = 404
  case methodNotAllowed = 405
  case misdirected = 421
  case headTooLarge = 431
  case failed = 500
  case busy = 503
  case versionNotSupported = 505

  var phrase: String {
    switch self {
    case .ok: "OK"
    case .noContent: "No Content"
    case .notModified: "Not Modified"
    case .badRequest: "Bad Request"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .misdirected: "Misdirected Request"
    case .headTooLarge: "Request Header Fields Too Large"
    case .failed: "Internal Server Error"
    case .busy: "Service Unavailable"
    case .versionNotSupported: "HTTP Version Not Supported"
    }
  }

  /// Whether the response has no body, not even an empty one.
  var isBare: Bool { self == .noContent || self == .notModified }
}

/// The reason why a request is refused or fails.
struct RequestError: Error, Equatable {
  let status: HTTPStatus
  let reason: String

  init(_ status: HTTPStatus, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}

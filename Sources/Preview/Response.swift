internal import Foundation

/// An answer, and its bytes as they go over the wire.
struct Response: Sendable {
  var status: Status
  var type = "text/plain; charset=utf-8"
  var body: [UInt8] = []
  /// A name of the content, such that the browser need not fetch it again.
  var tag: String?

  init(_ status: Status) { self.status = status }

  init(_ body: [UInt8], type: String, tag: String? = nil) {
    (status, self.body, self.type, self.tag) = (.ok, body, type, tag)
  }

  init(json text: String) { self.init(Array(text.utf8), type: "application/json") }

  /// The page shows the reason.
  init(_ refusal: Refusal) {
    let text = (try? JSONEncoder().encode(["error": refusal.reason])) ?? Data("{}".utf8)
    (status, body, type) = (refusal.status, [UInt8](text), "application/json")
  }

  /// A page that shows what lies on this machine: nothing from outside may be put into it, and nobody outside may take
  /// anything out of it. Leaflet's empty image is a `data:` address.
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

/// The few answers that HTTP has and this server gives.
enum Status: Int, Sendable {
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

  /// Such answers have no body, not even an empty one.
  var isBare: Bool { self == .noContent || self == .notModified }
}

/// Why a request is not answered with what it asks for.
struct Refusal: Error, Equatable {
  let status: Status
  let reason: String

  init(_ status: Status, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}

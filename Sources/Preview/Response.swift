internal import Core
internal import CryptoIO
internal import Foundation

/// An HTTP response.
struct Response: Sendable {
  var status: HTTPStatus
  var type = "text/plain; charset=utf-8"
  var body: [UInt8] = []
  /// The part of a file that is the body.
  var part: (file: URL, range: Range<Int>, size: Int)?
  var isGzip = false
  /// The Content-Security-Policy of all but the page.
  var policy = """
    default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'
    """
  /// The `ETag` of the content.
  var tag: String?

  init(_ status: HTTPStatus) { self.status = status }

  init(_ body: [UInt8], type: String, tag: String? = nil) {
    (status, self.body, self.type, self.tag) = (.ok, body, type, tag)
  }

  /// The page of a site. Its policy allows its own script, which is within it.
  static func sitePage() throws -> Response {
    let page = [UInt8](try SitePage.data)
    var response = Response(page, type: "text/html; charset=utf-8", tag: try SHA256Hex(of: page).text)
    response.policy = try SitePage.policy + "; frame-ancestors 'none'"
    return response
  }

  /// A file, or the bytes of it that the request asks for.
  init(_ file: PreviewFile, _ request: Request) throws {
    let size = file.size ?? 0
    let range = try request.range(of: size)
    status = range == nil ? .ok : .partialContent
    part = (file.url, range ?? 0..<size, size)
    (type, tag) = (file.mediaType, file.sha256?.text)
  }

  /// The page shows the reason.
  init(_ error: RequestError) {
    let text = (try? JSONEncoder().encode(["error": error.reason])) ?? Data("{}".utf8)
    (status, body, type) = (error.status, [UInt8](text), "application/json")
  }

  /// The page shows files of this machine, so other sites may not read it. Its policy does not let it load anything from outside.
  private static let fixedFields = """
    Cache-Control: no-cache\r
    Cross-Origin-Resource-Policy: same-origin\r
    Cross-Origin-Opener-Policy: same-origin\r
    Referrer-Policy: no-referrer\r
    X-Content-Type-Options: nosniff\r

    """

  func bytes(withBody: Bool, isLast: Bool) -> [UInt8] {
    var head = "HTTP/1.1 \(status.code) \(status.phrase)\r\n" + Response.fixedFields
    head += "Content-Security-Policy: \(policy)\r\n"
    if !status.isBare {
      head += "Content-Type: \(type)\r\nContent-Length: \(part?.range.count ?? body.count)\r\n"
    }
    if isGzip { head += "Content-Encoding: gzip\r\n" }
    if let part {
      head += "Accept-Ranges: bytes\r\n"
      if status == .partialContent {
        head += "Content-Range: bytes \(part.range.lowerBound)-\(part.range.upperBound - 1)/\(part.size)\r\n"
      }
    }
    if let tag { head += "ETag: \"\(tag)\"\r\n" }
    if status == .methodNotAllowed { head += "Allow: GET, HEAD\r\n" }
    head += "Connection: \(isLast ? "close" : "keep-alive")\r\n\r\n"
    return Array(head.utf8) + (withBody && !status.isBare ? body : [])
  }
}

/// The HTTP status codes that this server uses.
struct HTTPStatus: Equatable, Sendable {
  let code: Int
  let phrase: String

  static let ok = HTTPStatus(code: 200, phrase: "OK")
  static let noContent = HTTPStatus(code: 204, phrase: "No Content")
  static let partialContent = HTTPStatus(code: 206, phrase: "Partial Content")
  static let notModified = HTTPStatus(code: 304, phrase: "Not Modified")
  static let badRequest = HTTPStatus(code: 400, phrase: "Bad Request")
  static let notFound = HTTPStatus(code: 404, phrase: "Not Found")
  static let methodNotAllowed = HTTPStatus(code: 405, phrase: "Method Not Allowed")
  static let rangeNotSatisfiable = HTTPStatus(code: 416, phrase: "Range Not Satisfiable")
  static let misdirected = HTTPStatus(code: 421, phrase: "Misdirected Request")
  static let headTooLarge = HTTPStatus(code: 431, phrase: "Request Header Fields Too Large")
  static let failed = HTTPStatus(code: 500, phrase: "Internal Server Error")
  static let busy = HTTPStatus(code: 503, phrase: "Service Unavailable")
  static let versionNotSupported = HTTPStatus(code: 505, phrase: "HTTP Version Not Supported")

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

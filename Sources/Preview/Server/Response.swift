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

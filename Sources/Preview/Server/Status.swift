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

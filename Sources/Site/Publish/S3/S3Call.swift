internal import CryptoIO
internal import Foundation
internal import HTTPIO

/// One request to a store.
struct S3Request: Sendable {
  var method: HTTPRequest.Method
  /// Nil for the bucket.
  var key: String?
  var query: [(name: String, value: String)] = []
  var headers: [(name: String, value: String)] = []
  var body: HTTPRequest.Body?
  /// Of the body. A store that gets another one refuses it.
  var sha256 = S3Request.hashOfNothing

  static let hashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
}

struct S3Answer: Sendable {
  let status: Int
  let headers: [String: String]
  /// Empty where the body was given away.
  let body: Data
  let refusal: S3Refusal?
  /// Whether an earlier attempt may have done what was asked, and its answer was lost.
  var isRepeated = false

  init(_ answer: HTTPAnswer, body: Data, to request: S3Request) {
    status = answer.status
    headers = answer.headers
    self.body = body
    // What takes long is answered with 200 before it is known how it ends.
    refusal = status >= 300 || request.method == .post ? S3Refusal(status, body) : nil
  }

  var isGood: Bool { (200..<300).contains(status) && refusal == nil }
  var tag: ObjectTag? { headers["etag"].map(ObjectTag.init) }
  var bytes: Int? { headers["content-length"].flatMap { Int($0) } }

  /// In seconds.
  var retryAfter: Double? { headers["retry-after"].flatMap { Double($0) } }

  /// Whether the same request may do better a little later.
  var mayPass: Bool {
    !isGood
      && ([408, 429, 500, 502, 503, 504].contains(status)
        || S3Refusal.passing.contains(refusal?.code ?? ""))
  }

  /// The status alone does not tell: at a wrong address a server of another kind finds nothing at all.
  var hasNoSuchKey: Bool { status == 404 && refusal?.code == "NoSuchKey" }

  /// A condition that did not hold; or others wrote at the same time until we gave up.
  var isRefusedByCondition: Bool {
    status == 412 || hasNoSuchKey || refusal?.code == "ConditionalRequestConflict"
  }
}

/// What a store says of why it did not do what it was asked.
struct S3Refusal: Sendable {
  let code: String
  let message: String
  let region: String?

  /// Codes of what may be gone a little later, whatever the status.
  static let passing: Set<String> = [
    "ConditionalRequestConflict", "InternalError", "OperationAborted", "RequestTimeout",
    "ServiceUnavailable", "SlowDown",
  ]

  /// Nil for an answer that tells of success.
  init?(_ status: Int, _ body: Data) {
    let element = S3Element.read(body)
    guard status >= 300 || element?.name == "Error" else { return nil }
    func plain(_ name: String) -> String {
      let text = element.flatMap { $0.name == "Error" ? $0[name] : nil } ?? ""
      return String(text.unicodeScalars.filter { $0.value >= 32 }.map(Character.init))
    }
    code = plain("Code")
    message = plain("Message")
    region = plain("Region").isEmpty ? nil : plain("Region")
  }
}

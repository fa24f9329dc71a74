internal import Core
internal import Foundation
internal import HTTPIO

/// Signs requests, sends them, and retries those that may succeed later.
final class S3Connection: Sendable {
  /// Returns whether it took the piece.
  typealias Receive = (_ answer: HTTPResponse, _ piece: UnsafeRawBufferPointer) throws -> Bool

  /// A page of a list is a few megabytes at most.
  private static let maxBodyBytes = 32 << 20
  private static let agent = "\(ToolVersion.tool)/\(ToolVersion.version)"

  /// Any progress renews the attempts, and a wish for a longer pause than two minutes is shortened.
  static var defaultRetry: RetryPolicy {
    var policy = RetryPolicy(attempts: 6, firstPause: .milliseconds(500), longestPause: .seconds(20))
    (policy.renewingBytes, policy.capsRetryAfter) = (1, true)
    return policy
  }

  let target: S3Target
  private let retry: RetryPolicy
  let keys: S3Keys
  private let clients: Pool<HTTPClient>

  init(_ target: S3Target, keys: S3Keys, retry: RetryPolicy) {
    (self.target, self.keys, self.retry) = (target, keys, retry)
    clients = Pool {
      // A store may take a while to join large parts before it answers.
      try HTTPClient(agent: S3Connection.agent, timeouts: HTTPTimeouts(stallSeconds: 60))
    }
  }

  /// Sends a request until there is a final answer, which may be a refusal.
  func send(_ request: S3Request) throws -> S3Answer {
    try send(progress: { 0 }, request: { request }, receive: { _, _ in false })
  }

  /// - Parameters:
  ///   - progress: the number of bytes so far; attempts that made progress are not counted.
  ///   - request: creates the request of each attempt, since less may be left to ask for.
  ///   - receive: gets the body of a successful answer.
  func send(progress: () -> Int, request: () -> S3Request, receive: Receive) throws -> S3Answer {
    let first = request()
    var retry = retry
    // A removal must not be sent late.
    if first.method == .delete { retry.attempts = 1 }
    var isRepeated = false
    do {
      return try retry.perform(progress: progress) {
        defer { isRepeated = true }
        var answer = try clients.withItem { try ask(request(), of: $0, receive) }
        answer.isRepeated = answer.isRepeated || isRepeated
        if answer.isTransient { throw answer }
        return answer
      }
    } catch let answer as S3Answer {
      return answer
    } catch let error as HTTPError {
      if error.kind == .cancelled { throw CancellationError() }
      throw self.error(error, about: first)
    }
  }

  /// Sends a request after a failure or a cancellation. Whether it succeeds does not matter any more.
  func sendLast(_ request: S3Request) {
    let timeouts = HTTPTimeouts(connectSeconds: 5, stallSeconds: 10)
    CancellationToken().run {
      let client = try? HTTPClient(agent: S3Connection.agent, timeouts: timeouts)
      _ = try? client.map { try ask(request, of: $0) { _, _ in false } }
    }
  }

  private func ask(_ request: S3Request, of client: HTTPClient, _ receive: Receive) throws -> S3Answer {
    var body = Data()
    let answer = try client.send(signed(request)) { answer, piece in
      if (200..<300).contains(answer.status), try receive(answer, piece) { return }
      guard body.count + piece.count <= S3Connection.maxBodyBytes else {
        throw HTTPError(.unusable, "the answer is larger than \(Counts.bytes(S3Connection.maxBodyBytes))")
      }
      body.append(contentsOf: piece)
    }
    return S3Answer(answer, body: body, to: request)
  }

  private func signed(_ request: S3Request) -> HTTPRequest {
    var headers = request.headers + [("x-amz-content-sha256", request.sha256)]
    if let session = keys.session { headers.append(("x-amz-security-token", session)) }
    return HTTPRequest(
      request.method, target.url(request.key, query: request.query), headers: headers, body: request.body,
      signature: .init(region: target.region, key: keys.id, secret: keys.secret))
  }
}

/// One request to a store.
struct S3Request: Sendable {
  /// What it is for, in the words of a message.
  var operation: String
  var method: HTTPRequest.Method
  /// Nil for the bucket.
  var key: String?
  var query: [(name: String, value: String)] = []
  var headers: [(name: String, value: String)] = []
  var body: HTTPRequest.Body?
  /// Of the body. The store rejects a body with another hash.
  var sha256 = S3Request.emptySHA256
  /// Whether it is a part of a conditional write.
  var hasCondition = false

  static let emptySHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
}

/// A transient one is thrown, so that the request is repeated.
struct S3Answer: RetryableError {
  let status: Int
  let headers: [String: String]
  let retryAfter: Duration?
  /// Empty if the body was passed on.
  let body: Data
  /// Why the store refused the request; nil if it did not.
  let refusal: (code: String, message: String, region: String?)?
  /// Whether an earlier attempt may have succeeded and its answer was lost.
  var isRepeated: Bool

  init(_ answer: HTTPResponse, body: Data, to request: S3Request) {
    status = answer.status
    headers = answer.headers
    retryAfter = answer.retryAfter
    isRepeated = answer.isSentAgain
    self.body = body
    // A store answers long operations with 200 before it knows how they end.
    refusal = status >= 300 || request.method == .post ? S3Answer.refusal(status, body) : nil
  }

  var isGood: Bool { (200..<300).contains(status) && refusal == nil }
  var tag: ObjectTag? { headers["etag"].map(ObjectTag.init) }
  var bytes: Int? { headers["content-length"].flatMap { Int($0) } }

  /// Whether the same request may succeed a little later.
  var isTransient: Bool {
    !isGood
      && ([408, 429, 500, 502, 503, 504].contains(status)
        || S3Answer.transientCodes.contains(refusal?.code ?? ""))
  }

  /// The status alone is not enough: at a wrong address another kind of server answers 404 to everything.
  var hasNoSuchKey: Bool { status == 404 && refusal?.code == "NoSuchKey" }

  /// The condition was not met, or others wrote at the same time until we gave up.
  var isRefusedByCondition: Bool {
    status == 412 || hasNoSuchKey || refusal?.code == "ConditionalRequestConflict"
  }

  /// Codes of refusals that may be over a little later, with any status.
  private static let transientCodes: Set<String> = [
    "ConditionalRequestConflict", "InternalError", "OperationAborted", "RequestTimeout",
    "ServiceUnavailable", "SlowDown",
  ]

  private static func refusal(
    _ status: Int, _ body: Data
  ) -> (code: String, message: String, region: String?)? {
    let element = XMLNode.answer(body)
    guard status >= 300 || element?.name == "Error" else { return nil }
    func plain(_ name: String) -> String {
      let text = element.flatMap { $0.name == "Error" ? $0[name] : nil } ?? ""
      return String(text.unicodeScalars.filter { $0.value >= 32 }.map(Character.init))
    }
    return (plain("Code"), plain("Message"), plain("Region").isEmpty ? nil : plain("Region"))
  }
}

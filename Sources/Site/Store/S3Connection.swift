internal import Core
internal import CryptoIO
internal import Foundation
internal import HTTPIO
internal import Pipeline

/// Speaks with a store: signs, and asks again when that may help.
final class S3Connection: Sendable {
  /// Says whether it took the piece.
  typealias Receive = (_ answer: HTTPResponse, _ piece: UnsafeRawBufferPointer) throws -> Bool

  /// A page of a list is a few megabytes at the most.
  private static let mostBytes = 32 << 20
  private static let agent = "\(ToolVersion.tool)/\(ToolVersion.version)"

  let target: S3Target
  let patience: S3Patience
  private let keys: S3Keys
  private let clients: Pool<HTTPClient>

  init(_ target: S3Target, keys: S3Keys, patience: S3Patience) {
    self.target = target
    self.keys = keys
    self.patience = patience
    clients = Pool {
      // A store may put large parts together for a while before it says a word.
      try HTTPClient(
        agent: S3Connection.agent, timeouts: HTTPTimeouts(stallSeconds: 60))
    }
  }

  /// Asks until there is an answer for good, which may be a refusal.
  func send(_ request: S3Request, for work: S3Work) throws -> S3Answer {
    try send(for: work, progress: { 0 }, request: { request }, receive: { _, _ in false })
  }

  /// - Parameters:
  ///   - progress: attempts that came further are not counted.
  ///   - request: made for each attempt, as less may be left to ask for.
  ///   - receive: is offered the body of an answer that is good.
  func send(
    for work: S3Work, progress: () -> Int, request: () -> S3Request, receive: Receive
  ) throws -> S3Answer {
    var failures = 0
    var isRepeated = false
    while true {
      let before = progress()
      var asked: Double?
      do {
        var answer = try clients.withItem { try ask(request(), of: $0, receive) }
        answer.isRepeated = isRepeated
        guard answer.mayPass, mayTry(work, failures) else { return answer }
        asked = answer.retryAfter
      } catch let error as HTTPError {
        if error.kind == .cancelled { throw CancellationError() }
        if progress() > before { failures = 0 }
        guard error.isTransient, mayTry(work, failures) else { throw fault(error, work) }
      }
      failures += 1
      isRepeated = true
      try wait(patience.pause(after: failures, asked: asked))
    }
  }

  private func mayTry(_ work: S3Work, _ failures: Int) -> Bool {
    work.isRepeatable && failures + 1 < patience.attempts
  }

  /// A request at the end of something that failed or was cancelled; whether it is granted does not matter any more.
  func sendLast(_ request: S3Request) {
    let timeouts = HTTPTimeouts(connectSeconds: 5, stallSeconds: 10)
    CancellationToken().run {
      let client = try? HTTPClient(agent: S3Connection.agent, timeouts: timeouts)
      _ = try? client.map { try ask(request, of: $0) { _, _ in false } }
    }
  }

  /// What to tell of an answer that is not what was hoped for.
  func fault(_ answer: S3Answer, _ work: S3Work) -> UserError {
    S3Trouble(target: target, work: work, redact: keys.redacted).fault(answer)
  }

  private func fault(_ error: HTTPError, _ work: S3Work) -> UserError {
    S3Trouble(target: target, work: work, redact: keys.redacted).fault(error)
  }

  private func ask(_ request: S3Request, of client: HTTPClient, _ receive: Receive) throws -> S3Answer {
    var body = Data()
    let answer = try client.send(signed(request)) { answer, piece in
      if (200..<300).contains(answer.status), try receive(answer, piece) { return }
      guard body.count + piece.count <= S3Connection.mostBytes else {
        throw HTTPError(.unusable, "the answer is larger than \(Counts.bytes(S3Connection.mostBytes))")
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

  private func wait(_ seconds: Double) throws {
    let end = Date(timeIntervalSinceNow: seconds)
    while !CancellationToken.current.isCancelled, end.timeIntervalSinceNow > 0 {
      Thread.sleep(forTimeInterval: min(0.1, max(0, end.timeIntervalSinceNow)))
    }
    try CancellationToken.current.check()
  }
}

/// What a request is made for, in the words of a message.
struct S3Work: Sendable {
  let doing: String
  /// Nil for what is of the whole place.
  let key: String?
  var hasCondition = false
  /// False for what must be done soon or not at all.
  var isRepeatable = true
}

/// How often a request is made before it is given up, and how long to wait between.
struct S3Patience: Sendable {
  var attempts = 6
  /// Doubled each time.
  var firstPause = 0.5
  var longestPause = 20.0
  /// A store may ask for more than we would wait.
  var longestAsked = 120.0

  /// In seconds. Chance keeps many publishers from coming back all at once.
  /// - Parameter failures: so many attempts failed in a row, at least one.
  func pause(after failures: Int, asked: Double?) -> Double {
    let doubled = firstPause * Double(1 << min(max(failures, 1) - 1, 16))
    let own = min(doubled, longestPause) * Double.random(in: 0.5...1)
    return max(own, min(asked ?? 0, longestAsked))
  }
}

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

  init(_ answer: HTTPResponse, body: Data, to request: S3Request) {
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

internal import Core
internal import Foundation
internal import HTTPIO
internal import Pipeline

/// Speaks with a store: signs, and asks again when that may help.
final class S3Connection: Sendable {
  /// Says whether it took the piece.
  typealias Receive = (_ answer: HTTPAnswer, _ piece: UnsafeRawBufferPointer) throws -> Bool

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
        agent: S3Connection.agent, patience: HTTPTimeouts(stallSeconds: 60))
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
        guard error.mayPass, mayTry(work, failures) else { throw fault(error, work) }
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
    let patience = HTTPTimeouts(connectSeconds: 5, stallSeconds: 10)
    CancellationToken().run {
      let client = try? HTTPClient(agent: S3Connection.agent, patience: patience)
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

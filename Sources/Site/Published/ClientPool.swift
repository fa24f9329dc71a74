internal import Core
internal import HTTPIO
internal import Pipeline
internal import Synchronization

/// Lends each thread a client of its own, with the connections that it has kept.
final class ClientPool: Sendable {
  /// A client is with one thread at a time: whoever took it out of the pool.
  private struct Idle: @unchecked Sendable {
    let client: HTTPClient
  }

  private let idle = Mutex<[Idle]>([])
  private let stop: CancellationToken

  init(heeding stop: CancellationToken) {
    self.stop = stop
  }

  func lend<Value>(_ body: (HTTPClient) throws -> Value) throws -> Value {
    let lent = try idle.withLock { $0.popLast() } ?? make()
    defer { idle.withLock { $0.append(lent) } }
    return try body(lent.client)
  }

  private func make() throws(HTTPError) -> Idle {
    let agent = "\(ToolVersion.tool)/\(ToolVersion.version)"
    return Idle(client: try HTTPClient(agent: agent, isCancelled: { [stop] in stop.isRaised }))
  }
}

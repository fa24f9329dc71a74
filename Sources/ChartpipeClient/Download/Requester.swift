internal import Core

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// How the files of a site are requested.
public struct NetworkOptions: Sendable {
  /// For proxies, further header fields, and whether mobile networks are used. Its caches and time-outs are replaced.
  public var configuration: URLSessionConfiguration
  /// Attempts in a row that bring no byte, before an error.
  public var attempts = 5
  /// The pause before the second attempt. It doubles with each further one, up to 64 times as long.
  public var retryDelay: Duration = .seconds(1)
  /// The time without a byte after which an attempt fails.
  public var stallTimeout: Duration = .seconds(10)
  /// The time for a small document, with all attempts, before an error. It grows by a second with every 16 kB that arrive.
  public var documentTimeout: Duration = TransferAllowance.document.start
  /// The same for a large file. It grows by a second with every 2 kB that arrive.
  public var fileTimeout: Duration = TransferAllowance.file.start

  public init(configuration: URLSessionConfiguration = .default) { self.configuration = configuration }
}

/// Sends requests and repeats those that fail.
final class Requester: Sendable {
  private let center = ExchangeCenter()
  private let session: URLSession
  private let options: NetworkOptions

  init(_ options: NetworkOptions) {
    let configuration = options.configuration.copy() as? URLSessionConfiguration ?? .ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.timeoutIntervalForRequest = options.stallTimeout / .seconds(1)
    session = URLSession(configuration: configuration, delegate: center, delegateQueue: BoundedQueue())
    self.options = options
  }

  deinit { session.finishTasksAndInvalidate() }

  /// Sends one request for exactly the bytes on the server.
  func send(_ url: URL, headers: [String: String] = [:], to receiver: any ResponseReceiver) async throws {
    var request = URLRequest(url: url)
    request.allHTTPHeaderFields = headers.merging(["Accept-Encoding": "identity"]) { own, _ in own }
    try await center.send(request, in: session, to: receiver)
  }

  func document(_ url: URL, limit: Int, headers: [String: String] = [:]) async throws -> Document {
    let operation = "reading \(url.absoluteString)"
    let allowance = TransferAllowance.document.starting(at: options.documentTimeout)
    let receiver = DocumentReceiver(operation, limit: limit)
    return try await retry(operation, within: allowance, progress: { receiver.count }) {
      try await self.send(url, headers: headers, to: receiver)
      return try receiver.document()
    }
  }

  /// Repeats the requests for a large file.
  func retryFile(
    _ operation: String, progress: @escaping @Sendable () -> Int,
    _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    let allowance = TransferAllowance.file.starting(at: options.fileTimeout)
    try await retry(operation, within: allowance, progress: progress, work)
  }

  /// Cancels work at its deadline.
  private func retry<Value: Sendable>(
    _ operation: String, within allowance: TransferAllowance, progress: @escaping @Sendable () -> Int,
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let (first, deadline) = (progress(), TransferDeadline(allowance))
    let later = { @Sendable in deadline.adding(max(0, progress() - first)) }
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await self.retry(operation, before: later, progress: progress, work) }
      group.addTask {
        while later().left > .zero { try await Task.sleep(for: later().left) }
        return nil
      }
      guard let value = try await group.next() ?? nil else {
        throw ChartpipeError(.network, operation, later().reason, "Try again later")
      }
      return value
    }
  }

  /// Repeats work while it fails with a ``TransientError``.
  ///
  /// - Parameters:
  ///   - deadline: Shortens the pauses before it.
  ///   - progress: A number that grows with the bytes received; after growth, all attempts are available again.
  private func retry<Value: Sendable>(
    _ operation: String, before deadline: () -> TransferDeadline, progress: () -> Int,
    _ work: () async throws -> Value
  ) async throws -> Value {
    var (failed, best) = (0, progress())
    while true {
      do {
        return try await work()
      } catch let error as TransientError {
        failed = progress() > best ? 1 : failed + 1
        best = max(best, progress())
        guard failed < options.attempts else {
          throw ChartpipeError(
            .network, operation, "\(error.reason); \(options.attempts) attempts failed", "Try again later")
        }
        try await Task.sleep(for: min(options.retryDelay * (1 << min(failed - 1, 6)), deadline().left / 2))
      }
    }
  }

  /// The statuses of a file that the server does not have.
  static let missing = [404, 410]

  /// Throws unless the status is one of success.
  static func checkStatus(_ response: HTTPURLResponse, _ operation: String) throws {
    let status = response.statusCode
    switch status {
    case 200..<300: return
    case 404, 410:
      throw ChartpipeError(
        .missing, operation, "the server does not have it (status \(status))",
        "Open the site again: the publisher may have replaced the catalogue")
    case 408, 429, 500...: throw TransientError(reason: "the server answered \(status)")
    default:
      throw ChartpipeError(
        .network, operation, "the server answered \(status)", "Check the address of the site")
    }
  }
}

internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// What becomes of a response. The calls come in order, never at the same time.
protocol ResponseReceiver: AnyObject, Sendable {
  /// The head of the final response. An error ends the request.
  func begin(_ response: HTTPURLResponse) throws
  func receive(_ data: Data) throws
}

/// A failure that another attempt may not have.
struct TransientError: Error {
  let reason: String
}

/// One request and its response.
final class Exchange: NSObject, URLSessionDataDelegate {
  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    /// Why the receiver ended the request.
    var failure: (any Error)?
  }

  private let receiver: any ResponseReceiver
  private let state = Mutex(State())

  private init(_ receiver: any ResponseReceiver) { self.receiver = receiver }

  /// Sends a request and waits for the end of its response. Throws a ``TransientError`` if the connection fails.
  static func send(_ request: URLRequest, in session: URLSession, to receiver: any ResponseReceiver)
    async throws
  {
    try Task.checkCancellation()
    let exchange = Exchange(receiver)
    let task = session.dataTask(with: request)
    task.delegate = exchange
    do {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          exchange.state.withLock { $0.continuation = continuation }
          task.resume()
        }
      } onCancel: {
        task.cancel()
      }
    } catch let error as URLError {
      try Task.checkCancellation()
      throw TransientError(reason: error.reason)
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    attempt(dataTask) {
      guard let response = response as? HTTPURLResponse else {
        throw TransientError(reason: "the server does not speak HTTP")
      }
      try receiver.begin(response)
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    attempt(dataTask) { try receiver.receive(data) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let (continuation, failure) = state.withLock { state in
      defer { state.continuation = nil }
      return (state.continuation, state.failure)
    }
    if let error = failure ?? error {
      continuation?.resume(throwing: error)
    } else {
      continuation?.resume()
    }
  }

  /// Does nothing after a failure: some data may still be on their way.
  private func attempt(_ task: URLSessionTask, _ work: () throws -> Void) {
    guard state.withLock({ $0.failure == nil }) else { return }
    do {
      try work()
    } catch {
      state.withLock { $0.failure = error }
      task.cancel()
    }
  }
}

extension URLError {
  /// Foundation's words have a domain and a number on some platforms.
  fileprivate var reason: String {
    switch code {
    case .timedOut: "the server sent nothing for too long"
    case .cannotFindHost, .dnsLookupFailed: "there is no such host"
    case .cannotConnectToHost: "the server cannot be reached"
    case .networkConnectionLost: "the connection broke"
    case .notConnectedToInternet: "there is no connection to the internet"
    default: localizedDescription
    }
  }
}

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

/// Sends requests in a session. URLSession on Linux calls the delegate of the session only, not one of a task, so it finds the exchange
/// of each task here.
final class ExchangeCenter: NSObject, URLSessionDataDelegate {
  private let exchanges = Mutex<[Int: Exchange]>([:])

  /// Sends a request and waits for the end of its response. Throws a ``TransientError`` if the connection fails.
  ///
  /// - Parameter session: Its delegate is this object.
  func send(_ request: URLRequest, in session: URLSession, to receiver: any ResponseReceiver) async throws {
    try Task.checkCancellation()
    let task = session.dataTask(with: request)
    do {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          exchanges.withLock { $0[task.taskIdentifier] = Exchange(receiver, continuation) }
          task.resume()
        }
      } onCancel: {
        task.cancel()
      }
    } catch let error as TransientError {
      try Task.checkCancellation()
      throw error
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let isAllowed = exchange(of: task)?.follows(from: response.url, to: request.url) ?? false
    completionHandler(isAllowed ? request : nil)
  }

  private func exchange(of task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    exchange(of: dataTask)?.attempt(dataTask) { receiver in
      guard let response = response as? HTTPURLResponse else {
        throw TransientError(reason: "the server does not speak HTTP")
      }
      try receiver.begin(response)
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(of: dataTask)?.attempt(dataTask) { try $0.receive(data) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(error)
  }
}

/// One request and its response.
private final class Exchange: Sendable {
  private let receiver: any ResponseReceiver
  private let continuation: CheckedContinuation<Void, any Error>
  /// Why the receiver ended the request.
  private let failure = Mutex<(any Error)?>(nil)
  private let redirects = Mutex(0)

  init(_ receiver: any ResponseReceiver, _ continuation: CheckedContinuation<Void, any Error>) {
    (self.receiver, self.continuation) = (receiver, continuation)
  }

  func follows(from old: URL?, to new: URL?) -> Bool {
    let count = redirects.withLock { count in
      count += 1
      return count
    }
    let problem =
      count > Redirect.most ? "more than \(Redirect.most) times" : Redirect.problem(from: old, to: new)
    guard let problem else { return true }
    let operation = "requesting \(old?.absoluteString ?? "")"
    // A cancelled task would trap on Linux: its session waits for the answer about the redirect.
    failure.withLock {
      $0 = ChartpipeError(
        .network, operation, "the server redirects \(problem)", "Check the address of the site")
    }
    return false
  }

  /// Does nothing but cancel after a failure: some data may still be on their way.
  func attempt(_ task: URLSessionTask, _ work: (any ResponseReceiver) throws -> Void) {
    guard failure.withLock({ $0 == nil }) else { return task.cancel() }
    do {
      try work(receiver)
    } catch {
      failure.withLock { $0 = error }
      task.cancel()
    }
  }

  func end(_ error: (any Error)?) {
    if let failure = failure.withLock(\.self) {
      continuation.resume(throwing: failure)
    } else if let error {
      continuation.resume(throwing: TransientError(reason: reason(of: error as NSError)))
    } else {
      continuation.resume()
    }
  }

  private func reason(of error: NSError) -> String {
    switch URLError.Code(rawValue: error.code) {
    case .timedOut: "the server sent nothing for too long"
    case .cannotFindHost, .dnsLookupFailed: "there is no such host"
    case .networkConnectionLost: "the connection broke"
    case .notConnectedToInternet: "there is no connection to the internet"
    default: error.localizedDescription
    }
  }
}

enum Redirect {
  static let most = 8

  /// Why a redirect is not followed: it leads to another protocol than HTTP, or from https to http.
  static func problem(from old: URL?, to new: URL?) -> String? {
    let (before, after) = (old?.scheme?.lowercased(), new?.scheme?.lowercased())
    guard after != "https", before != "http" || after != "http" else { return nil }
    return "from \(before ?? "nowhere") to \(after ?? "nowhere")"
  }
}

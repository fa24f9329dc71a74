internal import Foundation

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
  /// One request and its response.
  private typealias Exchange = (
    receiver: any ResponseReceiver, continuation: CheckedContinuation<Void, any Error>, redirects: Int
  )

  private let exchanges = Locked<[Int: Exchange]>([:])
  private static let mostRedirects = 8

  /// Sends a request and waits for the end of its response. Throws a ``TransientError`` if the connection fails.
  ///
  /// - Parameter session: Its delegate is this object.
  func send(_ request: URLRequest, in session: URLSession, to receiver: any ResponseReceiver) async throws {
    try Task.checkCancellation()
    let task = session.dataTask(with: request)
    do {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          exchanges.withLock { $0[task.taskIdentifier] = (receiver, continuation, 0) }
          task.resume()
        }
      } onCancel: {
        task.cancelInBackground()
        // On Linux, the session may never end a task that is cancelled in the body of a redirect.
        Thread.detachNewThread {
          Thread.sleep(forTimeInterval: 1)
          self.end(task, TransientError(reason: "it was cancelled"))
        }
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
    let count = exchanges.withLock {
      $0[task.taskIdentifier]?.redirects += 1
      return $0[task.taskIdentifier]?.redirects
    }
    let isEndless = count.map { $0 > ExchangeCenter.mostRedirects } ?? false
    let problem =
      isEndless
      ? "more than \(ExchangeCenter.mostRedirects) times"
      : redirectProblem(from: response.url, to: request.url)
    if count != nil, let problem {
      let operation = "requesting \(response.url?.absoluteString ?? "")"
      // A cancelled task would trap on Linux: its session waits for the answer about the redirect.
      end(
        task,
        ChartpipeError(
          .network, operation, "the server redirects \(problem)", "Check the address of the site"))
      completionHandler(nil)
    } else {
      completionHandler(count == nil ? nil : request)
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    attempt(dataTask) { receiver in
      guard let response = response as? HTTPURLResponse else {
        throw TransientError(reason: "the server does not speak HTTP")
      }
      try receiver.begin(response)
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    attempt(dataTask) { try $0.receive(data) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    end(task, error.map { TransientError(reason: reason(of: $0 as NSError)) })
  }

  /// Ends the exchange if the receiver throws. Some data may still be on their way.
  private func attempt(_ task: URLSessionTask, _ work: (any ResponseReceiver) throws -> Void) {
    guard let receiver = exchanges.withLock({ $0[task.taskIdentifier]?.receiver }) else { return }
    do {
      try work(receiver)
    } catch {
      end(task, error)
      task.cancelInBackground()
    }
  }

  private func end(_ task: URLSessionTask, _ error: (any Error)?) {
    let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    exchange?.continuation.resume(with: error.map(Result.failure) ?? .success(()))
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

/// Whether a redirect leads to another protocol than HTTP, or from https to http.
func redirectProblem(from old: URL?, to new: URL?) -> String? {
  let (before, after) = (old?.scheme?.lowercased(), new?.scheme?.lowercased())
  guard after != "https", before != "http" || after != "http" else { return nil }
  return "from \(before ?? "nowhere") to \(after ?? "nowhere")"
}

extension URLSessionTask {
  /// On Linux, `cancel` waits until the session has read what the server sends, and with it for `BoundedQueue`. The thread is its own,
  /// since an app may keep all threads of Dispatch busy.
  fileprivate func cancelInBackground() { Thread.detachNewThread { self.cancel() } }
}

/// Runs the calls of a session one at a time, with few of them in memory. Without a bound, URLSession on Linux unpacks a compressed body
/// faster than it is received: a gigabyte from a megabyte.
final class BoundedQueue: OperationQueue, @unchecked Sendable {
  private let free = DispatchSemaphore(value: 64)

  override init() {
    super.init()
    maxConcurrentOperationCount = 1
  }

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    free.wait()
    super.addOperation { [free] in
      block()
      free.signal()
    }
  }
}

internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A small file of the site and the response that brought it. The status is 200, 304, 404 or 410.
typealias Document = (response: HTTPURLResponse, body: Data)

/// Keeps a small response in memory.
final class DocumentReceiver: ResponseReceiver {
  private let operation: String
  private let limit: Int
  private let state = Locked((response: HTTPURLResponse?.none, body: Data(), mostReceived: 0))

  init(_ operation: String, limit: Int) { (self.operation, self.limit) = (operation, limit) }

  /// The bytes of the attempt that brought most.
  var count: Int { state.withLock(\.mostReceived) }

  func begin(_ response: HTTPURLResponse) throws {
    if !([304] + Requester.missing).contains(response.statusCode) {
      try Requester.checkStatus(response, operation)
    }
    state.withLock { $0 = (response, Data(), $0.mostReceived) }
  }

  func receive(_ data: Data) throws {
    let count = state.withLock { state in
      state.body.append(data)
      state.mostReceived = max(state.mostReceived, state.body.count)
      return state.body.count
    }
    guard count <= limit else {
      throw ChartpipeError(.invalid, operation, "it has more than \(limit) bytes")
    }
  }

  func document() throws -> Document {
    let (response, body) = state.withLock { ($0.response, $0.body) }
    guard let response else { throw TransientError(reason: "the server did not answer") }
    return (response, body)
  }
}

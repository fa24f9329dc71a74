internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Keeps a small response in memory.
final class DocumentReceiver: ResponseReceiver {
  /// More than a catalogue or a signature ever has.
  private static let limit = 64 << 20

  private struct State {
    var response: HTTPURLResponse?
    var body = Data()
  }

  private let operation: String
  private let state = Mutex(State())

  init(_ operation: String) { self.operation = operation }

  func begin(_ response: HTTPURLResponse) throws {
    if ![304, 404, 410].contains(response.statusCode) { try Requester.checkStatus(response, operation) }
    state.withLock { $0 = State(response: response) }
  }

  func receive(_ data: Data) throws {
    let count = state.withLock { state in
      state.body.append(data)
      return state.body.count
    }
    guard count <= DocumentReceiver.limit else {
      throw ChartpipeError(.invalid, operation, "it has more than \(DocumentReceiver.limit) bytes")
    }
  }

  func document() throws -> Requester.Document {
    let (response, body) = state.withLock { ($0.response, $0.body) }
    guard let response else { throw TransientError(reason: "the server did not answer") }
    return Requester.Document(response: response, body: body)
  }
}

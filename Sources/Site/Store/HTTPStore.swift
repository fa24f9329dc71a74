internal import Core
internal import Foundation
internal import HTTPIO

extension Pool<HTTPClient> {
  /// Clients that keep their connections.
  static var httpClients: Pool<HTTPClient> {
    let timeouts = HTTPTimeouts(connectSeconds: 5, stallSeconds: 10)
    return Pool { try HTTPClient(agent: "\(ToolVersion.tool)/\(ToolVersion.version)", timeouts: timeouts) }
  }
}

/// A site on a web server. The paths of a site need no escaping in a URL.
struct HTTPStore: ObjectStore {
  /// The address without the last slash.
  let name: String
  let servesRanges = true
  let clients: Pool<HTTPClient>
  let retry: RetryPolicy

  func info(_ key: String) throws -> ObjectInfo? {
    let deadline = TransferDeadline(retry.documents)
    return try withClient(key) { client in
      let answer = try retry.perform(before: deadline) {
        try verified(try client.send(request(.head, key, before: deadline)))
      }
      return ObjectInfo(bytes: answer.length, headers: ServedHeaders(answer))
    }
  }

  func read(_ key: String, _ receive: PieceReceiver) throws -> ObjectInfo? {
    try transfer(key, within: retry.files, receive)
  }

  func readDocument(_ key: String, _ receive: PieceReceiver) throws -> ObjectInfo? {
    try transfer(key, within: retry.documents, receive)
  }

  private func transfer(
    _ key: String, within allowance: TransferAllowance, _ receive: PieceReceiver
  ) throws -> ObjectInfo? {
    let deadline = TransferDeadline(allowance)
    return try withClient(key) { client in
      var reading = ResumedRead()
      let answer = try retry.perform(before: deadline, progress: { reading.furthest }) {
        let late = deadline.adding(reading.furthest)
        let rest = reading.begin("If-Range", \.strongest)
        func verify(_ answer: HTTPResponse) throws {
          // The connection broke after the last byte, or the file is shorter now.
          if !rest.isEmpty, answer.status == 416 {
            throw reading.restart("the server has fewer bytes than before")
          }
          try verified(answer)
        }
        let answer = try client.send(request(.get, key, rest, before: late)) { answer, piece in
          try verify(answer)
          try reading.take(piece, of: answer, receive)
        }
        try verify(answer)
        return answer
      }
      return ObjectInfo(bytes: reading.offset, headers: ServedHeaders(answer))
    }
  }

  func copy(_ key: String, to file: URL, limit: Int, _ advance: (Int) throws -> Void) throws -> ObjectInfo? {
    try withClient(key) { client in
      var count = 0
      let ending = try HTTPDownload(from: address(key), to: file, limit: limit, within: retry.files)
        .run(by: client, retry: retry) { bytes in
          try advance(bytes - count)
          count = bytes
        }
      return ending.map { ObjectInfo(bytes: $0.bytes, sha256: $0.sha256) }
    }
  }

  func read(_ key: String, range: Range<Int>) throws -> Data? {
    let found: Data?
    let deadline = TransferDeadline(retry.files)
    do {
      found = try withClient(key) { client in
        try retry.perform(before: deadline) { try read(key, range: range, by: client, before: deadline) }
      }
    } catch is RangesUnsupported {
      return nil
    }
    guard let found else { throw Unreadable.absent() }
    return found
  }

  private func read(
    _ key: String, range: Range<Int>, by client: HTTPClient, before deadline: TransferDeadline
  ) throws -> Data {
    var data = Data()
    let bytes = (name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
    let answer = try client.send(request(.get, key, [bytes], before: deadline)) { answer, piece in
      try verified(answer)
      // Ends the transfer: the server would send the whole file.
      guard answer.status == 206, answer.firstByte == range.lowerBound else { throw RangesUnsupported() }
      guard data.count + piece.count <= range.count else { throw Unreadable.tooLarge(range.count) }
      data.append(contentsOf: piece)
    }
    try verified(answer)
    guard data.count == range.count else {
      throw HTTPError(.brokenOff, "\(data.count) bytes came of \(range.count)")
    }
    return data
  }

  /// The server does not support range requests.
  private struct RangesUnsupported: Error {}

  // MARK: - Requests and responses

  private func address(_ key: String) -> String { "\(name)/\(key)" }

  /// A cache that compresses would change the length, so compression is not accepted.
  private func request(
    _ method: HTTPRequest.Method, _ key: String, _ headers: [(name: String, value: String)] = [],
    before deadline: TransferDeadline
  ) -> HTTPRequest {
    let fields = [("Accept-Encoding", "identity")] + headers
    return HTTPRequest(method, address(key), headers: fields, deadline: deadline)
  }

  @discardableResult
  private func verified(_ answer: HTTPResponse) throws -> HTTPResponse {
    guard answer.status == 200 || answer.status == 206 else { throw HTTPStatusError(answer) }
    return answer
  }

  /// Returns nil for an absent file. Throws `Unreadable` for a file that the server does not serve, and a `UserError` if the
  /// server cannot be reached.
  private func withClient<Value>(_ key: String, _ body: (HTTPClient) throws -> Value?) throws -> Value? {
    do {
      return try clients.withItem(body)
    } catch let error as HTTPStatusError where [404, 410].contains(error.status) {
      return nil
    } catch let error as HTTPStatusError where !error.isTransient {
      throw Unreadable(error.description)
    } catch let error as HTTPError where error.kind == .cancelled {
      throw CancellationError()
    } catch let error as HTTPError where error.kind == .unusable {
      throw Unreadable(error.message)
    } catch {
      guard error is HTTPStatusError || error is HTTPError else { throw error }
      throw UserError(
        .failed, operation: "reading", path: address(key), reason: "\(error)",
        suggestion:
          "Check the network and the address; on a slow connection, set CHARTPIPE_WAIT_SECONDS. The published "
          + "site may still be good.",
        causes: [error])
    }
  }
}

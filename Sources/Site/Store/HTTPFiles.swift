internal import Core
internal import Foundation
internal import HTTPIO
internal import Pipeline

extension Pool<HTTPClient> {
  /// Clients that keep their connections.
  static var httpClients: Pool<HTTPClient> {
    Pool { try HTTPClient(agent: "\(ToolVersion.tool)/\(ToolVersion.version)") }
  }
}

/// A site on the web. Its paths are plain ones, so they need no escaping.
struct HTTPFiles: PublishedFiles {
  /// The address without the last slash.
  let name: String
  let servesParts = true
  private let clients: Pool<HTTPClient>
  private let retry: RetryPolicy

  init(_ address: String, clients: Pool<HTTPClient>, retry: RetryPolicy) {
    name = address
    self.clients = clients
    self.retry = retry
  }

  func look(_ path: String) throws -> PublishedFile? {
    try asking(path) { client in
      let answer = try retry.perform { try good(try client.send(request(.head, path))) }
      return PublishedFile(bytes: answer.length, headers: ServedHeaders(answer))
    }
  }

  func data(_ path: String, limit: Int) throws -> PublishedData? {
    try asking(path) { client in
      let (answer, data) = try retry.perform {
        var data = Data()
        let answer = try client.send(request(.get, path)) { answer, piece in
          try good(answer)
          guard data.count + piece.count <= limit else { throw Unreadable.tooLarge(limit) }
          data.append(contentsOf: piece)
        }
        return (try good(answer), data)
      }
      return PublishedData(data: data, headers: ServedHeaders(answer))
    }
  }

  func fingerprint(_ path: String, limit: Int, _ advance: (Int) throws -> Void) throws -> PublishedFile? {
    try asking(path) { client in
      var running = try RunningHash(limit: limit)
      let answer = try retry.perform(progress: { running.received }) {
        let start = running.count
        var isFirst = true
        let answer = try client.send(request(.get, path, from: start)) { answer, piece in
          try good(answer)
          if isFirst, start > 0, !answer.begins(at: start) {
            try advance(-start)
            try running.restart()
          }
          isFirst = false
          try running.add(piece)
          try advance(piece.count)
        }
        return try good(answer)
      }
      return try running.finish(ServedHeaders(answer))
    }
  }

  func copy(_ path: String, to file: URL, limit: Int, _ advance: (Int) throws -> Void) throws
    -> PublishedFile?
  {
    try asking(path) { client in
      var count = 0
      let ending = try HTTPDownload(from: address(path), to: file, limit: limit)
        .run(by: client, retry: retry) { progress in
          try advance(progress.bytes - count)
          count = progress.bytes
        }
      guard case .complete(let whole) = ending else { return nil }
      return PublishedFile(bytes: whole.bytes, sha256: whole.sha256)
    }
  }

  func part(_ path: String, _ range: Range<Int>) throws -> Data? {
    let found: Data?
    do {
      found = try asking(path) { client in try retry.perform { try part(path, range, by: client) } }
    } catch is WholeAnswer {
      return nil
    }
    guard let found else { throw Unreadable.absent() }
    return found
  }

  private func part(_ path: String, _ range: Range<Int>, by client: HTTPClient) throws -> Data {
    var data = Data()
    var isPart = false
    let answer = try client.send(request(range, of: path)) { answer, piece in
      try good(answer)
      isPart = answer.status == 206 && answer.begins(at: range.lowerBound)
      // Ends the transfer: the server would send the whole file.
      guard isPart else { throw WholeAnswer() }
      data.append(contentsOf: piece)
    }
    try good(answer)
    guard data.count == range.count else {
      throw HTTPError(.brokenOff, "\(data.count) bytes came of \(range.count)")
    }
    return data
  }

  /// The answer of a server that does not support range requests.
  private struct WholeAnswer: Error {}

  // MARK: - Requests and what can come of them

  private func request(_ range: Range<Int>, of path: String) -> HTTPRequest {
    var request = request(.get, path)
    request.headers.append(("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)"))
    return request
  }

  private func address(_ path: String) -> String { "\(name)/\(path)" }

  /// What a cache on the way has packed would have another length.
  private func request(_ method: HTTPRequest.Method, _ path: String, from start: Int = 0) -> HTTPRequest {
    var headers = [(name: "Accept-Encoding", value: "identity")]
    if start > 0 { headers.append(("Range", "bytes=\(start)-")) }
    return HTTPRequest(method, address(path), headers: headers)
  }

  @discardableResult
  private func good(_ answer: HTTPResponse) throws -> HTTPResponse {
    guard answer.status == 200 || answer.status == 206 else { throw HTTPStatusError(answer) }
    return answer
  }

  /// A file that is not there, one that cannot be had, and a server that cannot be reached are three different things.
  private func asking<Value>(_ path: String, _ body: (HTTPClient) throws -> Value?) throws -> Value? {
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
        .failed, operation: "reading", path: address(path), reason: "\(error)",
        suggestion: "Check the network and the address. The published site may still be good.",
        causes: [error])
    }
  }
}

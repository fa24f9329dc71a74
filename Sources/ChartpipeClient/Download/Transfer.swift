internal import Core
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// How much of a download has arrived.
public struct DownloadProgress: Equatable, Sendable {
  public let received: Int
  public let total: Int

  /// 0 to 1.
  public var fraction: Double { total > 0 ? Double(received) / Double(total) : 1 }
}

/// Downloads one file into a ``PartialFile`` and verifies its size and hash.
final class Transfer: ResponseReceiver {
  private struct State {
    let part: PartialFile
    /// Whether the bytes came from several responses, which can be of different files.
    var isJoined: Bool
    var mostReceived = 0
  }

  private let url: URL
  private let file: any SiteFile
  private let requester: Requester
  private let progress: @Sendable (DownloadProgress) -> Void
  private let operation: String
  private let state: Locked<State>

  init(
    _ file: any SiteFile, from url: URL, to target: URL, _ requester: Requester,
    progress: @escaping @Sendable (DownloadProgress) -> Void
  ) throws {
    (self.url, self.file, self.requester, self.progress) = (url, file, requester, progress)
    operation = "downloading \(file.path)"
    let part = try PartialFile(for: target, sha256: file.sha256)
    state = Locked(State(part: part, isJoined: part.count > 0))
  }

  /// Continues where the partial file ends. After an error of the code `integrity` the partial file is empty.
  func run() async throws {
    if received > file.bytes { try restart() }
    do {
      try await complete()
    } catch let error as ChartpipeError where error.code == .integrity && state.withLock(\.isJoined) {
      // The earlier bytes may be wrong, so the file is downloaded once more from the start.
      state.withLock { $0.isJoined = false }
      try await complete()
    }
  }

  /// The bytes that are still to come.
  var missingBytes: Int { max(0, file.bytes - received) }

  /// Calls `use` with the finished download.
  func finish(_ use: (PartialFile) throws -> Void) throws { try state.withLock { try use($0.part) } }

  /// Lets another download of the file begin. The session may keep this object for a moment longer.
  func end() { state.withLock { $0.part.unlock() } }

  private var received: Int { state.withLock(\.part.count) }

  private func complete() async throws {
    while missingBytes > 0 {
      try await requester.retryFile(operation, progress: { self.state.withLock(\.mostReceived) }) {
        try await self.request()
      }
    }
    let found = try sha256(ofFile: state.withLock(\.part.url))
    guard found == file.sha256.text else {
      throw try mismatch("its SHA-256 is \(found), not \(file.sha256)")
    }
  }

  private func request() async throws {
    try await requester.send(url, headers: headers, to: self)
    guard missingBytes == 0 else {
      throw TransientError(reason: "the connection ended after \(received) of \(file.bytes) bytes")
    }
  }

  private var headers: [String: String] {
    let (count, etag) = state.withLock { ($0.part.count, $0.part.etag) }
    guard count > 0 else { return [:] }
    let range = ["Range": "bytes=\(count)-"]
    return etag.map { range.merging(["If-Range": $0]) { $1 } } ?? range
  }

  func begin(_ response: HTTPURLResponse) throws {
    let status = response.statusCode
    if received > 0, status == 416 || status == 206 && !continues(response) {
      try restart()
      throw TransientError(reason: "the server did not continue the download")
    }
    try Requester.checkStatus(response, operation)
    guard status != 206 else { return state.withLock { $0.isJoined = true } }
    state.withLock { $0.isJoined = false }
    try restart(etag: response.strongETag)
    if let length = response.plainLength, length != file.bytes {
      throw try mismatch("the server has \(length) bytes instead of \(file.bytes)")
    }
  }

  func receive(_ data: Data) throws {
    let (count, isTooLong) = try state.withLock { state in
      guard state.part.count + data.count <= file.bytes else { return (0, true) }
      try explaining({ ChartpipeError(fileError: $0, operation) }) { try state.part.append(data) }
      state.mostReceived = max(state.mostReceived, state.part.count)
      return (state.part.count, false)
    }
    guard !isTooLong else { throw try mismatch("the server sends more than its \(file.bytes) bytes") }
    progress(DownloadProgress(received: count, total: file.bytes))
  }

  /// Whether a response continues the same file at the right byte.
  private func continues(_ response: HTTPURLResponse) -> Bool {
    let (count, own) = state.withLock { ($0.part.count, $0.part.etag) }
    let range = response.value(forHTTPHeaderField: "Content-Range")
    let isRight = range == nil || range == "bytes \(count)-\(file.bytes - 1)/\(file.bytes)"
    guard let etag = response.strongETag, let own else { return isRight }
    return isRight && etag == own
  }

  private func restart(etag: String? = nil) throws {
    try explaining({ ChartpipeError(fileError: $0, operation) }) {
      try state.withLock { try $0.part.restart(etag: etag) }
    }
  }

  private func mismatch(_ reason: String) throws -> ChartpipeError {
    try restart()
    return ChartpipeError(
      .integrity, operation, reason, "Open the site again and download the file that it names then")
  }
}

extension HTTPURLResponse {
  /// `If-Range` needs an `ETag` that is not weak.
  fileprivate var strongETag: String? {
    value(forHTTPHeaderField: "ETag").flatMap { $0.hasPrefix("W/") ? nil : $0 }
  }

  /// The length of the body; nil if the server does not say, or compresses it.
  fileprivate var plainLength: Int? {
    guard value(forHTTPHeaderField: "Content-Encoding") == nil else { return nil }
    return value(forHTTPHeaderField: "Content-Length").flatMap { Int($0) }
  }
}

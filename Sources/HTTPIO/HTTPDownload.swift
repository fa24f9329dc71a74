public import Core
internal import CryptoIO
public import Foundation

/// The headers that identify a version of a file on a server.
public struct HTTPValidators: Codable, Equatable, Sendable {
  public var etag: String?
  public var lastModified: String?

  public init(etag: String? = nil, lastModified: String? = nil) {
    (self.etag, self.lastModified) = (etag, lastModified)
  }

  public init(_ response: HTTPResponse) {
    self.init(etag: response.etag, lastModified: response.lastModified)
  }

  public var isEmpty: Bool { etag == nil && lastModified == nil }

  /// The validator for byte ranges. A weak tag is none.
  public var strongest: String? { etag.flatMap { $0.hasPrefix("W/") ? nil : $0 } ?? lastModified }

  /// Whether a response can be of the same version. Missing headers count as equal.
  public func agree(with response: HTTPResponse) -> Bool {
    (etag == nil || response.etag == nil || etag == response.etag)
      && (lastModified == nil || response.lastModified == nil || lastModified == response.lastModified)
  }
}

/// A download of a large file that can resume.
///
/// It writes to `X.part` and renames the complete file. A later call for the same file resumes it if the server still has the same
/// bytes, else it starts again.
public struct HTTPDownload: Sendable {
  public struct CompleteFile: Equatable, Sendable {
    public var bytes: Int
    public var sha256: SHA256Hex
    public var known: HTTPValidators
    /// How many bytes this call received. A resumed download receives fewer than `bytes`.
    public var received: Int
  }

  public var url: String
  public var file: URL
  /// The maximum number of bytes.
  public var limit: Int
  /// The version that the caller has, which is not downloaded again.
  public var known: HTTPValidators
  /// How long it may take; nil for as long as bytes come.
  public var allowance: TransferAllowance?

  public init(
    from url: String, to file: URL, limit: Int, known: HTTPValidators = HTTPValidators(),
    within allowance: TransferAllowance? = nil
  ) {
    (self.url, self.file, self.limit, self.known) = (url, file, limit, known)
    self.allowance = allowance
  }

  /// Whether a file is part of a partial download that a later call can resume.
  public static func canResume(_ file: URL) -> Bool {
    let part = file.pathExtension == PartialFile.noteExtension ? file.deletingPathExtension() : file
    let files = [part, part.appendingPathExtension(PartialFile.noteExtension)]
    return part.pathExtension == PartialFile.pathExtension
      && files.allSatisfy { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// Downloads the file. Only one call at a time may download to one file. A file that is too large leaves no partial one.
  ///
  /// - Parameter progress: receives the number of bytes that are there.
  /// - Returns: nil if the server still has the version in `known`.
  /// - Throws: `HTTPError`, `HTTPStatusError`, `UserError`, errors of the file system and of `progress`.
  public func run(
    by client: HTTPClient, retry: RetryPolicy = RetryPolicy(), progress: (Int) throws -> Void = { _ in }
  ) throws -> CompleteFile? {
    let part = PartialFile(for: file)
    let deadline = allowance.map(TransferDeadline.init)
    var received = 0
    // A transfer that starts over makes no progress until it is past this.
    var furthest = 0
    return try retry.perform(before: deadline, progress: { furthest }) {
      let response = try transfer(part, client, deadline?.adding(received)) { count in
        received += count
        furthest = max(furthest, part.size)
        try progress(part.size)
      }
      guard let response else {
        part.remove()
        return nil
      }
      try part.finish()
      return CompleteFile(
        bytes: part.size, sha256: try SHA256Hex(ofFile: file), known: HTTPValidators(response),
        received: received)
    }
  }

  /// Sends one request. Returns nil when the file is unchanged.
  private func transfer(
    _ part: PartialFile, _ client: HTTPClient, _ deadline: TransferDeadline?, _ count: (Int) throws -> Void
  ) throws -> HTTPResponse? {
    let start = part.start(of: url)
    var isOpen = false
    var request = request(part, from: start)
    request.deadline = deadline
    let response = try client.send(request) { response, piece in
      if !isOpen { try open(part, response, at: start) }
      isOpen = true
      guard piece.count <= limit - part.size else { throw tooLarge(part) }
      try part.append(piece)
      try count(piece.count)
    }
    if response.status == 304, start == 0, !known.isEmpty { return nil }
    if !isOpen { try open(part, response, at: start) }
    guard part.size == part.note?.total ?? part.size else {
      throw HTTPError(.brokenOff, "\(part.size) bytes came of \(part.note?.total ?? 0)")
    }
    return response
  }

  private func request(_ part: PartialFile, from start: Int) -> HTTPRequest {
    // Otherwise ranges and sizes could be those of a compressed form.
    var fields = [(name: "Accept-Encoding", value: "identity")]
    if start > 0, let tag = part.note?.known.strongest {
      fields += [("Range", "bytes=\(start)-"), ("If-Range", tag)]
    } else {
      known.etag.map { fields.append(("If-None-Match", $0)) }
      known.lastModified.map { fields.append(("If-Modified-Since", $0)) }
    }
    return HTTPRequest(.get, url, headers: fields)
  }

  /// Prepares the partial file for the first bytes of a response.
  private func open(_ part: PartialFile, _ response: HTTPResponse, at start: Int) throws {
    if let encoding = response.headers["content-encoding"], encoding.lowercased() != "identity" {
      throw HTTPError(.unusable, "the server compressed it (\(encoding)) without being asked to")
    }
    switch response.status {
    case 200:
      let note = PartialFile.Note(url: url, known: HTTPValidators(response), total: response.length)
      guard note.total ?? 0 <= limit else { throw tooLarge(part) }
      try part.start(note)
    case 206 where start > 0:
      guard let range = response.range, range.first == start,
        part.note?.total == nil || range.total == part.note?.total,
        part.note?.known.agree(with: response) == true
      else { throw restart(part, "the server sent another range than requested") }
      try part.truncate(to: start)
    case 416 where start > 0: throw restart(part, "the server has fewer bytes than before")
    default: throw HTTPStatusError(response)
    }
  }

  /// Removes the partial file, so that the next attempt requests all bytes.
  private func restart(_ part: PartialFile, _ reason: String) -> HTTPError {
    part.remove()
    return HTTPError(.brokenOff, reason)
  }

  private func tooLarge(_ part: PartialFile) -> HTTPError {
    part.remove()
    return HTTPError(.unusable, "it is larger than \(limit) bytes")
  }
}

/// The bytes of a running download, `X.part`, and `X.part.json`, which names their version on the server.
private final class PartialFile {
  struct Note: Codable, Equatable {
    var url: String
    var known: HTTPValidators
    var total: Int?
  }

  static let pathExtension = "part"
  static let noteExtension = "json"

  private let final: URL
  private let part: URL
  private let noteFile: URL
  private var handle: FileHandle?
  private(set) var note: Note?
  private(set) var size: Int

  init(for final: URL) {
    self.final = final
    part = final.appendingPathExtension(PartialFile.pathExtension)
    noteFile = part.appendingPathExtension(PartialFile.noteExtension)
    size = (try? FileManager.default.attributesOfItem(atPath: part.path))?[.size] as? Int ?? 0
    note = (try? Data(contentsOf: noteFile)).flatMap { try? JSONDecoder().decode(Note.self, from: $0) }
  }

  /// How many bytes need no request. The last byte of a complete file is requested again, so that the server verifies the version.
  func start(of url: String) -> Int {
    guard size > 0, let note, note.url == url, note.known.strongest != nil else { return 0 }
    guard let total = note.total, size >= total else { return size }
    return size == total ? size - 1 : 0
  }

  /// Prepares for all bytes of a version. The bytes of another version are removed before its note is written.
  func start(_ note: Note) throws {
    try truncate(to: 0)
    self.note = note
    try JSONEncoder().encode(note).write(to: noteFile, options: .atomic)
  }

  /// Prepares for the bytes from `start`.
  func truncate(to start: Int) throws {
    let handle = try handle ?? openFile()
    self.handle = handle
    try handle.truncate(atOffset: UInt64(start))
    try handle.seek(toOffset: UInt64(start))
    size = start
  }

  func append(_ piece: UnsafeRawBufferPointer) throws {
    try handle?.write(contentsOf: piece)
    size += piece.count
  }

  /// Removes both files.
  func remove() {
    for file in [part, noteFile] { try? FileManager.default.removeItem(at: file) }
    (handle, note, size) = (nil, nil, 0)
  }

  /// Flushes the file and renames it.
  func finish() throws {
    try DurableFile.publish(part, as: final)
    try? FileManager.default.removeItem(at: noteFile)
  }

  private func openFile() throws -> FileHandle {
    let descriptor = open(part.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}

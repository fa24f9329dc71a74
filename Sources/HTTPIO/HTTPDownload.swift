public import CryptoIO
public import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// By what a server tells one state of a file from the next.
public struct HTTPValidators: Codable, Equatable, Sendable {
  public var etag: String?
  public var lastModified: String?

  public init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }

  public init(_ answer: HTTPAnswer) { self.init(etag: answer.etag, lastModified: answer.lastModified) }

  public var isEmpty: Bool { etag == nil && lastModified == nil }

  /// What vouches for single bytes: a weak tag does not.
  var strongest: String? { etag.flatMap { $0.hasPrefix("W/") ? nil : $0 } ?? lastModified }

  /// Whether an answer may be of the same state; what it does not say does not speak against it.
  func agree(with answer: HTTPAnswer) -> Bool {
    (etag == nil || answer.etag == nil || etag == answer.etag)
      && (lastModified == nil || answer.lastModified == nil || lastModified == answer.lastModified)
  }
}

/// A large file of a server, brought to its place as a whole or not at all.
///
/// The bytes gather in `X.part`. Whatever ends this, a later call for the same file goes on from there if the server still has
/// the same bytes, and starts anew if not.
public struct HTTPDownload: Sendable {
  public struct Whole: Equatable, Sendable {
    public var bytes: Int
    public var sha256: SHA256Hex
    public var known: HTTPValidators
    /// Where the bytes came from in the end.
    public var url: String
    /// How many bytes came over the network in this call; fewer than all when it went on from an earlier one.
    public var received: Int
  }

  public enum Ending: Equatable, Sendable {
    case whole(Whole)
    /// The server still has what the caller knows.
    case unchanged
  }

  public struct Progress: Equatable, Sendable {
    public var bytes: Int
    public var total: Int?
  }

  public var url: String
  public var file: URL
  /// No more bytes than this are taken.
  public var limit: Int
  /// What the caller has already: the same is not sent again.
  public var known: HTTPValidators

  public init(from url: String, to file: URL, limit: Int, known: HTTPValidators = HTTPValidators()) {
    self.url = url
    self.file = file
    self.limit = limit
    self.known = known
  }

  /// Whether a file that a download left beside its place is one with which a later one can go on.
  public static func isUseful(_ file: URL) -> Bool {
    let part = file.pathExtension == HTTPPart.noteEnding ? file.deletingPathExtension() : file
    guard part.pathExtension == HTTPPart.ending else { return false }
    return part.isThere && part.appendingPathExtension(HTTPPart.noteEnding).isThere
  }

  /// Only one at a time may be at work for one file: the caller sees to it.
  ///
  /// - Throws: `HTTPError`, `HTTPStatusError`, what the file system says, and what `progress` throws.
  public func run(
    by client: HTTPClient, retry: RetryPolicy = RetryPolicy(), progress: (Progress) throws -> Void = { _ in }
  ) throws -> Ending {
    let part = HTTPPart(for: file)
    var received = 0
    return try retry.perform(progress: { received }) {
      let answer = try transfer(part, client) { count in
        received += count
        try progress(Progress(bytes: part.size, total: part.note?.total))
      }
      guard let answer else {
        part.forget()
        return .unchanged
      }
      try part.finish()
      return .whole(
        Whole(
          bytes: part.size, sha256: try SHA256Hex(ofFile: file), known: HTTPValidators(answer),
          url: answer.url, received: received))
    }
  }

  /// One request; nil when the server has nothing new.
  private func transfer(
    _ part: HTTPPart, _ client: HTTPClient, _ count: (Int) throws -> Void
  ) throws -> HTTPAnswer? {
    let start = part.start(of: url)
    var isOpen = false
    let answer = try client.send(request(part, from: start)) { answer, piece in
      if !isOpen { try open(part, answer, at: start) }
      isOpen = true
      guard piece.count <= limit - part.size else { throw tooLarge }
      try part.append(piece)
      try count(piece.count)
    }
    if answer.status == 304, start == 0, !known.isEmpty { return nil }
    if !isOpen { try open(part, answer, at: start) }
    guard part.size == part.note?.total ?? part.size else {
      throw HTTPError(.brokenOff, "\(part.size) bytes came of \(part.note?.total ?? 0)")
    }
    return answer
  }

  private func request(_ part: HTTPPart, from start: Int) -> HTTPRequest {
    // Bytes and their count would be those of the packed form.
    var fields = [(name: "Accept-Encoding", value: "identity")]
    if start > 0, let tag = part.note?.known.strongest {
      fields += [("Range", "bytes=\(start)-"), ("If-Range", tag)]
    } else {
      known.etag.map { fields.append(("If-None-Match", $0)) }
      known.lastModified.map { fields.append(("If-Modified-Since", $0)) }
    }
    return HTTPRequest(.get, url, headers: fields)
  }

  /// Makes ready for the bytes that begin to come.
  private func open(_ part: HTTPPart, _ answer: HTTPAnswer, at start: Int) throws {
    if let packing = answer.headers["content-encoding"], packing.lowercased() != "identity" {
      throw HTTPError(.unusable, "the server sends it packed (\(packing)), which was not asked for")
    }
    switch answer.status {
    case 200:
      let note = HTTPPart.Note(url: url, known: HTTPValidators(answer), total: answer.length)
      guard note.total ?? 0 <= limit else { throw tooLarge }
      try part.begin(note)
    case 206 where start > 0:
      guard let range = answer.range, range.first == start,
        part.note?.total == nil || range.total == part.note?.total,
        part.note?.known.agree(with: answer) == true
      else { throw startingAnew(part, "the server sent other bytes than were asked for") }
      try part.cut(to: start)
    case 416 where start > 0: throw startingAnew(part, "the server has fewer bytes than before")
    default: throw HTTPStatusError(answer)
    }
  }

  /// The next attempt asks for all.
  private func startingAnew(_ part: HTTPPart, _ reason: String) -> HTTPError {
    part.forget()
    return HTTPError(.brokenOff, reason)
  }

  private var tooLarge: HTTPError { HTTPError(.unusable, "it is larger than \(limit) bytes") }
}

extension URL {
  fileprivate var isThere: Bool { FileManager.default.fileExists(atPath: path) }
}

/// The bytes of a download that is under way, `X.part`, and beside them `X.part.json`: of which file of the server they are.
final class HTTPPart {
  struct Note: Codable, Equatable {
    var url: String
    var known: HTTPValidators
    var total: Int?
  }

  static let ending = "part"
  static let noteEnding = "json"

  private let final: URL
  private let part: URL
  private let noteFile: URL
  private var handle: FileHandle?
  private(set) var note: Note?
  private(set) var size: Int

  init(for final: URL) {
    self.final = final
    part = final.appendingPathExtension(HTTPPart.ending)
    noteFile = part.appendingPathExtension(HTTPPart.noteEnding)
    size = (try? FileManager.default.attributesOfItem(atPath: part.path))?[.size] as? Int ?? 0
    note = (try? Data(contentsOf: noteFile)).flatMap { try? JSONDecoder().decode(Note.self, from: $0) }
  }

  /// How many bytes need not be asked for again. Of a file that is whole already the last one is, so that the server
  /// tells whether it is still the same.
  func start(of url: String) -> Int {
    guard size > 0, let note, note.url == url, note.known.strongest != nil else { return 0 }
    guard let total = note.total, size >= total else { return size }
    return size == total ? size - 1 : 0
  }

  /// Makes ready for all bytes of another file. The note goes last and comes first, so that it never stands by bytes
  /// that are not its own.
  func begin(_ note: Note) throws {
    try cut(to: 0)
    self.note = note
    try JSONEncoder().encode(note).write(to: noteFile, options: .atomic)
  }

  /// Makes ready for the bytes from there on.
  func cut(to start: Int) throws {
    let handle = try handle ?? opened()
    self.handle = handle
    try handle.truncate(atOffset: UInt64(start))
    try handle.seek(toOffset: UInt64(start))
    size = start
  }

  func append(_ piece: UnsafeRawBufferPointer) throws {
    try handle?.write(contentsOf: piece)
    size += piece.count
  }

  /// Leaves nothing of it.
  func forget() {
    for file in [part, noteFile] { try? FileManager.default.removeItem(at: file) }
    (handle, note, size) = (nil, nil, 0)
  }

  /// Gives the file its name once its bytes are on the disk.
  func finish() throws {
    try handle?.synchronize()
    try check(rename(part.path, final.path))
    try? FileManager.default.removeItem(at: noteFile)
    let folder = open(final.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    try check(folder)
    defer { close(folder) }
    try check(fsync(folder))
  }

  private func opened() throws -> FileHandle {
    let number = open(part.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    try check(number)
    return FileHandle(fileDescriptor: number, closeOnDealloc: true)
  }

  private func check(_ result: Int32) throws {
    guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }
}

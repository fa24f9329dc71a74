internal import Core
internal import CryptoIO
internal import Foundation
internal import HTTPIO
internal import Pipeline

/// What is published, as a client gets it: by path.
///
/// Its methods may be called from several threads at once. They throw `Unreadable` when something is the matter with one file,
/// and a `UserError` when nothing can be said of any, such as without a network.
protocol PublishedFiles: Sendable {
  /// As people call it: `/srv/charts`, `https://charts.example.org/vfr`.
  var name: String { get }
  /// What is known of a file without its bytes; nil where there is none.
  func look(_ path: String) throws -> PublishedFile?
  /// All of a file that is small; nil where there is none.
  func data(_ path: String, limit: Int) throws -> PublishedData?
  /// Reads a file that may be large, and hashes it; nil where there is none.
  func fingerprint(_ path: String, limit: Int, _ advance: (Int) throws -> Void) throws -> PublishedFile?
  /// The same, and the bytes come into a file. What an earlier call left of it need not come again.
  func copy(_ path: String, to file: URL, limit: Int, _ advance: (Int) throws -> Void) throws
    -> PublishedFile?
  /// Whether `part` may give anything.
  var servesParts: Bool { get }
  /// Some bytes of a file; nil where only whole files can be read.
  func part(_ path: String, _ range: Range<Int>) throws -> Data?
}

extension PublishedFiles {
  var servesParts: Bool { false }
  func part(_ path: String, _ range: Range<Int>) throws -> Data? { nil }
}

/// What is known of a published file.
struct PublishedFile: Equatable, Sendable {
  /// Nil where a server does not tell.
  var bytes: Int?
  /// Nil when it was not read.
  var sha256: SHA256Hex?
  /// Nil where no server said anything.
  var headers: ServedHeaders?
}

struct PublishedData: Sendable {
  var data: Data
  var headers: ServedHeaders?
}

/// Why one file cannot be used, in words that follow its name.
struct Unreadable: Error, Equatable {
  let problem: String
  let isAbsent: Bool

  init(_ problem: String, isAbsent: Bool = false) {
    self.problem = problem
    self.isAbsent = isAbsent
  }

  /// What is not there may have been replaced while it was asked for.
  static func absent(_ what: String = "it") -> Unreadable {
    Unreadable("\(what) is not there", isAbsent: true)
  }

  static func tooLarge(_ limit: Int) -> Unreadable {
    Unreadable("it has more than \(Counts.grouped(limit)) bytes")
  }
}

/// Published files whose bytes come in one go, or not at all.
protocol StreamedFiles: PublishedFiles {
  /// Gives a file's bytes away piece by piece; false where there is none.
  func stream(_ path: String, _ receive: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool
}

extension StreamedFiles {
  func data(_ path: String, limit: Int) throws -> PublishedData? {
    var data = Data()
    let isThere = try stream(path) { piece in
      guard data.count + piece.count <= limit else { throw Unreadable.tooLarge(limit) }
      data.append(contentsOf: piece)
    }
    return isThere ? PublishedData(data: data) : nil
  }

  func fingerprint(_ path: String, limit: Int, _ advance: (Int) throws -> Void) throws -> PublishedFile? {
    var hash = try RunningHash(limit: limit)
    let isThere = try stream(path) { piece in
      try hash.add(piece)
      try advance(piece.count)
    }
    return isThere ? try hash.finish() : nil
  }

  func copy(_ path: String, to file: URL, limit: Int, _ advance: (Int) throws -> Void) throws
    -> PublishedFile?
  {
    try Data().write(to: file)
    let copy = try FileHandle(forWritingTo: file)
    defer { try? copy.close() }
    var hash = try RunningHash(limit: limit)
    let isThere = try stream(path) { piece in
      try hash.add(piece)
      try copy.write(contentsOf: piece)
      try advance(piece.count)
    }
    return isThere ? try hash.finish() : nil
  }
}

/// The hash of bytes that come in pieces, and from the beginning again where a connection broke.
struct RunningHash {
  private let limit: Int
  private var digest: Digest
  private(set) var count = 0
  /// Over all attempts.
  private(set) var received = 0

  init(limit: Int) throws {
    self.limit = limit
    digest = try Digest(.sha256)
  }

  mutating func restart() throws {
    digest = try Digest(.sha256)
    count = 0
  }

  mutating func add(_ piece: UnsafeRawBufferPointer) throws {
    guard count + piece.count <= limit else { throw Unreadable.tooLarge(limit) }
    try digest.update(piece)
    count += piece.count
    received += piece.count
  }

  func finish(_ headers: ServedHeaders? = nil) throws -> PublishedFile {
    PublishedFile(bytes: count, sha256: try SHA256Hex(finishing: digest), headers: headers)
  }
}

/// A site in a folder.
struct FolderFiles: StreamedFiles {
  let root: URL
  var name: String { root.path }

  func look(_ path: String) throws -> PublishedFile? {
    let file = root.appending(path: path).resolvingSymlinksInPath()
    guard file.isRegularFile else { return nil }
    return try readable {
      PublishedFile(bytes: try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int)
    }
  }

  func stream(_ path: String, _ receive: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
    let file = root.appending(path: path)
    guard file.isRegularFile else { return false }
    let handle = try readable { try FileHandle(forReadingFrom: file) }
    defer { try? handle.close() }
    while let piece = try readable({ try handle.read(upToCount: 1 << 20) }), !piece.isEmpty {
      try piece.withUnsafeBytes { try receive($0) }
    }
    return true
  }

  private func readable<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw Unreadable("it cannot be read: \(error.fileErrorReason)")
    }
  }
}

/// A site in a store, read with the publisher's own keys.
struct StoreFiles: StreamedFiles {
  let store: any ObjectStore
  var name: String { store.name }

  func look(_ path: String) throws -> PublishedFile? {
    try store.list(path).first { $0.key == path }.map { PublishedFile(bytes: $0.bytes) }
  }

  func stream(_ path: String, _ receive: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
    try store.read(path, receive)
  }
}

/// What a server says of a file, as far as clients and caches go by it.
struct ServedHeaders: Equatable, Sendable {
  var contentType: String?
  var cacheControl: String?
  /// Whether it tells how much is to come.
  var isSized = true
}

extension ServedHeaders {
  init(_ answer: HTTPResponse) {
    self.init(
      contentType: answer.headers["content-type"], cacheControl: answer.headers["cache-control"],
      isSized: answer.length != nil)
  }

  /// `application/json` of `application/json; charset=utf-8`.
  var mediaType: String? {
    contentType?.split(separator: ";").first.map { $0.filter { !$0.isWhitespace }.lowercased() }
  }

  /// Whether no cache asks again.
  var isImmutable: Bool { directives.contains("immutable") }

  /// Whether every cache asks again within an hour.
  var isShortLived: Bool {
    if directives.contains("no-cache") || directives.contains("no-store") { return true }
    let ages = directives.filter { $0.hasPrefix("max-age=") || $0.hasPrefix("s-maxage=") }
      .map { $0.split(separator: "=").last.flatMap { Int($0) } ?? .max }
    return !ages.isEmpty && ages.allSatisfy { $0 <= 3600 } && !isImmutable
  }

  private var directives: [String] {
    (cacheControl ?? "").split(separator: ",").map { $0.filter { !$0.isWhitespace }.lowercased() }
  }
}

extension HTTPResponse {
  /// Whether its body goes on where earlier bytes ended.
  func begins(at count: Int) -> Bool {
    status == 206 && headers["content-range"]?.hasPrefix("bytes \(count)-") == true
  }
}

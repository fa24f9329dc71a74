internal import Core
internal import CryptoIO
internal import Foundation
internal import HTTPIO

/// The objects of a site by key: in a folder, in S3 or behind a web server. An object is complete or absent.
///
/// Stage, publish, mirror and verify read a site through this protocol. A store that can also be written to is a
/// `WritableObjectStore`; a web server is not one.
///
/// Methods may be called from several threads at once. They throw `Unreadable` for a problem with one object, and a `UserError`
/// if the store itself cannot be used, such as without a network.
protocol ObjectStore: Sendable {
  /// For messages: `/srv/charts`, `s3://charts/vfr`, `https://charts.example.org/vfr`.
  var name: String { get }
  /// Returns what is known of an object without reading it; nil if it does not exist.
  func info(_ key: String) throws -> ObjectInfo?
  /// Passes the bytes of an object on piece by piece; returns nil if it does not exist.
  func read(_ key: String, _ receive: PieceReceiver) throws -> ObjectInfo?
  /// Does the same for a small object, for which a web server has less time.
  func readDocument(_ key: String, _ receive: PieceReceiver) throws -> ObjectInfo?
  /// Copies an object to a file and hashes it; returns nil if it does not exist. Bytes that an earlier call copied need not be
  /// transferred again.
  ///
  /// - Parameter advance: called with the number of new bytes.
  func copy(_ key: String, to file: URL, limit: Int, _ advance: (Int) throws -> Void) throws -> ObjectInfo?
  /// Whether `read(_:range:)` can return anything.
  var servesRanges: Bool { get }
  /// Returns some bytes of an object; nil if only whole objects can be read.
  func read(_ key: String, range: Range<Int>) throws -> Data?
}

/// Takes a piece of an object and its offset. If a transfer has to start over, a piece with offset 0 comes again.
typealias PieceReceiver = (_ piece: UnsafeRawBufferPointer, _ offset: Int) throws -> Void

/// A store that sites are published to.
protocol WritableObjectStore: ObjectStore {
  /// Differs from that of every other place; two stores of S3 may have buckets of the same name.
  var address: String { get }
  /// Reads a small object, with the tag for a conditional write; nil if it does not exist.
  func read(_ key: String) throws -> TaggedObject?
  /// Returns all objects whose keys have a prefix, by key.
  func list(_ prefix: String) throws -> [ListedObject]
  /// Writes an object. Returns nil if the condition was not met, and then nothing was written.
  @discardableResult
  func put(_ body: ObjectBody, at key: String, _ headers: ObjectHeaders, if condition: PutCondition) throws
    -> ObjectTag?
  /// Removes an object; an absent one is no error. It is not retried: the caller has to verify each time that it may still be
  /// removed.
  func remove(_ key: String) throws
  /// Removes the files of interrupted writes.
  func clearLeftovers() throws
}

/// More than a manifest or a list of regions has.
let largestDocument = 64 << 20

extension ObjectStore {
  var servesRanges: Bool { false }
  func read(_ key: String, range: Range<Int>) throws -> Data? { nil }

  func readDocument(_ key: String, _ receive: PieceReceiver) throws -> ObjectInfo? { try read(key, receive) }

  /// Reads a small object completely; returns nil if it does not exist.
  func data(_ key: String, limit: Int) throws -> (data: Data, headers: ServedHeaders?)? {
    var data = Data()
    let info = try readDocument(key) { piece, offset in
      if offset == 0 { data = Data() }
      guard data.count + piece.count <= limit else { throw Unreadable.tooLarge(limit) }
      data.append(contentsOf: piece)
    }
    return info.map { (data, $0.headers) }
  }

  /// Reads a file that a catalogue names, and verifies its size and its SHA-256.
  ///
  /// - Parameter description: names the file in an error.
  func data(of file: FileReference, _ description: String = "it") throws -> Data {
    if let problem = file.problem { throw Unreadable(problem) }
    guard file.bytes <= largestDocument else { throw Unreadable.tooLarge(largestDocument) }
    guard let data = try data(file.path, limit: file.bytes)?.data else {
      throw Unreadable.absent(description)
    }
    guard data.count == file.bytes, try SHA256Hex(of: Array(data)) == file.sha256 else {
      throw Unreadable("\(description) is not the one that the catalogue names")
    }
    return data
  }

  /// Reads an object of any size and hashes it; returns nil if it does not exist.
  ///
  /// - Parameter advance: called with the number of new bytes, negative if a transfer starts over.
  func fingerprint(
    _ key: String, limit: Int = .max, _ advance: (Int) throws -> Void = { _ in }
  ) throws -> ObjectInfo? {
    try hash(key, limit: limit, advance) { _, _ in }
  }

  func copy(_ key: String, to file: URL, limit: Int, _ advance: (Int) throws -> Void) throws -> ObjectInfo? {
    try Data().write(to: file)
    let copy = try FileHandle(forWritingTo: file)
    defer { try? copy.close() }
    do {
      return try hash(key, limit: limit, advance) { piece, offset in
        if offset == 0 { try copy.truncate(atOffset: 0) }
        try copy.write(contentsOf: piece)
      }
    } catch {
      try? FileManager.default.removeItem(at: file)
      throw error
    }
  }

  private func hash(
    _ key: String, limit: Int, _ advance: (Int) throws -> Void, _ receive: PieceReceiver
  ) throws -> ObjectInfo? {
    var digest = try Digest(.sha256)
    var count = 0
    let info = try read(key) { piece, offset in
      if offset == 0, count > 0 {
        try advance(-count)
        (digest, count) = (try Digest(.sha256), 0)
      }
      guard count <= limit - piece.count else { throw Unreadable.tooLarge(limit) }
      try digest.update(piece)
      try receive(piece, offset)
      count += piece.count
      try advance(piece.count)
    }
    return try info.map {
      ObjectInfo(bytes: count, sha256: try SHA256Hex(finishing: digest), headers: $0.headers)
    }
  }
}

extension WritableObjectStore {
  var address: String { name }

  func info(_ key: String) throws -> ObjectInfo? {
    try list(key).first { $0.key == key }.map { ObjectInfo(bytes: $0.bytes) }
  }

  func clearLeftovers() throws {}
}

/// What is known of an object.
struct ObjectInfo: Equatable, Sendable {
  /// Nil if a server does not say.
  var bytes: Int?
  /// Nil if the object was not read.
  var sha256: SHA256Hex?
  /// Nil if the store is not a web server.
  var headers: ServedHeaders?
}

/// Changes whenever an object does. Only its store knows what it means.
struct ObjectTag: Hashable, Sendable {
  let text: String
}

typealias TaggedObject = (data: Data, tag: ObjectTag)

struct ListedObject: Equatable, Sendable {
  let key: String
  let bytes: Int
  /// When it was written, by the clock of its store.
  let modified: Instant
}

enum ObjectBody: Sendable {
  case data(Data)
  /// With its size and its hash, so that a store can reject a damaged transfer.
  case file(URL, bytes: Int, sha256: SHA256Hex)
}

enum PutCondition: Equatable, Sendable {
  case always
  case isAbsent
  /// The object still has this tag.
  case isStill(ObjectTag)
}

/// Why one object cannot be used, in words that follow its name.
struct Unreadable: Error, Equatable {
  let problem: String
  let isAbsent: Bool

  init(_ problem: String, isAbsent: Bool = false) { (self.problem, self.isAbsent) = (problem, isAbsent) }

  /// An absent object may have been replaced meanwhile.
  static func absent(_ description: String = "it") -> Unreadable {
    Unreadable("\(description) is not there", isAbsent: true)
  }

  /// Runs `body`, and replaces the problem of an object by what `explanation` makes of it.
  static func explained<Value>(
    _ explanation: (_ problem: String) -> any Error, _ body: () throws -> Value
  ) throws -> Value {
    do { return try body() } catch let error as Unreadable { throw explanation(error.problem) }
  }

  static func tooLarge(_ limit: Int) -> Unreadable {
    Unreadable("it has more than \(Counts.grouped(limit)) bytes")
  }
}

/// The headers under which an object is published.
struct ObjectHeaders: Equatable, Sendable {
  var contentType: String
  var cacheControl: String
  /// The name under which a browser saves the object; nil if it shows the object.
  var downloadName: String?

  private static let immutable = "public, max-age=31536000, immutable"
  private static let short = "public, max-age=60"
  private static let signatureType = "text/plain; charset=utf-8"

  /// For files named by their hash, which never change.
  static func blob(_ mediaType: String?, savedAs name: String? = nil) -> ObjectHeaders {
    ObjectHeaders(contentType: validated(mediaType), cacheControl: immutable, downloadName: name)
  }

  static let catalogue = ObjectHeaders(contentType: "application/json", cacheControl: short)
  static let signature = ObjectHeaders(contentType: signatureType, cacheControl: immutable)
  /// For `catalog.json.minisig`, which changes with the catalogue.
  static let signatureAlias = ObjectHeaders(contentType: signatureType, cacheControl: short)
  /// For `live.json` and its signature, which change every few minutes.
  static let live = ObjectHeaders(contentType: "application/json", cacheControl: "public, max-age=15")
  static let uncached = ObjectHeaders(contentType: "application/json", cacheControl: "no-store")

  /// For the pages of a cycle, and the files at the root that are derived from the catalogue.
  static func page(_ name: String) -> ObjectHeaders {
    let types = ["html": "text/html; charset=utf-8", "xml": "application/atom+xml"]
    let type = types[URL(filePath: name).pathExtension] ?? "application/json"
    return ObjectHeaders(contentType: type, cacheControl: short)
  }

  /// The media type comes from a manifest and becomes part of an HTTP header.
  private static func validated(_ mediaType: String?) -> String {
    let parts = (mediaType ?? "").unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
    guard let mediaType, parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isPlain) }) else {
      return "application/octet-stream"
    }
    return mediaType
  }

  private static func isPlain(_ letter: Unicode.Scalar) -> Bool {
    switch letter {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "+", "-": true
    default: false
    }
  }
}

/// The headers that a web server sends with an object, as far as clients and caches use them.
struct ServedHeaders: Equatable, Sendable {
  var contentType: String?
  var cacheControl: String?
  /// Whether there is a `Content-Length`.
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

  /// Whether caches never ask again.
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

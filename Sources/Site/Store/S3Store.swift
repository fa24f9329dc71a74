internal import Core
internal import CryptoIO
internal import Foundation
internal import HTTPIO

/// A site in an S3 bucket: at Amazon, at Cloudflare (R2) or in another compatible store.
struct S3Store: WritableObjectStore {
  struct Limits: Sendable {
    /// A larger file is sent in parts.
    var wholeBytes = 64 << 20
    var partBytes = 16 << 20
    /// How many parts of one object are sent at a time.
    var partWidth = 4
    /// The largest object that is read into memory.
    var readBytes = 256 << 20
    var listedAtOnce = 1000
  }

  private let connection: S3Connection
  private let limits: Limits

  init(
    _ target: S3Target, keys: S3Keys, retry: RetryPolicy = S3Connection.defaultRetry,
    limits: Limits = Limits()
  ) {
    connection = S3Connection(target, keys: keys, retry: retry)
    self.limits = limits
  }

  var name: String { connection.target.name }
  var address: String { connection.target.url("") }

  func read(_ key: String) throws -> TaggedObject? {
    var data = Data()
    let tag = try S3Download(connection, key).run { piece, _ in
      guard data.count + piece.count <= limits.readBytes else {
        throw UserError(
          .failed, operation: "reading from the store", path: "\(name)/\(key)",
          reason: "it is larger than \(Counts.bytes(limits.readBytes))",
          suggestion: "Check that chartpipe publishes to this target.")
      }
      data.append(contentsOf: piece)
    }
    return tag.map { TaggedObject(data: data, tag: $0) }
  }

  func read(_ key: String, _ receive: PieceReceiver) throws -> ObjectInfo? {
    let download = S3Download(connection, key)
    return try download.run(receive).map { _ in ObjectInfo(bytes: download.done) }
  }

  func list(_ prefix: String) throws -> [ListedObject] {
    try S3Listing(connection: connection, prefix: prefix, pageSize: limits.listedAtOnce).run()
  }

  @discardableResult
  func put(
    _ body: ObjectBody, at key: String, _ headers: ObjectHeaders, if condition: PutCondition
  ) throws -> ObjectTag? {
    if case .file(let file, let bytes, _) = body { try check(file, bytes) }
    switch body {
    case .data(let data):
      let bytes = [UInt8](data)
      return try putWhole(.bytes(bytes), S3Store.hash(of: bytes), key, headers, condition)
    case .file(let file, let bytes, let sha256) where bytes <= limits.wholeBytes:
      return try putWhole(.file(file, offset: 0, count: bytes), sha256.text, key, headers, condition)
    case .file(let file, let bytes, let sha256):
      guard let parts = try S3Part.cut(file, bytes: bytes, sha256: sha256, atLeast: limits.partBytes) else {
        throw S3Store.changed(file)
      }
      return try S3Multipart(
        connection: connection, key: key, headers: headers.fields, condition: condition.fields, bytes: bytes,
        sha256: sha256.text, parts: parts, width: limits.partWidth
      ).run()
    }
  }

  func remove(_ key: String) throws {
    let work = S3Work(operation: "removing from the store", key: key, isRepeatable: false)
    let answer = try connection.send(S3Request(method: .delete, key: key), for: work)
    guard answer.isGood || answer.hasNoSuchKey else { throw connection.error(answer, work) }
  }

  static func hash(of bytes: [UInt8]) throws -> String { try SHA256Hex(of: bytes).text }

  private func putWhole(
    _ body: HTTPRequest.Body, _ sha256: String, _ key: String, _ headers: ObjectHeaders,
    _ condition: PutCondition
  ) throws -> ObjectTag? {
    let work = S3Work(operation: "publishing", key: key, hasCondition: condition != .always)
    let request = S3Request(
      method: .put, key: key, headers: headers.fields + condition.fields, body: body, sha256: sha256)
    let answer = try connection.send(request, for: work)
    if condition != .always, answer.isRefusedByCondition {
      return answer.isRepeated ? try tagOfOurs(sha256, at: key) : nil
    }
    guard answer.isGood else { throw connection.error(answer, work) }
    if let tag = answer.tag { return tag }
    let stored = try connection.send(S3Request(method: .head, key: key), for: work)
    guard stored.isGood, let tag = stored.tag else { throw connection.error(stored, work) }
    return tag
  }

  /// An earlier attempt whose answer was lost may have written the object that the next one met.
  private func tagOfOurs(_ sha256: String, at key: String) throws -> ObjectTag? {
    guard let stored = try read(key), try S3Store.hash(of: [UInt8](stored.data)) == sha256 else { return nil }
    return stored.tag
  }

  private func check(_ file: URL, _ bytes: Int) throws {
    let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
    guard size == bytes else { throw S3Store.changed(file) }
  }

  private static func changed(_ file: URL) -> UserError {
    UserError(
      .badInput, operation: "publishing", path: file.path, reason: "it is not the file that was staged",
      suggestion: "Stage it again: run `chartpipe verify` to see what else is wrong.")
  }
}

extension ObjectHeaders {
  fileprivate var fields: [(name: String, value: String)] {
    let shown = [("Content-Type", contentType), ("Cache-Control", cacheControl)]
    return shown + (downloadName.map { [("Content-Disposition", "attachment; filename=\"\($0)\"")] } ?? [])
  }
}

extension PutCondition {
  fileprivate var fields: [(name: String, value: String)] {
    switch self {
    case .always: []
    case .isAbsent: [("If-None-Match", "*")]
    case .isStill(let tag): [("If-Match", tag.text)]
    }
  }
}

/// Reads an object. After a broken connection it continues, as long as the object is the same.
final class S3Download {
  private let connection: S3Connection
  private let key: String

  /// How many bytes were passed on.
  private(set) var done = 0
  private var tag: String?
  /// The offset of the current attempt; nil before its first byte.
  private var offset: Int?

  private static let operation = "reading from the store"

  init(_ connection: S3Connection, _ key: String) { (self.connection, self.key) = (connection, key) }

  /// Returns nil if the object does not exist.
  func run(_ receive: PieceReceiver) throws -> ObjectTag? {
    let work = S3Work(operation: S3Download.operation, key: key)
    let answer = try connection.send(
      for: work, progress: { done }, request: next,
      receive: { answer, piece in
        if let new = try self.new(in: piece, answer) { try receive(new, done - new.count) }
        return true
      })
    if answer.isGood {
      guard let tag = answer.tag, !tag.text.isEmpty else { throw withoutTag() }
      return tag
    }
    if answer.hasNoSuchKey, done == 0 { return nil }
    if [404, 412, 416].contains(answer.status), done > 0 { throw changed() }
    throw connection.error(answer, work)
  }

  private func next() -> S3Request {
    offset = nil
    var request = S3Request(method: .get, key: key)
    if done > 0 { request.headers.append(("Range", "bytes=\(done)-")) }
    if done > 0, let tag { request.headers.append(("If-Match", tag)) }
    return request
  }

  /// Returns the new bytes of a piece. An answer may begin with bytes that were read before.
  private func new(
    in piece: UnsafeRawBufferPointer, _ answer: HTTPResponse
  ) throws -> UnsafeRawBufferPointer? {
    let start = try offset ?? begin(answer)
    let known = min(done - start, piece.count)
    offset = start + piece.count
    done = max(done, start + piece.count)
    return known < piece.count ? UnsafeRawBufferPointer(rebasing: piece[known...]) : nil
  }

  private func begin(_ answer: HTTPResponse) throws -> Int {
    let start = try S3Download.start(answer)
    if done == 0 { tag = answer.headers["etag"] }
    guard tag == answer.headers["etag"] else { throw changed() }
    guard (0...done).contains(start) else {
      throw HTTPError(.unusable, "it sent another part of the object than was requested")
    }
    return start
  }

  /// Some stores send a part with the status 200, so the range header decides.
  private static func start(_ answer: HTTPResponse) throws -> Int {
    guard let range = answer.headers["content-range"] else { return 0 }
    guard let match = range.firstMatch(of: /^bytes (\d{1,18})-/), let start = Int(match.1) else {
      throw HTTPError(.unusable, "it sent a part of the object without its range")
    }
    return start
  }

  private func changed() -> UserError {
    UserError(
      .failed, operation: S3Download.operation, path: "\(connection.target.name)/\(key)",
      reason: "it was changed while it was read",
      suggestion: "Another publisher is running. Try again.")
  }

  /// An object without a tag could not be replaced conditionally.
  private func withoutTag() -> UserError {
    UserError(
      .failed, operation: S3Download.operation, path: "\(connection.target.name)/\(key)",
      reason: "the store sends no ETag", suggestion: "Check --endpoint. It must be an S3 store.")
  }
}

/// Reads a list of objects page by page.
struct S3Listing {
  let connection: S3Connection
  /// Relative to the target.
  let prefix: String
  let pageSize: Int

  func run() throws -> [ListedObject] {
    var found: [ListedObject] = []
    var token: String?
    repeat {
      let page = try page(after: token)
      found += page.objects
      if page.next != nil, page.next == token { throw unreadable() }
      token = page.next
    } while token != nil
    return found.sorted { $0.key < $1.key }
  }

  private var work: S3Work { S3Work(operation: "listing what is published", key: nil) }

  private func page(after token: String?) throws -> (objects: [ListedObject], next: String?) {
    var query: [(name: String, value: String)] = [
      ("list-type", "2"), ("max-keys", "\(pageSize)"), ("encoding-type", "url"),
      ("prefix", connection.target.root + prefix),
    ]
    if let token { query.append(("continuation-token", token)) }
    let answer = try connection.send(S3Request(method: .get, key: nil, query: query), for: work)
    guard answer.isGood else { throw connection.error(answer, work) }
    guard let list = S3Element.read(answer.body), list.name == "ListBucketResult" else { throw unreadable() }
    let isEncoded = list["EncodingType"] == "url"
    let objects = try list.children.filter { $0.name == "Contents" }
      .compactMap { try object($0, isEncoded: isEncoded) }
    guard list["IsTruncated"] == "true" else { return (objects, nil) }
    guard let next = list["NextContinuationToken"], !next.isEmpty else { throw unreadable() }
    return (objects, next)
  }

  /// Returns nil for an object outside of the target.
  private func object(_ entry: S3Element, isEncoded: Bool) throws -> ListedObject? {
    let text = entry["Key"] ?? ""
    let key = isEncoded ? text.replacing("+", with: " ").removingPercentEncoding : text
    guard let key, !key.isEmpty, let bytes = entry["Size"].flatMap({ Int($0) }), bytes >= 0 else {
      throw unreadable()
    }
    let root = connection.target.root
    return key.hasPrefix(root + prefix)
      ? ListedObject(key: String(key.dropFirst(root.count)), bytes: bytes) : nil
  }

  private func unreadable() -> UserError {
    UserError(
      .failed, operation: work.operation, path: connection.target.name,
      reason: "the answer is not an S3 list", suggestion: "Check --endpoint. It must be an S3 store.")
  }
}

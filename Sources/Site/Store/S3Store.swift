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
    let found = try download(key) { piece, offset in
      if offset == 0 { data = Data() }
      guard data.count + piece.count <= limits.readBytes else {
        throw unreadable(
          key, "it is larger than \(Counts.bytes(limits.readBytes))",
          suggestion: "Check that chartpipe publishes to this target.")
      }
      data.append(contentsOf: piece)
    }
    return found.map { (data, $0.tag) }
  }

  func read(_ key: String, _ receive: PieceReceiver) throws -> ObjectInfo? {
    try download(key, receive).map { ObjectInfo(bytes: $0.bytes) }
  }

  func list(_ prefix: String) throws -> [ListedObject] {
    var found: [ListedObject] = []
    var token: String?
    repeat {
      let page = try page(of: prefix, after: token)
      found += page.objects
      if page.next != nil, page.next == token { throw unlistable }
      token = page.next
    } while token != nil
    return found.sorted { $0.key < $1.key }
  }

  @discardableResult
  func put(
    _ body: ObjectBody, at key: String, _ headers: ObjectHeaders, if condition: PutCondition
  ) throws -> ObjectTag? {
    if case .file(let file, let bytes, _) = body, file.byteCount != bytes { throw S3Store.changed(file) }
    switch body {
    case .data(let data):
      let bytes = [UInt8](data)
      return try putWhole(.bytes(bytes), SHA256Hex(of: bytes), key, headers, condition)
    case .file(let file, let bytes, let sha256) where bytes <= limits.wholeBytes:
      return try putWhole(.file(file, offset: 0, count: bytes), sha256, key, headers, condition)
    case .file(let file, let bytes, let sha256):
      guard let parts = try S3Multipart.cut(file, bytes: bytes, sha256: sha256, atLeast: limits.partBytes)
      else {
        throw S3Store.changed(file)
      }
      return try S3Multipart(
        connection: connection, key: key, headers: headers.fields, condition: condition.fields, bytes: bytes,
        sha256: sha256.text, parts: parts, width: limits.partWidth
      ).run()
    }
  }

  func remove(_ key: String) throws {
    let request = S3Request(operation: "removing from the store", method: .delete, key: key)
    let answer = try connection.send(request)
    guard answer.isGood || answer.hasNoSuchKey else { throw connection.error(answer, about: request) }
  }

  private func putWhole(
    _ body: HTTPRequest.Body, _ sha256: SHA256Hex, _ key: String, _ headers: ObjectHeaders,
    _ condition: PutCondition
  ) throws -> ObjectTag? {
    var request = S3Request(
      operation: "publishing", method: .put, key: key, headers: headers.fields + condition.fields, body: body,
      sha256: sha256.text, hasCondition: condition != .always)
    let answer = try connection.send(request)
    if condition != .always, answer.isRefusedByCondition {
      // An earlier attempt whose answer was lost may have written the object that the next one met.
      guard answer.isRepeated, let stored = try read(key), try SHA256Hex(of: [UInt8](stored.data)) == sha256
      else { return nil }
      return stored.tag
    }
    guard answer.isGood else { throw connection.error(answer, about: request) }
    if let tag = answer.tag { return tag }
    (request.method, request.headers, request.body) = (.head, [], nil)
    request.sha256 = S3Request.emptySHA256
    let stored = try connection.send(request)
    guard stored.isGood, let tag = stored.tag else { throw connection.error(stored, about: request) }
    return tag
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

/// Reading. After a broken connection it continues.
extension S3Store {
  private static let reading = "reading from the store"

  /// Returns nil if the object does not exist.
  private func download(_ key: String, _ receive: PieceReceiver) throws -> (tag: ObjectTag, bytes: Int)? {
    var request = S3Request(operation: S3Store.reading, method: .get, key: key)
    var reading = ResumedRead()
    let answer = try connection.send(
      progress: { reading.furthest },
      request: {
        request.headers = reading.begin("If-Match", \.etag)
        return request
      },
      receive: { answer, piece in
        try reading.take(piece, of: answer, receive)
        return true
      })
    if answer.isGood {
      // An object without a tag could not be replaced conditionally.
      guard let tag = answer.tag, !tag.text.isEmpty else {
        throw unreadable(
          key, "the store sends no ETag", suggestion: "Check --endpoint. It must be an S3 store.")
      }
      return (tag, reading.offset)
    }
    if answer.hasNoSuchKey, reading.furthest == 0 { return nil }
    if [404, 412, 416].contains(answer.status), reading.furthest > 0 {
      throw unreadable(
        key, "it was changed while it was read", suggestion: "Another publisher is running. Try again.")
    }
    throw connection.error(answer, about: request)
  }

  private func unreadable(_ key: String, _ reason: String, suggestion: String) -> UserError {
    UserError(
      .failed, operation: S3Store.reading, path: "\(name)/\(key)", reason: reason, suggestion: suggestion)
  }
}

/// Lists of objects, page by page.
extension S3Store {
  private static let listing = "listing what is published"

  private func page(
    of prefix: String, after token: String?
  ) throws -> (objects: [ListedObject], next: String?) {
    var query: [(name: String, value: String)] = [
      ("list-type", "2"), ("max-keys", "\(limits.listedAtOnce)"), ("encoding-type", "url"),
      ("prefix", connection.target.root + prefix),
    ]
    if let token { query.append(("continuation-token", token)) }
    let request = S3Request(operation: S3Store.listing, method: .get, key: nil, query: query)
    let answer = try connection.send(request)
    guard answer.isGood else { throw connection.error(answer, about: request) }
    guard let list = XMLNode.answer(answer.body), list.name == "ListBucketResult" else { throw unlistable }
    let isEncoded = list["EncodingType"] == "url"
    let objects = try list.children.filter { $0.name == "Contents" }
      .compactMap { try object($0, prefix, isEncoded: isEncoded) }
    guard list["IsTruncated"] == "true" else { return (objects, nil) }
    guard let next = list["NextContinuationToken"], !next.isEmpty else { throw unlistable }
    return (objects, next)
  }

  /// Returns nil for an object outside of the target.
  private func object(_ entry: XMLNode, _ prefix: String, isEncoded: Bool) throws -> ListedObject? {
    let text = entry["Key"] ?? ""
    let key = isEncoded ? text.replacing("+", with: " ").removingPercentEncoding : text
    guard let key, !key.isEmpty, let bytes = entry["Size"].flatMap({ Int($0) }), bytes >= 0,
      let modified = entry["LastModified"].flatMap({ Instant($0) })
    else { throw unlistable }
    let root = connection.target.root
    return key.hasPrefix(root + prefix)
      ? ListedObject(key: String(key.dropFirst(root.count)), bytes: bytes, modified: modified) : nil
  }

  private var unlistable: UserError {
    UserError(
      .failed, operation: S3Store.listing, path: connection.target.name,
      reason: "the answer is not an S3 list", suggestion: "Check --endpoint. It must be an S3 store.")
  }
}

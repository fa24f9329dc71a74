internal import Core
internal import CryptoIO
internal import Foundation
internal import HTTPIO
internal import Pipeline

/// A place in a store that speaks S3: Amazon's own, Cloudflare's R2, and many others.
struct S3Store: ObjectStore {
  /// How large things are handed over.
  struct Limits: Sendable {
    /// What is larger goes in parts.
    var wholeBytes = 64 << 20
    var partBytes = 16 << 20
    /// So many parts of one object at a time.
    var partWidth = 4
    /// Of an object that is read as a whole.
    var readBytes = 256 << 20
    var listedAtOnce = 1000
  }

  private let connection: S3Connection
  private let limits: Limits

  init(
    _ target: S3Target, keys: S3Keys, patience: S3Patience = S3Patience(), limits: Limits = Limits()
  ) {
    connection = S3Connection(target, keys: keys, patience: patience)
    self.limits = limits
  }

  var name: String { connection.target.name }

  func read(_ key: String) throws -> StoredObject? {
    var data = Data()
    let tag = try S3Download(connection, key).run { piece in
      guard data.count + piece.count <= limits.readBytes else {
        throw UserError(
          .failed, operation: "reading from the store", path: "\(name)/\(key)",
          reason: "it is larger than \(Counts.bytes(limits.readBytes))",
          suggestion: "Is this a place that chartpipe publishes to?")
      }
      data.append(contentsOf: piece)
    }
    return tag.map { StoredObject(data: data, tag: $0) }
  }

  func read(_ key: String, _ receive: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
    try S3Download(connection, key).run(receive) != nil
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
    let work = S3Work(doing: "removing from the store", key: key, isRepeatable: false)
    let answer = try connection.send(S3Request(method: .delete, key: key), for: work)
    guard answer.isGood || answer.hasNoSuchKey else { throw connection.fault(answer, work) }
  }

  static func hash(of bytes: [UInt8]) throws -> String { try SHA256Hex(of: bytes).text }

  private func putWhole(
    _ body: HTTPRequest.Body, _ sha256: String, _ key: String, _ headers: ObjectHeaders,
    _ condition: PutCondition
  ) throws -> ObjectTag? {
    let work = S3Work(doing: "publishing", key: key, hasCondition: condition != .always)
    let request = S3Request(
      method: .put, key: key, headers: headers.fields + condition.fields, body: body, sha256: sha256)
    let answer = try connection.send(request, for: work)
    if condition != .always, answer.isRefusedByCondition {
      return answer.isRepeated ? try tagOfOurs(sha256, at: key) : nil
    }
    guard answer.isGood else { throw connection.fault(answer, work) }
    if let tag = answer.tag { return tag }
    let stored = try connection.send(S3Request(method: .head, key: key), for: work)
    guard stored.isGood, let tag = stored.tag else { throw connection.fault(stored, work) }
    return tag
  }

  /// An attempt whose answer was lost may have written what the next found in its way.
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
    [("Content-Type", contentType), ("Cache-Control", cacheControl)]
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

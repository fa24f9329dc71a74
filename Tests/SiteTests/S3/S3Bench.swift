import CryptoIO
import Foundation
import TestSupport

@testable import Site

/// What the tests of a store begin with.
struct S3Bench {
  static let headers = ObjectHeaders(contentType: "application/json", cacheControl: "public, max-age=60")
  /// Waits for nothing.
  static let hasty = S3Patience(attempts: 4, firstPause: 0.001, longestPause: 0.01, longestAsked: 0.01)

  let server: LoopbackS3
  let bucket: String
  let store: S3Store

  /// So that small files go in parts.
  static var smallParts: S3Store.Limits {
    var limits = S3Store.Limits()
    limits.wholeBytes = 100_000
    limits.partBytes = 100_000
    return limits
  }

  /// A bucket of its own in the store that keeps conditions.
  init(_ limits: S3Store.Limits = S3Store.Limits(), prefix: String = "vfr") async throws {
    let server = try await LoopbackS3.strict()
    try self.init(server, bucket: try server.newBucket(), prefix, limits)
  }

  init(
    _ server: LoopbackS3, bucket: String, _ prefix: String = "vfr",
    _ limits: S3Store.Limits = S3Store.Limits()
  ) throws {
    self.server = server
    self.bucket = bucket
    store = try S3Bench.store("s3://\(bucket)/\(prefix)", server.environment, limits)
  }

  static func store(
    _ target: String, _ environment: [String: String], _ limits: S3Store.Limits = S3Store.Limits()
  ) throws -> S3Store {
    S3Store(
      try S3Target(target, environment: environment), keys: try S3Keys(environment: environment),
      patience: hasty, limits: limits)
  }

  @discardableResult
  func put(_ text: String, _ key: String, if condition: PutCondition = .always) throws -> ObjectTag? {
    try store.put(.data(Data(text.utf8)), at: key, S3Bench.headers, if: condition)
  }

  func text(_ key: String) throws -> String? {
    try store.read(key).map { String(decoding: $0.data, as: UTF8.self) }
  }

  /// The methods and the headers of requests that were made for a key.
  func seen(_ key: String) throws -> [LoopbackS3.Seen] {
    try server.seen(of: bucket).filter { $0.path.contains(key) }
  }
}

/// A file of bytes that no part of repeats another.
struct LargeFile {
  let folder: TemporaryFolder
  let url: URL
  let bytes: [UInt8]
  let body: ObjectBody

  init(bytes count: Int) throws {
    var state: UInt64 = 1
    let words = (0...count / 8).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state
    }
    bytes = words.withUnsafeBytes { Array($0.prefix(count)) }
    folder = try TemporaryFolder()
    url = folder.file("large")
    try Data(bytes).write(to: url)
    body = .file(url, bytes: count, sha256: try SHA256Hex(of: bytes))
  }
}

import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit
@testable import HTTPIO

/// With a store that verifies signatures, bodies and conditions.
@Suite(.blocking, .enabled(if: LoopbackS3.canRun, "\(LoopbackS3.whyNot)"))
struct S3StoreTests {
  @Test func `an object is put with its headers`() async throws {
    let bench = try await S3Bench()
    try bench.store.put("one", "catalog.json")
    let seen = try #require(try bench.seen("catalog.json").first)
    #expect(seen.fields["content-type"] == "application/json")
    #expect(seen.fields["cache-control"] == "public, max-age=60")
    #expect(seen.fields["content-disposition"] == "attachment; filename=\"Seattle.mbtiles\"")
    #expect(seen.path == "/\(bench.bucket)/vfr/catalog.json")
  }

  @Test(arguments: ["a b+c&d=é~!'()*%.txt", "ü/ /x%2Fy", "a?b#c;d:e@f,g$h", "日本語/🛩"])
  func `unusual keys are kept`(_ key: String) async throws {
    let bench = try await S3Bench(prefix: "v f+r")
    try bench.store.put("odd", key)
    #expect(try bench.store.text(key) == "odd")
    #expect(try bench.store.list(String(key.prefix(2))).map(\.key) == [key])
  }

  @Test func `a list of several pages is read to the end`() async throws {
    let bench = try await S3Bench(S3Store.Limits(listedAtOnce: 7))
    let keys = (0..<30).map { "blobs/\($0)" }
    for key in keys + ["cycles/1"] { try bench.store.put(key, key) }
    let listed = try bench.store.list("blobs/")
    #expect(listed.map(\.key) == keys.sorted())
    #expect(listed.allSatisfy { $0.bytes == $0.key.utf8.count })
    #expect(bench.server.requests(of: bench.bucket).filter { $0.target.contains("list-type") }.count == 5)
  }

  @Test func `an empty object can be stored`() async throws {
    let bench = try await S3Bench()
    let tag = try bench.store.put("", "empty")
    let stored = try #require(try bench.store.read("empty"))
    #expect(stored.data.isEmpty)
    #expect(stored.tag == tag)
  }

  @Test func `large files are sent in parts, others as a whole`() async throws {
    let bench = try await S3Bench(S3Bench.smallParts)
    for (bytes, requests) in [(100_000, ["PUT"]), (100_001, ["POST", "PUT", "PUT", "POST", "HEAD"])] {
      let file = try LargeFile(bytes: bytes)
      let key = "blobs/\(bytes)"
      let tag = try #require(try bench.store.put(file.body, at: key, S3Bench.headers, if: .always))
      #expect(try bench.seen(key).map(\.method) == requests)
      let stored = try #require(try bench.store.read(key))
      #expect(try SHA256Hex(of: [UInt8](stored.data)) == SHA256Hex(of: file.bytes))
      #expect(stored.tag == tag)
    }
  }
}

/// With a store that ignores conditions and differs in details.
@Suite(.blocking, .enabled(if: LoopbackS3.canRun, "\(LoopbackS3.whyNot)"))
struct S3LenientStoreTests {
  private func bench(_ limits: S3Store.Limits = S3Store.Limits()) async throws -> S3Bench {
    try S3Bench(try await LoopbackS3.lenient(bucket: "charts"), bucket: "charts", "vfr", limits)
  }

  @Test func `objects are put, read and removed, without conditions`() async throws {
    let bench = try await bench()
    let keys = ["catalog.json", "blobs/a b+c&é!(1)%.png", "blobs/ü/2"]
    for key in keys { try bench.store.put(key, key) }
    for key in keys { #expect(try bench.store.text(key) == key) }
    #expect(try bench.store.list("").map(\.key) == keys.sorted())
    #expect(try bench.store.list("blobs/ü").map(\.key) == ["blobs/ü/2"])
    for key in keys { try bench.store.remove(key) }
    #expect(try bench.store.text(keys[0]) == nil)
    #expect(try bench.store.put("first", "lock", if: .isAbsent) != nil)
    #expect(try bench.store.put("second", "lock", if: .isAbsent) != nil)
  }

  @Test func `more than a thousand objects are listed`() async throws {
    let bench = try await bench()
    for index in 0..<1003 { try bench.store.put("\(index)", "blobs/\(index)") }
    #expect(try bench.store.list("blobs/").map(\.key) == (0..<1003).map { "blobs/\($0)" }.sorted())
  }

  @Test func `parts are joined`() async throws {
    let bench = try await bench(S3Store.Limits(wholeBytes: 1 << 20, partBytes: 5 << 20))
    let file = try LargeFile(bytes: (10 << 20) + 7)
    #expect(try bench.store.put(file.body, at: "blobs/large", S3Bench.headers, if: .always) != nil)
    let stored = try #require(try bench.store.read("blobs/large"))
    #expect(stored.data == Data(file.bytes))
  }

  @Test func `a wrong secret is reported`() async throws {
    let server = try await LoopbackS3.lenient(bucket: "charts")
    let wrong = server.environment.merging(["AWS_SECRET_ACCESS_KEY": "hidden"]) { $1 }
    let store = try S3Bench.store("s3://charts", wrong)
    let fault = try #require(throws: UserError.self) { try store.list("") }
    #expect(fault.reason == "the store does not accept the signature")
    #expect(!(fault.message + fault.causeLines).contains("hidden"))
  }
}

@Suite struct S3TargetTests {
  private func target(
    _ text: String, endpoint: String? = nil, _ environment: [String: String] = [:]
  ) throws -> S3Target { try S3Target(text, endpoint: endpoint, environment: environment) }

  @Test func `a bucket at Amazon is addressed by its host name`() throws {
    let target = try target("s3://charts/vfr/us/", ["AWS_REGION": "eu-west-1"])
    #expect(target.name == "s3://charts/vfr/us")
    #expect(
      target.url("blobs/ab c+.png") == "https://charts.s3.eu-west-1.amazonaws.com/vfr/us/blobs/ab%20c%2B.png")
    #expect(
      try S3Target("s3://charts.example.org", environment: [:]).url("é")
        == "https://s3.us-east-1.amazonaws.com/charts.example.org/%C3%A9")
  }

  @Test func `a bucket at another endpoint is addressed by its path`() throws {
    let environment = [
      "AWS_ENDPOINT_URL": "https://one.example/", "AWS_ENDPOINT_URL_S3": "https://two.example:9000/x/",
    ]
    let target = try target("s3://charts", environment)
    #expect(target.url("catalog.json") == "https://two.example:9000/x/charts/catalog.json")
    #expect(
      target.url(nil, query: [("prefix", "a/b"), ("list-type", "2")])
        == "https://two.example:9000/x/charts/?list-type=2&prefix=a%2Fb")
    #expect(
      try S3Target("s3://charts", endpoint: "http://[::1]:80", environment: environment).endpoint
        == "http://[::1]:80")
  }

  @Test func `the region comes from the environment or the endpoint`() throws {
    let cloudflare = "https://0123.r2.cloudflarestorage.com"
    #expect(try target("s3://charts").region == "us-east-1")
    #expect(try target("s3://charts", endpoint: cloudflare).region == "auto")
    #expect(try target("s3://charts", endpoint: cloudflare, ["AWS_DEFAULT_REGION": "weur"]).region == "weur")
    #expect(
      try target("s3://charts", ["AWS_REGION": "", "AWS_DEFAULT_REGION": "us-west-2"]).region == "us-west-2")
  }

  @Test(arguments: [
    "charts", "s3:/charts", "s3://", "s3:///x", "s3://Charts", "s3://ab", "s3://a_b_c", "s3://charts//x",
    "s3://charts/a/../b", "s3://charts/./b", "s3://charts/a\nb",
  ])
  func `malformed targets are rejected`(_ text: String) throws {
    let fault = try #require(throws: UserError.self) { try target(text) }
    #expect(fault.kind == .badCall)
    #expect(fault.suggestion != nil)
  }

  @Test(arguments: [
    "s3.example.org", "ftp://example.org", "https://", "https://key:hidden@example.org",
    "https://example.org?hidden=1",
    "https://example.org/charts",
  ])
  func `malformed endpoints are rejected without repeating them`(_ text: String) throws {
    let fault = try #require(throws: UserError.self) { try target("s3://charts/x", endpoint: text) }
    #expect(fault.kind == .badCall)
    #expect(!fault.message.contains("hidden"))
  }

  @Test func `missing and malformed keys are reported by variable`() throws {
    try expectFault(message: "$AWS_SECRET_ACCESS_KEY: is not set") {
      try S3Keys(environment: ["AWS_ACCESS_KEY_ID": "a"])
    }
    let odd = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "hid\r\nden"]
    let fault = try #require(throws: UserError.self) { try S3Keys(environment: odd) }
    #expect(!fault.message.contains("hid"))
    let trimmed = try S3Keys(environment: ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b\n"])
    #expect(trimmed.secret == "b")
  }

  @Test func `keys are never printed`() throws {
    let keys = try S3Keys(environment: [
      "AWS_ACCESS_KEY_ID": "idhidden", "AWS_SECRET_ACCESS_KEY": "secrethidden",
      "AWS_SESSION_TOKEN": "tokenhidden",
    ])
    struct Around { let keys: S3Keys }
    var dumped = ""
    dump(Around(keys: keys), to: &dumped)
    let printed = "\(keys) \(String(reflecting: keys)) \(Around(keys: keys)) \(dumped)"
    #expect(!printed.contains("hidden"))
    #expect(keys.redacted("a tokenhidden b secrethidden c idhidden d") == "a … b … c … d")
  }

  @Test func `pauses grow, and the pause that a store asks for is respected`() {
    let retry = S3Connection.defaultRetry
    let busy = { (seconds: String?) in
      let headers = seconds.map { ["retry-after": $0] } ?? [:]
      return HTTPStatusError(HTTPResponse(status: 503, headers: headers, url: ""))
    }
    for failures in 1...40 {
      let most = min(retry.longestPause, .milliseconds(500) * (1 << min(failures - 1, 20)))
      #expect(
        retry.pause(after: busy(nil), failures: failures).map { (most / 2...most).contains($0) } == true)
    }
    #expect(retry.pause(after: busy("7"), failures: 1) == .seconds(7))
    #expect(retry.pause(after: busy("1000000"), failures: 1) == retry.longestRetryAfter)
    #expect(retry.pause(after: busy("-inf"), failures: 1).map { $0 <= .milliseconds(500) } == true)
  }
}

/// A store in a bucket of its own, for tests.
struct S3Bench {
  static let headers = ObjectHeaders(
    contentType: "application/json", cacheControl: "public, max-age=60", downloadName: "Seattle.mbtiles")
  static var quickRetry: RetryPolicy {
    var policy = S3Connection.defaultRetry
    (policy.attempts, policy.firstPause) = (4, .milliseconds(1))
    (policy.longestPause, policy.longestRetryAfter) = (.milliseconds(10), .milliseconds(10))
    return policy
  }

  let server: LoopbackS3
  let bucket: String
  let store: S3Store

  /// Limits under which small files are sent in parts.
  static let smallParts = S3Store.Limits(wholeBytes: 100_000, partBytes: 100_000)

  /// Uses the server that supports conditions.
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
      retry: quickRetry, limits: limits)
  }

  /// Refuses the next requests for a key, or a key with a query.
  func refuse(
    _ method: String, _ key: String, _ status: String, _ code: String, times: Int = 1, after: String = ""
  ) {
    server.inject(
      .refuse(method, "\(bucket)/vfr/\(key)", status: status, code: code, times: times, after: after))
  }

  /// The requests for a key.
  func seen(_ key: String) throws -> [TestServer.Request] {
    server.requests(of: bucket).filter { $0.target.contains(key) }
  }
}

/// A file without repeated parts.
struct LargeFile {
  let folder = TemporaryFolder()
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
    url = folder.file("large")
    try Data(bytes).write(to: url)
    body = .file(url, bytes: count, sha256: try SHA256Hex(of: bytes))
  }
}

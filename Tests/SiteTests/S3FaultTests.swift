import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Failures of the network and refusals of the store.
@Suite(.blocking, .enabled(if: LoopbackS3.canRun, "\(LoopbackS3.whyNot)"))
struct S3FaultTests {
  // MARK: - Retries

  @Test func `a request to a busy store is retried`() async throws {
    let bench = try await S3Bench()
    let busy = "503 Service Unavailable"
    bench.refuse("PUT", "a", busy, "SlowDown", times: 2, after: "3600")
    #expect(try bench.store.put("one", "a") != nil)
    #expect(try bench.seen("vfr/a").count == 3)
  }

  @Test(arguments: [
    ("503 Service Unavailable", "SlowDown", "the store is busy or broken (503)", 4),
    ("403 Forbidden", "AccessDenied", "the store denies access", 1),
    ("403 Forbidden", "RequestTimeTooSkewed", "the clock of this machine is wrong", 1),
    ("301 Moved Permanently", "PermanentRedirect", "the bucket is not in the region us-east-1", 1),
    (
      "501 Not Implemented", "NotImplemented",
      "the store does not support conditional writes (If-Match, If-None-Match)", 1
    ),
  ])
  func `a refusal is explained, and retried only if it may be over later`(
    status: String, code: String, reason: String, attempts: Int
  ) async throws {
    let bench = try await S3Bench()
    bench.refuse("PUT", "a", status, code, times: 99)
    let fault = try #require(throws: UserError.self) { try bench.store.put("one", "a", if: .isAbsent) }
    #expect(fault.reason == reason && fault.path == "s3://\(bench.bucket)/vfr/a")
    #expect(fault.suggestion?.contains("$AWS_REGION") == (code == "PermanentRedirect"))
    #expect(try bench.seen("vfr/a").count == attempts)
  }

  @Test func `a download resumes after a broken connection`() async throws {
    let bench = try await S3Bench()
    let file = try LargeFile(bytes: 300_000)
    let tag = try #require(try bench.store.put(file.body, at: "a", S3Bench.headers, if: .always))
    // Half of the rest arrives each time, in more attempts than a request without progress has.
    bench.server.inject(.halfAnswer("GET", "\(bench.bucket)/vfr/a", times: 8))
    let stored = try #require(try bench.store.read("a"))
    #expect(stored.data == Data(file.bytes))
    let gets = try bench.seen("vfr/a").filter { $0.method == "GET" }
    #expect(gets.count == 9)
    #expect(gets.dropFirst().allSatisfy { $0.fields["if-match"] == tag.text })
    #expect(gets[1].fields["range"] == "bytes=150000-")
  }

  @Test func `bytes of two versions of an object are not mixed`() async throws {
    let bench = try await S3Bench()
    try bench.store.put(String(repeating: "old", count: 1000), "a")
    bench.server.inject(.halfAnswer("GET", "\(bench.bucket)/vfr/a"))
    var isFirst = true
    let fault = try #require(throws: UserError.self) {
      try bench.store.read("a") { _, _ in
        if isFirst { try bench.store.put(String(repeating: "new", count: 1000), "a") }
        isFirst = false
      }
    }
    #expect(fault.reason == "it was changed while it was read")
  }

  // MARK: - Lost answers

  @Test(arguments: [PutCondition.isAbsent, .always])
  func `a conditional put succeeds although its answer was lost`(_ condition: PutCondition) async throws {
    let bench = try await S3Bench()
    bench.server.inject(.loseAnswer("PUT", "\(bench.bucket)/vfr/lock"))
    let tag = try #require(try bench.store.put("mine", "lock", if: condition))
    #expect(try bench.store.read("lock")?.tag == tag)
  }

  @Test func `a flip succeeds although its answer was lost`() async throws {
    let bench = try await S3Bench()
    let first = try #require(try bench.store.put("first", "catalog.json"))
    bench.server.inject(.loseAnswer("PUT", "\(bench.bucket)/vfr/catalog"))
    let second = try #require(try bench.store.put("second", "catalog.json", if: .isStill(first)))
    #expect(try bench.store.put("third", "catalog.json", if: .isStill(second)) != nil)
  }

  @Test func `a retried put does not overwrite what another publisher wrote meanwhile`() async throws {
    let bench = try await S3Bench()
    try bench.store.put("theirs", "lock")
    bench.refuse("PUT", "lock", "500 Internal Server Error", "InternalError")
    #expect(try bench.store.put("mine", "lock", if: .isAbsent) == nil)
    #expect(try bench.store.text("lock") == "theirs")
  }

  @Test func `a conflict is retried`() async throws {
    let bench = try await S3Bench()
    let conflict = "ConditionalRequestConflict"
    bench.refuse("PUT", "lock", "409 Conflict", conflict)
    #expect(try bench.store.put("mine", "lock", if: .isAbsent) != nil)
    bench.refuse("PUT", "other", "409 Conflict", conflict, times: 99)
    #expect(try bench.store.put("mine", "other", if: .isAbsent) == nil)
  }

  // MARK: - Parts

  @Test func `only the part that failed is sent again`() async throws {
    let bench = try await S3Bench(S3Bench.smallParts)
    let file = try LargeFile(bytes: 220_000)
    bench.server.inject(.loseAnswer("PUT", "\(bench.bucket)/vfr/large?partNumber=2"))
    bench.server.inject(.loseAnswer("POST", "\(bench.bucket)/vfr/large?uploadId"))
    #expect(try bench.store.put(file.body, at: "large", S3Bench.headers, if: .always) != nil)
    #expect(try bench.store.read("large")?.data == Data(file.bytes))
    let puts = try bench.seen("partNumber").map {
      $0.target.firstMatch(of: /partNumber=\d/).map { String($0.0) }
    }
    #expect(puts.compactMap(\.self).sorted() == [1, 2, 2, 3].map { "partNumber=\($0)" })
  }

  /// A store may have forgotten an upload that it finished.
  @Test(arguments: [true, false])
  func `an upload whose last answer was lost is verified`(_ isThere: Bool) async throws {
    let bench = try await S3Bench(S3Bench.smallParts)
    let file = try LargeFile(bytes: 120_000)
    let end = "\(bench.bucket)/vfr/large?uploadId"
    bench.server.inject(
      isThere
        ? .loseAnswer("POST", end)
        : .refuse("POST", end, status: "500 Internal Server Error", code: "InternalError"))
    bench.server.inject(.refuse("POST", end, status: "404 Not Found", code: "NoSuchUpload"))
    let put = { try bench.store.put(file.body, at: "large", S3Bench.headers, if: .always) }
    if isThere { #expect(try put() != nil) } else { #expect(throws: UserError.self) { try put() } }
    #expect(try (bench.store.read("large") != nil) == isThere)
  }

  @Test func `a failed upload leaves nothing behind`() async throws {
    let bench = try await S3Bench(S3Bench.smallParts)
    let file = try LargeFile(bytes: 220_000)
    bench.refuse("PUT", "large?partNumber=2", "403 Forbidden", "AccessDenied")
    #expect(throws: UserError.self) {
      try bench.store.put(file.body, at: "large", S3Bench.headers, if: .always)
    }
    #expect(try bench.seen("large").last?.method == "DELETE")
    #expect(try bench.store.list("").isEmpty)
  }

  /// The store answers 200 before the end.
  @Test func `an upload that fails at its end is an error`() async throws {
    let bench = try await S3Bench(S3Bench.smallParts)
    let file = try LargeFile(bytes: 120_000)
    bench.refuse("POST", "large?uploadId", "200 OK", "InternalError", times: 99)
    #expect(throws: UserError.self) {
      try bench.store.put(file.body, at: "large", S3Bench.headers, if: .always)
    }
    #expect(try bench.seen("large").last?.method == "DELETE")
  }

  @Test func `a file that changed since staging is not sent`() async throws {
    let bench = try await S3Bench(S3Bench.smallParts)
    for bytes in [100, 120_000] {
      let file = try LargeFile(bytes: bytes)
      var changed = file.bytes
      changed.append(0)
      try Data(changed).write(to: file.url)
      let fault = try #require(throws: UserError.self) {
        try bench.store.put(file.body, at: "file", S3Bench.headers, if: .always)
      }
      #expect(fault.path == file.url.path)
    }
    #expect(try bench.seen("file").isEmpty)
  }

  @Test func `a transfer that damages the bytes is rejected`() async throws {
    let bench = try await S3Bench()
    bench.server.inject(.damage("PUT", "\(bench.bucket)/vfr/a"))
    let fault = try #require(throws: UserError.self) { try bench.store.put("one", "a") }
    #expect(fault.reason == "the bytes that arrived are not those that were sent")
    #expect(try bench.store.text("a") == nil)
  }

  // MARK: - Targets and keys

  @Test func `an error names the missing bucket`() async throws {
    let server = try await LoopbackS3.strict()
    let store = try S3Bench.store("s3://no-such-bucket/vfr", server.environment)
    let doings: [() throws -> Void] = [
      { _ = try store.read("a") }, { _ = try store.list("") }, { try store.remove("a") },
      { try store.put(.data(Data()), at: "a", S3Bench.headers, if: .always) },
      { try store.put(.data(Data()), at: "a", S3Bench.headers, if: .isAbsent) },
    ]
    for doing in doings {
      let fault = try #require(throws: UserError.self) { try doing() }
      #expect(fault.reason == "there is no bucket no-such-bucket")
    }
  }

  @Test(arguments: [
    ("AWS_SECRET_ACCESS_KEY", "the store does not accept the signature"),
    ("AWS_ACCESS_KEY_ID", "the store does not know $AWS_ACCESS_KEY_ID"),
    ("AWS_SESSION_TOKEN", "$AWS_SESSION_TOKEN has expired or is not valid"),
  ])
  func `an error names the wrong key variable alone`(_ variable: String, _ problem: String) async throws {
    let server = try await LoopbackS3.strict()
    let store = try S3Bench.store(
      "s3://\(try server.newBucket())", server.environment.merging([variable: "HIDDENHIDDENHIDDEN"]) { $1 })
    let fault = try #require(throws: UserError.self) { try store.list("") }
    #expect(fault.reason == problem)
    for hidden in ["HIDDEN", server.secret, server.keyID] {
      #expect(!(fault.message + fault.causeLines).contains(hidden))
    }
  }

  @Test func `secrets are removed when a store repeats the request`() async throws {
    let server = try await LoopbackS3.strict()
    let bucket = try server.newBucket()
    let store = try S3Bench.store(
      "s3://\(bucket)", server.environment.merging(["AWS_SESSION_TOKEN": "HIDDEN"]) { $1 })
    server.inject(.repeatRequest("GET", bucket, and: "HIDDEN \(server.secret) \(server.keyID)"))
    let fault = try #require(throws: UserError.self) { try store.read("a") }
    #expect(fault.causeLines.contains("AccessDenied"))
    for hidden in ["HIDDEN", server.secret, server.keyID] {
      #expect(!(fault.message + fault.causeLines).contains(hidden))
    }
  }

  @Test func `another kind of server is not taken for an empty store`() async throws {
    let bench = try await S3Bench()
    bench.server.inject(.refuse("GET", bench.bucket, status: "404 Not Found", code: "", times: 2))
    #expect(throws: UserError.self) { try bench.store.read("a") }
    #expect(throws: UserError.self) { try bench.store.list("") }
    bench.server.inject(.refuse("GET", bench.bucket, status: "200 OK", code: ""))
    #expect(throws: UserError.self) { try bench.store.list("") }
  }

  @Test func `an error names the endpoint that cannot be reached`() throws {
    let store = try S3Bench.store(
      "s3://charts",
      [
        "AWS_ENDPOINT_URL": "http://127.0.0.1:9", "AWS_ACCESS_KEY_ID": "HIDDEN",
        "AWS_SECRET_ACCESS_KEY": "HIDDEN",
      ])
    let fault = try #require(throws: UserError.self) { try store.list("") }
    #expect(fault.reason == "http://127.0.0.1:9 cannot be reached")
    #expect(!(fault.message + fault.causeLines).contains("HIDDEN"))
  }

  @Test func `a cancelled request does not wait`() async throws {
    let bench = try await S3Bench()
    let store = try S3Bench.store("s3://\(bench.bucket)", bench.server.environment)
    let token = CancellationToken()
    token.cancel()
    #expect(throws: CancellationError.self) { try token.run { try store.list("") } }
  }
}

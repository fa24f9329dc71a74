import Core
import CryptoIO
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Site

/// Against a store that checks signatures, bodies and conditions.
@Suite(.enabled(if: LoopbackS3.canRun, "\(LoopbackS3.whyNot)"))
struct S3StoreTests {
  @Test func whatIsPutIsReadListedAndRemoved() async throws {
    let bench = try await S3Bench()
    #expect(try bench.store.read("catalog.json") == nil)
    let tag = try #require(try bench.put("one", "catalog.json"))
    let stored = try #require(try bench.store.read("catalog.json"))
    #expect(stored.data == Data("one".utf8))
    #expect(stored.tag == tag)
    #expect(try bench.store.list("") == [ListedObject(key: "catalog.json", bytes: 3)])
    try bench.store.remove("catalog.json")
    try bench.store.remove("catalog.json")
    #expect(try bench.store.list("").isEmpty)
    #expect(try bench.store.read("catalog.json", { _ in }) == false)
  }

  @Test func headersComeWithTheObject() async throws {
    let bench = try await S3Bench()
    try bench.put("one", "catalog.json")
    let seen = try #require(try bench.seen("catalog.json").first)
    #expect(seen.headers["CONTENT_TYPE"] == "application/json")
    #expect(seen.headers["HTTP_CACHE_CONTROL"] == "public, max-age=60")
    #expect(seen.path == "/\(bench.bucket)/vfr/catalog.json")
  }

  @Test(arguments: ["a b+c&d=é~!'()*%.txt", "ü/ /x%2Fy", "a?b#c;d:e@f,g$h", "日本語/🛩"])
  func oddKeysAreKept(_ key: String) async throws {
    let bench = try await S3Bench(prefix: "v f+r")
    try bench.put("odd", key)
    #expect(try bench.text(key) == "odd")
    #expect(try bench.store.list(String(key.prefix(2))).map(\.key) == [key])
  }

  @Test func listsAreReadToTheEnd() async throws {
    var limits = S3Store.Limits()
    limits.listedAtOnce = 7
    let bench = try await S3Bench(limits)
    let keys = (0..<30).map { "blobs/\($0)" }
    for key in keys + ["cycles/1"] { try bench.put(key, key) }
    let listed = try bench.store.list("blobs/")
    #expect(listed.map(\.key) == keys.sorted())
    #expect(listed.allSatisfy { $0.bytes == $0.key.utf8.count })
    #expect(try bench.server.seen(of: bench.bucket).filter { $0.path.contains("list-type") }.count == 5)
  }

  @Test func anEmptyObjectIsOneToo() async throws {
    let bench = try await S3Bench()
    let tag = try bench.put("", "empty")
    let stored = try #require(try bench.store.read("empty"))
    #expect(stored.data.isEmpty)
    #expect(stored.tag == tag)
  }

  @Test func filesGoAsAWholeOrInParts() async throws {
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

  // MARK: - Conditions

  @Test func onlyTheFirstCreates() async throws {
    let bench = try await S3Bench()
    #expect(try bench.put("mine", "lock", if: .isAbsent) != nil)
    #expect(try bench.put("yours", "lock", if: .isAbsent) == nil)
    #expect(try bench.text("lock") == "mine")
  }

  @Test func onlyWhoKnowsTheLatestReplaces() async throws {
    let bench = try await S3Bench()
    let first = try #require(try bench.put("first", "catalog.json", if: .isAbsent))
    let second = try #require(try bench.put("second", "catalog.json", if: .isStill(first)))
    #expect(try bench.put("third", "catalog.json", if: .isStill(first)) == nil)
    #expect(try bench.text("catalog.json") == "second")
    #expect(try bench.put("fourth", "catalog.json", if: .isStill(second)) != nil)
    try bench.store.remove("catalog.json")
    #expect(try bench.put("fifth", "catalog.json", if: .isStill(second)) == nil)
  }

  @Test func ofManyAtOnceOneWins() async throws {
    let bench = try await S3Bench()
    let tags = try await withThrowingTaskGroup(of: ObjectTag?.self) { group in
      for index in 0..<8 { group.addTask { try bench.put("\(index)", "lock", if: .isAbsent) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(tags.compactMap(\.self).count == 1)
  }
}

/// Against one that takes no notice of conditions, and answers otherwise in small things.
@Suite(.enabled(if: LoopbackS3.canRun, "\(LoopbackS3.whyNot)"))
struct S3LenientStoreTests {
  private func bench(_ limits: S3Store.Limits = S3Store.Limits()) async throws -> S3Bench {
    try S3Bench(try await LoopbackS3.lenient(bucket: "charts"), bucket: "charts", "vfr", limits)
  }

  @Test func objectsGoThereAndBack() async throws {
    let bench = try await bench()
    let keys = ["catalog.json", "blobs/a b+c&é!(1)%.png", "blobs/ü/2"]
    for key in keys { try bench.put(key, key) }
    for key in keys { #expect(try bench.text(key) == key) }
    #expect(try bench.store.list("").map(\.key) == keys.sorted())
    #expect(try bench.store.list("blobs/ü").map(\.key) == ["blobs/ü/2"])
    for key in keys { try bench.store.remove(key) }
    #expect(try bench.text(keys[0]) == nil)
    #expect(try bench.put("first", "lock", if: .isAbsent) != nil)
    #expect(try bench.put("second", "lock", if: .isAbsent) != nil)
  }

  @Test func moreThanAThousandAreListed() async throws {
    let bench = try await bench()
    for index in 0..<1003 { try bench.put("\(index)", "blobs/\(index)") }
    #expect(try bench.store.list("blobs/").map(\.key) == (0..<1003).map { "blobs/\($0)" }.sorted())
  }

  @Test func partsArePutTogether() async throws {
    var limits = S3Store.Limits()
    limits.wholeBytes = 1 << 20
    limits.partBytes = 5 << 20
    let bench = try await bench(limits)
    let file = try LargeFile(bytes: (10 << 20) + 7)
    #expect(try bench.store.put(file.body, at: "blobs/large", S3Bench.headers, if: .always) != nil)
    let stored = try #require(try bench.store.read("blobs/large"))
    #expect(stored.data == Data(file.bytes))
  }

  @Test func aWrongSecretIsToldOf() async throws {
    let server = try await LoopbackS3.lenient(bucket: "charts")
    let wrong = server.environment.merging(["AWS_SECRET_ACCESS_KEY": "hidden"]) { $1 }
    let store = try S3Bench.store("s3://charts", wrong)
    let fault = try #require(throws: UserError.self) { try store.list("") }
    #expect(fault.reason == "the store does not accept the signature")
    #expect(!(fault.message + fault.causeLines).contains("hidden"))
  }
}

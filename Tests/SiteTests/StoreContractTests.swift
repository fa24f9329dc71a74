import Core
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ChartpipeKit

/// What publishing needs of any store: of a folder, and of a bucket whose server verifies signatures, bodies and conditions.
@Suite(.blocking) struct StoreContractTests {
  enum Kind: CaseIterable { case folder, bucket }

  static let kinds = Kind.allCases.filter { $0 == .folder || LoopbackS3.canRun }

  private let folder = TemporaryFolder()

  private func store(_ kind: Kind) async throws -> any WritableObjectStore {
    try await kind == .folder ? FolderStore(root: folder.file("target")) : S3Bench().store
  }

  @Test(arguments: kinds) func `an object is put, read, listed and removed`(_ kind: Kind) async throws {
    let store = try await store(kind)
    #expect(try store.text("catalog.json") == nil)
    let tag = try #require(try store.put("one", "catalog.json"))
    #expect(try store.text("catalog.json") == "one")
    #expect(try store.read("catalog.json")?.tag == tag)
    let listed = try #require(try store.list("").first)
    #expect(try store.list("").count == 1 && listed.key == "catalog.json" && listed.bytes == 3)
    #expect(abs(listed.modified.secondsSince1970 - Int(Date().timeIntervalSince1970)) < 3600)
    try store.remove("catalog.json")
    try store.remove("catalog.json")
    #expect(try store.list("").isEmpty)
    #expect(try store.read("catalog.json") { _, _ in } == nil)
  }

  @Test(arguments: kinds) func `a put respects its condition`(_ kind: Kind) async throws {
    let store = try await store(kind)
    let first = try #require(try store.put("first", "a", if: .isAbsent))
    #expect(try store.put("other", "a", if: .isAbsent) == nil)
    #expect(try store.text("a") == "first" && store.read("a")?.tag == first)
    let second = try #require(try store.put("second", "a", if: .isStill(first)))
    #expect(second != first)
    #expect(try store.put("third", "a", if: .isStill(first)) == nil)
    #expect(try store.text("a") == "second")
    #expect(try store.put("third", "b", if: .isStill(first)) == nil)
    #expect(try store.text("b") == nil)
    #expect(try store.put("fourth", "a", if: .isStill(second)) != nil)
    try store.remove("a")
    #expect(try store.put("fifth", "a", if: .isStill(second)) == nil)
  }

  @Test(arguments: kinds)
  func `one of many concurrent conditional puts succeeds`(_ kind: Kind) async throws {
    let store = try await store(kind)
    let tag = try #require(try store.put("0", "b"))
    for (key, condition) in [("a", PutCondition.isAbsent), ("b", .isStill(tag))] {
      let winners = Mutex(0)
      try processEach(Array(1...16), width: 8) { number in
        let won = try store.put("\(number)", key, if: condition) != nil
        if won { winners.withLock { $0 += 1 } }
      }
      #expect(winners.withLock { $0 } == 1)
    }
  }
}

extension WritableObjectStore {
  @discardableResult
  func put(_ words: String, _ key: String, if condition: PutCondition = .always) throws -> ObjectTag? {
    try put(.data(Data(words.utf8)), at: key, S3Bench.headers, if: condition)
  }

  func text(_ key: String) throws -> String? {
    try read(key).map { String(decoding: $0.data, as: UTF8.self) }
  }
}

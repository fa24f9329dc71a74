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

  private struct Bench {
    let folder: TemporaryFolder
    let store: any WritableObjectStore

    init(_ kind: Kind) async throws {
      folder = try TemporaryFolder()
      store = try await kind == .folder ? FolderStore(root: folder.file("target")) : S3Bench().store
    }

    @discardableResult
    func put(_ words: String, _ key: String, _ condition: PutCondition = .always) throws -> ObjectTag? {
      try store.put(.data(Data(words.utf8)), at: key, S3Bench.headers, if: condition)
    }

    func text(_ key: String) throws -> String? {
      try store.read(key).map { String(decoding: $0.data, as: UTF8.self) }
    }
  }

  @Test(arguments: kinds) func `an object is put, read, listed and removed`(_ kind: Kind) async throws {
    let bench = try await Bench(kind)
    #expect(try bench.text("catalog.json") == nil)
    let tag = try #require(try bench.put("one", "catalog.json"))
    #expect(try bench.text("catalog.json") == "one")
    #expect(try bench.store.read("catalog.json")?.tag == tag)
    #expect(try bench.store.list("") == [ListedObject(key: "catalog.json", bytes: 3)])
    try bench.store.remove("catalog.json")
    try bench.store.remove("catalog.json")
    #expect(try bench.store.list("").isEmpty)
    #expect(try bench.store.read("catalog.json") { _, _ in } == nil)
  }

  @Test(arguments: kinds) func `a put respects its condition`(_ kind: Kind) async throws {
    let bench = try await Bench(kind)
    let first = try #require(try bench.put("first", "a", .isAbsent))
    #expect(try bench.put("other", "a", .isAbsent) == nil)
    #expect(try bench.text("a") == "first" && bench.store.read("a")?.tag == first)
    let second = try #require(try bench.put("second", "a", .isStill(first)))
    #expect(second != first)
    #expect(try bench.put("third", "a", .isStill(first)) == nil)
    #expect(try bench.text("a") == "second")
    #expect(try bench.put("third", "b", .isStill(first)) == nil)
    #expect(try bench.text("b") == nil)
    #expect(try bench.put("fourth", "a", .isStill(second)) != nil)
    try bench.store.remove("a")
    #expect(try bench.put("fifth", "a", .isStill(second)) == nil)
  }

  @Test(arguments: kinds)
  func `one of many concurrent conditional puts succeeds`(_ kind: Kind) async throws {
    let bench = try await Bench(kind)
    let tag = try #require(try bench.put("0", "b"))
    for (key, condition) in [("a", PutCondition.isAbsent), ("b", .isStill(tag))] {
      let winners = Mutex(0)
      try processEach(Array(1...16), width: 8) { number in
        let won = try bench.put("\(number)", key, condition) != nil
        if won { winners.withLock { $0 += 1 } }
      }
      #expect(winners.withLock { $0 } == 1)
    }
  }
}

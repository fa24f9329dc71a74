import CryptoIO
import Foundation
import HTTPIO
import TestSupport
import Testing

@testable import Fetch

@Suite struct SourceCachePruningTests {
  private let folder: TemporaryFolder
  private let cache: SourceCache
  private let before = Date(timeIntervalSinceNow: -3600)
  private let after = Date(timeIntervalSinceNow: 3600)

  init() throws {
    folder = try TemporaryFolder()
    cache = SourceCache(folder.file("cache"))
  }

  /// A file of the cache with these words, as if it had come from an address.
  private func adopt(_ words: String, noted: Bool) throws -> SHA256Hex {
    let file = folder.file("incoming")
    try Data(words.utf8).write(to: file)
    let hash = try SHA256Hex(ofFile: file)
    try cache.adopt(file, as: hash)
    let url = "http://127.0.0.1/\(words)"
    if noted {
      try cache.remember(
        .init(
          url: url, sha256: hash, bytes: words.utf8.count, known: .init(), fetched: "2026-01-22T09:01:00Z"))
    }
    return hash
  }

  @Test func `what nothing needs goes, what a note or a work folder has stays`() throws {
    let noted = try adopt("noted", noted: true)
    let used = try adopt("used", noted: false)
    let idle = try adopt("idle", noted: false)
    try cache.place(used, at: folder.file("work/used.zip"), scratch: folder.file("work-scratch"))
    let removed = try cache.prune(noted: before, settled: after)
    #expect(removed == (1, 4))
    #expect(cache.holds(noted) && cache.holds(used) && !cache.holds(idle))
    #expect(cache.note(of: "http://127.0.0.1/noted")?.sha256 == noted)
  }

  @Test func `a note that is too old goes, and its file with it`() throws {
    let noted = try adopt("noted", noted: true)
    #expect(try cache.prune(noted: after, settled: after) == (1, 5))
    #expect(!cache.holds(noted))
    #expect(cache.note(of: "http://127.0.0.1/noted") == nil)
  }

  @Test func `what another run has just taken in stays`() throws {
    let fresh = try adopt("fresh", noted: false)
    #expect(try cache.prune(noted: after, settled: before) == (0, 0))
    #expect(cache.holds(fresh))
  }

  @Test func `a cache that is not there yet has nothing to remove`() throws {
    #expect(try SourceCache(folder.file("none")).prune(noted: after, settled: after) == (0, 0))
  }
}

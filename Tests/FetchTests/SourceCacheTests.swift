import Core
import CryptoIO
import Foundation
import HTTPIO
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct SourceCachePruningTests {
  private let folder = TemporaryFolder()
  private let cache: SourceCache
  private let before = Date(timeIntervalSinceNow: -3600)
  private let after = Date(timeIntervalSinceNow: 3600)

  init() throws { cache = SourceCache(folder.file("cache")) }

  /// Adds a file with this text, as if it had been downloaded.
  private func adopt(_ words: String, noted: Bool) throws -> SHA256Hex {
    let file = folder.file("incoming")
    try file.put(words)
    let hash = try SHA256Hex(ofFile: file)
    try cache.add(file, as: hash)
    let url = "http://127.0.0.1/\(words)"
    if noted {
      try cache.record(
        .init(
          url: url, sha256: hash, bytes: words.utf8.count, known: .init(), fetched: "2026-01-22T09:01:00Z"))
    }
    return hash
  }

  @Test func `removes unused files and keeps recorded and linked ones`() throws {
    let noted = try adopt("noted", noted: true)
    let used = try adopt("used", noted: false)
    let idle = try adopt("idle", noted: false)
    try cache.place(used, at: folder.file("work/used.zip"), scratch: folder.file("work-scratch"))
    let removed = try cache.prune(downloadedBefore: before, unusedSince: after)
    #expect(removed == (1, 4))
    #expect(cache.holds(noted) && cache.holds(used) && !cache.holds(idle))
    #expect(cache.download(from: "http://127.0.0.1/noted")?.sha256 == noted)
  }

  @Test func `removes an old record and its file`() throws {
    let noted = try adopt("noted", noted: true)
    #expect(try cache.prune(downloadedBefore: after, unusedSince: after) == (1, 5))
    #expect(!cache.holds(noted))
    #expect(cache.download(from: "http://127.0.0.1/noted") == nil)
  }

  @Test func `keeps files that another run has just added`() throws {
    let fresh = try adopt("fresh", noted: false)
    #expect(try cache.prune(downloadedBefore: after, unusedSince: before) == (0, 0))
    #expect(cache.holds(fresh))
  }

  @Test func `pruning a missing cache removes nothing`() throws {
    #expect(try SourceCache(folder.file("none")).prune(downloadedBefore: after, unusedSince: after) == (0, 0))
  }
}

struct RecordedSourceTests {
  private let folder = TemporaryFolder()
  private let source: Product.Source

  init() throws {
    let bytes = Array("a chart".utf8)
    source = Product.Source(url: "Denver.zip", sha256: try SHA256Hex(of: bytes), bytes: bytes.count)
  }

  private func put(_ text: String, _ path: String) throws -> URL {
    let file = folder.file(path)
    try file.put(text)
    return file
  }

  private func found() throws -> RecordedSource { try SourceFolder(folder.url).locate(source) }

  @Test func `finds a source by its bytes, first under its name`() throws {
    #expect(try found() == .absent)
    _ = try put("a chart", "a/other-name")
    #expect(try found() == .found(folder.file("a/other-name")))
    _ = try put("a chart", "z/DENVER.zip")
    #expect(try found() == .found(folder.file("z/DENVER.zip")))
  }

  @Test func `chooses among files of one name by their bytes`() throws {
    let stale = try put("a chalk", "a/Denver.zip")
    #expect(try found() == .changed(stale))
    let good = try put("a chart", "b/Denver.zip")
    #expect(try found() == .found(good))
  }

  @Test func `follows a link and never reads a pipe`() throws {
    #expect(mkfifo(folder.file("Denver.zip").path, 0o600) == 0)
    #expect(try found() == .changed(folder.file("Denver.zip")))
    let elsewhere = TemporaryFolder()
    try elsewhere.file("x").put("a chart")
    try FileManager.default.createSymbolicLink(
      at: folder.file("link"), withDestinationURL: elsewhere.file("x"))
    #expect(try found() == .found(folder.file("link")))
  }

  @Test(arguments: [
    ("Denver.zip", "Denver.zip"), ("https://a.gov/visual/San%20Juan.zip?x=/1#y", "San Juan.zip"),
    ("https://a.gov/..%2F..%2Fevil", "evil"), ("100%25.zip", "100%25.zip"), ("https://a.gov/", "a.gov"),
  ])
  func `a source's file name is the last part of its address`(url: String, name: String) {
    #expect(Product.Source(url: url, sha256: source.sha256, bytes: 0).fileName == name)
  }
}

import CryptoIO
import Fetch
import Foundation
import Pipeline
import TestSupport
import Testing

struct RecordedSourceTests {
  private let folder: TemporaryFolder
  private let source: Product.Source

  init() throws {
    folder = try TemporaryFolder()
    let bytes = Array("a chart".utf8)
    source = Product.Source(url: "Denver.zip", sha256: try SHA256Hex(of: bytes), bytes: bytes.count)
  }

  private func put(_ text: String, _ path: String) throws -> URL {
    let file = folder.file(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file
  }

  private func found() throws -> RecordedSource { try SourceFolder(folder.url).locate(source) }

  @Test func `a source is found by its bytes, under its name first`() throws {
    #expect(try found() == .absent)
    _ = try put("a chart", "a/other-name")
    #expect(try found() == .found(folder.file("a/other-name")))
    _ = try put("a chart", "z/DENVER.zip")
    #expect(try found() == .found(folder.file("z/DENVER.zip")))
  }

  @Test func `of two files of its name the one with its bytes is taken`() throws {
    let stale = try put("a chalk", "a/Denver.zip")
    #expect(try found() == .changed(stale))
    let good = try put("a chart", "b/Denver.zip")
    #expect(try found() == .found(good))
  }

  @Test func `a link to it will do, and a pipe is never read`() throws {
    #expect(mkfifo(folder.file("Denver.zip").path, 0o600) == 0)
    #expect(try found() == .changed(folder.file("Denver.zip")))
    let elsewhere = try TemporaryFolder()
    try Data("a chart".utf8).write(to: elsewhere.file("x"))
    try FileManager.default.createSymbolicLink(
      at: folder.file("link"), withDestinationURL: elsewhere.file("x"))
    #expect(try found() == .found(folder.file("link")))
  }

  @Test(arguments: [
    ("Denver.zip", "Denver.zip"), ("https://a.gov/visual/San%20Juan.zip?x=/1#y", "San Juan.zip"),
    ("https://a.gov/..%2F..%2Fevil", "evil"), ("100%25.zip", "100%25.zip"), ("https://a.gov/", "a.gov"),
  ])
  func `its name is the last part of where it came from`(url: String, name: String) {
    #expect(Product.Source(url: url, sha256: source.sha256, bytes: 0).fileName == name)
  }
}

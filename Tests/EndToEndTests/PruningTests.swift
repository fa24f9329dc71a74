import Foundation
import TestSupport
import Testing

/// `chartpipe run --prune`, as a machine that makes every cycle calls it.
@Suite struct PruningTests {
  private let own: TemporaryFolder

  init() throws { own = try TemporaryFolder() }

  private func put(_ path: String) throws {
    let file = own.file("work/\(path)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("old".utf8).write(to: file)
  }

  private func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: own.file("work/\(path)").path)
  }

  private func run(_ options: [String]) throws -> Program.Ending {
    try Program().run(
      [
        "run", "sample-sectional", "--only", "Sample_West", "--cycle", "2304", "--from", "samples", "--work",
        own.file("work").path, "--cache", own.file("cache").path,
      ] + options)
  }

  private let old = [
    "sources/2208/Denver.zip", "build/2208/vfr-sectional/Denver.mbtiles", "journal/2208.jsonl",
  ]
  private let others = ["sources/mine/Denver.zip", "sources/notes.txt", "build/elsewhere.txt"]

  @Test func `what is out of date goes, what is new or a person's stays`() throws {
    let coming = ["sources/3001/Denver.zip", "build/3001/vfr-sectional/Denver.mbtiles"]
    for path in old + others + coming { try put(path) }
    #expect(try run([]).status == 0)
    #expect(old.allSatisfy(isThere))
    let ending = try run(["--prune"])
    #expect(ending.status == 0)
    #expect(ending.errors.contains("Removed as out of date: cycle 2208."))
    #expect(!old.contains(where: isThere))
    #expect((others + coming).allSatisfy(isThere))
    #expect(isThere("build/2304/sample-sectional/Sample_West.mbtiles"))
    #expect(isThere("site/catalog.json"))
    let again = try run(["--prune"])
    #expect(!again.errors.contains("Removed"))
  }

  @Test func `a blob that no catalogue names goes`() throws {
    #expect(try run([]).status == 0)
    let stray = "site/blobs/aa/" + String(repeating: "a", count: 64) + ".mbtiles"
    let before = try files(below: own.file("work/site"))
    try put(stray)
    let ending = try run(["--prune"])
    #expect(ending.errors.contains("Removed as out of date: 1 file of the site."))
    #expect(try files(below: own.file("work/site")) == before)
  }

  @Test func `nothing is removed when something failed`() throws {
    for path in old { try put(path) }
    let ending = try Program().run([
      "run", "sample-sectional", "--cycle", "2304", "--from", own.file("work/sources/2208").path, "--work",
      own.file("work").path, "--prune",
    ])
    #expect(ending.status != 0)
    #expect(old.allSatisfy(isThere))
  }
}

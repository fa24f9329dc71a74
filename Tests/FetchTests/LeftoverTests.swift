import Core
import Fetch
import Foundation
import Pipeline
import TestSupport
import Testing

/// What was left by a fetch that was killed, wherever that happened.
@Suite struct LeftoverTests {
  private let charts: ServedCharts

  init() throws { charts = try ServedCharts() }

  private func leave(_ paths: String...) throws {
    for path in paths {
      let file = charts.own.file(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("half".utf8).write(to: file)
    }
  }

  @Test func `all of it goes but what can be gone on with`() throws {
    try leave(
      "2612/.sources.lock.json.new", "2612/.fetching/.dat.nosync1", "2612/.fetching/Denver.zip.link",
      "2612/.fetching/Denver.zip", "2612/.fetching/Omaha.zip", "2612/.fetching/Salina.zip.part.json",
      "2612/.fetching/Billings.zip.part", "cache/scratch/half")
    try leave("2612/.fetching/Wichita.zip.part", "2612/.fetching/Wichita.zip.part.json")
    _ = try charts.fetch()
    #expect(charts.isWhole())
    #expect(
      try files(below: charts.work) == [
        ".fetching/Wichita.zip.part", ".fetching/Wichita.zip.part.json", "Denver.zip", "sources.lock.json",
      ])
    #expect(try files(below: charts.own.file("cache/scratch")).isEmpty)
  }

  @Test func `what another run has under way in the cache stays`() throws {
    try leave("cache/scratch/others")
    var other = FolderLock(sharing: charts.own.file("cache/scratch")) {}
    try #require(other != nil)
    _ = try charts.fetch()
    #expect(try files(below: charts.own.file("cache/scratch")) == ["others"])
    other = nil
    _ = try charts.fetch()
    #expect(try files(below: charts.own.file("cache/scratch")).isEmpty)
  }

  @Test func `a source that was written to since it was hashed is told from one that was not`() throws {
    let file = charts.servedFile("Denver.zip")
    let source = try SourceFolder.file(file)
    try source.checkUnchanged()
    let bytes = try Data(contentsOf: file)
    try bytes.write(to: file, options: .atomic)  // another file, with the same bytes
    try source.checkUnchanged()
    try (bytes + [0]).write(to: file)
    let fault = try #require(throws: UserError.self) { try source.checkUnchanged() }
    #expect(fault.path == file.path && fault.reason == "it changed while it was read")
    try FileManager.default.removeItem(at: file)
    #expect(throws: UserError.self) { try source.checkUnchanged() }
  }

  @Test func `so is a folder`() throws {
    let folder = charts.own.file("unpacked")
    try leave("unpacked/A.csv", "unpacked/more/B.csv")
    let source = try SourceFolder.file(folder)
    try source.checkUnchanged()
    try leave("unpacked/more/C.csv")
    #expect(throws: UserError.self) { try source.checkUnchanged() }
  }
}

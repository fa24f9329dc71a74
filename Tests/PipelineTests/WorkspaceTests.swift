import Core
import Foundation
import Pipeline
import TestSupport
import Testing

@Suite struct WorkspaceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func preparingEmptiesTheScratchOfAKilledRun() throws {
    let workspace = Workspace(folder.url)
    try workspace.prepare()
    try Data("half".utf8).write(to: workspace.scratchFile("left over"))
    try workspace.prepare()
    #expect(try files(below: workspace.scratch).isEmpty)
  }

  @Test func aScratchFolderOfSomebodyElsesKeepsItsFiles() throws {
    let workspace = Workspace(folder.url)
    try workspace.prepare()
    try Data("mine".utf8).write(to: workspace.scratch.appending(path: "thesis.txt"))
    try Data("half".utf8).write(to: workspace.scratchFile("left over"))
    try workspace.prepare()
    try workspace.sweep()
    #expect(try files(below: workspace.scratch) == ["thesis.txt"])
  }

  @Test func aSweptWorkspaceHasNoScratch() throws {
    let workspace = Workspace(folder.url)
    try workspace.prepare()
    try workspace.sweep()
    #expect(!FileManager.default.fileExists(atPath: workspace.scratch.path))
  }

  @Test func twoRunsCannotShareAWorkFolder() throws {
    let workspace = Workspace(folder.url)
    let first = try workspace.lock()
    let fault = #expect(throws: UserError.self) { try workspace.lock() }
    #expect(fault?.reason == "another chartpipe is at work in it")
    withExtendedLifetime(first) {}
  }

  @Test func theLockGoesWithItsHolder() throws {
    let workspace = Workspace(folder.url)
    do {
      let first = try workspace.lock()
      withExtendedLifetime(first) {}
    }
    _ = try workspace.lock()
  }

  @Test func publishingMovesTheFileAndMakesTheFolder() throws {
    let finished = folder.file("scratch")
    try Data("new".utf8).write(to: finished)
    let final = folder.file("a/b/c")
    try DurableFile.publish(finished, as: final)
    #expect(try String(contentsOf: final, encoding: .utf8) == "new")
    #expect(!FileManager.default.fileExists(atPath: finished.path))
  }

  @Test func aFileWhereAFolderShouldBeIsAFault() throws {
    try Data().write(to: folder.file("work"))
    let fault = #expect(throws: UserError.self) { try Workspace(folder.file("work")).lock() }
    #expect(fault?.kind == .failed)
    #expect(fault?.path == folder.file("work").path)
  }
}

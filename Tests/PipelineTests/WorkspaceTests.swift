import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct WorkspaceTests {
  let folder = TemporaryFolder()

  @Test func `prepare removes the scratch files of a killed run`() throws {
    let workspace = Workspace(folder.url)
    try workspace.prepare()
    try workspace.scratchFile("left over").put("half")
    try workspace.prepare()
    #expect(try files(below: workspace.scratch).isEmpty)
  }

  @Test func `prepare keeps foreign files in a scratch folder`() throws {
    let workspace = Workspace(folder.url)
    try workspace.prepare()
    try workspace.scratch.appending(path: "thesis.txt").put("mine")
    try workspace.scratchFile("left over").put("half")
    try workspace.prepare()
    try workspace.sweep()
    #expect(try files(below: workspace.scratch) == ["thesis.txt"])
  }

  @Test func `sweep removes the scratch folder`() throws {
    let workspace = Workspace(folder.url)
    try workspace.prepare()
    try workspace.sweep()
    #expect(!workspace.scratch.exists)
  }

  @Test func `two runs cannot share a work folder`() throws {
    let workspace = Workspace(folder.url)
    let first = try workspace.lock()
    let fault = #expect(throws: UserError.self) { try workspace.lock() }
    #expect(fault?.reason == "another chartpipe is at work in it")
    withExtendedLifetime(first) {}
  }

  @Test func `the lock ends with its holder`() throws {
    let workspace = Workspace(folder.url)
    do {
      let first = try workspace.lock()
      withExtendedLifetime(first) {}
    }
    _ = try workspace.lock()
  }

  @Test func `publishing moves the file and creates the folder`() throws {
    let finished = folder.file("scratch")
    try finished.put("new")
    let final = folder.file("a/b/c")
    try DurableFile.publish(finished, as: final)
    #expect(try final.text == "new")
    #expect(!finished.exists)
  }

  @Test func `a file in place of a folder is an error`() throws {
    try Data().write(to: folder.file("work"))
    let fault = #expect(throws: UserError.self) { try Workspace(folder.file("work")).lock() }
    #expect(fault?.kind == .badCall)
    #expect(fault?.path == folder.file("work").path)
  }
}

@Suite struct DiskRoomTests {
  let folder = TemporaryFolder()

  init() throws {
    try folder.file("a").makeFolder()
    try Data(count: 700).write(to: folder.file("a/.hidden"))
    try Data(count: 300).write(to: folder.file("b"))
    try FileManager.default.linkItem(at: folder.file("b"), to: folder.file("a/b again"))
    try FileManager.default.createSymbolicLink(at: folder.file("c"), withDestinationURL: folder.file("b"))
  }

  @Test func `counts a file with two names once and a link not at all`() {
    #expect(DiskSpace(folder.url).used == 1000)
    #expect(DiskSpace(folder.file("nowhere")).used == 0)
  }

  @Test func `accepts a need that fits`() throws {
    let room = DiskSpace(folder.url, limit: 1500)
    try room.check(500, for: "x")
    let fault = #expect(throws: UserError.self) { try room.check(501, for: "x") }
    #expect(
      fault?.line
        == "making room for x: it needs about 501 B, and of the 1.5 kB that --max-disk allows, \(folder.url.path) holds 1.0 kB"
    )
  }

  @Test func `accepts a need of zero in a folder that is too large`() throws {
    try DiskSpace(folder.url, limit: 10).check(0, for: "x")
    #expect(throws: UserError.self) { try DiskSpace(folder.url, limit: 10).check(1, for: "x") }
  }

  @Test func `rejects an output that exceeds the limit`() throws {
    try DiskSpace(folder.url).checkKept(for: "x")
    try DiskSpace(folder.url, limit: 1000).checkKept(for: "x")
    let fault = #expect(throws: UserError.self) { try DiskSpace(folder.url, limit: 999).checkKept(for: "x") }
    #expect(fault?.reason == "with it \(folder.url.path) would hold 1.0 kB, and --max-disk allows 999 B")
  }

  @Test func `rejects a need that exceeds the disk`() throws {
    let room = DiskSpace(folder.url)
    try room.check(1, for: "x")
    let fault = #expect(throws: UserError.self) { try room.check(.max, for: "x") }
    #expect(fault?.reason.contains("and the disk of \(folder.url.path) has") == true)
    #expect(throws: UserError.self) { try DiskSpace(folder.url, limit: .max).check(.max, for: "x") }
  }
}

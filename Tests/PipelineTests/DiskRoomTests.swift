import Core
import Foundation
import Pipeline
import TestSupport
import Testing

@Suite struct DiskRoomTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.file("a"), withIntermediateDirectories: true)
    try Data(count: 700).write(to: folder.file("a/.hidden"))
    try Data(count: 300).write(to: folder.file("b"))
    try FileManager.default.linkItem(at: folder.file("b"), to: folder.file("a/b again"))
    try FileManager.default.createSymbolicLink(at: folder.file("c"), withDestinationURL: folder.file("b"))
  }

  @Test func aFileOfTwoNamesCountsOnceAndALinkNothing() {
    #expect(DiskSpace(folder.url).used == 1000)
    #expect(DiskSpace(folder.file("nowhere")).used == 0)
  }

  @Test func whatFitsIsLetThrough() throws {
    let room = DiskSpace(folder.url, limit: 1500)
    try room.check(500, for: "x")
    let fault = #expect(throws: UserError.self) { try room.check(501, for: "x") }
    #expect(
      fault?.line
        == "making room for x: it needs about 501 B, and of the 1.5 kB that --max-disk allows, \(folder.url.path) holds 1.0 kB"
    )
  }

  @Test func whoAddsNothingIsLetThroughAFolderThatIsTooLarge() throws {
    try DiskSpace(folder.url, limit: 10).check(0, for: "x")
    #expect(throws: UserError.self) { try DiskSpace(folder.url, limit: 10).check(1, for: "x") }
  }

  @Test func whatTurnsOutTooLargeIsNotKept() throws {
    try DiskSpace(folder.url).checkKept(for: "x")
    try DiskSpace(folder.url, limit: 1000).checkKept(for: "x")
    let fault = #expect(throws: UserError.self) { try DiskSpace(folder.url, limit: 999).checkKept(for: "x") }
    #expect(fault?.reason == "with it \(folder.url.path) would hold 1.0 kB, and --max-disk allows 999 B")
  }

  @Test func noDiskHasRoomForAnything() throws {
    let room = DiskSpace(folder.url)
    try room.check(1, for: "x")
    let fault = #expect(throws: UserError.self) { try room.check(.max, for: "x") }
    #expect(fault?.reason.contains("and the disk of \(folder.url.path) has") == true)
    #expect(throws: UserError.self) { try DiskSpace(folder.url, limit: .max).check(.max, for: "x") }
  }
}

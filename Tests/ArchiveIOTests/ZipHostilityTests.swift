import ArchiveIO
import Foundation
import TestSupport
import Testing

/// Broken and hostile archives: each is an error that says what is wrong, and none is a crash.
@Suite struct ZipHostilityTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    "../x", "a/../../x", "a/..", "..", "/x", "/etc/passwd", "C:\\x", "c:x", "\\x", "\\\\server\\x",
    "a\\..\\..\\x",
    "a\nb", "a\r", "\tb",
  ])
  func namesThatLeaveTheirFolderAreRefused(name: String) {
    let zip = HandmadeZip(members: [.init("good.txt"), .init(name)])
    #expect(throws: ZipError.unsafeName(name)) { try ZipArchive(bytes: zip.bytes) }
  }

  @Test(arguments: ["a\u{1}b", "\u{1b}[2J", "\u{7}"])
  func namesWithControlCharactersAreRefused(name: String) {
    #expect(throws: ZipError.self) { try ZipArchive(bytes: HandmadeZip(members: [.init(name)]).bytes) }
  }

  @Test(arguments: ["..a", "a..", "a..b/c", "...", "San Francisco SEC.tif", "O'NEILL MOA, NE.xml"])
  func namesThatOnlyLookOddArePassed(name: String) throws {
    #expect(try ZipArchive(bytes: HandmadeZip(members: [.init(name)]).bytes).members.map(\.name) == [name])
  }

  @Test func aNameThatIsThereTwiceIsRefused() {
    let zip = HandmadeZip(members: [.init("a.csv", [1]), .init("b.csv", [2]), .init("a.csv", [3])])
    #expect(throws: ZipError.library("a member's name is there twice")) { try ZipArchive(bytes: zip.bytes) }
  }

  @Test(arguments: ["", "this is no zip, though somebody named it so", "PK\u{3}\u{4}", "<html>404</html>"])
  func whatIsNoZipIsAnError(text: String) throws {
    #expect(throws: ZipError.self) { try ZipArchive(bytes: Array(text.utf8)) }
    let file = folder.file("a.zip")
    try Data(text.utf8).write(to: file)
    #expect(throws: ZipError.self) { try ZipArchive(path: file.path) }
  }

  @Test func aMissingFileOrAFolderIsAnError() {
    #expect(throws: ZipError.self) { try ZipArchive(path: folder.file("none.zip").path) }
    #expect(throws: ZipError.self) { try ZipArchive(path: folder.url.path) }
  }

  @Test func anArchiveCutOffAnywhereIsAnError() {
    let whole = HandmadeZip(members: [.init("a", [1, 2, 3, 4, 5, 6, 7, 8]), .init("b")]).bytes
    for length in 0..<whole.count {
      #expect(throws: ZipError.self, "\(length) of \(whole.count) bytes") {
        let archive = try ZipArchive(bytes: Array(whole.prefix(length)))
        for member in archive.members { _ = try archive.read(member) }
      }
    }
  }

  @Test func aFlippedByteOfAStoredMemberIsCaughtByItsCRC() throws {
    var bytes = HandmadeZip(members: [.init("a", [UInt8](repeating: 9, count: 100))]).bytes
    bytes[31 + 50] ^= 1  // 30 bytes of header, one of name
    let archive = try ZipArchive(bytes: bytes)
    #expect(throws: ZipError.self) { try archive.read(archive.members[0]) }
  }

  @Test func anyFlippedByteOfADeflatedMemberIsCaught() throws {
    var writer = ZipWriter()
    writer.members = [("a", (0..<2000).map { UInt8($0 * $0 % 251) })]
    let path = folder.file("a.zip").path
    try writer.write(to: path)
    let good = Array(try Data(contentsOf: URL(filePath: path)))
    for offset in stride(from: 40, to: 240, by: 7) {
      var bytes = good
      bytes[offset] ^= 0x10
      #expect(throws: ZipError.self, "byte \(offset)") {
        let archive = try ZipArchive(bytes: bytes)
        _ = try archive.read(archive.members[0])
      }
    }
  }

  @Test func aMemberShorterThanItsDeclaredSizeIsAnError() throws {
    let zip = HandmadeZip(members: [.init("a", [1, 2, 3], declaring: 1000)])
    #expect(throws: ZipError.self) {
      let archive = try ZipArchive(bytes: zip.bytes)
      _ = try archive.read(archive.members[0])
    }
  }

  @Test func anEncryptedMemberIsAnError() throws {
    var zip = HandmadeZip(members: [.init("a")])
    zip.members[0].isEncrypted = true
    #expect(throws: ZipError.self) {
      let archive = try ZipArchive(bytes: zip.bytes)
      _ = try archive.read(archive.members[0])
    }
  }

  @Test func aBombIsRefusedBeforeItIsInflated() {
    let zip = HandmadeZip(members: [.init("a", [1, 2, 3], declaring: 3 << 20)])
    #expect(throws: ZipError.tooCompressed("a", declared: 3 << 20, limit: 1 << 20)) {
      try ZipArchive(bytes: zip.bytes)
    }
  }

  @Test func theLimitsOfTheCallerHold() throws {
    let zip = HandmadeZip(members: [.init("a", [UInt8](repeating: 0, count: 5000)), .init("b")])
    var limits = ZipArchive.Limits()
    limits.members = 2
    limits.memberBytes = 5000
    #expect(try ZipArchive(bytes: zip.bytes, limits: limits).members.count == 2)
    limits.memberBytes = 4999
    #expect(throws: ZipError.tooLarge("a", declared: 5000, limit: 4999)) {
      try ZipArchive(bytes: zip.bytes, limits: limits)
    }
    limits.members = 1
    #expect(throws: ZipError.tooManyMembers(2)) { try ZipArchive(bytes: zip.bytes, limits: limits) }
  }

  @Test func membersThatShareTheirBytesAreRefused() {
    var inner = HandmadeZip.Member("b", [UInt8](repeating: 7, count: 100))
    let outer = HandmadeZip.Member("a", HandmadeZip(members: []).record(of: inner))
    inner.isWithinLast = true
    #expect(throws: ZipError.overlapping("b")) {
      try ZipArchive(bytes: HandmadeZip(members: [outer, inner]).bytes)
    }
  }

  @Test func whatAllMembersDeclareTogetherHasALimit() throws {
    let zip = HandmadeZip(members: ["a", "b", "c"].map { .init($0, [UInt8](repeating: 1, count: 100)) })
    var limits = ZipArchive.Limits()
    limits.allBytes = 300
    #expect(try ZipArchive(bytes: zip.bytes, limits: limits).members.count == 3)
    limits.allBytes = 299
    #expect(throws: ZipError.tooLargeTogether(limit: 299)) {
      try ZipArchive(bytes: zip.bytes, limits: limits)
    }
  }

  #if os(Linux)
    @Test func aRefusedArchiveIsClosed() throws {
      let file = folder.file("hostile.zip")
      try Data(HandmadeZip(members: [.init("../x")]).bytes).write(to: file)
      #expect(throws: ZipError.self) { try ZipArchive(path: file.path) }
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      }
      #expect(!open.contains(file.resolvingSymlinksInPath().path))
    }
  #endif

  @Test func anArchiveThatCannotBeWrittenIsAnError() {
    var writer = ZipWriter()
    writer.members = [("a", [1])]
    #expect(throws: ZipError.self) { try writer.write(to: folder.file("no/such/folder/a.zip").path) }
    writer.members = [("a", [1]), ("a", [2])]
    #expect(throws: ZipError.self) { try writer.write(to: folder.file("a.zip").path) }
    #expect(!FileManager.default.fileExists(atPath: folder.file("a.zip").path))
  }
}

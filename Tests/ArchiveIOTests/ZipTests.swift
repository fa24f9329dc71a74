import ArchiveIO
import Foundation
import TestSupport
import Testing
import ZipWriting

@Suite struct ZipRoundTripTests {
  let folder = TemporaryFolder()

  private let noise: [UInt8] = {
    var numbers = SteadyNumbers()
    return (0..<300_000).map { _ in numbers.byte() }
  }()

  @Test func `reads the members that it writes`() throws {
    let members: [(name: String, bytes: [UInt8])] = [
      ("San Francisco SEC.tif", noise), ("empty.txt", []), ("sub/folder/Zürich.htm", Array("<p>é</p>".utf8)),
      ("zeros", [UInt8](repeating: 0, count: 500_000)),
    ]
    let path = try write(members, "a.zip")
    let archive = try ZipArchive(path: path)
    #expect(archive.members.map(\.name) == members.map(\.name))
    #expect(archive.members.map { Int($0.size) } == members.map(\.bytes.count))
    for member in members {
      #expect(try archive.read(try #require(archive.member(named: member.name))) == member.bytes)
    }
    #expect(archive.member(named: "San Francisco sec.tif") == nil)
    #expect(archive.members[2].fileName == "Zürich.htm")
  }

  @Test func `reads a member in pieces`() throws {
    let archive = try ZipArchive(path: try write([("noise", noise), ("empty", [])], "a.zip"))
    for (name, size) in [("noise", 1 << 16), ("noise", 1), ("noise", 1 << 20), ("empty", 100)] {
      // A byte at a time is slow; the first thousand are enough.
      struct Enough: Error {}
      let member = try #require(archive.member(named: name))
      var pieces: [[UInt8]] = []
      do {
        try archive.read(member, inPiecesOf: size) { piece in
          pieces.append(Array(piece))
          if size == 1, pieces.count == 1000 { throw Enough() }
        }
      } catch is Enough {}
      #expect(pieces.allSatisfy { !$0.isEmpty && $0.count <= size })
      #expect(
        Array(pieces.joined()) == (name == "empty" ? [] : size == 1 ? Array(noise.prefix(1000)) : noise))
    }
  }

  @Test func `the same members give the same bytes`() throws {
    let first = try URL(filePath: write([("b", noise), ("a", [7])], "first.zip")).data
    let second = try URL(filePath: write([("b", noise), ("a", [7])], "second.zip")).data
    let other = try URL(filePath: write([("a", [7]), ("b", noise)], "other.zip")).data
    #expect(first == second)
    #expect(first != other)
  }

  @Test func `writing replaces an existing archive`() throws {
    let path = try write([("old", noise)], "a.zip")
    _ = try write([("new", [1])], "a.zip")
    #expect(try ZipArchive(path: path).members.map(\.name) == ["new"])
  }

  @Test func `reads members twice and in any order`() throws {
    let archive = try ZipArchive(path: try write([("a", noise), ("b", [1, 2])], "a.zip"))
    for member in [archive.members[1], archive.members[0], archive.members[1]] {
      #expect(try archive.read(member).count == Int(member.size))
    }
  }

  @Test func `reads nested zips from memory`() throws {
    let innermost = try URL(filePath: write([("area.xml", noise)], "1.zip")).data
    let inner = try URL(filePath: write([("saa.zip", Array(innermost))], "2.zip")).data
    let outer = try ZipArchive(path: try write([("data/Sub.zip", Array(inner))], "3.zip"))
    let second = try ZipArchive(bytes: try outer.read(outer.members[0]))
    let third = try ZipArchive(bytes: try second.read(second.members[0]))
    #expect(try third.read(try #require(third.member(named: "area.xml"))) == noise)
  }

  @Test func `reads another program's archive without its folders`() throws {
    let zip = MalformedZip(members: [.init("folder/", []), .init("folder/a.txt", [65]), .init("empty", [])])
    let archive = try ZipArchive(bytes: zip.bytes)
    #expect(archive.members.map(\.name) == ["folder/a.txt", "empty"])
    #expect(try archive.read(archive.members[0]) == [65])
    #expect(try archive.read(archive.members[1]) == [])
  }

  private func write(_ members: [(name: String, bytes: [UInt8])], _ name: String) throws -> String {
    var writer = ZipWriter()
    writer.members = members
    let path = folder.file(name).path
    try writer.write(to: path)
    return path
  }
}

/// Damaged and malicious archives: each is an error with a reason, and none crashes.
@Suite struct ZipHostilityTests {
  let folder = TemporaryFolder()

  @Test(arguments: [
    "../x", "a/../../x", "a/..", "..", "/x", "/etc/passwd", "C:\\x", "c:x", "\\x", "\\\\server\\x",
    "a\\..\\..\\x",
    "a\nb", "a\r", "\tb",
  ])
  func `rejects names that leave the folder`(name: String) {
    let zip = MalformedZip(members: [.init("good.txt"), .init(name)])
    #expect(throws: ZipError.unsafeName(name)) { try ZipArchive(bytes: zip.bytes) }
  }

  @Test(arguments: ["a\u{1}b", "\u{1b}[2J", "\u{7}"])
  func `rejects names with control characters`(name: String) {
    #expect(throws: ZipError.self) { try ZipArchive(bytes: MalformedZip(members: [.init(name)]).bytes) }
  }

  @Test(arguments: ["..a", "a..", "a..b/c", "...", "San Francisco SEC.tif", "O'NEILL MOA, NE.xml"])
  func `accepts names that only look odd`(name: String) throws {
    #expect(try ZipArchive(bytes: MalformedZip(members: [.init(name)]).bytes).members.map(\.name) == [name])
  }

  @Test func `rejects a repeated name`() {
    let zip = MalformedZip(members: [.init("a.csv", [1]), .init("b.csv", [2]), .init("a.csv", [3])])
    #expect(throws: ZipError.library("two members have the same name")) { try ZipArchive(bytes: zip.bytes) }
  }

  @Test(arguments: ["", "this is no zip, in spite of its name", "PK\u{3}\u{4}", "<html>404</html>"])
  func `a file that is not a zip is an error`(text: String) throws {
    #expect(throws: ZipError.self) { try ZipArchive(bytes: Array(text.utf8)) }
    let file = folder.file("a.zip")
    try file.put(text)
    #expect(throws: ZipError.self) { try ZipArchive(path: file.path) }
  }

  @Test func `a missing file or a folder is an error`() {
    #expect(throws: ZipError.self) { try ZipArchive(path: folder.file("none.zip").path) }
    #expect(throws: ZipError.self) { try ZipArchive(path: folder.url.path) }
  }

  @Test func `rejects a truncated zip`() {
    let whole = MalformedZip(members: [.init("a", [1, 2, 3, 4, 5, 6, 7, 8]), .init("b")]).bytes
    for length in 0..<whole.count { expectUnreadable(Array(whole.prefix(length)), "\(length) bytes") }
  }

  /// Expects an error of opening an archive or reading its members.
  private func expectUnreadable(_ bytes: [UInt8], _ comment: Comment? = nil) {
    #expect(throws: ZipError.self, comment) {
      let archive = try ZipArchive(bytes: bytes)
      for member in archive.members { _ = try archive.read(member) }
    }
  }

  @Test func `the CRC detects a flipped byte of a stored member`() throws {
    var bytes = MalformedZip(members: [.init("a", [UInt8](repeating: 9, count: 100))]).bytes
    bytes[31 + 50] ^= 1  // 30 bytes of header, one of name
    _ = try ZipArchive(bytes: bytes)
    expectUnreadable(bytes)
  }

  @Test func `detects a flipped byte of a deflated member`() throws {
    var writer = ZipWriter()
    writer.members = [("a", (0..<2000).map { UInt8($0 * $0 % 251) })]
    let path = folder.file("a.zip").path
    try writer.write(to: path)
    let good = Array(try URL(filePath: path).data)
    for offset in stride(from: 40, to: 240, by: 7) {
      var bytes = good
      bytes[offset] ^= 0x10
      expectUnreadable(bytes, "byte \(offset)")
    }
  }

  @Test func `rejects a member that is shorter than its declared size, and an encrypted one`() {
    expectUnreadable(MalformedZip(members: [.init("a", [1, 2, 3], declaring: 1000)]).bytes)
    var zip = MalformedZip(members: [.init("a")])
    zip.members[0].isEncrypted = true
    expectUnreadable(zip.bytes)
  }

  @Test func `rejects a zip bomb before inflating it`() {
    var zip = MalformedZip(members: [.init("a", [1, 2, 3], declaring: 3 << 20)])
    zip.members[0].isDeflated = true  // libzip 1.11 itself refuses a stored member with two sizes
    #expect(throws: ZipError.tooCompressed("a", declared: 3 << 20, limit: 1 << 20)) {
      try ZipArchive(bytes: zip.bytes)
    }
  }

  @Test func `applies the caller's limits`() throws {
    let zip = MalformedZip(members: [.init("a", [UInt8](repeating: 0, count: 5000)), .init("b")])
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

  @Test func `rejects members that share bytes`() {
    var inner = MalformedZip.Member("b", [UInt8](repeating: 7, count: 100))
    let outer = MalformedZip.Member("a", MalformedZip(members: []).record(of: inner))
    inner.isWithinLast = true
    #expect(throws: ZipError.overlapping("b")) {
      try ZipArchive(bytes: MalformedZip(members: [outer, inner]).bytes)
    }
  }

  @Test func `limits the total declared size`() throws {
    let zip = MalformedZip(members: ["a", "b", "c"].map { .init($0, [UInt8](repeating: 1, count: 100)) })
    var limits = ZipArchive.Limits()
    limits.allBytes = 300
    #expect(try ZipArchive(bytes: zip.bytes, limits: limits).members.count == 3)
    limits.allBytes = 299
    #expect(throws: ZipError.tooLargeTogether(limit: 299)) {
      try ZipArchive(bytes: zip.bytes, limits: limits)
    }
  }

  #if os(Linux)
    @Test func `closes a rejected archive`() throws {
      let file = folder.file("hostile.zip")
      try Data(MalformedZip(members: [.init("../x")]).bytes).write(to: file)
      #expect(throws: ZipError.self) { try ZipArchive(path: file.path) }
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      }
      #expect(!open.contains(file.resolvingSymlinksInPath().path))
    }
  #endif

  @Test func `an unwritable archive is an error`() {
    var writer = ZipWriter()
    writer.members = [("a", [1])]
    #expect(throws: ZipError.self) { try writer.write(to: folder.file("no/such/folder/a.zip").path) }
    writer.members = [("a", [1]), ("a", [2])]
    #expect(throws: ZipError.self) { try writer.write(to: folder.file("a.zip").path) }
    #expect(!folder.file("a.zip").exists)
  }
}

/// A zip built byte by byte, which can be malformed.
struct MalformedZip {
  struct Member {
    var name: [UInt8]
    var bytes: [UInt8]
    var declaredSize: UInt32?
    var isEncrypted = false
    var isDeflated = false
    /// Whether its bytes are inside the previous member.
    var isWithinLast = false

    init(_ name: String, _ bytes: [UInt8] = [1, 2, 3], declaring size: UInt32? = nil) {
      self.name = Array(name.utf8)
      self.bytes = bytes
      declaredSize = size
    }
  }

  var members: [Member]

  /// Stored members, the directory, its end.
  var bytes: [UInt8] {
    var file: [UInt8] = []
    var directory: [UInt8] = []
    for member in members {
      let record = record(of: member)
      let offset = member.isWithinLast ? file.count - record.count : file.count
      if !member.isWithinLast { file += record }
      directory += little32(0x0201_4b50) + little16(20) + common(member)
      directory +=
        little16(0) + little16(0) + little16(0) + little32(0) + little32(UInt32(offset)) + member.name
    }
    let count = little16(UInt16(members.count))
    let end = little32(UInt32(directory.count)) + little32(UInt32(file.count)) + little16(0)
    return file + directory + little32(0x0605_4b50) + little16(0) + little16(0) + count + count + end
  }

  /// The bytes of a member in the file.
  func record(of member: Member) -> [UInt8] {
    little32(0x0403_4b50) + common(member) + member.name + member.bytes
  }

  /// The common part of the local header and the directory entry: version, flags (UTF-8 names), method, time, CRC, sizes, lengths.
  private func common(_ member: Member) -> [UInt8] {
    let size = UInt32(member.bytes.count)
    return little16(20) + little16(member.isEncrypted ? 0x801 : 0x800) + little16(member.isDeflated ? 8 : 0)
      + little16(0) + little16(0x21)
      + little32(crc32(member.bytes)) + little32(size) + little32(member.declaredSize ?? size)
      + little16(UInt16(member.name.count)) + little16(0)
  }

  private func little16(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
  private func little32(_ value: UInt32) -> [UInt8] {
    little16(UInt16(value & 0xffff)) + little16(UInt16(value >> 16))
  }

  private func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1
      }
    }
  }
}

import ArchiveIO
import Foundation
import TestSupport
import Testing

@Suite struct ZipRoundTripTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private let noise: [UInt8] = {
    var state: UInt32 = 1
    return (0..<300_000).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
  }()

  @Test func whatWasWrittenIsRead() throws {
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

  @Test func aMemberIsReadInPieces() throws {
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

  @Test func theSameMembersAreTheSameBytes() throws {
    let first = try Data(contentsOf: URL(filePath: write([("b", noise), ("a", [7])], "first.zip")))
    let second = try Data(contentsOf: URL(filePath: write([("b", noise), ("a", [7])], "second.zip")))
    let other = try Data(contentsOf: URL(filePath: write([("a", [7]), ("b", noise)], "other.zip")))
    #expect(first == second)
    #expect(first != other)
  }

  @Test func writingReplacesAnArchiveThatIsThere() throws {
    let path = try write([("old", noise)], "a.zip")
    _ = try write([("new", [1])], "a.zip")
    #expect(try ZipArchive(path: path).members.map(\.name) == ["new"])
  }

  @Test func aMemberCanBeReadTwiceAndInAnyOrder() throws {
    let archive = try ZipArchive(path: try write([("a", noise), ("b", [1, 2])], "a.zip"))
    for member in [archive.members[1], archive.members[0], archive.members[1]] {
      #expect(try archive.read(member).count == Int(member.size))
    }
  }

  @Test func aZipWithinAZipWithinAZipIsReadFromMemory() throws {
    let innermost = try Data(contentsOf: URL(filePath: write([("area.xml", noise)], "1.zip")))
    let inner = try Data(contentsOf: URL(filePath: write([("saa.zip", Array(innermost))], "2.zip")))
    let outer = try ZipArchive(path: try write([("data/Sub.zip", Array(inner))], "3.zip"))
    let second = try ZipArchive(bytes: try outer.read(outer.members[0]))
    let third = try ZipArchive(bytes: try second.read(second.members[0]))
    #expect(try third.read(try #require(third.member(named: "area.xml"))) == noise)
  }

  @Test func anArchiveOfAnotherHandIsReadAndItsFoldersAreNotMembers() throws {
    let zip = HandmadeZip(members: [.init("folder/", []), .init("folder/a.txt", [65]), .init("empty", [])])
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

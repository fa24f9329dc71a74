import Foundation
import TestSupport
import Testing

@testable import Site

@Suite struct FileDifferenceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func words(_ old: Data, _ new: Data, as ending: String = "bin") throws -> String? {
    let (left, right) = (folder.file("old.\(ending)"), folder.file("new.\(ending)"))
    try old.write(to: left)
    try new.write(to: right)
    return FileDifference.words(from: left, to: right)
  }

  @Test func `the first byte that is other is told, also far behind`() throws {
    #expect(try words(Data("abc".utf8), Data("axc".utf8)) == "other from byte 2 on")
    #expect(try words(Data("abc".utf8), Data("abcd".utf8)) == "other from byte 4 on")
    #expect(try words(Data("abc".utf8), Data()) == "other from byte 1 on")
    let long = Data(repeating: 7, count: 3 << 20)
    #expect(try words(long, long + [1]) == "other from byte \((3 << 20) + 1) on")
    var other = long
    other[(2 << 20) + 5] = 8
    #expect(try words(long, other) == "other from byte \((2 << 20) + 6) on")
  }

  @Test func `of a text it is the line`() throws {
    let lines = Data((1...200_000).map { "line \($0)\n" }.joined().utf8)
    let other = Data((1...200_000).map { $0 == 150_000 ? "other\n" : "line \($0)\n" }.joined().utf8)
    #expect(try words(lines, other, as: "json") == "other from line 150000 on")
  }
}

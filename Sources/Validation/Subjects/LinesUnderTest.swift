internal import Core
internal import Foundation

/// A JSON document of one long array that is its last member, one element a line, read line by line: it may be too large to be
/// held.
struct LinesUnderTest {
  /// The path as it was given; every finding's place begins with it.
  let place: String
  private let url: URL
  /// The members before the array that are text.
  let head: [String: String]

  private static let pieceBytes = 1 << 18
  private static let identifiersMark = "{\"format\":\"chartpipe-identifiers-"

  static func isIdentifiers(_ url: URL) -> Bool {
    guard url.pathExtension == "json", let handle = try? FileHandle(forReadingFrom: url) else { return false }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: identifiersMark.utf8.count)) == Data(identifiersMark.utf8)
  }

  init(_ url: URL, place: String) throws {
    self.url = url
    self.place = place
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    let start = try handle.read(upToCount: LinesUnderTest.pieceBytes) ?? Data()
    let line = start.prefix { $0 != UInt8(ascii: "\n") }
    let whole = try JSONSerialization.jsonObject(with: line + Data("]}".utf8)) as? [String: Any] ?? [:]
    head = whole.compactMapValues { $0 as? String }
  }

  /// Gives each line after the first, without its end, and its number from 1.
  func forEachLine(_ each: (Data, Int) throws -> Void) throws {
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    var rest = Data()
    var number = 0
    while let piece = try handle.read(upToCount: LinesUnderTest.pieceBytes), !piece.isEmpty {
      try CancellationToken.current.check()
      rest += piece
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        number += 1
        if number > 1 { try each(rest[rest.startIndex..<end], number) }
        rest = rest[(end + 1)...]
      }
      rest = Data(rest)
    }
    if !rest.isEmpty { try each(rest, number + 1) }
  }
}

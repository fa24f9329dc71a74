internal import Core
internal import Foundation

/// A JSON document with one long array as its last member, one element a line. It is read line by line, since it may be too large
/// for memory.
struct LinesUnderTest: RuleSubject {
  let place: String
  private let url: URL
  /// The text members before the array.
  let head: [String: String]

  private static let chunkBytes = 1 << 18
  private static let identifiersMark = "{\"format\":\"chartpipe-identifiers-"

  /// The last line.
  static let end = Data("]}".utf8)

  static func isIdentifiers(_ url: URL) -> Bool {
    let mark = Array(identifiersMark.utf8)
    return url.pathExtension == "json" && (try? url.firstBytes(mark.count)) == mark
  }

  init(_ url: URL, place: String) throws {
    (self.url, self.place) = (url, place)
    let line = Data(try url.firstBytes(LinesUnderTest.chunkBytes).prefix { $0 != UInt8(ascii: "\n") })
    let whole = try JSONSerialization.jsonObject(with: line + LinesUnderTest.end) as? [String: Any] ?? [:]
    head = whole.compactMapValues { $0 as? String }
  }

  /// Calls `each` with each line after the first, without its line end, and its number.
  func forEachLine(_ each: (Data, Int) throws -> Void) throws {
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    // An array, since a search in `Data` takes ten times as long.
    var rest: ArraySlice<UInt8> = []
    var number = 0
    while let chunk = try handle.read(upToCount: LinesUnderTest.chunkBytes), !chunk.isEmpty {
      try CancellationToken.current.check()
      rest = ArraySlice(rest + chunk)
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        number += 1
        if number > 1 { try each(Data(rest[..<end]), number) }
        rest = rest[(end + 1)...]
      }
    }
    if !rest.isEmpty { try each(Data(rest), number + 1) }
  }
}

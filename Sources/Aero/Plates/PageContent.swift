internal import ArchiveIO
internal import Core
internal import Foundation

/// What the only page of a PDF consists of. Its objects are searched without the tables of the PDF.
struct PageContent {
  /// The page description.
  private(set) var description: [UInt8] = []
  /// The upper left corner of the media box, and its size to the right and downward, in units of 1/72 inch.
  private let (corner, size): (PagePoint, PagePoint)
  /// By how many quarters the page is turned clockwise to be shown.
  private let turns: Int

  private static let mostBytes = 4 << 20

  init(_ page: PlatePage) throws(PlateDefect) {
    guard page.bytes.count <= PageContent.mostBytes else { throw PlateDefect("it is too large") }
    // The page itself may be in a compressed stream.
    let isPlain = !PageContent.numbers(after: "/Contents", in: page.bytes).isEmpty
    let texts = isPlain ? [page.bytes] : page.streams(limit: PageContent.mostBytes)
    /// The numbers after a key, which must be the same wherever it occurs.
    func numbers(_ key: String) -> [Double]? {
      let found = Set(texts.flatMap { PageContent.numbers(after: key, in: $0) }.filter { !$0.isEmpty })
      return found.count <= 1 ? found.first ?? [] : nil
    }
    guard let parts = numbers("/Contents"), let box = numbers("/MediaBox"), box.count == 4,
      box[0] < box[2], box[1] < box[3],
      let angle = numbers("/Rotate"),
      let turns = [[], [90], [180], [270]].firstIndex(of: angle == [0] ? [] : angle)
    else { throw PlateDefect("it does not have exactly one page with a content and a size") }
    (corner, size, self.turns) = ([box[0], box[3]], [box[2] - box[0], box[1] - box[3]], turns)
    for at in stride(from: 0, to: parts.count - 1, by: 2) {
      guard let number = Int(exactly: parts[at]), let version = Int(exactly: parts[at + 1]),
        let part = PageContent.stream("\(number) \(version) obj", in: page.bytes)
      else { throw PlateDefect("its page cannot be decompressed") }
      description += part + [0x0A]
      guard description.count <= PageContent.mostBytes else { throw PlateDefect("it is too large") }
    }
  }

  /// The numbers after each occurrence of a key, with or without brackets. A reference `7 0 R` is 7 and 0.
  private static func numbers(after key: String, in bytes: [UInt8]) -> [[Double]] {
    bytes[...].places(of: key).map { place in
      PDFTokens(bytes[(place + key.utf8.count)...].prefix(1024))
        .prefix { $0.number != nil || [.word("["), .word("R")].contains($0) }.compactMap(\.number)
    }
  }

  /// The stream of the last object with a label: a later one replaces an earlier one.
  private static func stream(_ label: String, in bytes: [UInt8]) -> [UInt8]? {
    guard let place = bytes[...].places(of: label).filter({ $0 > 0 && bytes[$0 - 1] <= 0x20 }).last,
      let start = bytes[place...].places(of: "stream").first(where: { _ in true }),
      let end = bytes[start...].places(of: "endstream").first(where: { _ in true })
    else { return nil }
    let header = String(decoding: bytes[place..<start], as: UTF8.self)
    let content = bytes[start..<end].dropFirst("stream".utf8.count).drop { $0 == 0x0D || $0 == 0x0A }
    guard !header.contains("endobj") else { return nil }
    return header.contains("/Filter") ? Gzip.zlibStream(content, limit: mostBytes) : Array(content)
  }

  /// The place of shares of the width and height of the shown page, from its upper left corner.
  func point(_ share: PagePoint) -> PagePoint {
    (0..<turns).reduce(share) { share, _ in [share.y, 1 - share.x] } * size + corner
  }
}

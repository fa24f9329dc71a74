internal import ArchiveIO
internal import Core

/// A PDF of the terminal procedures, as far as a program needs it: the days in its margins, and its place on the earth.
struct PlatePage {
  let bytes: [UInt8]

  /// The FAA's PDFs have 100 to 400 kB, its booklets a few megabytes.
  static let mostBytes = 64 << 20

  /// Why the bytes are not a PDF; nil if they are.
  var problem: String? {
    if bytes.isEmpty { return "it is empty" }
    guard bytes.prefix(1024).firstRange(of: Array("%PDF-".utf8)) != nil else {
      return bytes.first == UInt8(ascii: "<") ? "it is a web page" : "it is not a PDF"
    }
    return bytes.suffix(2048).firstRange(of: Array("%%EOF".utf8)) == nil ? "it is cut short" : nil
  }
}

/// Why a PDF, or the place of its page, cannot be used.
struct PlateDefect: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The days of an edition as it is printed in the margins: `SW-3, 30 JAN 2020 to 27 FEB 2020`.
struct PrintedDays: Hashable {
  let from: CalendarDay
  let to: CalendarDay

  /// Reads `30 JAN 2020  to  27 FEB 2020`.
  init?(_ text: String) {
    guard
      let match = text.firstMatch(
        of: /([0-9]{2}) ([A-Z]{3}) ([0-9]{4}) +to +([0-9]{2}) ([A-Z]{3}) ([0-9]{4})/),
      let from = CalendarDay(match.1, match.2, match.3),
      let to = CalendarDay(match.4, match.5, match.6)
    else { return nil }
    (self.from, self.to) = (from, to)
  }
}

extension PlatePage {
  /// All days that the page states; empty if it states none, or as a picture.
  var printedDays: Set<PrintedDays> {
    streams(limit: PlatePage.mostBytes).reduce(into: PrintedDays.all(in: bytes[...])) {
      $0.formUnion(PrintedDays.all(in: $1[...]))
    }
  }

  /// The contents of the PDF's compressed streams, of so many bytes together.
  func streams(limit: Int) -> [[UInt8]] {
    var (found, room) = ([[UInt8]](), limit)
    for at in bytes[...].places(of: "stream") where !bytes[..<at].suffix(3).elementsEqual("end".utf8) {
      let content = bytes[(at + "stream".utf8.count)...].drop { $0 == 0x0D || $0 == 0x0A }
      guard room > 0, let stream = Gzip.zlibStream(content, limit: room) else { continue }
      room -= stream.count
      found.append(stream)
    }
    return found
  }
}

extension PrintedDays {
  /// The days around each ` to ` of a text.
  fileprivate static func all(in bytes: ArraySlice<UInt8>) -> Set<PrintedDays> {
    let windows = bytes.places(of: " to ").lazy.map { ($0 - 16..<$0 + 20).clamped(to: bytes.indices) }
    return Set(windows.compactMap { PrintedDays(String(decoding: bytes[$0], as: UTF8.self)) })
  }
}

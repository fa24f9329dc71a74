/// Converts the lines of DOF.DAT, the 56-day obstacle file, to rows with the columns of the daily CSV file.
///
/// Each value has fixed columns, counted in bytes, after a header of four lines:
///
///                                          LATITUDE     LONGITUDE     OBSTACLE             AGL  AMSL LT ACC MAR FAA       ACTION
///     OAS#      V CO ST CITY             DEG MIN SEC  DEG MIN SEC   TYPE                 HT    HT    H V IND STUDY            JDATE
struct FixedObstacleRows {
  private static let header = [
    "OAS", "VERIFIED STATUS", "COUNTRY", "STATE", "CITY", "LATDEC", "LONDEC", "TYPE", "QUANTITY", "AGL",
    "AMSL", "LIGHTING", "ACCURACY", "MARKING", "FAA STUDY", "ACTION", "JDATE", RowFlaw.column,
  ]
  /// In the order of the header.
  private static let columns: [Range<Int>] = [
    0..<9, 10..<11, 12..<14, 15..<17, 18..<34, 35..<47, 48..<61, 62..<80, 80..<82, 83..<88, 89..<94, 95..<96,
    97..<100, 101..<102, 103..<117, 118..<119, 120..<127,
  ]
  /// The blanks between the columns. Another byte there means that the columns of a row are shifted.
  private static let gaps = zip(columns, columns.dropFirst()).flatMap { Array($0.upperBound..<$1.lowerBound) }
  private static let latitude = 5
  private static let longitude = 6
  /// Up to the day of the last change: the year and the day within it.
  private static let leastLength = 127
  /// The places of the words in the header's last line: the FAA has moved the columns before.
  private static let marks: [(word: String, at: Int)] = [
    ("OAS#", 0), ("CITY", 18), ("DEG MIN SEC", 35), ("DEG MIN SEC", 48), ("TYPE", 62), ("HT", 83), ("HT", 89),
    ("STUDY", 103), ("JDATE", 120),
  ]

  let origin: TableSource
  init(origin: TableSource) { self.origin = origin }

  private var isInBody = false
  private var hasTitles = false
  private var line = 0

  /// The rows of some whole lines, and the number of the first line that is a row.
  ///
  /// - Parameter isLast: whether the file ends with them.
  mutating func rows(of bytes: ArraySlice<UInt8>, isLast: Bool) throws -> (rows: [UInt8], firstLine: Int)? {
    var rows: [UInt8] = []
    var first = line + 1
    var rest = bytes
    while !rest.isEmpty {
      let end = rest.firstIndex(of: .lineFeed)
      let text = rest[..<(end ?? rest.endIndex)]
      rest = end.map { rest[($0 + 1)...] } ?? []
      line += 1
      let plain = text.last == .carriageReturn ? text.dropLast() : text
      if isInBody {
        if end == nil, isLast, plain.count < FixedObstacleRows.leastLength,
          plain.contains(where: { $0 > 0x20 })
        {
          throw origin.error("DOF.DAT ends in the middle of line \(line): the file was cut short")
        }
        append(plain, to: &rows)
      } else {
        try readHeader(plain)
        // The names of the columns replace the line below the header.
        if isInBody {
          rows += Array((FixedObstacleRows.header.joined(separator: ",") + "\n").utf8)
          first = line
        }
      }
    }
    return rows.isEmpty ? nil : (rows, first)
  }

  /// Throws if the file ended within its header.
  func finish() throws {
    guard isInBody else { throw origin.error("DOF.DAT has no header, or is another file") }
  }

  private mutating func readHeader(_ text: ArraySlice<UInt8>) throws {
    if text.starts(with: "OAS#".utf8) {
      let isKnown = FixedObstacleRows.marks.allSatisfy { mark in
        text.dropFirst(mark.at).starts(with: mark.word.utf8)
      }
      guard isKnown else {
        throw origin.error(
          "the columns of DOF.DAT are not where they are expected: \(String(decoding: text, as: UTF8.self))")
      }
      hasTitles = true
    } else if text.starts(with: "-----".utf8) {
      guard hasTitles else { throw origin.error("DOF.DAT has no header, or is another file") }
      isInBody = true
    } else if line > 20 {
      throw origin.error("DOF.DAT has no header, or is another file")
    }
  }

  private func append(_ text: ArraySlice<UInt8>, to rows: inout [UInt8]) {
    // A blank line is kept, so that the lines below keep their numbers.
    if text.contains(where: { $0 > 0x20 }) {
      if let flaw = flaw(of: text) {
        rows += Array(repeating: UInt8.comma, count: FixedObstacleRows.columns.count)
        append(quoting: Array(flaw.utf8)[...], to: &rows)
        rows.append(.lineFeed)
        return
      }
      for (number, columns) in FixedObstacleRows.columns.enumerated() {
        if number > 0 { rows.append(.comma) }
        let value = text.dropFirst(columns.lowerBound).prefix(columns.count)
        switch number {
        case FixedObstacleRows.latitude, FixedObstacleRows.longitude: append(degrees: value, to: &rows)
        default: append(quoting: value, to: &rows)
        }
      }
      rows.append(.comma)
    }
    rows.append(.lineFeed)
  }

  /// The reason why a line is not a row; nil if it is one.
  private func flaw(of text: ArraySlice<UInt8>) -> String? {
    let start = text.startIndex
    let gap = FixedObstacleRows.gaps.first { $0 < text.count && text[start + $0] != 0x20 }
    let tail = text.dropFirst(FixedObstacleRows.leastLength).firstIndex { $0 > 0x20 }
    if let place = gap ?? tail.map({ $0 - start }) {
      return RowFlaw.text(
        reason: "its columns are shifted: byte \(place + 1) of the line must be a blank",
        value: FixedObstacleRows.words(text))
    }
    for (name, column, sides) in [("LATITUDE", 5, "NS"), ("LONGITUDE", 6, "EW")] {
      let columns = FixedObstacleRows.columns[column]
      let value = text.dropFirst(columns.lowerBound).prefix(columns.count)
      let side = value.last { $0 != 0x20 }
      if FixedObstacleRows.hundredMillionths(value) == nil || !sides.utf8.contains(side ?? 0) {
        return RowFlaw.text(
          column: name, reason: FixedObstacleRows.reason(value), value: FixedObstacleRows.words(value))
      }
    }
    return nil
  }

  private static func words(_ bytes: ArraySlice<UInt8>) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).trimmed
  }

  private static func reason(_ value: ArraySlice<UInt8>) -> String {
    let parts = words(value).split(separator: " ")
    if parts.isEmpty { return "it is empty" }
    if parts.count == 3, let minutes = Int(parts[1]), minutes > 59 { return "the minutes must be 0 to 59" }
    if parts.count == 3, let seconds = Double(parts[2].dropLast()), seconds >= 60 {
      return "the seconds must be less than 60"
    }
    return "it is no position such as 30 10 45.00N or 088 04 39.00W"
  }

  private func append(quoting value: ArraySlice<UInt8>, to rows: inout [UInt8]) {
    rows.append(.quote)
    for byte in value {
      if byte == .quote { rows.append(.quote) }
      rows.append(byte)
    }
    rows.append(.quote)
  }

  /// Decimal degrees of `30 10 45.00N`.
  private func append(degrees value: ArraySlice<UInt8>, to rows: inout [UInt8]) {
    guard let number = FixedObstacleRows.hundredMillionths(value) else { return }
    if number < 0 { rows.append(UInt8(ascii: "-")) }
    var place = 10_000_000_000
    while place > 0 {
      rows.append(UInt8(ascii: "0") + UInt8(Int(number.magnitude) / place % 10))
      if place == 100_000_000 { rows.append(UInt8(ascii: ".")) }
      place /= 10
    }
  }

  /// Works on bytes for speed: a file has a million positions.
  private static func hundredMillionths(_ value: ArraySlice<UInt8>) -> Int? {
    guard let last = value.lastIndex(where: { $0 != 0x20 }) else { return nil }
    var numbers = (degrees: 0, minutes: 0, micros: 0)
    var (field, digits, scale) = (0, 0, 0)
    for byte in value[..<last] {
      switch byte {
      case 0x20 where digits > 0:
        (field, digits) = (field + 1, 0)
      case UInt8(ascii: ".") where field == 2 && scale == 0:
        scale = 1_000_000
      case UInt8(ascii: "0")...UInt8(ascii: "9") where digits < 9:
        let digit = Int(byte - UInt8(ascii: "0"))
        digits += 1
        switch (field, scale) {
        case (0, _): numbers.degrees = numbers.degrees * 10 + digit
        case (1, _): numbers.minutes = numbers.minutes * 10 + digit
        case (2, 0): numbers.micros = numbers.micros * 10 + digit * 1_000_000
        case (2, _):
          scale /= 10
          numbers.micros += digit * scale
        default: return nil
        }
      default: return nil
      }
    }
    guard field == 2, digits > 0 else { return nil }
    return AngleColumns.microseconds(
      degrees: numbers.degrees, minutes: numbers.minutes, micros: numbers.micros, value[last]
    ).map { $0 / 36 }
  }
}

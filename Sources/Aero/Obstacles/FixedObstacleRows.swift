internal import Core

/// The lines of DOF.DAT, the 56-day obstacle file, as rows with the columns of the daily CSV file.
///
/// Each value has fixed columns, counted in bytes, after a header of four lines:
///
///                                          LATITUDE     LONGITUDE     OBSTACLE             AGL  AMSL LT ACC MAR FAA       ACTION
///     OAS#      V CO ST CITY             DEG MIN SEC  DEG MIN SEC   TYPE                 HT    HT    H V IND STUDY            JDATE
enum FixedObstacleRows {
  /// The names of the columns. The last one holds what follows the day of the last change, which is nothing in a usable row.
  private static let header =
    "OAS,VERIFIED STATUS,COUNTRY,STATE,CITY,LATITUDE,LONGITUDE,TYPE,QUANTITY,AGL,AMSL,LIGHTING,ACCURACY,MARKING,"
    + "FAA STUDY,ACTION,JDATE,\n"
  /// In the order of the header.
  static let columns: [Range<Int>] = [
    0..<9, 10..<11, 12..<14, 15..<17, 18..<34, 35..<47, 48..<61, 62..<80, 80..<82, 83..<88, 89..<94, 95..<96,
    97..<100, 101..<102, 103..<117, 118..<119, 120..<leastLength, leastLength..<Int.max,
  ]
  /// The blanks between the columns. Another byte there means that the columns of a row are shifted.
  private static let gaps = zip(columns, columns.dropFirst()).flatMap { Array($0.upperBound..<$1.lowerBound) }
  private static let positions: [(name: String, column: Int, sides: String)] = [
    ("LATITUDE", 5, "NS"), ("LONGITUDE", 6, "EW"),
  ]
  /// Up to the day of the last change: the year and the day within it.
  private static let leastLength = 127
  /// The places of the words in the header's last line: the FAA has moved the columns before.
  private static let marks: [(word: String, at: Int)] = [
    ("OAS#", 0), ("CITY", 18), ("DEG MIN SEC", 35), ("DEG MIN SEC", 48), ("TYPE", 62), ("HT", 83), ("HT", 89),
    ("STUDY", 103), ("JDATE", 120),
  ]

  static func noHeader(_ origin: TableSource) -> UserError {
    origin.error("DOF.DAT has no header, or is another file")
  }

  /// The first lines of the file below its header. The names of the columns replace the header's last line, whose number is `line`.
  static func body(of bytes: ArraySlice<UInt8>, _ origin: TableSource) throws -> (
    bytes: ArraySlice<UInt8>, line: Int
  ) {
    let lines = bytes.split(maxSplits: 20) { $0 == .lineFeed || $0 == .carriageReturn }
    guard let rule = lines.firstIndex(where: { $0.starts(with: "-----".utf8) }),
      let titles = lines[..<rule].first(where: { $0.starts(with: "OAS#".utf8) })
    else { throw noHeader(origin) }
    guard marks.allSatisfy({ titles.dropFirst($0.at).starts(with: $0.word.utf8) }) else {
      throw origin.error(
        "the columns of DOF.DAT are not where they are expected: \(String(decoding: titles, as: UTF8.self))")
    }
    let (above, below) = (bytes[..<lines[rule].startIndex], bytes[lines[rule].startIndex...])
    let rows = below.drop { $0 != .lineFeed }.dropFirst()
    return (Array(header.utf8) + rows, above.count { $0 == .lineFeed } + 1)
  }

  /// Throws if the last line of the file, which has no line end, is not a whole row.
  static func check(lastLine: ArraySlice<UInt8>, _ line: Int, _ origin: TableSource) throws {
    let plain = lastLine.last == .carriageReturn ? lastLine.dropLast() : lastLine
    guard plain.count >= leastLength || plain.allSatisfy({ $0 <= 0x20 }) else {
      throw origin.error("DOF.DAT ends in the middle of line \(line): the file was cut short")
    }
  }

  /// Throws if the columns of a line are shifted, or if it has no position.
  static func check(_ record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) throws(UnusableRow) {
    let line = bytes[record.range(in: bytes)]
    let shifted =
      gaps.first { $0 < line.count && line[line.startIndex + $0] != 0x20 }
      ?? line.dropFirst(leastLength).firstIndex { $0 > 0x20 }.map { $0 - line.startIndex }
    if let shifted {
      throw UnusableRow(
        column: nil, value: CSVValue(CSVField(start: line.startIndex, end: line.endIndex), in: bytes).text,
        reason: "its columns are shifted: byte \(shifted + 1) of the line must be a blank")
    }
    for position in positions {
      let field = record.fields[position.column]
      let text = CSVValue(field, in: bytes).text
      let isPlaced = bytes[field.start..<field.end].first != 0x20
      guard isPlaced, let side = text.last, position.sides.contains(side),
        AngleColumns.degrees(text, between: AngleColumns.blank) != nil
      else { throw UnusableRow(column: position.name, value: text, reason: reason(text)) }
    }
  }

  private static func reason(_ position: String) -> String {
    let parts = position.split(separator: " ")
    if parts.isEmpty { return "it is empty" }
    if parts.count == 3, let minutes = Int(parts[1]), minutes > 59 { return "the minutes must be 0 to 59" }
    if parts.count == 3, let seconds = Double(parts[2].dropLast()), seconds >= 60 {
      return "the seconds must be less than 60"
    }
    return "it is no position such as 30 10 45.00N or 088 04 39.00W"
  }
}

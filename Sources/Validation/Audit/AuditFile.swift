internal import Core

/// A table of the sources, with the corrections that its database used. It is read in pieces, since the obstacles take 80 MB.
final class AuditFile {
  typealias Pieces = (_ each: (UnsafeRawBufferPointer) throws -> Void) throws -> Void

  /// `APT_BASE.csv`
  let name: String
  /// The names of its columns, with those that only a correction names.
  private(set) var columns: [String] = []
  private let pieces: Pieces
  /// The lines that the problems of the build name as dropped.
  private let dropped: Set<Int>
  private var corrections: [RowCorrection] = []
  private var width: Int?
  /// Passes on the rows; nil for a file of lines.
  private let rows: ((_ each: (AuditRow) throws -> Void) throws -> Void)?

  /// - Parameter pieces: passes on the bytes of the file from its start.
  init(
    _ name: String, _ corrections: [Correction] = [], dropped: Set<Int> = [], pieces: @escaping Pieces
  ) throws {
    (self.name, self.dropped, self.pieces, rows) = (name, dropped, pieces, nil)
    do {
      if isFixed {
        columns = Self.fixed.map(\.name)
      } else {
        try scanCSV { row in
          columns = row.fields.indices.map { row.text($0)?.uppercased() ?? "" }
          throw Enough()
        }
      }
    } catch is Enough {}
    width = columns.count
    for correction in corrections {
      if place(correction.column) < 0 { columns.append(correction.column) }
      self.corrections.append(RowCorrection(correction, place))
    }
  }

  /// A file in memory.
  convenience init(
    _ name: String, _ bytes: [UInt8], _ corrections: [Correction] = [], dropped: Set<Int> = []
  ) throws {
    try self.init(name, corrections, dropped: dropped) { try bytes.withUnsafeBytes($0) }
  }

  /// Rows of another source, with these columns.
  init(_ name: String, columns: [String], rows: @escaping (_ each: (AuditRow) throws -> Void) throws -> Void)
  {
    (self.name, self.columns, self.rows) = (name, columns, rows)
    (pieces, dropped) = ({ _ in }, [])
  }

  private struct Enough: Error {}

  /// The place of a column; -1 if the file lacks it.
  func place(_ column: String) -> Int { columns.firstIndex(of: column) ?? -1 }

  /// Passes on each row that can be used, in the order of the file.
  func scan(_ each: (AuditRow) throws -> Void) throws {
    if let rows { return try rows(each) }
    func pass(_ row: inout AuditRow) throws {
      for correction in corrections where correction.fits(row) {
        row.corrected[correction.place] = correction.right
      }
      try each(row)
      if !row.corrected.isEmpty { row.corrected = [:] }
    }
    if isFixed { return try scanFixed(pass) }
    let date = place("EFF_DATE")
    var isHeader = true
    // The last good one: nearly all rows have the same.
    var day: String?
    try scanCSV { row in
      defer { isHeader = false }
      if isHeader || row.fields.isEmpty || dropped.contains(row.line) { return }
      if date >= 0 {
        guard let text = row.text(date), text == day || isDay(text) else { return }
        day = text
      }
      try pass(&row)
    }
  }

  /// Passes on the header and the rows without NUL. A row with another number of fields than the header has no fields.
  private func scanCSV(_ each: (inout AuditRow) throws -> Void) throws {
    var (line, isHeader) = (1, true)
    try scanBytes { bytes, isLast in
      let hasNUL = bytes.contains(0)
      var row = AuditRow(bytes)
      var csv = AuditCSV(bytes, line: line)
      var used = 0
      while csv.next(&row, width: isHeader ? nil : width), isLast || !csv.isCut {
        (used, line, isHeader) = (csv.at, csv.line, false)
        if !hasNUL || !row.fields.contains(where: { bytes[$0].contains(0) }) { try each(&row) }
      }
      return used
    }
  }

  /// Passes on the bytes piece by piece. The closure returns how many it used; the next piece starts with the others.
  private func scanBytes(_ use: (UnsafeBufferPointer<UInt8>, _ isLast: Bool) throws -> Int) throws {
    var rest: [UInt8] = []
    try pieces { piece in
      guard !rest.isEmpty else {
        return rest.append(
          contentsOf: piece.dropFirst(try use(piece.assumingMemoryBound(to: UInt8.self), false)))
      }
      rest.append(contentsOf: piece)
      rest.removeFirst(try rest.withUnsafeBufferPointer { try use($0, false) })
    }
    _ = try rest.withUnsafeBufferPointer { try use($0, true) }
  }

  // MARK: - DOF.DAT

  private var isFixed: Bool { name.lowercased() == "dof.dat" }

  /// The columns of DOF.DAT, by their names in DOF.CSV. Blanks are between them.
  private static let fixed: [(name: String, place: Range<Int>)] = [
    ("OAS", 0..<9), ("VERIFIED STATUS", 10..<11), ("COUNTRY", 12..<14), ("STATE", 15..<17), ("CITY", 18..<34),
    ("LATDEC", 35..<47), ("LONDEC", 48..<61), ("TYPE", 62..<80), ("QUANTITY", 80..<82), ("AGL", 83..<88),
    ("AMSL", 89..<94), ("LIGHTING", 95..<96), ("ACCURACY", 97..<100), ("MARKING", 101..<102),
    ("FAA STUDY", 103..<117), ("ACTION", 118..<119), ("JDATE", 120..<127),
  ]

  private func scanFixed(_ each: (inout AuditRow) throws -> Void) throws {
    var (line, isBody) = (1, false)
    try scanBytes { bytes, isLast in
      let end = isLast ? bytes.count : (bytes.lastIndex(of: 0x0A) ?? -1) + 1
      guard end > 0 else { return 0 }
      var row = AuditRow(bytes)
      let whole = bytes[..<(isLast ? end : end - 1)]
      for text in whole.split(separator: 0x0A, omittingEmptySubsequences: false) {
        row.line = line
        if isBody, !dropped.contains(line), let fields = Self.fields(of: text) {
          row.fields = fields
          try each(&row)
        }
        isBody = isBody || text.starts(with: "-----".utf8)
        line += 1
      }
      return end
    }
  }

  /// The places of the fields of a line; nil for a blank line, and if there is text between the columns.
  private static func fields(of line: Slice<UnsafeBufferPointer<UInt8>>) -> [Range<Int>]? {
    var at = 0
    for (_, place) in fixed {
      guard line.dropFirst(at).prefix(place.lowerBound - at).allSatisfy({ $0 <= 0x20 }) else { return nil }
      at = place.upperBound
    }
    guard line.dropFirst(at).allSatisfy({ $0 <= 0x20 }), line.contains(where: { $0 > 0x20 }) else {
      return nil
    }
    return fixed.map { _, place in
      min(
        line.startIndex + place.lowerBound, line.endIndex)..<min(
          line.startIndex + place.upperBound, line.endIndex)
    }
  }

  private func isDay(_ text: String) -> Bool { CalendarDay(text.replacing("/", with: "-")) != nil }
}

/// A correction that the build used. It applies only where the source still has the wrong value.
private final class RowCorrection {
  let place: Int
  let right: UnsafeBufferPointer<UInt8>
  private let keys: [(place: Int, value: String)]
  private let faa: String
  /// Where the source has the column only as degrees, minutes and seconds.
  private let angle: AuditAngle?

  init(_ correction: Correction, _ place: (String) -> Int) {
    self.place = place(correction.column)
    keys = correction.row.map { (place($0.key), $0.value) }
    faa = correction.faa
    angle = AuditAngle(of: correction.column, place)
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: correction.right.utf8.count)
    _ = copy.initialize(fromContentsOf: correction.right.utf8)
    right = UnsafeBufferPointer(copy)
  }

  deinit { right.deallocate() }

  func fits(_ row: AuditRow) -> Bool {
    guard keys.allSatisfy({ row.text($0.place) ?? "" == $0.value }) else { return false }
    let found = row.text(place) ?? ""
    // In DOF.DAT the column itself has degrees, minutes and seconds.
    guard found != faa, let degrees = angle?.degrees(row) else { return found == faa }
    return degrees == Double(faa) && (found.isEmpty || found.last?.isLetter == true)
  }
}

/// The columns of degrees, minutes, seconds and hemisphere beside, or in place of, a column of decimal degrees.
struct AuditAngle {
  /// Of degrees, minutes, seconds and hemisphere; or of one text such as `37-27-40.0000N`.
  private let places: [Int]
  private let limit: Int

  init?(of decimal: String, _ place: (String) -> Int) {
    let forms = [
      "LAT_DECIMAL": ["LAT", "RWY_END_LAT"], "LONG_DECIMAL": ["LONG", "RWY_END_LONG"],
      "LAT_DISPLACED_THR_DECIMAL": ["DISPLACED_THR_LAT"],
      "LONG_DISPLACED_THR_DECIMAL": ["DISPLACED_THR_LONG"],
    ]
    let four = (forms[decimal] ?? []).map { form in
      ["_DEG", "_MIN", "_SEC", "_HEMIS"].map { place(form + $0) }
    }.first { !$0.contains(-1) }
    let whole = ["LAT_DECIMAL": "LATITUDE", "LONG_DECIMAL": "LONGITUDE"][decimal].map { [place($0)] }
    let own = decimal == "LATDEC" || decimal == "LONDEC" ? [place(decimal)] : nil
    guard let found = four ?? whole ?? own, !found.contains(-1) else { return nil }
    (places, limit) = (found, decimal.hasPrefix("LAT") ? 90 : 180)
  }

  /// Truncated after eight decimals, as the FAA's own decimals are.
  func degrees(_ row: AuditRow) -> Double? {
    let texts = places.map { row.text($0) ?? "" }
    let text = places.count == 4 ? texts.prefix(3).joined(separator: "-") + texts[3] : texts[0]
    return Self.degrees(text, limit: limit, digits: 6).map { Double($0 / 36) / 1e8 }
  }

  /// Signed units of `10^-digits` seconds in `37-27-40.0000N` or `30 10 45.00N`; further digits are cut off.
  static func degrees(_ text: String, limit: Int, digits: Int) -> Int? {
    guard let side = text.last, (limit == 90 ? "NS" : "EW").contains(side) else { return nil }
    let parts = text.dropLast().split(whereSeparator: { $0 == "-" || $0 == " " })
    guard parts.count == 3, let degrees = Int(parts[0]), let minutes = Int(parts[1]), minutes < 60 else {
      return nil
    }
    let seconds = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = (seconds.count > 1 ? String(seconds[1]) : "").prefix(digits)
    let padded = String(seconds[0]) + fraction + String(repeating: "0", count: digits - fraction.count)
    let unit = (0..<digits).reduce(1) { unit, _ in unit * 10 }
    guard let value = Int(padded), (0..<60 * unit).contains(value) else { return nil }
    let total = (degrees * 60 + minutes) * 60 * unit + value
    guard total <= limit * 3600 * unit else { return nil }
    return side == "S" || side == "W" ? -total : total
  }
}

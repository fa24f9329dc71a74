/// The columns of a latitude or longitude in degrees, minutes, seconds and hemisphere, which older cycles have instead of decimals.
///
/// The FAA truncates its decimals after eight places. Integer arithmetic does the same here, so both forms give the same number.
struct AngleColumns {
  /// The fields of degrees, minutes, seconds and hemisphere, or one field such as `37-27-40.0000N`.
  private let places: [Int]
  private let isLatitude: Bool

  /// The FAA's prefixes of these columns, by the name of the decimal column.
  private static let prefixes: [String: [String]] = [
    "LAT_DECIMAL": ["LAT", "RWY_END_LAT"], "LONG_DECIMAL": ["LONG", "RWY_END_LONG"],
    "LAT_DISPLACED_THR_DECIMAL": ["DISPLACED_THR_LAT"], "LONG_DISPLACED_THR_DECIMAL": ["DISPLACED_THR_LONG"],
  ]
  private static let single = [
    "LAT_DECIMAL": "LATITUDE", "LONG_DECIMAL": "LONGITUDE", "LATDEC": "LATITUDE", "LONDEC": "LONGITUDE",
  ]
  /// The byte between the numbers of a single field: a hyphen, in the file of obstacles a blank.
  private let separator: UInt8

  /// Nil if a header has no such columns for the decimal one, or if the column is not a position.
  init?(beside decimal: String, in header: [String]) {
    isLatitude = decimal.hasPrefix("LAT")
    separator = decimal.hasSuffix("DEC") ? AngleColumns.blank : AngleColumns.hyphen
    let four = (AngleColumns.prefixes[decimal] ?? []).lazy.map { prefix in
      ["_DEG", "_MIN", "_SEC", "_HEMIS"].compactMap { header.firstIndex(of: prefix + $0) }
    }.first { $0.count == 4 }
    let one = AngleColumns.single[decimal].flatMap(header.firstIndex)
    guard let places = four ?? one.map({ [$0] }) else { return nil }
    self.places = places
  }

  /// The text of the fields, `37-27-40N`; empty if they are empty.
  func text(_ field: (Int) -> CSVValue) -> String {
    let parts = places.map { field($0).text }
    if parts.count == 1 || parts.allSatisfy(\.isEmpty) { return parts[0] }
    return parts[..<3].joined(separator: "-") + parts[3]
  }

  /// Degrees of its fields, south and west negative; nil if they are not a position.
  func degrees(_ field: (Int) -> CSVValue) -> Double? {
    let text = text(field)
    guard let side = text.last, sides.contains(side) else { return nil }
    return AngleColumns.degrees(text, between: separator)
  }

  private var sides: String { isLatitude ? "NS" : "EW" }

  private static let hyphen = UInt8(ascii: "-")
  static let blank = UInt8(ascii: " ")

  /// Degrees of `37-27-40.0000N`, south and west negative, truncated after eight decimals; nil for anything else, and beyond the pole
  /// or the antimeridian.
  static func degrees(_ text: String, between separator: UInt8 = hyphen) -> Double? {
    microseconds(text.utf8, between: separator).map { Double($0 / 36) / 1e8 }
  }

  /// The same to a ten-thousandth of a second, not truncated.
  static func exactDegrees(_ text: some StringProtocol) -> Double? {
    microseconds(String(text).utf8, between: hyphen).map { Double($0 / 100) / 36_000_000 }
  }

  /// Millionths of a second of arc. Works on bytes for speed: a file of obstacles has a million positions.
  private static func microseconds(
    _ text: some BidirectionalCollection<UInt8>, between separator: UInt8
  ) -> Int? {
    let parts = text.dropLast().split(separator: separator, omittingEmptySubsequences: false)
    guard let side = text.last, parts.count == 3, let degrees = digits(parts[0]),
      let minutes = digits(parts[1]), let micros = millionths(parts[2]), minutes < 60, micros < 60_000_000
    else { return nil }
    let limit: Int
    switch side {
    case UInt8(ascii: "N"), UInt8(ascii: "S"): limit = 90
    case UInt8(ascii: "E"), UInt8(ascii: "W"): limit = 180
    default: return nil
    }
    let total = (degrees * 60 + minutes) * 60_000_000 + micros
    guard total <= limit * 3_600_000_000 else { return nil }
    return side == UInt8(ascii: "S") || side == UInt8(ascii: "W") ? -total : total
  }

  fileprivate static func digits(_ text: some Collection<UInt8>) -> Int? {
    guard (1...3).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// 40,200,000 millionths of a second for `40.2`. Further digits are below a tenth of a millimetre.
  fileprivate static func millionths(_ text: some Collection<UInt8>) -> Int? {
    let whole = text.prefix { $0 != UInt8(ascii: ".") }
    let fraction = text.dropFirst(whole.count + 1)
    guard var sum = whole.isEmpty ? 0 : digits(whole), fraction.allSatisfy({ (0x30...0x39).contains($0) })
    else {
      return nil
    }
    sum *= 1_000_000
    var place = 1_000_000
    for digit in fraction.prefix(6) {
      place /= 10
      sum += Int(digit - 0x30) * place
    }
    return sum
  }
}

/// The reason why fields are not a position, and the fields for a position.
extension AngleColumns {
  /// The first wrong field, and the reason.
  func flaw(_ field: (Int) -> CSVValue) -> (place: Int, reason: String) {
    guard places.count == 4 else { return (places[0], "it is no position such as 37-27-40.0000N") }
    let texts = places.map { field($0).text }
    let limit = isLatitude ? 90 : 180
    let parts: [(value: Int?, most: Int, reason: String)] = [
      (AngleColumns.digits(texts[0].utf8), limit, "the degrees must be a whole number from 0 to \(limit)"),
      (AngleColumns.digits(texts[1].utf8), 59, "the minutes must be a whole number from 0 to 59"),
      (
        AngleColumns.millionths(texts[2].utf8), 59_999_999,
        "the seconds must be a number from 0 to less than 60"
      ),
    ]
    for (place, part) in zip(places, parts) where part.value.map({ $0 > part.most }) ?? true {
      return (place, part.reason)
    }
    if texts[3].count != 1 || !sides.contains(texts[3]) {
      return (places[3], "the hemisphere must be \(sides.map(String.init).joined(separator: " or "))")
    }
    return (places[0], "degrees, minutes and seconds are more than \(limit) degrees")
  }

  /// The texts of the fields for a position in decimal degrees, exact to the eighth decimal; empty texts for an empty position. Nil if
  /// the text is not a position.
  func fields(for decimal: String) -> [(place: Int, text: String)]? {
    if decimal.isEmpty { return places.map { ($0, "") } }
    guard let value = Double(decimal), abs(value) <= (isLatitude ? 90 : 180) else { return nil }
    // A hundred-millionth of a degree is 36 millionths of a second.
    let micros = Int((abs(value) * 1e8).rounded()) * 36
    let side = String(isLatitude ? (value < 0 ? "S" : "N") : (value < 0 ? "W" : "E"))
    if separator == AngleColumns.blank { return fixedField(micros, side, value) }
    let parts = [
      "\(micros / 3_600_000_000)", "\(micros / 60_000_000 % 60)",
      "\(micros / 1_000_000 % 60)." + AngleColumns.padded(micros % 1_000_000, 6),
    ]
    return places.count == 1
      ? [(places[0], parts.joined(separator: "-") + side)] : Array(zip(places, parts + [side]))
  }

  /// `088 04 39.00W`, in which a position has whole hundredths of a second; nil for any other.
  private func fixedField(_ micros: Int, _ side: String, _ value: Double) -> [(place: Int, text: String)]? {
    let hundredths = (micros + 5000) / 10_000
    let parts = [
      AngleColumns.padded(hundredths / 360_000, isLatitude ? 2 : 3),
      AngleColumns.padded(hundredths / 6000 % 60, 2),
      AngleColumns.padded(hundredths / 100 % 60, 2) + "." + AngleColumns.padded(hundredths % 100, 2),
    ]
    let text = parts.joined(separator: " ") + side
    return AngleColumns.degrees(text, between: separator) == value ? [(places[0], text)] : nil
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

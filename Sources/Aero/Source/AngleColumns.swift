/// Where a latitude or longitude is in degrees, minutes, seconds and hemisphere: what older cycles have in place of decimals.
///
/// The FAA cuts its decimals off after eight places. The same is done here in integers, so both forms give the same number.
struct AngleColumns {
  private enum Form {
    /// The fields of degrees, minutes, seconds and hemisphere.
    case four(degrees: Int, minutes: Int, seconds: Int, hemisphere: Int)
    /// One field such as `37-27-40.0000N`.
    case hyphens(Int)
  }

  private let form: Form

  /// How the FAA calls the columns beside a decimal one, by table.
  private static let prefixes: [String: [String]] = [
    "LAT_DECIMAL": ["LAT", "RWY_END_LAT"], "LONG_DECIMAL": ["LONG", "RWY_END_LONG"],
    "LAT_DISPLACED_THR_DECIMAL": ["DISPLACED_THR_LAT"], "LONG_DISPLACED_THR_DECIMAL": ["DISPLACED_THR_LONG"],
  ]
  private static let hyphened = ["LAT_DECIMAL": "LATITUDE", "LONG_DECIMAL": "LONGITUDE"]

  /// Nil where a header has no such columns beside the decimal one, or where the column is no position.
  init?(beside decimal: String, in header: [String]) {
    for prefix in AngleColumns.prefixes[decimal] ?? [] {
      let places = ["_DEG", "_MIN", "_SEC", "_HEMIS"].compactMap { header.firstIndex(of: prefix + $0) }
      if places.count == 4 {
        form = .four(degrees: places[0], minutes: places[1], seconds: places[2], hemisphere: places[3])
        return
      }
    }
    guard let place = AngleColumns.hyphened[decimal].flatMap(header.firstIndex) else { return nil }
    form = .hyphens(place)
  }

  /// The text of the fields, `37-27-40N`; empty where they are.
  func text(_ field: (Int) -> CSVValue) -> String {
    switch form {
    case .hyphens(let place): return field(place).text
    case .four(let degrees, let minutes, let seconds, let hemisphere):
      let parts = [degrees, minutes, seconds].map { field($0).text }
      let side = field(hemisphere).text
      return parts.allSatisfy(\.isEmpty) && side.isEmpty ? "" : parts.joined(separator: "-") + side
    }
  }

  /// Degrees of `37-27-40.0000N`, south and west negative, cut off after eight decimals; nil for anything else, and beyond the pole
  /// or the antimeridian.
  static func degrees(_ text: String) -> Double? {
    guard let side = text.utf8.last else { return nil }
    let parts = text.dropLast().split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let degrees = digits(parts[0]), let minutes = digits(parts[1]),
      let micros = millionths(parts[2]),
      let value = hundredMillionths(degrees: degrees, minutes: minutes, micros: micros, side)
    else { return nil }
    return Double(value) / 1e8
  }

  /// The same in hundred-millionths of a degree, of millionths of seconds.
  static func hundredMillionths(degrees: Int, minutes: Int, micros: Int, _ side: UInt8) -> Int? {
    let limit: Int
    switch side {
    case UInt8(ascii: "N"), UInt8(ascii: "S"): limit = 90
    case UInt8(ascii: "E"), UInt8(ascii: "W"): limit = 180
    default: return nil
    }
    guard (0...limit).contains(degrees), (0..<60).contains(minutes), (0..<60_000_000).contains(micros) else {
      return nil
    }
    let total = (degrees * 60 + minutes) * 60_000_000 + micros
    guard total <= limit * 3_600_000_000 else { return nil }
    return side == UInt8(ascii: "S") || side == UInt8(ascii: "W") ? -(total / 36) : total / 36
  }

  private static func digits(_ text: some StringProtocol) -> Int? {
    (1...3).contains(text.count) && text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? Int(text) : nil
  }

  /// `40.2` seconds are 40,200,000 of their millionths; further digits are below a tenth of a millimetre.
  private static func millionths(_ text: some StringProtocol) -> Int? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? String(parts[1]) : ""
    guard let whole = parts.first?.isEmpty == true ? 0 : digits(parts.first ?? ""),
      fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let six = fraction.prefix(6) + String(repeating: "0", count: max(0, 6 - fraction.count))
    return Int(six).map { whole * 1_000_000 + $0 }
  }
}

/// Degrees, minutes and seconds as some tables have them: `37-27-40.0000N`, `122-06-54.2000W`.
enum HyphenDegrees {
  /// Degrees, south and west negative; nil for anything else, and beyond the pole or the antimeridian.
  static func read(_ text: some StringProtocol) -> Double? {
    guard let side = text.last else { return nil }
    let parts = text.dropLast().split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let degrees = Int(parts[0]), let minutes = Int(parts[1]),
      let seconds = tenThousandths(parts[2]), minutes < 60, seconds < 600_000
    else { return nil }
    guard let limit = ["N": 90, "S": 90, "E": 180, "W": 180][side], (0...limit).contains(degrees),
      minutes >= 0
    else { return nil }
    let total = (degrees * 60 + minutes) * 600_000 + seconds
    guard total <= limit * 36_000_000 else { return nil }
    let value = Double(total) / 36_000_000
    return side == "S" || side == "W" ? -value : value
  }

  /// `40.2` seconds are 402,000 of their ten-thousandths; further digits are below a millimetre.
  private static func tenThousandths(_ text: some StringProtocol) -> Int? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? String(parts[1].prefix(4)) : ""
    let digits = String(parts[0]) + fraction + String(repeating: "0", count: 4 - fraction.count)
    guard parts[0].count <= 2, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(digits)
  }
}

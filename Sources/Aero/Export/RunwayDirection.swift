internal import Foundation

/// The true headings of a runway, from the best source that agrees with its name.
enum RunwayDirection {
  struct End {
    /// Empty where there is no such end.
    var ident: String
    var latitude: Double?
    var longitude: Double?
    var elevation: Double?
    var heading: Double?
    var displaced: Double?
  }

  /// How far a true heading may be from the one that the name gives: the name is rounded to ten degrees and keeps its number for
  /// years while the variation changes.
  static let tolerance = 30.0

  /// The headings of both ends. Each is the surveyed one where that agrees with the end's name, else that of the line between the
  /// ends or of the opposite end, else the one of the name; 0 where no name gives any.
  static func headings(_ low: End, _ high: End, variation: Double?) -> (low: Double, high: Double) {
    let line = bearing(from: low, to: high)
    return (
      heading(of: low, opposite: high, line: line, variation),
      heading(of: high, opposite: low, line: line.map(opposite), variation)
    )
  }

  private static func heading(of end: End, opposite other: End, line: Double?, _ variation: Double?) -> Double
  {
    // Next to a heading that is wrong the opposite one is doubtful too.
    let isWrong = contradicts(end, variation)
    let turned = other.heading.map(opposite)
    let candidates = isWrong ? [line, turned] : [end.heading, turned, line]
    let sound = candidates.compactMap(\.self).first { agrees($0, with: end.ident, variation) }
    return sound ?? named(end.ident, variation) ?? named(other.ident, variation).map(opposite) ?? 0
  }

  /// Whether the heading of an end is more than 30 degrees from its name.
  static func contradicts(_ end: End, _ variation: Double?) -> Bool {
    end.heading.map { !agrees($0, with: end.ident, variation) } ?? false
  }

  /// Whether an end of this name can have the true heading. Most countries number runways by magnetic north and some by true
  /// north, so either will do. A name without a direction, such as `H1`, agrees with all headings.
  private static func agrees(_ heading: Double, with ident: String, _ variation: Double?) -> Bool {
    let headings = [named(ident, nil), named(ident, variation)].compactMap(\.self)
    return headings.isEmpty
      || headings.contains { abs((heading - $0).remainder(dividingBy: 360)) <= tolerance }
  }

  private static func opposite(_ heading: Double) -> Double { heading > 180 ? heading - 180 : heading + 180 }

  /// In whole degrees, 1 to 360. On so short a way the earth is flat.
  private static func bearing(from low: End, to high: End) -> Double? {
    guard let south = low.latitude, let west = low.longitude, let north = high.latitude,
      let east = high.longitude, south != north || west != east
    else { return nil }
    let shrink = cos((south + north) / 2 * .pi / 180)
    let degrees = atan2((east - west) * shrink, north - south) * 180 / .pi
    return inCircle(degrees)
  }

  /// `13` is magnetic, to the nearest ten degrees; `13T` and `NE` are true.
  private static func named(_ ident: String, _ variation: Double?) -> Double? {
    if let point = compass.firstIndex(of: ident) { return inCircle(Double(point) * 45) }
    guard let number = number(of: ident), (1...36).contains(number) else { return nil }
    return inCircle(Double(number * 10) + (ident.hasSuffix("T") ? 0 : variation ?? 0))
  }

  private static let compass = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

  private static func inCircle(_ degrees: Double) -> Double {
    let whole = degrees.rounded().truncatingRemainder(dividingBy: 360)
    return whole <= 0 ? whole + 360 : whole
  }

  /// 13 of `13L`, 5 of `05W`; nil for `NE` and `H1`.
  static func number(of ident: String) -> Int? {
    let digits = ident.prefix { $0.isASCII && $0.isNumber }
    return digits.count <= 2 ? Int(digits) : nil
  }

  /// A helipad, `H1`, is no runway.
  static func isHelipad(_ ident: String) -> Bool {
    ident.first == "H" && ident.dropFirst().allSatisfy(\.isNumber)
  }
}

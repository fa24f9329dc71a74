internal import Foundation

/// The true headings of a runway, from the best that is known of it.
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

  /// What was surveyed of either end, else the line between them, else their names; 0 where the name tells nothing.
  static func headings(_ low: End, _ high: End, variation: Double?) -> (low: Double, high: Double) {
    if let own = low.heading { return (own, high.heading ?? opposite(own)) }
    if let other = high.heading { return (opposite(other), other) }
    if let line = bearing(from: low, to: high) { return (line, opposite(line)) }
    if let named = named(low.ident, variation) { return (named, opposite(named)) }
    if let named = named(high.ident, variation) { return (opposite(named), named) }
    return (0, 0)
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

  /// `13` is magnetic, to the nearest ten degrees; `NE` is true.
  private static func named(_ ident: String, _ variation: Double?) -> Double? {
    if let point = compass.firstIndex(of: ident) { return inCircle(Double(point) * 45) }
    guard let number = number(of: ident), (1...36).contains(number) else { return nil }
    return inCircle(Double(number * 10) + (variation ?? 0))
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

internal import Foundation

/// The true headings of a runway, from the best source that matches its name.
enum RunwayDirection {
  struct End {
    /// Empty for a missing end.
    var ident: String
    var latitude: Double?
    var longitude: Double?
    var elevation: Double?
    var heading: Double?
    var displaced: Double?
  }

  /// The maximum difference in degrees between a true heading and the name. Names are rounded to ten degrees and stay for years while the
  /// variation changes.
  static let tolerance = 30.0

  /// Returns the headings of both ends. Each is the surveyed one if it matches the name of the end, else that of the line between the ends
  /// or of the opposite end, else that of the name, else 0.
  static func headings(_ low: End, _ high: End, variation: Double?) -> (low: Double, high: Double) {
    (
      heading(of: low, opposite: high, variation: variation) ?? 0,
      heading(of: high, opposite: low, variation: variation) ?? 0
    )
  }

  /// Nil where neither the FAA's heading nor the positions or the names of the ends give one.
  static func heading(of end: End, opposite other: End, variation: Double?) -> Double? {
    let line = bearing(from: end, to: other)
    // Next to a wrong heading, the opposite one is doubtful too.
    let isWrong = contradicts(end, variation)
    let turned = other.heading.map(opposite)
    let candidates = isWrong ? [line, turned] : [end.heading, turned, line]
    let matching = candidates.compactMap(\.self).first { agrees($0, with: end.ident, variation) }
    return matching ?? named(end.ident, variation) ?? named(other.ident, variation).map(opposite)
  }

  /// Whether the heading of an end is more than 30 degrees from its name.
  static func contradicts(_ end: End, _ variation: Double?) -> Bool {
    end.heading.map { !agrees($0, with: end.ident, variation) } ?? false
  }

  /// Whether an end with this name can have the true heading. Most countries number runways by magnetic north and some by true north, so
  /// both are accepted. A name without a direction, such as `H1`, matches all headings.
  private static func agrees(_ heading: Double, with ident: String, _ variation: Double?) -> Bool {
    let headings = [named(ident, nil), named(ident, variation)].compactMap(\.self)
    return headings.isEmpty
      || headings.contains { abs((heading - $0).remainder(dividingBy: 360)) <= tolerance }
  }

  private static func opposite(_ heading: Double) -> Double { heading > 180 ? heading - 180 : heading + 180 }

  /// The bearing in whole degrees, 1 to 360, on a flat earth, which is exact enough for a runway.
  private static func bearing(from low: End, to high: End) -> Double? {
    guard let south = low.latitude, let west = low.longitude, let north = high.latitude,
      let east = high.longitude, south != north || west != east
    else { return nil }
    let shrink = cos((south + north) / 2 * .pi / 180)
    let degrees = atan2((east - west) * shrink, north - south) * 180 / .pi
    return inCircle(degrees)
  }

  /// `13` is magnetic, to the nearest ten degrees; `13T`, `NE` and `NEL` are true.
  private static func named(_ ident: String, _ variation: Double?) -> Double? {
    let letters = ident.hasSuffix("L") || ident.hasSuffix("R") ? String(ident.dropLast()) : ident
    if let point = compass.firstIndex(of: letters) { return inCircle(Double(point) * 22.5) }
    guard let number = number(of: ident), (1...36).contains(number) else { return nil }
    return inCircle(Double(number * 10) + (ident.hasSuffix("T") ? 0 : variation ?? 0))
  }

  private static let compass = [
    "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
  ]

  private static func inCircle(_ degrees: Double) -> Double {
    let whole = degrees.rounded().truncatingRemainder(dividingBy: 360)
    return whole <= 0 ? whole + 360 : whole
  }

  /// 13 of `13L`, 5 of `05W`; nil for `NE` and `H1`.
  static func number(of ident: String) -> Int? {
    let digits = ident.prefix { $0.isASCII && $0.isNumber }
    return digits.count <= 2 ? Int(digits) : nil
  }

  /// Whether the name is that of a helipad, such as `H1`.
  static func isHelipad(_ ident: String) -> Bool {
    ident.first == "H" && ident.dropFirst().allSatisfy(\.isNumber)
  }
}

extension RunwayDirection.End {
  /// - Parameter name: `baseEnd` or `reciprocalEnd`, with which the columns begin.
  init(_ row: NamedRow, _ name: String) {
    self.init(
      ident: row.text(name + "ID") ?? "", latitude: row.real(name + "Latitude"),
      longitude: row.real(name + "Longitude"), elevation: row.real(name + "Elevation"),
      heading: row.real(name + "TrueHeading"), displaced: row.real(name + "DisplacedThreshold"))
  }
}

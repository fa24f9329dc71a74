internal import Core
internal import Foundation
internal import SQLiteIO

/// Writes the runways. It leaves out helipads, since their surface would make a turf runway beside them look hard.
///
/// A length or width of 0 becomes NULL, and a heading that contradicts the name of the end is replaced. The problem report lists both.
struct RZFlightRunways {
  let source: ExportSource
  let airports: RZFlightAirports

  private struct Runway {
    /// The table or file of its row, for problems.
    var source: String
    var airport: String
    var length: Double?
    var width: Double?
    var surface: String
    /// Nil where the FAA's code is unknown.
    var isLighted: Bool?
    var isClosed: Bool
    var low: RunwayDirection.End
    var high: RunwayDirection.End
    var variation: Double?

    /// Makes the end with the lower number the low one.
    mutating func order() {
      guard let one = RunwayDirection.number(of: low.ident), let two = RunwayDirection.number(of: high.ident),
        two < one
      else { return }
      swap(&low, &high)
    }

    var isHelipad: Bool { high.ident.isEmpty && RunwayDirection.isHelipad(low.ident) }
  }

  func write(to writer: DatabaseWriter) throws -> [String: Int] {
    let positions = airports.otherPositions
    return try writer.insert(RZFlightSchema.runways) { insert in
      var count = 0
      var unknown = 0
      func write(_ runway: Runway) throws {
        guard !runway.isHelipad else { return }
        try insert.run(row(checked(runway)))
        count += 1
      }
      let variations = Dictionary(airports.union.faa.map { ($0.icao, $0.variation) }) { first, _ in first }
      try forEachRunway { runway in
        guard let variation = variations[runway.airport] else { return }
        var runway = runway
        runway.variation = variation
        try write(runway)
      }
      try source.world?.forEachRunway { runway in
        guard let airport = airports.identities[runway.airport], let position = positions[runway.airport]
        else { return }
        let surface = SurfaceNames.plain(runway.surface)
        if surface == nil { unknown += 1 }
        try write(
          Runway(
            source: "runways.csv", airport: airport, length: runway.length, width: runway.width,
            surface: surface ?? "", isLighted: runway.isLighted, isClosed: runway.isClosed, low: runway.low,
            high: runway.high, variation: MagneticField.declination(at: position)))
      }
      return ["runways": count].merging(source.world == nil ? [:] : ["surfacesUnknown": unknown]) { $1 }
    }
  }

  private func forEachRunway(_ each: (Runway) throws -> Void) throws {
    let ends = ["baseEnd", "reciprocalEnd"].map { end in
      ["ID", "Latitude", "Longitude", "Elevation", "TrueHeading", "DisplacedThreshold"]
        .map { end + $0 }.joined(separator: ", ")
    }
    try source.database.prepare(
      """
      SELECT airport, length, width, surface, lighting <> 'none', \(ends.joined(separator: ", "))
      FROM runways ORDER BY airport, id
      """
    ).rows { row in
      try each(
        Runway(
          source: "runways", airport: row.text(0) ?? "", length: row.real(1), width: row.real(2),
          surface: SurfaceNames.sealed(row.text(3) ?? ""), isLighted: row.isNull(4) ? nil : row.int(4) == 1,
          isClosed: false,
          low: end(row, from: 5), high: end(row, from: 11)))
    }
  }

  private func end(_ row: SQLiteRow, from first: Int) -> RunwayDirection.End {
    RunwayDirection.End(
      ident: row.text(first) ?? "", latitude: row.real(first + 1), longitude: row.real(first + 2),
      elevation: row.real(first + 3), heading: row.real(first + 4), displaced: row.real(first + 5))
  }

  /// Returns the runway with its ends in order and without a length or width of 0. Records these and wrong headings.
  private func checked(_ runway: Runway) -> Runway {
    var runway = runway
    runway.order()
    let name = "\(runway.airport) \(runway.low.ident)/\(runway.high.ident)"
    func drop(_ column: String, _ value: Double?, _ reason: String) {
      source.problems.record(
        .fieldDropped, file: runway.source, part: name, line: 0, column: column,
        value: value.map { "\($0)" } ?? "", reason: reason)
    }
    if runway.length == 0 {
      drop("length_ft", 0, "no runway has a length of 0 feet")
      runway.length = nil
    }
    if runway.width == 0 {
      drop("width_ft", 0, "no runway has a width of 0 feet")
      runway.width = nil
    }
    for (column, end) in [("le_heading_degT", runway.low), ("he_heading_degT", runway.high)]
    where RunwayDirection.contradicts(end, runway.variation) {
      drop(column, end.heading, "it is more than 30 degrees from the number of the runway")
    }
    return runway
  }

  private func row(_ runway: Runway) -> [SQLiteValue] {
    let headings = RunwayDirection.headings(runway.low, runway.high, variation: runway.variation)
    return [
      .null, .text(runway.airport), .text(runway.low.ident), .text(runway.high.ident),
      SQLiteValue(runway.length), SQLiteValue(runway.width), .text(runway.surface),
      SQLiteValue(runway.isLighted), SQLiteValue(runway.isClosed),
    ] + values(runway.low, headings.low) + values(runway.high, headings.high)
      + [source.stamp, source.stamp]
  }

  /// The heading is never NULL, since the library reads NULL as north.
  private func values(_ end: RunwayDirection.End, _ heading: Double) -> [SQLiteValue] {
    [
      SQLiteValue(end.latitude), SQLiteValue(end.longitude), SQLiteValue(end.elevation), .real(heading),
      SQLiteValue(end.displaced),
    ]
  }
}

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
    let line = bearing(from: low, to: high)
    return (
      heading(of: low, opposite: high, line: line, variation),
      heading(of: high, opposite: low, line: line.map(opposite), variation)
    )
  }

  private static func heading(of end: End, opposite other: End, line: Double?, _ variation: Double?) -> Double
  {
    // Next to a wrong heading, the opposite one is doubtful too.
    let isWrong = contradicts(end, variation)
    let turned = other.heading.map(opposite)
    let candidates = isWrong ? [line, turned] : [end.heading, turned, line]
    let matching = candidates.compactMap(\.self).first { agrees($0, with: end.ident, variation) }
    return matching ?? named(end.ident, variation) ?? named(other.ident, variation).map(opposite) ?? 0
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

  /// Whether the name is that of a helipad, such as `H1`.
  static func isHelipad(_ ident: String) -> Bool {
    ident.first == "H" && ident.dropFirst().allSatisfy(\.isNumber)
  }
}

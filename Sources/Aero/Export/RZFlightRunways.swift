internal import Core
internal import Foundation
internal import SQLiteIO

/// The rows of the runways. Helipads are left out: a strip of turf beside one would pass for a hard runway.
///
/// A length or a width of 0 is NULL, and a heading that contradicts the end's name is replaced. Both are recorded as problems.
struct RZFlightRunways {
  /// Under which identity the file has each of the world's airports that are not the FAA's.
  let airports: [String: String]
  /// Where these airports are, by their own identifiers.
  let places: [String: GeoPoint]
  let stamp: String
  let problems: ProblemLog

  private struct Runway {
    /// The table or the file of its row.
    var source: String
    var airport: String
    var length: Double?
    var width: Double?
    var surface: String
    /// Nil where the FAA's code is not known.
    var isLighted: Bool?
    var isClosed: Bool
    var low: RunwayDirection.End
    var high: RunwayDirection.End
    var variation: Double?

    /// The end with the lower number is the low one.
    mutating func order() {
      guard let one = RunwayDirection.number(of: low.ident), let two = RunwayDirection.number(of: high.ident),
        two < one
      else { return }
      swap(&low, &high)
    }

    var isHelipad: Bool { high.ident.isEmpty && RunwayDirection.isHelipad(low.ident) }
  }

  func write(
    _ own: [DatabaseAirport], of database: SQLiteConnection, and world: WorldFile?, to writer: DatabaseWriter
  ) throws -> [String: Int] {
    try writer.insert(RZFlightSchema.runways) { insert in
      var count = 0
      var unknown = 0
      func write(_ runway: Runway) throws {
        guard !runway.isHelipad else { return }
        try insert.run(row(checked(runway)))
        count += 1
      }
      let variations = Dictionary(own.map { ($0.icao, $0.variation) }) { first, _ in first }
      try forEachRunway(in: database) { runway in
        guard let variation = variations[runway.airport] else { return }
        var runway = runway
        runway.variation = variation
        try write(runway)
      }
      try world?.forEachRunway { runway in
        guard let airport = airports[runway.airport], let place = places[runway.airport] else { return }
        let surface = SurfaceWords.plain(runway.surface)
        if surface == nil { unknown += 1 }
        try write(
          Runway(
            source: "runways.csv", airport: airport, length: runway.length, width: runway.width,
            surface: surface ?? "", isLighted: runway.isLighted, isClosed: runway.isClosed, low: runway.low,
            high: runway.high, variation: MagneticField.declination(at: place)))
      }
      return ["runways": count].merging(world == nil ? [:] : ["surfacesUnknown": unknown]) { $1 }
    }
  }

  private func forEachRunway(in database: SQLiteConnection, _ each: (Runway) throws -> Void) throws {
    let ends = ["baseEnd", "reciprocalEnd"].map { end in
      ["ID", "Latitude", "Longitude", "Elevation", "TrueHeading", "DisplacedThreshold"]
        .map { end + $0 }.joined(separator: ", ")
    }
    try database.prepare(
      """
      SELECT airport, length, width, surface, lighting <> 'none', \(ends.joined(separator: ", "))
      FROM runways ORDER BY airport, id
      """
    ).rows { row in
      try each(
        Runway(
          source: "runways", airport: row.text(0) ?? "", length: row.real(1), width: row.real(2),
          surface: SurfaceWords.sealed(row.text(3) ?? ""), isLighted: row.isNull(4) ? nil : row.int(4) == 1,
          isClosed: false,
          low: end(row, from: 5), high: end(row, from: 11)))
    }
  }

  private func end(_ row: SQLiteRow, from first: Int) -> RunwayDirection.End {
    RunwayDirection.End(
      ident: row.text(first) ?? "", latitude: row.real(first + 1), longitude: row.real(first + 2),
      elevation: row.real(first + 3), heading: row.real(first + 4), displaced: row.real(first + 5))
  }

  /// The runway with its ends in order and without a length or a width of 0. Records these, and headings that are wrong.
  private func checked(_ runway: Runway) -> Runway {
    var runway = runway
    runway.order()
    let name = "\(runway.airport) \(runway.low.ident)/\(runway.high.ident)"
    func drop(_ column: String, _ value: Double?, _ reason: String) {
      problems.record(
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
    ] + values(runway.low, headings.low) + values(runway.high, headings.high) + [.text(stamp), .text(stamp)]
  }

  /// The heading is never NULL, which the library would take for north.
  private func values(_ end: RunwayDirection.End, _ heading: Double) -> [SQLiteValue] {
    [
      SQLiteValue(end.latitude), SQLiteValue(end.longitude), SQLiteValue(end.elevation), .real(heading),
      SQLiteValue(end.displaced),
    ]
  }
}

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

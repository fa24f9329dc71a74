internal import Core
internal import Foundation
internal import SQLiteIO

/// Compares the length and headings of each runway with the positions of its ends, and these with its airport.
///
/// Deviations that occur in correct FAA cycles are warnings: of 8,700 surveyed runways of 2026 seven were a tenth
/// too short or too long, and four turned by more than five degrees.
struct DatabaseRunways: Rule {
  let name = "database-runways"
  let protects =
    "A runway is drawn in the right place, with its true length, and with its numbers at the right ends."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let place = database.place
    var measured = 0
    var astray = 0
    let own = try database.connection.prepare(RunwayRow.sql).map { row -> [Finding] in
      let runway = RunwayRow(row)
      if runway.isMeasured { measured += 1 }
      if runway.isAstray { astray += 1 }
      return runway.problems.map { finding($0.severity, "\(place) runways \(runway.label)", $0.text) }
    }
    return try many(astray, of: measured, place) + own.flatMap(\.self).sortedByPlace
      + longest(database)
  }

  /// A small deviation at one runway comes from the FAA; at many runways it is an error of the build.
  private static let astrayShare = 0.02
  private static let fewestAstray = 4

  private func many(_ astray: Int, of measured: Int, _ place: String) -> [Finding] {
    guard astray >= Self.fewestAstray, Double(astray) > Self.astrayShare * Double(measured) else { return [] }
    return [
      error(
        "\(place) runways",
        "the lengths or headings of \(Counts.grouped(astray)) of \(Counts.grouped(measured)) do not agree with the places of "
          + "their ends, so a column is wrong")
    ]
  }

  private func longest(_ database: DatabaseUnderTest) throws -> [Finding] {
    try database.connection.prepare(
      """
      SELECT icao, longestRunway, longest FROM airports
      LEFT JOIN (
        SELECT airport, coalesce(max(length) FILTER (WHERE surface IS NOT 'water'), max(length)) AS longest
        FROM runways GROUP BY airport
      ) ON airport = icao
      WHERE longestRunway IS NOT longest ORDER BY icao
      """
    ).map {
      error(
        database.place("airports", $0),
        "longestRunway is \($0.text(1) ?? "missing"), but the longest of its runways is \($0.text(2) ?? "missing")"
      )
    }
  }
}

/// A runway with its airport.
private struct RunwayRow {
  typealias Problem = (severity: Finding.Severity, text: String)

  typealias End = (id: String?, place: GeoPoint?, heading: Double?, displaced: Int?)

  let label: String
  private let id: String
  private let length: Int?
  private let airport: GeoPoint
  private let base: End
  private let reciprocal: End

  static let sql = """
    SELECT r.airport, r.id, r.length, a.latitude, a.longitude,
      baseEndID, baseEndLatitude, baseEndLongitude, baseEndTrueHeading, baseEndDisplacedThreshold,
      reciprocalEndID, reciprocalEndLatitude, reciprocalEndLongitude, reciprocalEndTrueHeading,
      reciprocalEndDisplacedThreshold
    FROM runways r JOIN airports a ON a.icao = r.airport
    """

  init(_ row: SQLiteRow) {
    id = row.text(1) ?? ""
    label = "\(row.text(0) ?? "") \(id)"
    length = row.isNumber(2) ? row.int(2) : nil
    airport = GeoPoint(longitude: row.double(4), latitude: row.double(3))
    (base, reciprocal) = (RunwayRow.end(row, 5), RunwayRow.end(row, 10))
  }

  private static func end(_ row: SQLiteRow, _ first: Int) -> End {
    let isPlaced = row.isNumber(first + 1) && row.isNumber(first + 2)
    return (
      row.text(first),
      isPlaced ? GeoPoint(longitude: row.double(first + 2), latitude: row.double(first + 1)) : nil,
      row.real(first + 3), row.isNumber(first + 4) ? row.int(first + 4) : nil
    )
  }

  var problems: [Problem] { names + offAirport + thresholds + lengths + headings }

  private var ends: [End] { [base, reciprocal] }

  private var names: [Problem] {
    guard let low = base.id, let high = reciprocal.id else { return [] }
    if "\(low)/\(high)" != id {
      return [(.error, "its ends are \(low) and \(high), which do not match its name")]
    }
    guard let one = RunwayRow.degrees(low), let two = RunwayRow.degrees(high), abs(one - two) != 180 else {
      return []
    }
    return [(.warning, "\(low) and \(high) are not opposite each other")]
  }

  /// Returns 130 for `13L`, 132 for `132` (the name of a training strip), nil for `NE`.
  private static func degrees(_ end: String) -> Int? {
    let digits = end.prefix { $0.isASCII && $0.isNumber }
    guard digits.count <= 3, let number = Int(digits) else { return nil }
    return digits.count == 3 ? number : number * 10
  }

  private var offAirport: [Problem] {
    let far = ends.compactMap(\.place).map { LocalLine(from: airport, to: $0).nauticalMiles }.max() ?? 0
    guard far > 6 else { return [] }
    return [(.warning, "it lies \(Counts.grouped(Int(min(far, 20_000)))) NM from its airport")]
  }

  private var thresholds: [Problem] {
    guard let length else { return [] }
    return ends.compactMap { end in
      guard let displaced = end.displaced, displaced > length else { return nil }
      return (
        .warning, "the threshold of \(end.id ?? "") is displaced by \(displaced) feet, more than it is long"
      )
    }
  }

  /// Whether both ends have positions, and whether its length or headings disagree with them.
  var isMeasured: Bool { line != nil }
  var isAstray: Bool { !(lengths + headings).isEmpty }

  private var line: LocalLine? {
    guard let start = base.place, let end = reciprocal.place else { return nil }
    return LocalLine(from: start, to: end)
  }

  private var lengths: [Problem] {
    guard let line, let length, length > 0, line.feet < 1_000_000 else { return [] }
    let (off, share) = (abs(line.feet - Double(length)), abs(line.feet / Double(length) - 1))
    guard off > 200, share > 0.1 else { return [] }
    // The two lengths are unrelated.
    let isWrong = off > 2000 && !(0.4...2.5).contains(line.feet / Double(length))
    let text = "its length is \(length) feet, but its ends are \(Int(line.feet)) feet apart"
    return [(isWrong ? .error : .warning, text)]
  }

  private var headings: [Problem] {
    guard let line, (500...1_000_000).contains(line.feet), let end = reciprocal.place, let start = base.place
    else { return [] }
    let back = LocalLine(from: end, to: start)
    let turned = [(base, line), (reciprocal, back)].first { end, way in
      end.heading.map { way.turn(to: $0) > 5 } ?? false
    }
    guard let (end, way) = turned, let heading = end.heading else { return [] }
    let bearing = "the line between the ends to \(way.bearing.rounded())"
    return [
      (
        way.turn(to: heading) > 25 ? .error : .warning,
        "\(end.id ?? "") points to \(heading) degrees, but \(bearing)"
      )
    ]
  }
}

/// The line between two close places, on a plane that touches the ellipsoid: exact to a foot in ten miles.
struct LocalLine {
  let feet: Double
  /// Degrees true, 0 up to 360.
  let bearing: Double

  var nauticalMiles: Double { feet * LocalLine.metresInAFoot / 1852 }

  private static let metresInAFoot = 0.3048
  private static let radius = 6_378_137.0
  private static let flattening = 0.006_694_379_990_14

  init(from start: GeoPoint, to end: GeoPoint) {
    let middle = (start.latitude + end.latitude) / 2 * .pi / 180
    let root = (1 - LocalLine.flattening * sin(middle) * sin(middle)).squareRoot()
    let meridian = LocalLine.radius * (1 - LocalLine.flattening) / (root * root * root)
    let parallel = LocalLine.radius / root * cos(middle)
    let north = (end.latitude - start.latitude) * .pi / 180 * meridian
    let east = (end.longitude - start.longitude).remainder(dividingBy: 360) * .pi / 180 * parallel
    feet = (north * north + east * east).squareRoot() / LocalLine.metresInAFoot
    let degrees = atan2(east, north) * 180 / .pi
    bearing = degrees < 0 ? degrees + 360 : degrees
  }

  /// The difference to another heading, 0 to 180.
  func turn(to heading: Double) -> Double { abs((heading - bearing).remainder(dividingBy: 360)) }
}

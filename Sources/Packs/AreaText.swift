internal import ChartpipeClient
public import Core
internal import Foundation
internal import SQLiteIO

/// The area of a pack as given on the command line.
public enum AreaText: Sendable {
  /// Identifiers and coordinates, and the width of the corridor on either side.
  case route(String, width: String)
  case around(String, radius: String)
  case box(String)

  /// The points to look up; empty for a box.
  var points: [String] {
    switch self {
    case .route(let text, _):
      text.split { $0.isWhitespace }.map(String.init).filter { $0.uppercased() != "DCT" }
    case .around(let text, _): [text.trimmingCharacters(in: .whitespaces)].filter { !$0.isEmpty }
    case .box: []
    }
  }

  /// The option's name, for messages.
  var option: String {
    switch self {
    case .route: "--route"
    case .around: "--around"
    case .box: "--bbox"
    }
  }

  func area(_ points: [RoutePoint]) throws -> FlightArea {
    do {
      switch self {
      case .route(_, let width):
        return try FlightArea(
          route: points.map(\.place), eitherSide: AreaText.nauticalMiles(width, "--width"))
      case .around(_, let radius):
        return try FlightArea(
          route: points.map(\.place), eitherSide: AreaText.nauticalMiles(radius, "--radius"))
      case .box(let text): return try FlightArea(AreaText.boundingBox(text))
      }
    } catch let error as FlightAreaError {
      throw AreaText.userError(error.message(points), error.remedy)
    }
  }

  private static let units: [(ending: String, nauticalMiles: Double)] = [
    ("nm", 1), ("km", 1 / 1.852), ("mi", 1.609_344 / 1.852), ("sm", 1.609_344 / 1.852),
  ]

  /// Reads `25nm`, `40 km` or `30mi`.
  static func nauticalMiles(_ text: String, _ option: String) throws -> Double {
    let plain = text.lowercased().filter { !$0.isWhitespace }
    for unit in units where plain.hasSuffix(unit.ending) {
      if let number = Double(plain.dropLast(unit.ending.count)), number.isFinite {
        return number * unit.nauticalMiles
      }
    }
    throw userError(
      "\(option) takes a distance with its unit, not \"\(text)\"", "Write 25nm, 46km or 29mi.")
  }

  /// Reads `west,south,east,north`.
  static func boundingBox(_ text: String) throws -> GeoBox {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
    guard numbers.count == 4, text.filter({ $0 == "," }).count == 3 else {
      throw userError(
        "--bbox takes west,south,east,north in degrees, not \"\(text)\"",
        "Write --bbox=-122.6,37.2,-121.7,37.9; west and south are negative.")
    }
    return GeoBox(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
  }

  static func userError(_ problem: String, _ remedy: String) -> UserError {
    UserError(.badCall, operation: "reading the area", reason: problem, suggestion: remedy)
  }
}

extension FlightAreaError {
  fileprivate func message(_ points: [RoutePoint]) -> String {
    switch self {
    case .emptyRoute: "it has no point"
    case .invalidCoordinate(let place):
      "\(place.latitude),\(place.longitude) is not a position: a latitude is from -90 to 90, a longitude from -180 to 180"
    case .invalidDistance(let distance):
      "\((distance * 100).rounded() / 100) NM is not a valid width: it must be more than 0 and at most 1,000"
    case .invalidBox(let box):
      "\(box.west),\(box.south),\(box.east),\(box.north) is not a box of west, south, east and north"
    case .antipodalLeg(let from, let to):
      "no great circle from \(points.name(of: from)) to \(points.name(of: to)) is the shortest: they are opposite on the earth"
    }
  }

  fileprivate var remedy: String {
    switch self {
    case .invalidBox:
      "A box across 180 degrees has a west that is larger than its east, such as 172,51,-176,54."
    case .antipodalLeg: "Name a point between them."
    default: "Fix it and run again."
    }
  }
}

extension [RoutePoint] {
  fileprivate func name(of place: GeoPoint) -> String {
    first { $0.place == place }?.name ?? "\(place.latitude),\(place.longitude)"
  }
}

/// A point of a route with its position.
public struct RoutePoint: Equatable, Sendable {
  /// As it was written: `KPAO`, `37.46,-122.11`
  public var name: String
  public var place: GeoPoint
  /// A description: `airport PALO ALTO`, `VOR/DME SAN JOSE`, `coordinates`.
  public var kind: String

  /// Reads coordinates: `37.46,-122.11`, `37.46N122.11W` or `3728N12207W` (degrees and minutes); nil for anything else.
  init?(coordinates text: String) {
    guard let place = RoutePoint.signed(text) ?? RoutePoint.lettered(text) else { return nil }
    (name, kind, self.place) = (text, "coordinates", place)
  }

  init(name: String, kind: String, place: GeoPoint) {
    (self.name, self.kind, self.place) = (name, kind, place)
  }

  private static func signed(_ text: String) -> GeoPoint? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else {
      return nil
    }
    return GeoPoint(latitude: latitude, longitude: longitude)
  }

  private static func lettered(_ text: String) -> GeoPoint? {
    guard
      let match = text.uppercased()
        .wholeMatch(of: /(\d{1,6}(?:\.\d+)?)([NS])[,\/]?(\d{1,7}(?:\.\d+)?)([EW])/),
      let latitude = degrees(match.1, whole: 2), let longitude = degrees(match.3, whole: 3)
    else { return nil }
    return GeoPoint(
      latitude: match.2 == "S" ? -latitude : latitude, longitude: match.4 == "W" ? -longitude : longitude)
  }

  /// `37.46`, `3728`, `3728.5` or `372839`: degrees, with minutes and seconds where there are digits for them.
  private static func degrees(_ text: Substring, whole: Int) -> Double? {
    let digits = text.prefix { $0 != "." }
    if digits.count <= whole { return Double(text) }
    let degrees = Double(digits.prefix(whole)) ?? 0
    if digits.count == whole + 2 {
      guard let minutes = Double(text.dropFirst(whole)), minutes < 60 else { return nil }
      return degrees + minutes / 60
    }
    guard digits.count == whole + 4, let minutes = Double(digits.dropFirst(whole).prefix(2)), minutes < 60,
      let seconds = Double(text.dropFirst(whole + 2)), seconds < 60
    else { return nil }
    return degrees + minutes / 60 + seconds / 3600
  }
}

/// Looks up the points of a route in an aviation database.
final class PointDirectory {
  private let database: SQLiteConnection

  init(_ file: URL) throws { database = try SQLiteConnection(file.path, mode: .readOnly) }

  /// Returns the points of a route. A shared identifier means the place nearest to the previous point, or for the first point,
  /// nearest to the next.
  func points(_ names: [String], option: String) throws -> [RoutePoint] {
    let found = try names.map { name in
      if let point = RoutePoint(coordinates: name) { return [point] }
      return try candidates(name.uppercased())
    }
    let unknown = zip(names, found).filter { $0.1.isEmpty }.map(\.0)
    guard unknown.isEmpty else { throw try userError(unknown, option) }
    var points: [RoutePoint] = []
    for (number, choices) in found.enumerated() {
      let next = found.dropFirst(number + 1).first { $0.count == 1 }?.first
      points.append(nearest(choices, to: points.last ?? next))
    }
    return points
  }

  private func nearest(_ choices: [RoutePoint], to other: RoutePoint?) -> RoutePoint {
    guard let other, choices.count > 1 else { return choices[0] }
    return choices.min { $0.place.distance(to: other.place) < $1.place.distance(to: other.place) }
      ?? choices[0]
  }

  /// Returns the places of an identifier. An ICAO code is always an airport; other identifiers may be airports, navaids and fixes
  /// at the same time.
  private func candidates(_ name: String) throws -> [RoutePoint] {
    let airports = try rows(
      name, "SELECT name, 'airport', latitude, longitude FROM airports WHERE icao = ?1 ORDER BY id")
    if name.count == 4, !airports.isEmpty { return airports }
    // KF70 for F70, which has no ICAO code.
    let others = try rows(
      name,
      """
      SELECT name, 'airport', latitude, longitude FROM airports
      WHERE icao <> ?1 AND (faaID = ?1 OR icao = faaID AND length(?1) = 4 AND 'K' || faaID = ?1) ORDER BY id
      """)
    let navaids = try rows(
      name,
      """
      SELECT name, type, latitude, longitude FROM navaids
      WHERE identifier = ?1 AND type NOT IN ('vot', 'fanMarker') ORDER BY id
      """)
    let fixes = try rows(
      name, "SELECT '', 'fix', latitude, longitude FROM fixes WHERE identifier = ?1 ORDER BY id")
    return airports + others + navaids + fixes
  }

  private func rows(_ name: String, _ sql: String) throws -> [RoutePoint] {
    try database.prepare(sql).map([.text(name)]) { row in
      let (title, kind) = (row.text(0) ?? "", row.text(1) ?? "")
      return RoutePoint(
        name: name, kind: title.isEmpty ? kind : "\(kind) \(title)",
        place: GeoPoint(latitude: row.double(2), longitude: row.double(3)))
    }
  }

  private func userError(_ unknown: [String], _ option: String) throws -> UserError {
    let known = try database.prepare(
      "SELECT icao FROM airports UNION SELECT faaID FROM airports UNION SELECT identifier FROM navaids UNION SELECT identifier FROM fixes"
    ).map { $0.text(0) ?? "" }
    let hints = unknown.map { name in
      let near = closest(to: name.uppercased(), among: known)
      return near.isEmpty
        ? "\(name) resembles none of them."
        : "\(name): did you mean \(near.joined(separator: ", "))?"
    }
    let words = unknown.map { "\"\($0)\"" }.joined(separator: ", ")
    return UserError(
      .badCall, operation: "reading \(option)",
      reason: "the database has no airport, navaid or fix \(words)",
      suggestion: hints.joined(separator: " ")
        + " Coordinates are written 37.46N122.11W or 37.46,-122.11; airways are not expanded, so name their fixes."
    )
  }

  /// Counts swapped letters as one edit.
  private func distance(_ one: String, _ other: String) -> Int {
    one != other && one.sorted() == other.sorted() ? 1 : editDistance(one, other)
  }

  /// Up to three identifiers that differ from a word by a letter or two.
  private func closest(to word: String, among known: [String]) -> [String] {
    known.filter { abs($0.count - word.count) <= 1 }.map { ($0, distance(word, $0)) }
      .filter { $0.1 <= (word.count > 4 ? 2 : 1) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(3).map(\.0)
  }
}

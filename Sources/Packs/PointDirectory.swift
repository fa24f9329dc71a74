internal import ChartpipeClient
internal import Core
internal import Foundation
internal import Pipeline
internal import SQLiteIO

/// Looks up the points of a route in an aviation database.
final class PointDirectory {
  private let database: SQLiteConnection

  init(_ file: URL) throws {
    database = try SQLiteConnection(file.path, mode: .readOnly)
  }

  /// The points of a route. An identifier that several places share is the one nearest to the point before it, or of the
  /// first point to the one after it.
  func points(_ names: [String], option: String) throws -> [RoutePoint] {
    let found = try names.map { name in
      if let point = RoutePoint(coordinates: name) { return [point] }
      return try candidates(name.uppercased())
    }
    let unknown = zip(names, found).filter { $0.1.isEmpty }.map(\.0)
    guard unknown.isEmpty else { throw try fault(unknown, option) }
    var points: [RoutePoint] = []
    for (number, choices) in found.enumerated() {
      let next = found.dropFirst(number + 1).first { $0.count == 1 }?.first
      points.append(nearest(choices, to: points.last ?? next))
    }
    return points
  }

  private func nearest(_ choices: [RoutePoint], to other: RoutePoint?) -> RoutePoint {
    guard let other, choices.count > 1 else { return choices[0] }
    return choices.enumerated().min {
      ($0.element.place.distance(to: other.place), $0.offset)
        < ($1.element.place.distance(to: other.place), $1.offset)
    }?.element ?? choices[0]
  }

  /// The places of an identifier. An ICAO code is an airport and nothing else; other identifiers may be airports, navaids
  /// and fixes at the same time.
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
        place: Coordinate(latitude: row.double(2), longitude: row.double(3)))
    }
  }

  private func fault(_ unknown: [String], _ option: String) throws -> UserError {
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

  /// Letters that changed places count once.
  private func distance(_ one: String, _ other: String) -> Int {
    one != other && one.sorted() == other.sorted() ? 1 : editDistance(one, other)
  }

  /// Up to three identifiers that differ from a word by a letter or two.
  private func closest(to word: String, among known: [String]) -> [String] {
    known.filter { abs($0.count - word.count) <= 1 }.map { ($0, distance(word, $0)) }
      .filter { $0.1 <= (word.count > 4 ? 2 : 1) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(3).map(\.0)
  }
}

@available(*, unavailable)
extension PointDirectory: Sendable {}

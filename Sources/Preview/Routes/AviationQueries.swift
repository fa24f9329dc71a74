internal import Core
internal import SQLiteIO

/// What the page asks of a cycle's `aviation.sqlite`. SQLite writes the JSON itself, a row at a time.
final class AviationQueries {
  private let database: SQLiteConnection

  init(opening path: String) throws { database = try SQLiteConnection(path, mode: .readOnly) }

  /// The most important first, since a view of half a continent has room for few.
  func airports(_ view: MapView, runways: Bool) throws -> String {
    let rows = try inView(AviationSQL.airports, view, [.integer(runways ? 1 : 0)])
    return "{\"airports\":[\(rows.kept)],\"more\":\(rows.more)}"
  }

  func airspace(_ view: MapView, _ classes: [AirspaceClass]) throws -> String {
    let names = "[" + classes.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]"
    let order = "[" + AirspaceClass.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]"
    let rows = try inView(AviationSQL.airspace, view, [.text(names), .text(order)])
    return "{\"type\":\"FeatureCollection\",\"features\":[\(rows.kept)],\"more\":\(rows.more)}"
  }

  /// Nil when there is no such airport.
  func airport(_ icao: String) throws -> String? {
    try database.prepare(AviationSQL.airport).map([.text(icao)]) { $0.text(0) ?? "" }.first
  }

  /// By identifier, name or town, each word as far as it was typed.
  func search(_ typed: String) throws -> String {
    let words = typed.prefix(80).split { !$0.isLetter && !$0.isNumber }.prefix(8)
    guard !words.isEmpty else { return "{\"airports\":[]}" }
    let match = words.map { "\"\($0)\"" }.joined(separator: " ") + "*"
    let rows = try database.prepare(AviationSQL.search)
      .map([.text(match), .text(typed.uppercased())]) { $0.text(0) ?? "" }
    return "{\"airports\":[\(rows.joined(separator: ","))]}"
  }

  /// Of every window one more than the limit is asked for, to know whether something was left out.
  private func inView(
    _ sql: String, _ view: MapView, _ more: [SQLiteValue]
  ) throws -> (kept: String, more: Bool) {
    let statement = try database.prepare(sql)
    var rows: [String] = []
    for box in view.windows {
      let place: [SQLiteValue] = [.real(box.south), .real(box.north), .real(box.west), .real(box.east)]
      rows += try statement.map(place + [.integer(view.limit + 1)] + more) { $0.text(0) ?? "" }
    }
    // Of what lies across 180 degrees, both windows tell.
    var seen: Set<String> = []
    rows.removeAll { !seen.insert($0).inserted }
    return (rows.prefix(view.limit).joined(separator: ","), rows.count > view.limit)
  }
}

@available(*, unavailable)
extension AviationQueries: Sendable {}

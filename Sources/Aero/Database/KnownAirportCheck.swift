internal import Core
internal import SQLiteIO

extension [KnownAirport] {
  /// Compares the airports of a database with the known values, and records each difference: a person decides which is right. Returns
  /// the differences as texts.
  func differences(in writer: DatabaseWriter, of cycle: AiracCycle, _ problems: ProblemLog) throws -> [String]
  {
    let known = Dictionary(grouping: filter { $0.since <= cycle.identifier }, by: \.icao)
    return try known.sorted { $0.key < $1.key }.flatMap { icao, entries in
      let values = entries.sorted { $0.since < $1.since }.reduce(into: [:]) { $0.merge($1.values) { $1 } }
      let row = try writer.rows(Self.query(icao)) { row in
        Dictionary(uniqueKeysWithValues: (0..<row.columnCount).map { (row.name($0), row.text($0) ?? "") })
      }.first
      return values.sorted { $0.key < $1.key }.filter { row?[$0.key] != $0.value }.map { name, value in
        let found = row?[name] ?? ""
        let reason = row == nil ? "the airport is missing" : "\(value) is known"
        problems.record(
          .contradiction, file: "airports", part: icao, line: 0, column: name, value: found, reason: reason)
        return "\(icao): \(name) is \(found.isEmpty ? "missing" : found), and \(reason)"
      }
    }
  }

  private static func query(_ icao: String) -> String {
    func frequencies(_ type: String) -> String {
      """
      (SELECT group_concat(frequency, ', ') FROM (SELECT DISTINCT frequency FROM frequencies
        WHERE airport = icao AND vhf AND type = '\(type)' ORDER BY 1)) AS \(type)
      """
    }
    return """
      SELECT name, CAST(elevation AS TEXT) AS elevation, type, ownership, use,
        (SELECT group_concat(id || ' ' || length || ' x ' || width || ' ' || surface, ', ')
          FROM (SELECT * FROM runways WHERE airport = icao AND length > 0 ORDER BY id)) AS runways,
        \(frequencies("ctaf")), \(frequencies("tower"))
      FROM airports WHERE icao = '\(icao.replacing("'", with: "''"))'
      """
  }
}

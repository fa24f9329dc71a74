internal import SQLiteIO

/// The rows of the procedures: the approaches to a localizer, which is all that the subscription tells of approaches.
struct RZFlightProcedures {
  let database: SQLiteConnection
  let stamp: String

  /// The approaches that a kind of system carries, in the library's words.
  private static let approaches = [
    "ils": ["ILS", "LOC"], "ilsDme": ["ILS", "LOC"], "localizer": ["LOC"], "localizerDme": ["LOC"],
    "localizerGlideSlope": ["ILS", "LOC"], "lda": ["LDA"], "ldaDme": ["LDA"], "sdf": ["SDF"],
    "sdfDme": ["SDF"],
  ]

  func write(_ own: [DatabaseAirport], to writer: DatabaseWriter) throws -> Int {
    let airports = Set(own.map(\.icao))
    return try writer.insert(RZFlightSchema.procedures) { insert in
      var count = 0
      try database.prepare(
        """
        SELECT airport, runwayEnd, type FROM ils WHERE coalesce(status, '') NOT IN ('shutdown', 'decommissioned')
        GROUP BY airport, runwayEnd, type ORDER BY airport, runwayEnd, type
        """
      ).rows { row in
        guard let airport = row.text(0), airports.contains(airport), let end = row.text(1) else { return }
        for approach in RZFlightProcedures.approaches[row.text(2) ?? ""] ?? [] {
          try insert.run(values(airport, approach, end))
          count += 1
        }
      }
      return count
    }
  }

  /// The library puts a runway's number and letter together again.
  private func values(_ airport: String, _ approach: String, _ end: String) -> [SQLiteValue] {
    let number = String(end.prefix { $0.isNumber })
    let letter = String(end.dropFirst(number.count))
    let name = "\(approach) RWY \(end)"
    return [
      .null, .text(airport), .text(name), .text("approach"), .text(approach), .text(end),
      SQLiteValue(letter.isEmpty ? nil : letter), .text(number), .text(RZFlightSource.faa), .text("FAA"),
      .text(name), .text(stamp), .text(stamp),
    ]
  }
}

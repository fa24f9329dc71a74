internal import Core
internal import RasterIO
internal import SQLiteIO

/// Compares the runways, waypoints and navaids of coded procedures with those of the cycle's database of airports: two products
/// of the FAA with different ways of being made.
struct ProcedurePlaces: Rule {
  let name = "procedure-places"
  let protects =
    "Procedures lead to runways, waypoints and navaids that the database of airports has too, in the same places."

  /// What is compared.
  private struct Comparison {
    let what: String
    /// The table of the database of airports. Without rows, nothing can be compared with it.
    let table: String
    /// How far two places may be apart.
    let metres: Double
    /// Each row has a name, its longitude and latitude in both databases, and how many feet these are apart by definition.
    let sql: String
  }

  private static let comparisons = [
    Comparison(
      what: "runways", table: "runways", metres: 100,
      sql: """
        WITH ends AS (
          SELECT airport, baseEndID AS id, baseEndLongitude AS longitude, baseEndLatitude AS latitude,
            baseEndDisplacedThreshold AS displaced FROM base.runways
          UNION ALL SELECT airport, reciprocalEndID, reciprocalEndLongitude, reciprocalEndLatitude,
            reciprocalEndDisplacedThreshold FROM base.runways WHERE reciprocalEndID IS NOT NULL)
        SELECT c.airport || ' ' || c.identifier, c.longitude, c.latitude, e.longitude, e.latitude, coalesce(e.displaced, 0)
        FROM main.runways c JOIN base.airports a ON a.icao = c.airport
          LEFT JOIN ends e ON e.airport = c.airport AND e.id = substr(c.identifier, 3)
        WHERE c.latitude IS NOT NULL AND (e.id IS NULL OR e.latitude IS NOT NULL) ORDER BY c.id
        """),
    // Most terminal waypoints are not in NASR.
    Comparison(
      what: "waypoints", table: "fixes", metres: 200,
      sql: """
        SELECT c.identifier || ' ' || c.region, c.longitude, c.latitude, f.longitude, f.latitude, 0
        FROM main.waypoints c LEFT JOIN base.fixes f ON f.identifier = c.identifier AND f.region = c.region
        WHERE c.latitude IS NOT NULL AND (c.section = 'EA' OR f.id IS NOT NULL) ORDER BY c.id
        """),
    Comparison(
      what: "airports", table: "airports", metres: 2000,
      sql: """
        SELECT c.icao, c.longitude, c.latitude, a.longitude, a.latitude, 0
        FROM main.airports c LEFT JOIN base.airports a ON a.icao = c.icao WHERE c.latitude IS NOT NULL ORDER BY c.id
        """),
    // Identifiers of navaids are not unique.
    Comparison(
      what: "navaids", table: "navaids", metres: 500,
      sql: """
        SELECT c.identifier, c.longitude, c.latitude, n.longitude, n.latitude, 0
        FROM main.navaids c LEFT JOIN base.navaids n ON n.identifier = c.identifier
          AND abs(n.latitude - c.latitude) < 1 AND abs(n.longitude - c.longitude) < 1
        WHERE c.airport IS NULL AND c.latitude IS NOT NULL ORDER BY c.id
        """),
  ]

  func check(_ cycle: CycleUnderTest) throws -> RuleResult {
    let airports = cycle.all.first { $0.product.hasAirports }?.file(role: .database)
    return try cycle.products.filter(\.product.hasProcedures).reduce(into: RuleResult()) { result, subject in
      // A database that cannot be read is reported by its own rules.
      guard let airports, let file = subject.file(role: .database),
        let pairing = try? DatabasePairing(file, of: airports)
      else {
        result += RuleResult(
          missing: .airports, of: subject, "no aviation database of the cycle was validated with it")
        return
      }
      for comparison in Self.comparisons {
        result += RuleResult(
          try problems(comparison, pairing.connection).map {
            finding(.warning, subject, comparison.what, $0)
          })
      }
    }
  }

  private func problems(_ comparison: Comparison, _ connection: SQLiteConnection) throws -> [String] {
    guard try connection.count("base.\(comparison.table)") > 0 else { return [] }
    // The least distance of each; nil for one that the other database does not have.
    var (names, distances) = ([String](), [String: Double]())
    try connection.prepare(comparison.sql).rows { row in
      let name = row.text(0) ?? ""
      names.append(name)
      guard let own = ProcedureGeometry.place(row, 1), let other = ProcedureGeometry.place(row, 3) else {
        return
      }
      let apart = abs(Geodesic.line(from: own, to: other).metres - row.double(5) * 0.3048)
      distances[name] = min(distances[name] ?? .infinity, apart)
    }
    let missing = names.filter { distances[$0] == nil }
    let displaced = distances.filter { $0.value > comparison.metres }.sorted { $0.key < $1.key }
      .map { "\($0.key) by \(Int($0.value.rounded())) m" }
    let total = Counts.grouped(Set(names).count)
    return [
      (missing, "are not in the database of airports"),
      (displaced, "are elsewhere in the database of airports"),
    ]
    .filter { !$0.0.isEmpty }.map { list, text in
      "\(Counts.grouped(list.count)) of \(total) \(text): \(Counts.some(list, atMost: 5))"
    }
  }
}

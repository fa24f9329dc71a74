internal import Core
internal import Foundation
internal import SQLiteIO

/// Compares the positions of airports with those of the last cycle.
struct AirportsMoved: Rule {
  let name = "airports-moved"
  let protects = "A person checks an airport that jumps over the map before it misleads a pilot."

  /// A statute mile, in nautical ones.
  private static let mile = 1609.344 / 1852
  /// If more airports move than this share, and more than `fewest`, the table is wrong.
  private static let share = 0.01
  private static let fewest = 20

  func check(_ cycle: CycleUnderTest) throws -> RuleResult {
    try cycle.airportPairs().reduce(into: RuleResult()) { result, pair in
      let (moved, all) = try moves(pair.databases)
      let isWrong = moved.count > max(AirportsMoved.fewest, Int(Double(all) * AirportsMoved.share))
      let findings = moved.map { airport in
        finding(
          isWrong ? .error : .warning, pair.subject, "airports \(airport.icao)",
          "it lies \(airport.miles) NM from where cycle \(pair.before) had it")
      }
      let facts = ProductFacts(change: .init(cycle: pair.before, movedAirports: moved.count))
      result += RuleResult(findings, facts: [pair.subject.product.id: facts])
    }
  }

  /// Joins airports by site number and type, which stay when an identifier changes. Distances are those of a plane.
  private func moves(_ pair: DatabasePairing) throws -> (moved: [(icao: String, miles: Double)], all: Int) {
    let joined =
      "main.airports n JOIN base.airports o ON o.siteNumber = n.siteNumber AND o.siteType = n.siteType"
    let all = try pair.connection.count(joined)
    let moved = try pair.connection.prepare(
      """
      SELECT icao, miles FROM (
        SELECT n.icao, 60 * sqrt(pow(n.latitude - o.latitude, 2) + pow(
          min(abs(n.longitude - o.longitude), 360 - abs(n.longitude - o.longitude)) * cos(radians(o.latitude)), 2)) AS miles
        FROM \(joined)
      ) WHERE miles > \(AirportsMoved.mile) ORDER BY 1
      """
    ).map { (icao: $0.text(0) ?? "", miles: ($0.double(1) * 10).rounded() / 10) }
    return (moved, all)
  }
}

/// Finds rows of the last cycle that this one lacks.
struct RowsVanished: Rule {
  let name: String
  let protects: String
  private let table: String
  /// The lost rows of the last cycle: the name, what it was and what to do, and whether a loss is more likely than a change of the FAA.
  private let query: String

  /// An airport with another identifier, or with another site number, is still present. The FAA hardly ever closes one with a tower.
  static let airports = RowsVanished(
    name: "airports-vanished",
    protects: "No airport that a pilot could use vanishes from the map unnoticed.", table: "airports",
    query: """
      SELECT o.icao, iif(o.isTowered, 'with a tower: ', 'for public use: ') || o.name || '; check whether the FAA closed it',
        o.isTowered
      FROM base.airports o
      WHERE (o."use" = 'public' OR o.isTowered)
        AND NOT EXISTS (SELECT 1 FROM main.airports n WHERE n.icao = o.icao)
        AND NOT EXISTS (
          SELECT 1 FROM main.airports n WHERE n.siteNumber = o.siteNumber AND n.siteType = o.siteType)
      ORDER BY o.isTowered DESC, 1
      """)

  static let airspaces = RowsVanished(
    name: "airspaces-vanished",
    protects: "No airspace that a pilot must not enter vanishes from the map unnoticed.", table: "airspaces",
    query: """
      SELECT o.name, 'of class ' || o.class || '; check whether the FAA removed it', o.class IN ('bravo', 'charlie')
      FROM base.airspaces o
      WHERE o.class IN ('bravo', 'charlie', 'delta', 'prohibited', 'restricted') AND NOT EXISTS (
        SELECT 1 FROM main.airspaces n WHERE n.class = o.class AND n.name = o.name)
      GROUP BY o.class, o.name ORDER BY o.class, o.name
      """)

  func check(_ cycle: CycleUnderTest) throws -> [Finding] {
    try cycle.airportPairs().flatMap { subject, before, pair -> [Finding] in
      let isThere = try ["main", "base"].allSatisfy {
        try pair.connection.count("\($0).sqlite_schema WHERE name = '\(table)'") > 0
      }
      guard isThere else { return [] }
      return try pair.connection.prepare(query).map { row in
        finding(
          row.int(2) == 1 ? .error : .warning, subject, "\(table) \(row.text(0) ?? "")",
          "cycle \(before) had it, \(row.text(1) ?? "")")
      }
    }
  }
}

extension CycleUnderTest {
  /// Opens each database together with that of its last cycle, except where there is none, or where one of them has an earlier
  /// schema or is damaged, which other rules report.
  func airportPairs() throws -> [(subject: ProductUnderTest, before: AiracCycle, databases: DatabasePairing)]
  {
    try compared { $0.kind == .database }.compactMap { subject, before in
      guard let old = before.file(role: .database), let new = subject.file(role: .database),
        old.hasComparableAirports, new.hasComparableAirports
      else { return nil }
      return (subject, before.product.cycle, try DatabasePairing(new, of: old))
    }
  }
}

extension URL {
  fileprivate var hasComparableAirports: Bool {
    let needed: Set<String> = [
      "siteNumber", "siteType", "latitude", "longitude", "icao", "name", "use", "isTowered",
    ]
    guard FileManager.default.fileExists(atPath: path),
      let connection = try? SQLiteConnection(path, mode: .readOnly),
      let columns = try? connection.columns(of: "airports")
    else { return false }
    return needed.isSubset(of: columns)
  }
}

/// Finds airports of the cycle's database that lie in a chart's box but inside no chart's neatline.
struct AirportsOnCharts: Rule {
  let name = "airports-on-charts"
  let protects = "No airport is hidden behind a legend, or lost beyond an edge that was cut too far inside."

  private static let shown = 8

  func check(_ cycle: CycleUnderTest) throws -> [Finding] {
    let complete = cycle.families.filter(\.isComplete)
    guard !complete.isEmpty else { return [] }
    let airports = try cycle.all.filter { $0.product.kind == .database }.flatMap(places)
    return complete.compactMap { family -> Finding? in
      let neatlines = family.charts.compactMap(\.embedded.neatline)
      let boxes = family.charts.flatMap {
        $0.product.boundingBoxes ?? [$0.product.boundingBox].compactMap(\.self)
      }
      let lost = airports.filter { airport in
        boxes.contains { $0.contains(airport.place) }
          && !neatlines.contains { $0.contains(airport.place.mercator) }
      }
      guard !lost.isEmpty, neatlines.count == family.charts.count,
        let reported = family.charts.first(where: { chart in cycle.products.contains { $0 === chart } })
      else { return nil }
      let names = lost.prefix(AirportsOnCharts.shown).map(\.name).joined(separator: ", ")
      return finding(
        .warning, reported, "",
        "\(Counts.of(lost.count, "airport")) in the boxes of \(family.pipeline) \(lost.count == 1 ? "is" : "are") on none of "
          + "its charts: \(names)\(lost.count > AirportsOnCharts.shown ? ", ..." : "")")
    }
  }

  private func places(_ database: ProductUnderTest) throws -> [(name: String, place: GeoPoint)] {
    guard let file = database.file(role: .database),
      // The rules about the file report its problems.
      let opened = try? DatabaseUnderTest(file, place: database.place), opened.missingTables.isEmpty,
      opened.isOfAirports
    else { return [] }
    return try opened.connection.prepare("SELECT icao, longitude, latitude FROM airports ORDER BY icao").map {
      ($0.text(0) ?? "", GeoPoint(longitude: $0.double(1), latitude: $0.double(2)))
    }
  }
}

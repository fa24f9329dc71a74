internal import Core
internal import Foundation
internal import SQLiteIO

/// Writes `airports.db` for RZFlight's library, which loads all airports into memory.
///
/// It leaves out heliports, since the library has no type for them: an app could not distinguish them from airports with runways.
struct RZFlightExport: ExportFormat {
  let source: ExportSource

  /// The counts include the rows of each table and the values that the format cannot express.
  func write(_ scratch: (String) -> URL) throws -> ExportContents {
    let file = ExportContents.File.database(source.definition.id + ".db")
    let selection = AirportSelection(source.definition)
    let airports = try RZFlightAirports(source, selection)
    var writer = try DatabaseWriter(scratch(file.name), as: RZFlightSchema.form)
    var counts = ["airports": try airports.write(to: writer)]
    counts.merge(try RZFlightRunways(source: source, airports: airports).write(to: writer)) { $1 }
    counts.merge(try RZFlightEntries(source: source, airports: airports).write(to: writer)) { $1 }
    counts["crossings"] = try writeCrossings(airports.union.faa, to: writer)
    counts["procedures"] = try RZFlightProcedures(source: source, airports: airports).write(to: writer)
    let waypoints = RZFlightWaypoints(source, near: selection.isAll ? nil : airports.positions)
    counts.merge(try waypoints.write(to: writer)) { $1 }
    try writeSources(airports.union, to: writer)
    try writeMetadata(counts, selection, to: writer)
    try writer.finish()
    return ExportContents(
      files: [file], counts: counts, box: selection.isAll ? nil : GeoBox(around: airports.positions),
      problemTotals: ["droppedRows": .rowDropped, "droppedFields": .fieldDropped])
  }

  /// Writes the airports where APT_BASE allows entry from abroad.
  private func writeCrossings(_ airports: [DatabaseAirport], to writer: DatabaseWriter) throws -> Int {
    let entries = airports.filter { ($0.hasCustoms || $0.hasLandingRights) && !$0.isClosed }
    try writer.fill(RZFlightSchema.crossings, entries) { _, airport in
      let rights =
        "{\"customs\":\(airport.hasCustoms),\"landingRights\":\(airport.hasLandingRights)}"
      return [
        .null, .text(airport.icao), .text(airport.region.country ?? "US"), .text(airport.name), .integer(1),
        .text(RZFlightSource.faa), .text("APT_BASE"), .text(rights), .text(airport.icao), .real(1),
        source.stamp, source.stamp,
      ]
    }
    return entries.count
  }

  private func writeSources(_ union: AirportUnion, to writer: DatabaseWriter) throws {
    let others = union.matches.count + union.others.count
    let sources =
      [(RZFlightSource.faa, union.faa.count)]
      + (source.world == nil ? [] : [(RZFlightSource.world, others)])
    try writer.fill(RZFlightSchema.sources, sources) { _, row in
      [.text(row.0), source.stamp, .integer(row.1)]
    }
  }

  private func writeMetadata(
    _ counts: [String: Int], _ selection: AirportSelection, to writer: DatabaseWriter
  ) throws {
    let tables = ["airports", "runways", "entries", "crossings", "procedures", "waypoints"]
    let totals = tables.map { ("total_" + (RZFlightExport.tableNames[$0] ?? $0), counts[$0] ?? 0) }
    let statistics = String(
      decoding: try CanonicalJSON.line(Dictionary(uniqueKeysWithValues: totals)), as: UTF8.self)
    var pairs = Dictionary(
      uniqueKeysWithValues: source.metadata + [("schema_version", "1"), ("statistics", statistics)])
    pairs["selection"] = selection.text
    try writer.fill(RZFlightSchema.metadata, pairs.sorted { $0.key < $1.key }) { _, pair in
      [.text(pair.key), .text(pair.value), source.stamp]
    }
  }

  private static let tableNames = ["entries": "aip_entries", "crossings": "border_crossing_points"]
}

/// The values of the columns `source` and `sources`.
enum RZFlightSource {
  static let faa = "faa_nasr"
  static let world = "ourairports"
}

extension ExportSource {
  /// The effective date of the cycle, for `created_at` and `updated_at`.
  var stamp: SQLiteValue { .text(base.effectiveDate) }
}

/// Writes the airports.
struct RZFlightAirports {
  let union: AirportUnion
  private let source: ExportSource
  /// The identifiers in the file of OurAirports' airports, by their own identifiers.
  let identities: [String: String]

  init(_ source: ExportSource, _ selection: AirportSelection) throws {
    self.source = source
    let all = try source.airports()
    let taken = Set(all.faa.map(\.icao))
    let named = all.others.compactMap { airport in
      all.identity(of: airport, taken: taken).map { (airport.ident, $0) }
    }
    let identities = Dictionary(named) { first, _ in first }
    union = all.keeping { airport, match in
      !airport.isHeliport
        && selection.contains(airport.icao, on: match?.continent ?? airport.region.continent)
    } others: { airport in
      guard !airport.isHeliport, let identity = identities[airport.ident] else { return false }
      return selection.contains(identity, on: airport.continent)
    }
    let written = Set(union.others.map(\.ident))
    self.identities = identities.filter { written.contains($0.key) }
    try selection.check(Set(union.faa.map(\.icao)).union(self.identities.values))
  }

  var positions: [GeoPoint] { union.faa.map(\.position) + union.others.map(\.position) }

  /// The positions of OurAirports' airports, by their own identifiers.
  var otherPositions: [String: GeoPoint] {
    Dictionary(union.others.map { ($0.ident, $0.position) }) { first, _ in first }
  }

  func write(to writer: DatabaseWriter) throws -> Int {
    try writer.insert(RZFlightSchema.airports) { insert in
      var count = 0
      for (number, airport) in union.faa.enumerated() {
        try insert.run(row(airport, union.matches[number]))
        count += 1
      }
      for airport in union.others {
        guard let identity = identities[airport.ident] else { continue }
        try insert.run(row(airport, as: identity))
        count += 1
      }
      return count
    }
  }

  /// The row of an FAA airport. OurAirports fills values that the FAA does not have.
  private func row(_ airport: DatabaseAirport, _ other: WorldAirport?) -> [SQLiteValue] {
    let region = airport.region
    let sources = [RZFlightSource.faa] + (other == nil ? [] : [RZFlightSource.world])
    return [
      .text(airport.icao), .text(airport.name), .text(RZFlightAirports.type(of: airport, other)),
      .real(airport.latitude), .real(airport.longitude), SQLiteValue(airport.elevation ?? other?.elevation),
      SQLiteValue(other?.continent ?? region.continent), SQLiteValue(region.country),
      SQLiteValue(other?.region ?? region.region), SQLiteValue(airport.city ?? other?.municipality),
      SQLiteValue(other?.scheduledService), .text(airport.icao), SQLiteValue(other?.iataCode),
      .text(airport.faaID), SQLiteValue(other?.homeLink), SQLiteValue(other?.wikipediaLink),
      SQLiteValue(other?.keywords), .text(sources.joined(separator: ",")), source.stamp, source.stamp,
    ]
  }

  private func row(_ airport: WorldAirport, as identity: String) -> [SQLiteValue] {
    [
      .text(identity), .text(airport.name), .text(airport.type),
      .real(airport.latitude), .real(airport.longitude), SQLiteValue(airport.elevation),
      SQLiteValue(airport.continent), SQLiteValue(airport.country), SQLiteValue(airport.region),
      SQLiteValue(airport.municipality), SQLiteValue(airport.scheduledService), SQLiteValue(airport.gpsCode),
      SQLiteValue(airport.iataCode), SQLiteValue(airport.localCode), SQLiteValue(airport.homeLink),
      SQLiteValue(airport.wikipediaLink), SQLiteValue(airport.keywords), .text(RZFlightSource.world),
      source.stamp, source.stamp,
    ]
  }

  /// The library's type. The size of an airport comes from OurAirports, else from its tower, since the FAA has no sizes.
  private static func type(of airport: DatabaseAirport, _ other: WorldAirport?) -> String {
    if airport.isClosed { return "closed" }
    switch airport.type {
    case "seaplane": return "seaplane_base"
    case "balloonport": return "balloonport"
    default:
      if let type = other?.type, type.hasSuffix("_airport") { return type }
      return airport.isTowered ? "medium_airport" : "small_airport"
    }
  }
}

/// The airports of an `rzflight` export.
struct AirportSelection {
  private let continents: Set<String>?
  private let airports: Set<String>?

  init(_ export: ExportDefinition) {
    continents = export.continents.map(Set.init)
    airports = export.airports.map(Set.init)
  }

  var isAll: Bool { continents == nil && airports == nil }

  /// `continents EU; airports EGKB LFAT`; nil for all airports.
  var text: String? {
    let parts = [("continents", continents), ("airports", airports)].compactMap { name, values in
      values.map { "\(name) \($0.sorted().joined(separator: " "))" }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  func contains(_ identity: String, on continent: String?) -> Bool {
    (airports?.contains(identity) ?? true)
      && (continents.map { wanted in continent.map(wanted.contains) ?? false } ?? true)
  }

  /// Throws when a listed airport was not found, since an app's tests depend on each.
  func check(_ found: Set<String>) throws {
    let missing = (airports ?? []).subtracting(found).sorted()
    guard missing.isEmpty else {
      throw UserError(
        .badInput, operation: "selecting airports", path: missing.joined(separator: ", "),
        reason: "the sources have no such airport in use",
        suggestion: "Take it out of `airports` in the definition, or write the identifier that replaces it.")
    }
  }
}

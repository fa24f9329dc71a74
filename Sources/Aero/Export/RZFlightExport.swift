internal import Core
internal import Foundation
internal import SQLiteIO

/// Writes `airports.db` for RZFlight's library, which loads all airports into memory.
///
/// It leaves out heliports, since the library has no type for them: an app could not distinguish them from airports with runways.
struct RZFlightExport {
  let source: ExportSource

  /// The counts include the rows of each table and the values that the format cannot express.
  func write(_ scratch: (String) -> URL) throws -> ExportContents {
    let file = ExportContents.File.database(source.definition.id + ".db")
    let selection = AirportSelection(source.definition)
    let airports = try RZFlightAirports(source, selection)
    try selection.check(Set(airports.all.map(\.identity)))
    var writer = try DatabaseWriter(scratch(file.name), as: RZFlightSchema.form)
    for (name, table) in try tables(airports, near: selection.isAll ? nil : airports.positions) {
      source.counts.add(try writer.fill(table), to: name)
    }
    try writeSources(airports, to: writer)
    let counts = source.counts.all
    try writeMetadata(counts, selection, to: writer)
    try writer.finish()
    return ExportContents(
      files: [file], counts: counts, box: selection.isAll ? nil : GeoBox(around: airports.positions),
      problemTotals: ["droppedRows": .rowDropped, "droppedFields": .fieldDropped])
  }

  /// The tables of the FAA's airports, as a file with these airports has them.
  ///
  /// - Parameter selected: The positions of all airports of the file by their identifiers; nil if it has all of the database.
  static func tables(_ source: ExportSource, of selected: [String: GeoPoint]?) throws -> [ExportTable] {
    let selection = AirportSelection(continents: nil, airports: selected.map { Set($0.keys) })
    let airports = try RZFlightAirports(source, selection)
    return try RZFlightExport(source: source).tables(airports, near: selected.map { Array($0.values) })
      .map(\.table)
  }

  /// The tables in the order in which they are written, with the names of the counts of their rows.
  ///
  /// - Parameter positions: The airports near which waypoints are wanted; nil for all waypoints.
  private func tables(
    _ airports: RZFlightAirports, near positions: [GeoPoint]?
  ) throws -> [(count: String, table: ExportTable)] {
    let schema = RZFlightSchema(stamp: source.base.effectiveDate.description)
    let entries = RZFlightEntries(source: source, airports: airports)
    // The airports where APT_BASE allows entry from abroad.
    let entrances = airports.faa.filter { ($0.hasCustoms || $0.hasLandingRights) && !$0.isClosed }
    let world = try source.world.map { try entries.rows(schema, of: $0) }
    return [
      ("airports", schema.rows(of: airports.all)),
      ("runways", RZFlightRunways(source: source, airports: airports).rows(schema)),
      ("entries", try entries.rows(schema)),
    ] + [world].compactMap(\.self).map { ("entries", $0) } + [
      ("crossings", schema.crossings.rows { add in for airport in entrances { try add(airport) } }),
      ("procedures", RZFlightProcedure.rows(schema, source, Set(airports.faa.map(\.icao)))),
      ("waypoints", RZFlightWaypoints(source, near: positions).rows(schema)),
    ]
  }

  private func writeSources(_ airports: RZFlightAirports, to writer: DatabaseWriter) throws {
    let world = airports.all.count { $0.world != nil }
    let sources =
      [(RZFlightSource.faa, airports.faa.count)]
      + (source.world == nil ? [] : [(RZFlightSource.world, world)])
    try writer.fill(RZFlightSchema(stamp: source.base.effectiveDate.description).sources, sources)
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
    try writer.fill(
      RZFlightSchema(stamp: source.base.effectiveDate.description).metadata,
      pairs.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  private static let tableNames = ["entries": "aip_entries", "crossings": "border_crossing_points"]
}

/// The values of the columns `source` and `sources`.
enum RZFlightSource {
  static let faa = "faa_nasr"
  static let world = "ourairports"
}

/// An airport of the file, which has a row of the FAA or of OurAirports, or of both.
struct RZFlightAirport {
  let identity: String
  let faa: DatabaseAirport?
  let world: WorldAirport?

  var position: GeoPoint { faa?.position ?? world?.position ?? GeoPoint(longitude: 0, latitude: 0) }

  var sources: String {
    [faa.map { _ in RZFlightSource.faa }, world.map { _ in RZFlightSource.world }].compactMap(\.self)
      .joined(separator: ",")
  }

  /// The library's type. The size of an airport comes from OurAirports, else from its tower, since the FAA has no sizes.
  var type: String? {
    guard let faa else { return world?.type }
    if faa.isClosed { return "closed" }
    switch faa.type {
    case "seaplane": return "seaplane_base"
    case "balloonport": return "balloonport"
    default:
      if let type = world?.type, type.hasSuffix("_airport") { return type }
      return faa.isTowered ? "medium_airport" : "small_airport"
    }
  }
}

/// The airports of the file: those of the FAA, then the others of OurAirports.
struct RZFlightAirports {
  let all: [RZFlightAirport]
  var faa: [DatabaseAirport] { all.compactMap(\.faa) }
  var positions: [GeoPoint] { all.map(\.position) }
  /// Those that only OurAirports has, by its identifiers.
  let others: [String: RZFlightAirport]

  init(_ source: ExportSource, _ selection: AirportSelection) throws {
    let union = try source.airports()
    let taken = Set(union.faa.map(\.icao))
    let own = union.faa.enumerated().map { number, airport in
      RZFlightAirport(identity: airport.icao, faa: airport, world: union.matches[number])
    }.filter { airport in
      guard let faa = airport.faa, !faa.isHeliport else { return false }
      return selection.contains(airport.identity, on: airport.world?.continent ?? faa.region.continent)
    }
    let others = union.others.compactMap { airport -> RZFlightAirport? in
      guard !airport.isHeliport, let identity = union.identity(of: airport, taken: taken),
        selection.contains(identity, on: airport.continent)
      else { return nil }
      return RZFlightAirport(identity: identity, faa: nil, world: airport)
    }
    all = own + others
    self.others = Dictionary(others.map { ($0.world?.ident ?? "", $0) }) { first, _ in first }
  }
}

/// The airports of an `rzflight` export.
struct AirportSelection {
  let continents: Set<String>?
  let airports: Set<String>?

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

extension AirportSelection {
  init(_ export: ExportDefinition) {
    self.init(continents: export.continents.map(Set.init), airports: export.airports.map(Set.init))
  }
}

internal import Core
internal import Foundation

extension ExportSource {
  /// Writes `airports.db` for RZFlight's library, which loads all airports into memory.
  ///
  /// It leaves out heliports, since the library has no type for them: an app could not distinguish them from airports with runways.
  /// The counts include the rows of each table and the values that the format cannot express.
  func writeRZFlight(_ scratch: (String) -> URL) throws -> ExportContents {
    let file = ExportContents.database(definition.id + ".db")
    let selection = AirportSelection(definition)
    let airports = try RZFlightAirports(self, selection)
    try selection.check(Set(airports.all.map(\.identity)))
    var writer = try DatabaseWriter(scratch(file.name), as: RZFlightSchema.form)
    for (name, table) in try rzflightTables(airports, near: selection.isAll ? nil : airports.positions) {
      count(try writer.fill(table), of: name)
    }
    let schema = RZFlightSchema(stamp: base.effectiveDate.description)
    let added = try addSupplements(to: writer, schema)
    try writer.fill(schema.sources, rzflightSources(airports, added))
    try writer.fill(schema.metadata, try rzflightMetadata(selection))
    try writer.finish()
    return ExportContents(
      files: [file], counts: counts, box: selection.isAll ? nil : GeoBox(around: airports.positions),
      problemTotals: ["droppedRows": .rowDropped, "droppedFields": .fieldDropped])
  }

  /// The tables of the FAA's airports, as a file with these airports has them.
  ///
  /// - Parameter selected: The positions of all airports of the file by their identifiers; nil if it has all of the database.
  func rzflightTables(of selected: [String: GeoPoint]?) throws -> [ExportTable] {
    let selection = AirportSelection(continents: nil, airports: selected.map { Set($0.keys) })
    let airports = try RZFlightAirports(self, selection)
    return try rzflightTables(airports, near: selected.map { Array($0.values) }).map(\.table)
  }

  /// The tables in the order in which they are written, with the names of the counts of their rows.
  ///
  /// - Parameter positions: The airports near which waypoints are wanted; nil for all waypoints.
  private func rzflightTables(_ airports: RZFlightAirports, near positions: [GeoPoint]?) throws -> [(
    count: String, table: ExportTable
  )] {
    let schema = RZFlightSchema(stamp: base.effectiveDate.description)
    // The airports where APT_BASE allows entry from abroad.
    let entrances = airports.faa.filter { ($0.hasCustoms || $0.hasLandingRights) && !$0.isClosed }
    let world = try world.map { try RZFlightEntry.rows(schema, self, airports, of: $0) }
    return [
      ("airports", schema.rows(of: airports.all)),
      ("runways", RZFlightRunway.rows(schema, self, airports)),
      ("entries", try RZFlightEntry.rows(schema, self, airports)),
    ] + [world].compactMap(\.self).map { ("entries", $0) } + [
      ("crossings", schema.crossings.rows(where: "source = '\(Self.faa)'") { try entrances.forEach($0) }),
      ("procedures", schema.rows(ofApproachesIn: self, Set(airports.faa.map(\.icao)))),
      ("waypoints", RZFlightWaypoint.rows(schema, self, near: positions)),
    ]
  }

  /// - Parameter added: The number of rows of each supplement.
  private func rzflightSources(_ airports: RZFlightAirports, _ added: [Int]) -> [RZFlightSchema.Source] {
    let free = "public domain"
    let faa = "Federal Aviation Administration, 28-day NASR subscription"
    let world = self.world.map { _ in
      (Self.ourAirports, "https://ourairports.com/data/", free, airports.all.count { $0.world != nil })
    }
    return [(Self.faa, faa, free, airports.faa.count)] + [world].compactMap(\.self)
      + zip(definition.supplements ?? [], added).map { ($0.name, $0.source, $0.licence, $1) }
  }

  private func rzflightMetadata(_ selection: AirportSelection) throws -> [(key: String, value: String)] {
    let totals = [
      "airports": "airports", "runways": "runways", "entries": "aip_entries",
      "crossings": "border_crossing_points", "procedures": "procedures", "waypoints": "waypoints",
    ].map { ("total_" + $1, counts[$0] ?? 0) }
    let statistics = String(
      decoding: try CanonicalJSON.line(Dictionary(uniqueKeysWithValues: totals)), as: UTF8.self)
    var pairs = Dictionary(
      uniqueKeysWithValues: metadata + [("schema_version", "1"), ("statistics", statistics)])
    pairs["selection"] = selection.text
    return pairs.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

/// An airport of the file, which has a row of the FAA or of OurAirports, or of both.
struct RZFlightAirport {
  let identity: String
  let faa: DatabaseAirport?
  let world: WorldAirport?

  var position: GeoPoint { faa?.position ?? world?.position ?? GeoPoint(longitude: 0, latitude: 0) }

  var sources: String {
    [faa.map { _ in ExportSource.faa }, world.map { _ in ExportSource.ourAirports }].compactMap(\.self)
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
      return selection.contains(airport.identity, on: airport.world?["continent"] ?? faa.region.continent)
    }
    let others = union.others.compactMap { airport -> RZFlightAirport? in
      guard !airport.isHeliport, let identity = union.identity(of: airport, taken: taken),
        selection.contains(identity, on: airport["continent"])
      else { return nil }
      return RZFlightAirport(identity: identity, faa: nil, world: airport)
    }
    all = own + others
    self.others = Dictionary(first: others.map { ($0.world?.ident ?? "", $0) })
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

internal import Core
internal import Foundation
internal import Pipeline
internal import SQLiteIO

/// Writes `airports.db`, from which RZFlight's library takes all airports at once.
///
/// Heliports are left out, of both sources: the library knows no such type, so an app could not tell them from the airports
/// near which it looks for a runway.
struct RZFlightExport {
  let database: SQLiteConnection
  let world: WorldFile?
  let selection: AirportSelection
  let effective: String
  let metadata: [String: String]
  /// Where values that are not passed on are recorded.
  let problems: ProblemLog

  /// How many rows each table has, what could not be expressed, and the box around the airports where only some are written.
  func write(to file: URL) throws -> (counts: [String: Int], box: GeoBox?) {
    let all = AirportUnion(try DatabaseAirport.all(in: database), try world?.airports() ?? [])
    let airports = try RZFlightAirports(all, selection, stamp: effective)
    let own = airports.union.own
    var writer = try DatabaseWriter(file, as: RZFlightSchema.form)
    var counts = ["airports": try airports.write(to: writer)]
    let runways = RZFlightRunways(
      airports: airports.identities, places: airports.placesOfOthers, stamp: effective, problems: problems)
    counts.merge(try runways.write(own, of: database, and: world, to: writer)) { $1 }
    let entries = RZFlightEntries(database: database, stamp: effective)
    counts["entries"] = try entries.write(own, to: writer)
    if let world {
      let frequencies = RZFlightFrequencies(airports: airports.identities, stamp: effective)
      counts.merge(try frequencies.write(world, to: writer)) { $0 + $1 }
    }
    counts["crossings"] = try writeCrossings(own, to: writer)
    counts["procedures"] = try RZFlightProcedures(database: database, stamp: effective).write(own, to: writer)
    let waypoints = RZFlightWaypoints(
      database: database, near: selection.isAll ? nil : airports.places, stamp: effective)
    counts.merge(try waypoints.write(and: world, to: writer)) { $1 }
    try writeSources(airports.union, to: writer)
    try writeMetadata(counts, to: writer)
    try writer.finish()
    return (counts, selection.isAll ? nil : GeoBox(around: airports.places))
  }

  /// Where the flags of APT_BASE say that one may come in from abroad.
  private func writeCrossings(_ own: [DatabaseAirport], to writer: DatabaseWriter) throws -> Int {
    let entries = own.filter { ($0.hasCustoms || $0.hasLandingRights) && !$0.isClosed }
    try writer.fill(RZFlightSchema.crossings, entries) { _, airport in
      let rights =
        "{\"customs\":\(airport.hasCustoms),\"landingRights\":\(airport.hasLandingRights)}"
      return [
        .null, .text(airport.icao), .text(airport.place.country ?? "US"), .text(airport.name), .integer(1),
        .text(RZFlightSource.faa), .text("APT_BASE"), .text(rights), .text(airport.icao), .real(1),
        .text(effective), .text(effective),
      ]
    }
    return entries.count
  }

  private func writeSources(_ union: AirportUnion, to writer: DatabaseWriter) throws {
    let others = union.matches.count + union.others.count
    let sources =
      [(RZFlightSource.faa, union.own.count)] + (world == nil ? [] : [(RZFlightSource.world, others)])
    try writer.fill(RZFlightSchema.sources, sources) { _, source in
      [.text(source.0), .text(effective), .integer(source.1)]
    }
  }

  private func writeMetadata(_ counts: [String: Int], to writer: DatabaseWriter) throws {
    let tables = ["airports", "runways", "entries", "crossings", "procedures", "waypoints"]
    let totals = tables.map { ("total_" + (RZFlightExport.theirNames[$0] ?? $0), counts[$0] ?? 0) }
    let statistics = String(
      decoding: try CanonicalJSON.line(Dictionary(uniqueKeysWithValues: totals)), as: UTF8.self)
    var pairs = metadata.merging(["schema_version": "1", "statistics": statistics]) { $1 }
    pairs["selection"] = selection.text
    try writer.fill(RZFlightSchema.metadata, pairs.sorted { $0.key < $1.key }) { _, pair in
      [.text(pair.key), .text(pair.value), .text(effective)]
    }
  }

  private static let theirNames = ["entries": "aip_entries", "crossings": "border_crossing_points"]
}

/// What the columns `source` and `sources` say.
enum RZFlightSource {
  static let faa = "faa_nasr"
  static let world = "ourairports"
}

/// The rows of the airports.
struct RZFlightAirports {
  let union: AirportUnion
  let stamp: String
  /// Under which identity the file has each of the world's airports that are not the FAA's, by their own identifiers.
  let identities: [String: String]

  /// - Parameter all: the airports of both sources, of which the selected ones are written.
  init(_ all: AirportUnion, _ selection: AirportSelection, stamp: String) throws {
    self.stamp = stamp
    let taken = Set(all.own.map(\.icao))
    let named = all.others.compactMap { airport in
      all.identity(of: airport, taken: taken).map { (airport.ident, $0) }
    }
    let identities = Dictionary(named) { first, _ in first }
    union = all.keeping { airport, match in
      !airport.isHeliport
        && selection.contains(airport.icao, on: match?.continent ?? airport.place.continent)
    } others: { airport in
      guard !airport.isHeliport, let identity = identities[airport.ident] else { return false }
      return selection.contains(identity, on: airport.continent)
    }
    let written = Set(union.others.map(\.ident))
    self.identities = identities.filter { written.contains($0.key) }
    try selection.check(Set(union.own.map(\.icao)).union(self.identities.values))
  }

  var places: [GeoPoint] {
    union.own.map { GeoPoint(longitude: $0.longitude, latitude: $0.latitude) } + union.others.map(\.place)
  }

  /// Where the world's airports that are not the FAA's are, by their own identifiers.
  var placesOfOthers: [String: GeoPoint] {
    Dictionary(union.others.map { ($0.ident, $0.place) }) { first, _ in first }
  }

  func write(to writer: DatabaseWriter) throws -> Int {
    try writer.insert(RZFlightSchema.airports) { insert in
      var count = 0
      for (number, airport) in union.own.enumerated() {
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

  /// The FAA's word, and the other's where the FAA has none.
  private func row(_ airport: DatabaseAirport, _ other: WorldAirport?) -> [SQLiteValue] {
    let place = airport.place
    let sources = [RZFlightSource.faa] + (other == nil ? [] : [RZFlightSource.world])
    return [
      .text(airport.icao), .text(airport.name), .text(RZFlightAirports.type(of: airport, other)),
      .real(airport.latitude), .real(airport.longitude), SQLiteValue(airport.elevation ?? other?.elevation),
      SQLiteValue(other?.continent ?? place.continent), SQLiteValue(place.country),
      SQLiteValue(other?.region ?? place.region), SQLiteValue(airport.city ?? other?.municipality),
      SQLiteValue(other?.scheduledService), .text(airport.icao), SQLiteValue(other?.iataCode),
      .text(airport.faaID), SQLiteValue(other?.homeLink), SQLiteValue(other?.wikipediaLink),
      SQLiteValue(other?.keywords), .text(sources.joined(separator: ",")), .text(stamp), .text(stamp),
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
      .text(stamp), .text(stamp),
    ]
  }

  /// The library's words. How large an airport is the FAA does not say: OurAirports does, else a tower speaks for it.
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

/// The airports that an `rzflight` export holds.
struct AirportSelection {
  private let continents: Set<String>?
  private let airports: Set<String>?

  init(_ export: ExportDefinition) {
    continents = export.continents.map(Set.init)
    airports = export.airports.map(Set.init)
  }

  var isAll: Bool { continents == nil && airports == nil }

  /// `continents EU; airports EGKB LFAT`; nil when it holds all airports.
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

  /// Throws when a listed airport is not among those that were found: an app's tests rely on each of them.
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

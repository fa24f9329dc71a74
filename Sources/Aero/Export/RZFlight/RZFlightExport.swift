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

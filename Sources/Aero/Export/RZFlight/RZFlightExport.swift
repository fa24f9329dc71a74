internal import Airac
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
  let effective: String
  let metadata: [String: String]

  /// How many rows each table has.
  func write(to file: URL) throws -> [String: Int] {
    let union = AirportUnion(try DatabaseAirport.all(in: database), try world?.airports() ?? [])
    let own = union.own.filter { !$0.isHeliport }
    var writer = try DatabaseWriter(file, as: RZFlightSchema.form)
    let airports = RZFlightAirports(union: union, stamp: effective)
    var counts = ["airports": try airports.write(to: writer)]
    let runways = RZFlightRunways(airports: airports.identities, stamp: effective)
    counts["runways"] = try runways.write(own, of: database, and: world, to: writer)
    let entries = RZFlightEntries(database: database, stamp: effective)
    counts["entries"] = try entries.write(own, to: writer)
    counts["crossings"] = try writeCrossings(own, to: writer)
    counts["procedures"] = try RZFlightProcedures(database: database, stamp: effective).write(own, to: writer)
    counts["waypoints"] = try RZFlightWaypoints(database: database, stamp: effective).write(to: writer)
    try writeSources(union, to: writer)
    try writeMetadata(counts, to: writer)
    try writer.finish()
    return counts
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
    let own = union.own.indices.filter { !union.own[$0].isHeliport }
    let told = own.filter { union.matches[$0] != nil }.count + union.others.filter { !$0.isHeliport }.count
    let sources = [(RZFlightSource.faa, own.count)] + (world == nil ? [] : [(RZFlightSource.world, told)])
    try writer.fill(RZFlightSchema.sources, sources) { _, source in
      [.text(source.0), .text(effective), .integer(source.1)]
    }
  }

  private func writeMetadata(_ counts: [String: Int], to writer: DatabaseWriter) throws {
    let totals = counts.map { name, count in ("total_" + (RZFlightExport.theirNames[name] ?? name), count) }
    let statistics = String(
      decoding: try CanonicalJSON.line(Dictionary(uniqueKeysWithValues: totals)), as: UTF8.self)
    let pairs = metadata.merging(["schema_version": "1", "statistics": statistics]) { $1 }
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

import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The tracks of procedures, in the database and as vector tiles.
struct ProcedureTrackTests {
  let folder = TemporaryFolder()
  let built: Built

  init() throws { built = try ProcedureSource(isPart: true).build(try ProcedureSource.hayward, in: folder) }

  private struct Track: Decodable {
    let coordinates: [[[Double]]]
  }

  private func track(_ condition: String, in other: Built? = nil) throws -> [[GeoPoint]] {
    let text = try #require(
      try (other ?? built).column("SELECT geometry FROM routes WHERE \(condition)").first)
    return try JSONDecoder().decode(Track.self, from: Data(text.utf8)).coordinates.map { line in
      line.map { GeoPoint(longitude: $0[0], latitude: $0[1]) }
    }
  }

  @Test func `leads through the fixes of the legs in their order`() throws {
    let lines = try track("procedure = 'R28L' AND routeType = 'R' AND NOT isMissed")
    #expect(lines.count == 1)
    let fixes = try built.rows(
      """
      SELECT longitude, latitude FROM legs WHERE procedure = 'R28L' AND routeType = 'R' AND NOT isMissed AND latitude IS NOT NULL
      ORDER BY sequence
      """
    ).map { GeoPoint(longitude: Double($0[0]) ?? 0, latitude: Double($0[1]) ?? 0) }
    #expect(fixes.count > 2)
    var rest = lines[0][...]
    for fix in fixes {
      let place = try #require(
        rest.firstIndex {
          abs($0.longitude - fix.longitude) < 2e-6 && abs($0.latitude - fix.latitude) < 2e-6
        })
      rest = rest[place...]
    }
  }

  @Test func `cuts a line at 180 degrees and keeps both parts`() throws {
    let text = String(decoding: try ProcedureSource.hayward, as: UTF8.self)
      .replacing("W121", with: "E179").replacing("W122", with: "W179")
    let moved = try ProcedureSource(isPart: true).build(Array(text.utf8), in: folder, name: "moved.sqlite")
    let lines = try track("procedure = 'R28L' AND routeType = 'R' AND NOT isMissed", in: moved)
    #expect(lines.count == 2)
    let (end, start) = (try #require(lines[0].last), try #require(lines[1].first))
    #expect(end.longitude == 180 && start.longitude == -180 && end.latitude == start.latitude)
    #expect(try #require(lines[0].first).longitude > 179 && (try #require(lines[1].last)).longitude < -178)
  }

  @Test func `has the box of its lines`() throws {
    for row in try built.rows("SELECT id, west, south, east, north FROM routes") {
      let points = try track("id = \(row[0])").joined()
      let sides = [
        points.map(\.longitude).min(), points.map(\.latitude).min(), points.map(\.longitude).max(),
        points.map(\.latitude).max(),
      ]
      #expect(zip(row.dropFirst(), sides).allSatisfy { abs((Double($0) ?? 0) - ($1 ?? 999)) < 1e-9 })
    }
  }

  @Test func `every track is in the vector tiles, which have no other layer`() throws {
    let outcome = try VectorTilesTests.export(
      built.file, of: built.outcome.product, in: folder, "tracks", [.mbtiles])
    let tracks = try built.rows("SELECT id FROM routes").count
    #expect(outcome.product.build.counts["procedures"] == tracks && tracks > 5)
    #expect(try VectorTilesAgreement.problems(try #require(outcome.files.first), of: built.file).isEmpty)
    let archive = try MBTilesReader(opening: try #require(outcome.files.first))
    let fix = GeoPoint(longitude: -122.1214, latitude: 37.6589)
    let tile = try #require(try archive.tile(TileID(zoom: MapLayer.deepestZoom, containing: fix)))
    let layers = try VectorTile(stored: tile).layers
    #expect(layers.map(\.name) == ["procedures"])
    #expect(layers[0].features.contains { layers[0].text("procedure", of: $0) == "R28L" })
  }
}

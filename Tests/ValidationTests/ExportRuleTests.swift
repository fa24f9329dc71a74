import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Exports of a database, with one error each.
struct ExportRuleTests {
  private let folder = TemporaryFolder()

  /// The files of an export of the fixture's database.
  private func export(_ format: ExportDefinition.Format) throws -> [URL] {
    let fixture = try DatabaseFixture()
    // The small database has no owners of airports, without which the app cannot decode them.
    if format == .openefb { try fixture.alter("UPDATE airports SET ownership = 'public'") }
    let nothing = try SHA256Hex(of: [])
    let base = Product(
      id: "nasr/aviation", kind: .database, name: "Test", cycle: "2612", edition: "2026-11-26",
      effectiveDate: "2026-11-26T09:01:00Z", expirationDate: "2026-12-24T09:01:00Z", boundingBox: nil,
      minZoom: nil, maxZoom: nil, format: "sqlite", files: [], sources: [],
      build: .init(tool: "", version: "", libraries: [:], definitionSha256: nothing, counts: [:]))
    let request = ExportRequest(
      export: ExportDefinition(id: "airports", format: format, title: "Test"), definitionSha256: nothing,
      product: "nasr/airports", database: fixture.file, base: base)
    return try ExportBuilder.build(request) { folder.file($0) }.files
  }

  private func findings(_ file: URL, after sql: String? = nil) throws -> [Finding] {
    if let sql { try file.execute(sql) }
    return try found(in: file)
  }

  @Test(arguments: ExportDefinition.Format.allCases.filter { $0 != .obstacles })
  func `has no findings in good exports`(format: ExportDefinition.Format) throws {
    // No rule is about the list for a search by itself; `exports-agree` compares it beside its tiles.
    for file in try export(format) where file.lastPathComponent != "airports-airports.json" {
      #expect(try findings(file) == [])
    }
  }

  /// By rule: SQL, and a part of the message.
  private static let misread: RuleChanges = [
    "airports-values": [
      "UPDATE airports SET latitude_deg = NULL WHERE icao_code = 'KPAO'": "no position",
      "UPDATE airports SET longitude_deg = 190 WHERE icao_code = 'KPAO'": "no position",
      "UPDATE airports SET latitude_deg = 0.04, longitude_deg = -0.07 WHERE icao_code = 'KPAO'":
        "Gulf of Guinea",
      "UPDATE aip_entries SET source = 'ourairports', value = 'OPERATIONS Jet Centre 122.5' WHERE id = 1":
        "fuel that is sold",
      "UPDATE airports SET type = 'heliport' WHERE icao_code = 'KPAO'": "its type",
      "UPDATE airports SET updated_at = '2026-11-26T09:01:00.123'": "its date",
      "UPDATE runways SET he_heading_degT = NULL": "without a heading",
      "UPDATE runways SET le_heading_degT = 400": "not between 0 and 360",
      "UPDATE runways SET surface = 'unpaved'": "as a hard one",
      "UPDATE runways SET airport_icao = 'KXXX'": "belongs to no airport",
      "UPDATE waypoints SET latitude_deg = 91": "no position",
      "DELETE FROM runways; DELETE FROM aip_entries; DELETE FROM airports": "no airport in it",
    ],
    "database-integrity": [
      "UPDATE aip_entries SET airport_icao = 'KXXX' WHERE id = 1": "belongs to no row of airports"
    ],
    "airports-schema": ["DROP TABLE waypoints; CREATE TABLE waypoints (name)": "has no column latitude_deg"],
  ]

  @Test(arguments: misread.flatMap { rule, changes in changes.map { ($0.key, rule, $0.value) } })
  func `finds values that the library would misread`(sql: String, rule: String, message: String) throws {
    let file = try #require(try export(.rzflight).first)
    let found = try findings(file, after: sql)
    #expect(
      found.contains { $0.rule == rule && $0.severity == .error && $0.message.contains(message) }, "\(found)")
  }

  @Test(arguments: [
    ("UPDATE airports SET lat = 91 WHERE ident = 'PAO'", "no position"),
    ("UPDATE airports SET ident = 'ZZZ' WHERE ident = 'CA35'", "not in the order"),
    (
      """
      INSERT INTO airports SELECT 'ZZZ', NULL, NULL, 'NEW', 1, 1, 'IN', 'airport', 'ourairports', 9;
      INSERT INTO airports SELECT 'ZZZ', NULL, NULL, 'OLD', 2, 2, 'US', 'airport', 'faa_nasr', 8
      """, "not in the order of ident and source"
    ),
    ("DELETE FROM airports", "no airport in it"),
  ])
  func `checks the table of a logbook`(sql: String, message: String) throws {
    let file = try #require(try export(.identifiers).first)
    let found = try findings(file, after: sql)
    #expect(found.contains { $0.rule == "identifier-values" && $0.message.contains(message) }, "\(found)")
  }

  @Test(arguments: [
    ("-122.115", "-222.115", "line 3", "not on this earth"), ("]}\n", "", "geojson", "cut short"),
    ("]}\n", "]}\n{}\n", "line", "after the end"), ("\"Point\"", "Point", "line 2", "not JSON"),
    (",\"properties\":", ",\"more\":", "line 2", "not a GeoJSON feature"),
  ])
  func `reads a GeoJSON file to its end`(old: String, new: String, place: String, message: String) throws {
    let file = try #require(try export(.geojson).first)
    var text = try file.text
    let spot = try #require(text.range(of: old, options: old == "]}\n" ? .backwards : []))
    text.replaceSubrange(spot, with: new)
    try file.put(text)
    let found = try findings(file)
    #expect(
      found.contains { $0.rule == "lines-parse" && $0.where.contains(place) && $0.message.contains(message) },
      "\(found)")
  }
}

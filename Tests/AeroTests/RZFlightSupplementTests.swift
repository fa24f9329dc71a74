import Core
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Rows of supplements in `airports.db`. All are made up for these tests.
struct RZFlightSupplementTests {
  let folder = TemporaryFolder()
  let built: Built

  init() throws { built = try Subscription.built("2304", in: folder) }

  private static let aip = ExportDefinition.Supplement(
    name: "aip", source: "An AIP of 2023-04-20", licence: "Licence A", files: ["aip.db"])
  private static let list = ExportDefinition.Supplement(
    name: "list", source: "A list of 2023-01-01", licence: "Licence B", files: ["list"])

  /// A database as RZFlight's own program builds it.
  private func database(_ sql: String = "") throws -> URL {
    let file = folder.file("aip.db")
    let connection = try SQLiteConnection(file.path, mode: .create)
    for table in RZFlightSchema.form.tables { try connection.execute(table.sql) }
    try connection.execute(
      """
      INSERT INTO procedures
        (id, airport_icao, name, procedure_type, approach_type, runway_ident, runway_letter, runway_number, source, authority)
      VALUES (7, 'EGKB', 'ILS/DME RWY 21', 'approach', 'ILS', '21', NULL, '21', 'uk', 'EGC'),
        (8, 'EGKB', 'ILS/DME RWY 21', 'approach', 'ILS', '21', NULL, '21', 'uk', 'EGC'),
        (9, 'LFAT', 'RWY13 RNP', 'approach', 'RNP', NULL, NULL, '13', 'fr', 'LFC'),
        (10, 'EDNY', 'VISUAL', 'approach', 'VPT', '24L', 'L', '24L', 'de', NULL),
        (11, 'EGXX', 'RNP', 'approach', 'RNP', '01', NULL, '01', 'uk', NULL),
        (12, 'EGTF', 'CIRCLE', 'circling', NULL, NULL, NULL, NULL, 'uk', NULL),
        (15, 'EGTF', 'RNP Y', 'approach', 'RNP', '99', NULL, NULL, 'uk', NULL),
        (13, 'KSFO', 'ILS OR LOC RWY 28R', 'approach', 'ILS', '28R', 'R', '28R', 'faa_nasr', NULL),
        (14, 'KSFO', 'RNAV (GPS) RWY 28R', 'approach', 'RNAV', '28R', 'R', '28R', 'faa_nasr', NULL);
      INSERT INTO aip_entries (id, airport_icao, section, field, value, std_field, std_field_id, mapping_score)
      VALUES (1, 'EGKB', 'handling', 'Fuel and oil types', 'JET A-1, AVGAS 100LL', 'Fuel and oil types', 402, 1.0),
        (2, 'EGKB', 'passenger', 'Taxi', 'On request', 'Taxi', 599, 0.5),
        (3, 'LFAT', 'operational', 'ATS', 'HX', 'ATS', 307, 1.0), (4, 'LFAT', 'other', 'A', 'B', NULL, NULL, NULL),
        (5, 'LFAT', 'admin', 'Empty', ' ', NULL, NULL, NULL),
        (6, 'KPAO', 'handling', 'Fuel', 'NIL', 'Fuel and oil types', 402, 1.0);
      INSERT INTO border_crossing_points (icao_code, country_iso, airport_name, is_airport, source)
      VALUES ('LFAT', 'FR', 'Le Touquet', 1, 'x'), ('KPAO', 'US', 'Palo Alto', 1, 'x'), ('EGTF', 'England', 'F', 1, 'x');
      \(sql)
      """)
    try connection.close()
    return file
  }

  private func tables(_ tables: [String: String], name: String = "list") throws -> URL {
    let list = folder.file(name)
    try FileManager.default.createDirectory(at: list, withIntermediateDirectories: true)
    for (table, text) in tables { try Data(text.utf8).write(to: list.appending(path: table + ".csv")) }
    return list
  }

  private func export(
    _ supplements: [(ExportDefinition.Supplement, URL?)], of built: Built? = nil, name: String = "export",
    airports: [String]? = nil
  ) throws -> Exported {
    try Exported(
      .rzflight, of: built ?? self.built, in: folder, world: true, name: name, airports: airports,
      supplements: supplements)
  }

  private func change(_ file: URL, _ sql: String) throws {
    let connection = try SQLiteConnection(file.path, mode: .create)
    try connection.execute(sql)
    try connection.close()
  }

  /// The fixture's database with an approach that the FAA publishes.
  private func withApproach() throws -> Built {
    let copy = folder.file("more.sqlite")
    try FileManager.default.copyItem(at: built.file, to: copy)
    try change(
      copy,
      "INSERT INTO ils (airport, runwayEnd, identifier, type, status) VALUES ('KSFO', '28R', 'GWQ', 'ilsDme', NULL)"
    )
    return Built(outcome: built.outcome, file: copy)
  }

  @Test func `merges a database of the library and keeps the FAA's rows`() throws {
    let own = try withApproach()
    let export = try export([(Self.aip, database())], of: own)
    try export.expect(
      """
      SELECT airport_icao, name, approach_type, runway_ident, runway_number, runway_letter, source, authority
      FROM procedures ORDER BY id
      """,
      gives: [
        ["KSFO", "ILS RWY 28R", "ILS", "28R", "28", "R", "faa_nasr", "FAA"],
        ["KSFO", "LOC RWY 28R", "LOC", "28R", "28", "R", "faa_nasr", "FAA"],
        ["EGKB", "ILS/DME RWY 21", "ILS", "21", "21", "NULL", "aip", "EGC"],
        ["LFAT", "RWY13 RNP", "RNP", "13", "13", "NULL", "aip", "LFC"],
        ["EDNY", "VISUAL", "NULL", "24L", "24", "L", "aip", "NULL"],
        ["KSFO", "RNAV (GPS) RWY 28R", "RNAV", "28R", "28", "R", "aip", "NULL"],
        ["EGTF", "RNP Y", "RNP", "99", "NULL", "NULL", "aip", "NULL"],
      ])
    try export.expect(
      "SELECT airport_icao, field, value, std_field_id, source_priority FROM aip_entries WHERE source = 'aip' ORDER BY id",
      gives: [
        ["EGKB", "Fuel and oil types", "JET A-1, AVGAS 100LL", "402", "0"],
        ["EGKB", "Taxi", "On request", "NULL", "0"], ["LFAT", "ATS", "HX", "307", "0"],
      ])
    try export.expect(
      """
      SELECT icao_code, country_iso, airport_name, matched_airport_icao, match_score, updated_at
      FROM border_crossing_points WHERE source = 'aip'
      """, gives: [["LFAT", "FR", "Le Touquet", "LFAT", "1.0", "2023-04-20T09:01:00Z"]])
    #expect(try export.rows("PRAGMA foreign_key_check") == [])
    let library = try RZFlightLibrary(export.file("database"))
    #expect(library.airports["EGKB"]?.hasJetA == true && library.airports["EGKB"]?.hasAvgas == true)
    #expect(library.airports["LFAT"]?.isBorderCrossing == true && library.airports["KPAO"]?.hasAvgas == true)
    #expect(library.airports["KPAO"]?.isBorderCrossing == false)
  }

  @Test func `counts and lists the rows and values that it leaves out`() throws {
    let export = try export([(Self.aip, database())], of: withApproach())
    let report = try #require(export.outcome.problems)
    let seen = report.examples.filter { $0.file.hasPrefix("aip.db/") }.map {
      "\($0.kind) \($0.file) \($0.place): \($0.column ?? "") \($0.value): \($0.reason)"
    }
    #expect(
      seen == [
        "fieldDropped aip.db/aip_entries row 2: std_field_id 599: it is no value that the library knows",
        "rowDropped aip.db/aip_entries row 4: section other: it is no value that the library knows",
        "rowDropped aip.db/aip_entries row 5: value : it is empty",
        "rowRepeated aip.db/aip_entries row 6: airport_icao KPAO: the FAA's row counts",
        "rowDropped aip.db/border_crossing_points row 3: country_iso England: it is no value that the library knows",
        "rowRepeated aip.db/border_crossing_points row 2: icao_code KPAO: the FAA's row counts",
        "fieldDropped aip.db/procedures row 10: approach_type VPT: it is no value that the library knows",
        "fieldDropped aip.db/procedures row 15: runway_number 99: it is no value that the library knows",
        "rowDropped aip.db/procedures row 11: airport_icao EGXX: the export has no such airport",
        "rowDropped aip.db/procedures row 12: procedure_type circling: it is no value that the library knows",
        "rowRepeated aip.db/procedures row 13: airport_icao KSFO: the FAA's row counts",
        "rowRepeated aip.db/procedures row 8: airport_icao EGKB: an earlier row has the same name",
      ])
    #expect(report.tables.first { $0.file == "aip.db/procedures" }?.rows == 9)
    let counts = export.outcome.product.build.counts
    #expect(counts["procedures"] == 7 && counts["droppedRows"] == 6, "one is a duplicate off Africa")
  }

  @Test func `reads tables as CSV after those of earlier supplements`() throws {
    let list = try tables([
      "border_crossing_points": """
      icao_code,country_iso,airport_name,matched_airport_icao
      LFAT,FR,Another name,
      EGKB,GB,"Biggin Hill, London",
      ZZZZ,DE,Friedrichshafen,EDNY
      XXXX,FR,Nowhere,\n
      """,
      "aip_entries": "airport_icao,section,field,value\nEGTF,admin,Remarks,\"Two\nlines\"\n",
    ])
    let export = try export([(Self.aip, database()), (Self.list, list)])
    try export.expect(
      "SELECT icao_code, airport_name, source FROM border_crossing_points WHERE source <> 'faa_nasr' ORDER BY id",
      gives: [
        ["LFAT", "Le Touquet", "aip"], ["EGKB", "Biggin Hill, London", "list"],
        ["EDNY", "Friedrichshafen", "list"],
      ])
    try export.expect(
      "SELECT value FROM aip_entries WHERE source = 'list'", gives: [["Two\nlines"]])
    try export.expect(
      "SELECT name, record_count, source, licence FROM sources WHERE name IN ('aip', 'list') ORDER BY name",
      gives: [
        ["aip", "10", "An AIP of 2023-04-20", "Licence A"],
        ["list", "3", "A list of 2023-01-01", "Licence B"],
      ])
    let places = try #require(export.outcome.problems).examples.filter { $0.file.hasPrefix("list/") }
    #expect(places.filter { $0.kind == .rowDropped }.map(\.place) == ["line 5"])
    #expect(places.filter { $0.kind == .rowRepeated }.map(\.value) == ["LFAT"])
    let zipped = try zip(
      [("a/border_crossing_points.csv", [UInt8](list.appending(path: "border_crossing_points.csv").data))],
      in: folder, name: "list.zip")
    try self.export([(Self.list, zipped.url)], name: "zipped").expect(
      "SELECT count(*) FROM border_crossing_points WHERE source = 'list'", gives: [["3"]])
  }

  @Test func `the product depends on its supplements and lists them`() throws {
    let file = try database()
    let export = try export([(Self.aip, file)], airports: ["EGKB", "KPAO"])
    let sources = export.outcome.product.sources
    #expect(sources.map(\.url) == ["tables.zip", "world", "aip.db"])
    #expect(try sources.last?.sha256 == SourceFolder.file(file).sha256)
    #expect(export.request.inputs.last == (try SourceFolder.file(file).ingredient))
    let again = try self.export([(Self.aip, file)], name: "again", airports: ["KPAO", "EGKB"])
    #expect(try export.file("database").data == again.file("database").data)
  }

  @Test func `the pipeline has the EU's border crossing points beside its definition`() throws {
    let file = repositoryRoot.appending(path: "pipelines/nasr.json5")
    let exports = try PipelineLibrary.read(file).items.compactMap { ($0 as? ExportItem)?.export }
    let lists = exports.filter { $0.format == .rzflight }.compactMap(\.supplements)
    #expect(Set(lists.map { $0.map(\.name) }) == [["eu_border_crossings"]] && lists.count == 3)
    let supplement = try #require(lists.first?.first)
    let lines = try #require(supplement.table?.content.split(separator: "\n").filter { !$0.hasPrefix("#") })
    let rows = lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false).prefix(2) }
    #expect(rows.count == 462 && Set(rows.map(\.first)).count == rows.count)
    #expect(rows.allSatisfy { $0.first?.count == 4 && $0.last?.count == 2 })
    let export = try export([(supplement, nil)])
    try export.expect(
      "SELECT icao_code, country_iso, airport_name FROM border_crossing_points WHERE source = 'eu_border_crossings' ORDER BY 1",
      gives: [["EDNY", "DE", "Friedrichshafen-Löwental"], ["LFAT", "FR", "Le Touquet-Côte d'Opale"]])
    #expect(export.outcome.product.sources.map(\.url) == ["tables.zip", "world"])
    // A change of the file makes the export again.
    var other = try #require(exports.first { $0.format == .rzflight })
    let text = try CanonicalJSON.line(other)
    other.supplements?[0].table?.content += "X"
    #expect(try CanonicalJSON.line(other) != text)
  }

  @Test func `the comparison with the database passes over rows of supplements`() throws {
    let export = try export([(Self.aip, database())])
    let source = try ExportSource(comparing: built.file, of: built.outcome.product, with: .rzflight)
    let file = try export.file("database")
    #expect(try DatabasePairing(file, of: built.file).airports(source).isEmpty)
    try change(file, "UPDATE border_crossing_points SET airport_name = 'X' WHERE icao_code = 'KSFO'")
    #expect(try DatabasePairing(file, of: built.file).airports(source).count == 1)
  }

  @Test func `rejects a supplement without any table or with a table of another form`() throws {
    try expectFault("none of the tables procedures, aip_entries, border_crossing_points", kind: .badInput) {
      try export([(Self.list, tables(["airports": "a\n1\n"]))])
    }
    try expectFault("has no column NAME, PROCEDURE_TYPE") {
      try export([(Self.list, tables(["procedures": "airport_icao\nEGKB\n"], name: "other"))], name: "b")
    }
    try expectFault("its table procedures cannot be read", "no such column") {
      try export([(Self.aip, database("ALTER TABLE procedures RENAME COLUMN name TO title"))], name: "c")
    }
    let text = folder.file("text.db")
    try Data("no database".utf8).write(to: text)
    try expectFault("it is no zip archive that can be read") { try export([(Self.aip, text)], name: "d") }
  }
}

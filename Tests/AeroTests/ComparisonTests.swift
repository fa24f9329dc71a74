import Core
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The differences between a database and a changed copy.
@Suite(.slow) struct ComparisonTests {
  let folder = TemporaryFolder()
  let old: URL

  init() throws { old = try Subscription.built("2304", in: folder).file }

  /// A changed copy of the first.
  private func changed(_ sql: String, name: String = "new.sqlite") throws -> URL {
    let file = folder.file(name)
    try FileManager.default.copyItem(at: old, to: file)
    let connection = try SQLiteConnection(file.path, mode: .create)
    try connection.execute("PRAGMA foreign_keys = OFF; " + sql)
    try connection.close()
    return file
  }

  private func compare(_ sql: String) throws -> DatabaseDifference {
    try DatabaseComparison.compare(old, with: changed(sql))
  }

  private func airport(_ sql: String) throws -> AirportDifference {
    let difference = try compare(sql)
    #expect(difference.airports.count == 1)
    return try #require(difference.airports.first)
  }

  @Test func `a file has no differences from itself`() throws {
    let difference = try DatabaseComparison.compare(old, with: old)
    #expect(difference.airports.isEmpty && difference.navaids.isEmpty && difference.fixes.isEmpty)
    #expect(difference.notCompared.isEmpty && difference.otherTables.isEmpty)
    #expect(difference.old.cycle == "2304" && difference.new.effective == "2023-04-20T09:01:00Z")
    let text = DifferenceText.render(difference)
    #expect(text.hasPrefix("Changes 2304 (2023-04-20) -> 2304 (2023-04-20)\n  old: "))
    #expect(text.hasSuffix("\n\n  Nothing differs.\n"))
    #expect(difference.files[0].hasSuffix("out.sqlite, expires 2023-05-18, made of tables.zip, schema 4"))
  }

  @Test func `detects swapped files`() throws {
    let new = try changed("UPDATE metadata SET value = '2023-05-18T09:01:00Z' WHERE key = 'effective'")
    let right = try DatabaseComparison.compare(old, with: new)
    let turned = try DatabaseComparison.compare(new, with: old)
    #expect(right.files.count == 2 && turned.files.count == 3)
    #expect(DifferenceText.render(turned).contains("second file is of an earlier cycle"))
  }

  @Test(arguments: [
    ("elevation = 7.0", ["elevation 6.8 -> 7 ft"]), ("elevation = 1384.1", ["elevation 6.8 -> 1,384.1 ft"]),
    ("elevation = NULL", ["elevation 6.8 ft -> none"]),
    ("name = 'PALO ALTO ARPT OF SANTA CLARA CO'", ["name PALO ALTO -> PALO ALTO ARPT OF SANTA CLARA CO"]),
    ("latitude = latitude + 0.001", ["moved 111 m N"]), ("longitude = longitude - 0.1", ["moved 4.8 NM W"]),
    ("latitude = latitude - 0.000002", ["moved less than 1 m"]),
    ("latitude = latitude - 0.000001, longitude = longitude + 0.00000001", []),
    ("isTowered = 0", ["tower yes -> no"]), ("fuelTypes = '[\"JetA\",\"UL94\"]'", ["fuel +UL94 -100LL"]),
    ("magneticVariation = -1.5", ["variation 15E -> 1.5W"]),
    ("icao = 'KPAX', faaID = 'PAX'", ["identifier KPAO -> KPAX", "FAA identifier PAO -> PAX"]),
    ("icao = 'KPAO-A'", ["identifier KPAO -> KPAO-A"]),
    ("use = 'private', elevation = 7.5", ["use public -> private", "elevation 6.8 -> 7.5 ft"]),
    ("longestRunway = 3, id = 999, effectiveDate = '2023-05-18'", []),
  ])
  func `describes a field of an airport`(assignment: String, texts: [String]) throws {
    let sql = """
      UPDATE airports SET \(assignment) WHERE icao = 'KPAO';
      UPDATE runways SET airport = (SELECT icao FROM airports WHERE siteNumber = '02022.') WHERE airport = 'KPAO';
      UPDATE frequencies SET airport = (SELECT icao FROM airports WHERE siteNumber = '02022.') WHERE airport = 'KPAO';
      """
    let difference = try compare(sql)
    #expect(difference.airports.flatMap { $0.fields.map(\.text) } == texts)
    #expect(difference.airports.allSatisfy { $0.runways.isEmpty && $0.frequencies.isEmpty })
    // An airport that lost its tower is listed among the towered.
    #expect(difference.airports.allSatisfy { $0.rank == .towered && $0.change == .changed })
  }

  @Test func `reports new, removed, closed and reopened airports`() throws {
    let middle = try changed(
      "UPDATE airports SET status = 'closedIndefinitely' WHERE icao = 'KHAF'", name: "middle.sqlite")
    let new = try changed(
      """
      DELETE FROM airports WHERE icao = 'KSQL'; UPDATE airports SET status = 'closedPermanently' WHERE icao = 'L06';
      INSERT INTO airports SELECT 99, 'KNEW', 'NEW', '9', siteType, 'NEW <FIELD>', city, state, country, latitude, longitude,
        elevation, type, ownership, use, status, NULL, NULL, NULL, NULL, NULL, NULL, '["100LL","JetA"]', 0, 0, 2500, NULL,
        NULL, effectiveDate FROM airports WHERE icao = 'KHAF';
      """)
    let difference = try DatabaseComparison.compare(middle, with: new)
    let changes = difference.airports.map { "\($0.icao) \($0.change.rawValue)" }
    #expect(changes == ["KSQL removed", "KHAF reopened", "KNEW added", "L06 closed"])
    // The runways and frequencies of a removed airport are not listed.
    #expect(difference.airports.allSatisfy { $0.runways.isEmpty && $0.frequencies.isEmpty })
    #expect(difference.airportSections.map(\.title) == ["Opened", "Closed"])
    let text = DifferenceText.render(difference)
    #expect(text.contains("  airports     1 added, 1 reopened, 1 removed, 1 closed: status 2\n"))
    #expect(text.contains("added: airport, public, 66.3 ft, 100LL JetA, runway 2,500 ft\n"))
    #expect(difference.summary.first?.changes == [.added: 1, .reopened: 1, .removed: 1, .closed: 1])
  }

  @Test(arguments: [
    ("UPDATE runways SET length = 2500 WHERE airport = 'KPAO'", ["13/31: length 2,443 -> 2,500 ft"]),
    ("UPDATE runways SET edgeLights = NULL WHERE airport = 'KPAO'", ["13/31: edge lights medium -> none"]),
    (
      "UPDATE runways SET baseEndDisplacedThreshold = 250, reciprocalEndTraffic = 'left' WHERE airport = 'KPAO'",
      ["13/31: end 13 displaced threshold none -> 250 ft; end 31 traffic right -> left"]
    ),
    (
      "UPDATE runways SET reciprocalEndLatitude = reciprocalEndLatitude + 0.0001 WHERE airport = 'KPAO'",
      ["13/31: end 31 moved 11 m N"]
    ),
    (
      "UPDATE runways SET baseEndLatitude = NULL, baseEndLongitude = NULL WHERE airport = 'KPAO'",
      ["13/31: end 13 position withdrawn"]
    ),
    (
      "UPDATE runways SET id = '14/32', baseEndID = '14', reciprocalEndID = '32', width = 75 WHERE airport = 'KPAO'",
      ["14/32: number 13/31 -> 14/32; width 70 -> 75 ft"]
    ), ("UPDATE runways SET id = '13R/31L' WHERE airport = 'KPAO'", ["13R/31L: number 13/31 -> 13R/31L"]),
    (
      "UPDATE runways SET id = '13R/31L', length = 9 WHERE airport = 'KPAO'",
      [
        "13/31 removed: 2,443 ft, 70 ft wide, asphalt, medium lights",
        "13R/31L added: 9 ft, 70 ft wide, asphalt, medium lights",
      ]
    ),
    (
      "UPDATE runways SET id = '16/34' WHERE airport = 'KPAO'",
      [
        "13/31 removed: 2,443 ft, 70 ft wide, asphalt, medium lights",
        "16/34 added: 2,443 ft, 70 ft wide, asphalt, medium lights",
      ]
    ),
  ])
  func `matches and describes runways`(sql: String, lines: [String]) throws {
    let airport = try airport(sql)
    #expect(airport.runways.map(\.line) == lines)
    #expect(airport.icao == "KPAO" && airport.fields.isEmpty && airport.change == .changed)
    #expect(airport.lines.first == "runway " + lines[0])
  }

  @Test(arguments: [
    (
      "UPDATE frequencies SET frequency = 118.65 WHERE airport = 'KPAO' AND type = 'tower'",
      ["tower 118.65: frequency 118.6 -> 118.65 MHz"]
    ),
    (
      "UPDATE frequencies SET frequency = frequency + 0.5 WHERE airport = 'KSFO' AND use IN ('SEGUL DP', 'PORTE DP')",
      ["other 135.6: frequency 135.1 -> 135.6 MHz", "other 307.7: frequency 307.2 -> 307.7 MHz"]
    ),
    ("UPDATE frequencies SET hours = '24' WHERE airport = 'KPAO' AND type = 'ctaf'", ["ctaf 118.6: hours"]),
    ("DELETE FROM frequencies WHERE airport = 'KPAO' AND type = 'atis'", ["atis 135.275 removed"]),
    ("UPDATE frequencies SET number = number + 50 WHERE airport = 'KPAO'", []),
    (
      "INSERT INTO frequencies SELECT airport, 90, 'tower', 119.0, 'X', NULL, 'LCL/S', 1, 0, NULL, NULL, NULL FROM frequencies WHERE airport = 'KPAO' AND type = 'tower'",
      ["tower 119.0 added: X, LCL/S"]
    ),
  ])
  func `matches and describes frequencies`(sql: String, starts: [String]) throws {
    let lines = try compare(sql).airports.flatMap { $0.frequencies.map(\.line) }
    #expect(lines.count == starts.count)
    #expect(zip(lines, starts).allSatisfy { $0.hasPrefix($1) }, "\(lines)")
  }

  @Test func `shows the first difference of long texts`() throws {
    let remark = String(repeating: "ACTVT MIRL RWY 13/31. ", count: 5)
    let base = try changed(
      "UPDATE frequencies SET remark = '\(remark)' WHERE airport = 'KPAO' AND type = 'ctaf'", name: "base")
    let new = try changed(
      "UPDATE frequencies SET remark = '\(remark)PAPI TOO.' WHERE airport = 'KPAO' AND type = 'ctaf'")
    let difference = try DatabaseComparison.compare(base, with: new)
    let field = try #require(difference.airports.first?.frequencies.first?.fields.first)
    #expect(field.text == #"remark "...MIRL RWY 13/31. " -> "...MIRL RWY 13/31. PAPI TOO.""#)
    #expect(field.old == .text(remark))
  }

  @Test func `compares navaids and fixes with shared names`() throws {
    let difference = try compare(
      """
      UPDATE navaids SET frequency = 366 WHERE identifier = 'AA' AND city = 'FARGO';
      UPDATE navaids SET type = 'vortac' WHERE identifier = 'OAK'; DELETE FROM navaids WHERE identifier = 'SFO' AND type = 'vot';
      DELETE FROM fixes WHERE id = 1; UPDATE fixes SET longitude = longitude + 0.001 WHERE id = 2;
      """)
    #expect(
      difference.navaids.map(\.line) == [
        "AA KENIE: frequency 365.0 -> 366.0 kHz", "OAK OAKLAND: type vor dme -> vortac",
        "SFO SAN FRANCISCO removed: 111.0 MHz, operational, SAN FRANCISCO",
      ])
    #expect(difference.fixes.map(\.change.rawValue).sorted() == ["changed", "removed"])
    let tallies = Dictionary(uniqueKeysWithValues: difference.summary.map { ($0.table, $0.changes) })
    #expect(
      tallies["navaids"] == [.changed: 2, .removed: 1] && tallies["fixes"] == [.changed: 1, .removed: 1])
    let text = DifferenceText.render(difference)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(text.contains("Fixes (2)\n  removed: "))
  }

  @Test func `lists towered airports first, then public, then private ones`() throws {
    let difference = try compare("UPDATE airports SET elevation = coalesce(elevation, 0) + 1")
    let ranks = difference.airports.map(\.rank)
    let order = AirportDifference.Rank.allCases
    #expect(ranks == ranks.sorted { (order.firstIndex(of: $0) ?? 9) < (order.firstIndex(of: $1) ?? 9) })
    #expect(Set(ranks).count == 3 && difference.airports.count == 21)
    let states = difference.airports.filter { $0.rank == .towered }.map { $0.state ?? "~" }
    #expect(states == states.sorted())
  }

  @Test func `compares an older schema as far as possible`() throws {
    let older = try changed(
      """
      ALTER TABLE runways DROP COLUMN condition; ALTER TABLE airports DROP COLUMN chart; DROP TABLE remarks;
      CREATE TABLE obstacles (oas TEXT); PRAGMA user_version = 1;
      UPDATE metadata SET value = '1' WHERE key = 'schema_version'; UPDATE airports SET elevation = 9 WHERE icao = 'KPAO';
      """)
    let difference = try DatabaseComparison.compare(older, with: old)
    #expect(difference.old.schemaVersion == "1" && difference.new.schemaVersion == "4")
    #expect(
      difference.notCompared == [
        "airports: only the new file has the columns chart",
        "runways: only the new file has the columns condition", "obstacles: only the old file has this table",
      ])
    #expect(difference.airports.flatMap { $0.fields.map(\.text) } == ["elevation 9 -> 6.8 ft"])
    #expect(difference.otherTables == [TableGrowth(table: "remarks", old: 0, new: 1)])
    #expect(DifferenceText.render(difference).contains("Not compared\n  airports: only the new file"))
  }

  @Test func `the JSON document has a stable form`() throws {
    let sql =
      "UPDATE airports SET elevation = 7 WHERE icao = 'KPAO'; UPDATE metadata SET value = '2305' WHERE key = 'cycle'"
    let difference = try compare(sql)
    let json = String(decoding: try CanonicalJSON.line(difference), as: UTF8.self)
    let airport =
      #"{"change":"changed","city":"PALO ALTO","country":"US","fields":[{"field":"elevation","new":7,"old":6.8,"#
      + #""text":"elevation 6.8 -> 7 ft"}],"frequencies":[],"icao":"KPAO","name":"PALO ALTO","rank":"towered","#
      + #""runways":[],"siteNumber":"02022.","siteType":"A","state":"CA","type":"airport"}"#
    #expect(
      json.hasPrefix(
        "{\"airports\":[\(airport)],\"airspaces\":[],\"fixes\":[],\"format\":\"chartpipe-diff-1\""))
    #expect(json.contains(#"{"changes":{"changed":1},"fields":{"elevation":1},"table":"airports"}"#))
    #expect(json.contains(#""cycle":"2305","effective":"2023-04-20T09:01:00Z""#))
  }
}

import Core
import Foundation
import ImageIO
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Each fixture has one error, and only the rule for it reports it.
@Suite(.slow) struct ArchiveRuleTests {
  let fixture: ArchiveFixture
  init() throws { fixture = try ArchiveFixture() }

  @Test func `has no findings in a good archive`() throws { #expect(try fixture.findings() == []) }

  @Test func `finds a tile without an image`() throws {
    try fixture.alter(
      """
      DELETE FROM images WHERE tile_id = (SELECT tile_id FROM map WHERE \(ArchiveFixture.isAt(ArchiveFixture.western)))
      """)
    try fixture.rehash()
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["archive-integrity", "tiles-inside-bounds"])
    #expect(findings.allSatisfy { $0.where == "\(fixture.file.path) tile \(ArchiveFixture.western)" })
  }

  @Test func `finds an index that lacks a row`() throws {
    try fixture.file.execute(
      """
      CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'tile_index';
      PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'tile_index'
      """)
    try fixture.file.execute(
      """
      INSERT INTO map SELECT zoom_level, tile_column, 0, tile_id FROM map LIMIT 1;
      PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT * FROM kept
      """)
    let findings = try fixture.findings()
    #expect(Set(findings.map(\.rule)) == ["archive-integrity"])
    #expect(findings.contains { $0.message.contains("missing from index tile_index") })
  }

  @Test(arguments: ["PRAGMA application_id = 0", "DROP INDEX tile_index", "PRAGMA journal_mode = WAL"])
  func `finds missing parts of the MBTiles schema`(sql: String) throws {
    try fixture.file.execute(sql)
    #expect(try fixture.findings().map(\.rule) == ["archive-schema"])
  }

  @Test func `reports only the schema of an archive without tiles`() throws {
    try fixture.alter("DROP VIEW tiles")
    let findings = try fixture.findings()
    #expect(Set(findings.map(\.rule)) == ["archive-schema"])
    #expect(findings.contains { $0.message == "`tiles` has no column `tile_data`" })
  }

  @Test(arguments: [
    ("minzoom", "10"), ("maxzoom", "12"), ("format", "jpg"), ("name", ""), ("type", "poster"),
    ("bounds", "-122.6;37.2;-121.9;37.9"), ("bounds", "-122.6,37.2,-119.9,37.9"),
    ("center", "-122.25,37.55"), ("center", "37.55,-122.25,10"), ("center", "-122.25,37.55,5"),
  ])
  func `finds wrong metadata`(key: String, value: String) throws {
    try fixture.set(key, value)
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["archive-metadata"])
    #expect(findings.first?.severity == .error && findings.first?.message.contains("`\(key)`") == true)
  }

  @Test(arguments: ["attribution", "description", "version", "center", "type"])
  func `warns of missing optional metadata`(key: String) throws {
    try fixture.alter("DELETE FROM metadata WHERE name = '\(key)'")
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["archive-metadata"])
    #expect(findings.map(\.severity) == [.warning])
  }

  @Test func `finds every broken tile`() throws {
    let id = ArchiveFixture.inner
    let neighbours = (0...3).map { TileID(zoom: id.zoom, column: id.column, row: id.row + $0 - 2) }
    try fixture.replace(neighbours[0], by: Array("not an image".utf8))
    try fixture.replace(neighbours[1], by: Array(try ArchiveFixture.image(of: id).dropLast(40)))
    try fixture.replace(neighbours[2], by: try ArchiveFixture.image(of: id, side: 128))
    try fixture.replace(neighbours[3], by: try ArchiveFixture.image(of: id, alpha: 0))
    try fixture.rehash()
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == Array(repeating: "tiles-decode", count: 4))
    let places = neighbours.map { "\(fixture.file.path) tile \($0)" }
    #expect(Set(findings.map(\.where)) == Set(places))
    #expect(findings.contains { $0.message == "it has 128 x 128 pixels, neither 256 x 256 nor 512 x 512" })
    #expect(findings.contains { $0.message == "it is fully transparent, so it should not exist" })
  }

  @Test(arguments: [(256, "webp"), (512, "png"), (512, "webp")])
  func `accepts WebP and tiles of 512 pixels`(side: Int, format: String) throws {
    try fixture.replaceAll(side: side, format: format == "webp" ? .webp(quality: 50) : .png32)
    try fixture.set("format", format)
    #expect(try fixture.findings() == [])
  }

  @Test(arguments: [
    (ImageChange.side(512), "it has 512 x 512 pixels, but others of the archive have 256 x 256"),
    (.format(.webp(quality: 50)), "it is webp, but others of the archive are png"),
    (.huge, "it is not a readable PNG or WebP"),
  ])
  func `finds a tile of another size or format`(change: ImageChange, message: String) throws {
    let id = ArchiveFixture.inner
    let image =
      switch change {
      case .side(let side): try ArchiveFixture.image(of: id, side: side)
      case .format(let format): try ArchiveFixture.image(of: id, format: format)
      case .huge: try PNG.encode(RGBAImage(width: 4096, height: 1))
      }
    try fixture.replace(id, by: image)
    try fixture.rehash()
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["tiles-decode"])
    #expect(findings.first?.message.hasPrefix(message) == true)
  }

  enum ImageChange: Sendable {
    case side(Int)
    case format(TileFormat)
    case huge
  }

  @Test func `finds a tile without a parent`() throws {
    let parent = ArchiveFixture.western.parent
    try fixture.remove(parent)
    try fixture.rehash()
    #expect(try fixture.rulesThatFire() == ["tiles-have-parents", "tiles-inside-bounds"])
    let findings = try fixture.findings().filter { $0.rule == "tiles-have-parents" }
    #expect(findings.allSatisfy { $0.message == "the tile above it, \(parent), is missing" })
    #expect(findings.count == 4)
  }

  @Test func `finds two exchanged tiles by the hash`() throws {
    let one = ArchiveFixture.inner
    let other = TileID(zoom: one.zoom, column: one.column + 1, row: one.row)
    try fixture.replace(one, by: try ArchiveFixture.image(of: other))
    try fixture.replace(other, by: try ArchiveFixture.image(of: one))
    #expect(try fixture.findings().map(\.rule) == ["tile-hash"])
  }

  @Test(arguments: ["178,37.2,187,37.9", "-122.6,37.2,-121.9,37.9", "178,51,600,53", "somewhere"])
  func `finds wrong bounds across 180 degrees`(text: String) throws {
    try fixture.set("antimeridian_adjusted_bounds", text)
    let findings = try fixture.findings()
    #expect(findings.contains { $0.rule == "archive-metadata" && $0.message.hasPrefix("`antimeridian") })
  }

  @Test func `finds a missing hash`() throws {
    try fixture.alter("DELETE FROM metadata WHERE name = 'agg_tiles_hash'")
    #expect(try fixture.findings().map(\.rule) == ["tile-hash"])
  }

  @Test(arguments: [ArchiveFixture.inner, ArchiveFixture.western])
  func `finds a hole in the chart, also at the edge`(tile: TileID) throws {
    try fixture.remove(tile)
    try fixture.rehash()
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["tiles-inside-bounds"])
    #expect(findings.first?.where == "\(fixture.file.path) tile \(tile)")
  }

  @Test func `accepts a missing tile that the edge barely reaches`() throws {
    let box = ArchiveFixture.western.box
    let pixel = (box.east - box.west) / 256
    for (pixels, isExpected) in [(3.0, false), (6, true)] {
      // A western edge through the tiles of one column, this many pixels from their eastern side.
      let west = box.east - pixels * pixel
      let ring = "[[\(west),37.9],[\(west),37.2],[-121.9,37.2],[-121.9,37.9],[\(west),37.9]]"
      try fixture.set("chartpipe:neatline", #"{"type":"Polygon","coordinates":[\#(ring)]}"#)
      try fixture.remove(ArchiveFixture.western)
      try fixture.rehash()
      #expect(try fixture.rulesThatFire().contains("tiles-inside-bounds") == isExpected, "\(pixels) pixels")
    }
  }

  @Test func `finds a stray tile`() throws {
    try fixture.alter("INSERT INTO map SELECT 9, 300, 200, tile_id FROM map LIMIT 1")
    try fixture.rehash()
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["tiles-inside-bounds"])
    #expect(findings.first?.message == "it lies outside the archive's bounds")
  }

  @Test func `finds a tile inside of the bounds but outside of the neatline`() throws {
    try fixture.set(
      "chartpipe:neatline",
      #"{"type":"Polygon","coordinates":[[[-122.6,37.9],[-122.6,37.2],[-121.9,37.2],[-122.6,37.9]]]}"#)
    let findings = try fixture.findings()
    #expect(Set(findings.map(\.rule)) == ["tiles-inside-bounds", "neatline-edges"])
    let corner = TileID(zoom: 11, containing: GeoPoint(longitude: -121.9, latitude: 37.9))
    #expect(findings.contains { $0.where.hasSuffix("tile \(corner)") })
    #expect(!findings.contains { $0.where.hasSuffix("tile \(ArchiveFixture.western)") })
  }

  @Test(arguments: [
    ("zoom_level = 40", "tile 40/"), ("tile_row = -9223372036854775808", "tms -9223372036854775808"),
    ("tile_column = 9223372036854775807", "9223372036854775807"),
  ])
  func `finds a row with an impossible tile address`(change: String, place: String) throws {
    try fixture.alter("UPDATE map SET \(change) WHERE \(ArchiveFixture.isAt(ArchiveFixture.western))")
    try fixture.rehash()
    let findings = try fixture.findings()
    #expect(findings.contains { $0.rule == "tiles-inside-bounds" && $0.where.contains(place) })
  }

  @Test func `limits the findings of one rule`() throws {
    try fixture.file.execute("UPDATE images SET tile_data = x'00'")
    let images = try SQLiteConnection(fixture.file.path, mode: .readOnly).count("images")
    try fixture.rehash()
    let findings = try fixture.findings().filter { $0.rule == "tiles-decode" }
    #expect(findings.count == 21)
    #expect(findings.last?.message == "and \(images - 20) more like these")
    #expect(findings.last?.severity == .error)
  }

  @Test(arguments: [1, 2, 5]) func `has the same findings with any number of threads`(jobs: Int) throws {
    try fixture.alter("UPDATE images SET tile_data = x'00' WHERE rowid % 3 = 0")
    try fixture.rehash()
    let request = ValidationRequest([fixture.file])
    let report = try Validator(jobs: jobs).validate(request, progress: SilentProgress())
    #expect(try report == Validator(jobs: 3).validate(request, progress: SilentProgress()))
    #expect(!report.ok)
  }

  @Test(arguments: [
    ("chartpipe:cycle", "2699", "`chartpipe:cycle` is 2699"),
    ("chartpipe:effective", "2026-09-03T09:01:00Z", "`chartpipe:effective` is 2026-09-03"),
    ("chartpipe:expires", "2027-12-24T09:01:00Z", "`chartpipe:expires` is 2027-12-24"),
    ("version", "2612", "`version` is 2612"),
    ("chartpipe:source_sha256", "abc,def", "`chartpipe:source_sha256`"),
  ])
  func `finds an edition that is not in the calendar`(key: String, value: String, words: String) throws {
    try fixture.set(key, value)
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["archive-edition"])
    #expect(findings.first?.message.hasPrefix(words) == true)
  }

  @Test func `counts the tiles of each zoom`() throws {
    let product = try ProductFixture()
    let report = try Validator().validate([product.file], progress: SilentProgress())
    let zooms = try #require(report.facts["test/Bay"]?.zooms)
    #expect(zooms.map(\.zoom) == Array(ArchiveFixture.zooms))
    #expect(zooms.allSatisfy { 0 < $0.fewest && $0.fewest <= $0.tiles && $0.tiles <= $0.most })
  }
}

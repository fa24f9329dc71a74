import Core
import Foundation
import Pipeline
import SQLiteIO
import TestSupport
import Testing
import TileArchive

/// Patches from one archive to the next.
@Suite(.blocking, .slow) struct PatchTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ name: String) -> URL { folder.file(name) }
  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: file(name)) }

  /// Writes two archives and the patch between them.
  @discardableResult
  private func make(_ old: ChanceArchive, _ new: ChanceArchive) throws -> ArchivePatch.Summary {
    for name in ["a", "b", "p", "out", "flat", "out2", "p2"] {
      try? FileManager.default.removeItem(at: file(name))
    }
    try old.write(to: file("a"))
    try new.write(to: file("b"))
    return try ArchivePatch.make(from: file("a"), to: file("b"), at: file("p")) { _, _ in }
  }

  @discardableResult
  private func apply(_ patch: String = "p", to base: String = "a", as out: String = "out") throws
    -> ArchiveSummary
  {
    try ArchivePatch.apply(file(patch), to: file(base), at: file(out)) { _, _ in }
  }

  private func problem(_ body: () throws -> Void) throws -> String {
    let fault = try #require(throws: UserError.self) { try body() }
    #expect(fault.kind == .badInput && fault.suggestion?.isEmpty == false)
    return fault.reason
  }

  @Test(arguments: 0..<100)
  func `applied to the old archive it gives the new one, byte for byte`(seed: Int) throws {
    var chance = Chance(seed: seed)
    let old = ChanceArchive(&chance)
    let new = old.successor(&chance)
    let made = try make(old, new)
    let places = Set(old.tiles.keys).union(new.tiles.keys)
    #expect(made.changed == places.count { new.tiles[$0] != nil && old.tiles[$0] != new.tiles[$0] })
    #expect(made.removed == places.count { new.tiles[$0] == nil })
    let summary = try apply()
    #expect(summary.tiles == new.tiles.count)
    #expect(try bytes("out") == bytes("b"))
    // The layout of the old archive does not matter.
    try file("a").writeFlat(to: file("flat"))
    try apply(to: "flat", as: "out2")
    #expect(try bytes("out2") == bytes("b"))
    _ = try ArchivePatch.make(from: file("flat"), to: file("b"), at: file("p2")) { _, _ in }
    #expect(try bytes("p2") == bytes("p"))
  }

  @Test func `its rows are those of other tools' patches`() throws {
    var (old, new) = (ChanceArchive.empty, ChanceArchive.empty)
    old.tiles = [
      TileID(zoom: 1, column: 1, row: 1): Array("a".utf8),
      TileID(zoom: 2, column: 1, row: 3): Array("b".utf8),
      TileID(zoom: 2, column: 2, row: 0): Array("same".utf8),
    ]
    new.tiles = old.tiles
    new.tiles[TileID(zoom: 1, column: 1, row: 1)] = Array("x".utf8)
    new.tiles[TileID(zoom: 2, column: 1, row: 3)] = nil
    new.tiles[TileID(zoom: 2, column: 1, row: 0)] = Array("c".utf8)
    (old.notes, new.notes) = (["old:note": "1", "note:both": "1"], ["note:both": "2"])
    try make(old, new)
    let patch = try SQLiteConnection(file("p").path, mode: .readOnly)
    let tiles = try patch.prepare(
      "SELECT zoom_level || '/' || tile_column || '/' || tile_row, tile_data FROM tiles"
    ).map { ($0.text(0) ?? "", $0.text(1)) }
    #expect(tiles.map(\.0) == ["1/1/0", "2/1/0", "2/1/3"] && tiles.map(\.1) == ["x", nil, "c"])
    let rows = try patch.prepare("SELECT name, value FROM metadata").map { ($0.text(0) ?? "", $0.text(1)) }
    let metadata = Dictionary(uniqueKeysWithValues: rows)
    // printf '110a210b223same' | md5sum, and so on
    #expect(metadata["agg_tiles_hash_before_apply"] == "601F240BBF75A823D718BD43E2538E90")
    #expect(metadata["agg_tiles_hash_after_apply"] == "B7A4114BDA78B019EC1D94729FDC3581")
    #expect(metadata["agg_tiles_hash"] == "1333F146671BDFC22F9234137C192F73")
    #expect(metadata["old:note"] == .some(nil) && metadata["note:both"] == "2")
    #expect(metadata["bounds"] == "-122.5,37,-121.0625,38.25")
    #expect(try patch.prepare("PRAGMA application_id").map { $0.int(0) } == [0x4d50_4258])
  }

  @Test func `where no tile differs it has none, and both ends`() throws {
    var chance = Chance(seed: 7)
    let old = ChanceArchive(&chance)
    var new = old
    new.notes = ["chartpipe:cycle": "2612"]
    let made = try make(old, new)
    #expect(made.changed == 0 && made.removed == 0 && made.span.before == made.span.after)
    #expect(try bytes("p").count < 20_000)
    try apply()
    #expect(try bytes("out") == bytes("b"))
  }

  @Test func `it ends as soon as it is larger than it may be`() throws {
    var chance = Chance(seed: 3)
    let (old, new) = (ChanceArchive(&chance), ChanceArchive(&chance))
    try old.write(to: file("a"))
    try new.write(to: file("b"))
    #expect(throws: ArchivePatch.TooLarge.self) {
      _ = try ArchivePatch.make(from: file("a"), to: file("b"), at: file("p"), limit: 1000) { _, _ in }
    }
  }

  @Test func `another base, and one that was changed, are refused`() throws {
    var chance = Chance(seed: 11)
    let old = ChanceArchive(&chance)
    try make(old, old.successor(&chance))
    let refusal = "the patch is for another archive: for tiles with hash "
    #expect(try problem { try apply(to: "b") }.hasPrefix(refusal))
    try SQLiteConnection(file("a").path, mode: .create).execute(
      "UPDATE images SET tile_data = x'00' WHERE rowid = 1")
    #expect(try problem { try apply(as: "out2") }.hasPrefix(refusal))
    #expect(
      try problem { _ = try ArchivePatch.make(from: file("a"), to: file("b"), at: file("p2")) { _, _ in } }
        .hasPrefix("it is damaged: its `agg_tiles_hash` is not "))
  }

  @Test(arguments: [
    ("UPDATE tiles SET tile_data = x'00' WHERE tile_data IS NOT NULL", "it is damaged: its `agg_tiles_hash`"),
    (
      "UPDATE metadata SET value = 'F00D' WHERE name = 'agg_tiles_hash'",
      "it is damaged: its `agg_tiles_hash`"
    ),
    (
      "UPDATE metadata SET value = 'F00D' WHERE name = 'agg_tiles_hash_after_apply'",
      "the result does not have the tiles that the patch states"
    ),
    ("DELETE FROM metadata WHERE name = 'agg_tiles_hash_after_apply'", "it is a tile archive, not a patch"),
    ("CREATE VIEW other AS SELECT 1", "it contains more than plain tables: view other"),
    (
      "CREATE TRIGGER t AFTER INSERT ON tiles BEGIN DELETE FROM tiles; END",
      "it contains more than plain tables: trigger t"
    ),
    ("CREATE VIRTUAL TABLE v USING rtree(id, a, b)", "it contains more than plain tables: table v"),
    (
      """
      ALTER TABLE tiles RENAME TO t;
      CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)
        SELECT 5 AS zoom_level, i AS tile_column, 0 AS tile_row, x'00' AS tile_data FROM n
      """, "it contains more than plain tables: view tiles"
    ),
    (
      """
      DROP TABLE tiles; CREATE TABLE tiles (zoom_level, tile_column, tile_row,
        tile_data AS (zeroblob(100000000)))
      """, "it is not a patch: it has no plain table `tiles`"
    ),
    ("DROP TABLE tiles", "it is not a patch: it has no plain table `tiles`"),
    ("INSERT INTO tiles VALUES (30, 0, 0, x'00')", "zoom 30, column 0, row 0 is not a valid tile"),
    (
      "INSERT INTO tiles VALUES (9223372036854775807, -1, 0, NULL)",
      "zoom 9223372036"
    ),
    ("INSERT INTO tiles VALUES (2, 4, 0, x'00')", "zoom 2, column 4, row 0 is not a valid tile"),
    ("INSERT INTO tiles VALUES (2, 0, -1, x'00')", "zoom 2, column 0, row -1 is not a valid tile"),
    ("INSERT INTO tiles VALUES (29, 0, 0, x'')", "tile 29/0/536870911 is empty"),
    (
      "DROP INDEX tile_index; INSERT INTO tiles SELECT * FROM tiles LIMIT 1", " is in it twice"
    ),
  ])
  func `a patch that is damaged or means no good is refused by name`(sql: String, words: String) throws {
    var chance = Chance(seed: 5)
    let old = ChanceArchive(&chance)
    var new = old
    for place in old.tiles.keys.sorted(by: { "\($0)" < "\($1)" }).prefix(5) { new.tiles[place] = [9, 9, 9] }
    try make(old, new)
    let patch = try SQLiteConnection(file("p").path, mode: .create)
    try patch.execute(sql)
    try patch.close()
    let message = try problem { try apply() }
    #expect(message.contains(words), "\(message)")
  }

  @Test func `what is no patch, and a patch in an archive's place, are refused`() throws {
    var chance = Chance(seed: 2)
    let old = ChanceArchive(&chance)
    try make(old, old.successor(&chance))
    try Data("<html>".utf8).write(to: file("page"))
    #expect(try problem { try apply("page") } == "it is not an SQLite database")
    #expect(try problem { try apply("none") } == "the file cannot be opened")
    #expect(try problem { try apply("b", as: "out2") } == "it contains more than plain tables: view tiles")
    try file("b").writeFlat(to: file("flat"))
    #expect(try problem { try apply("flat", as: "out2") } == "it is a tile archive, not a patch")
    #expect(try problem { try apply(to: "p", as: "out2") } == "it is a patch, not an archive")
    #expect(ArchivePatch.isPatch(file("p")) && !ArchivePatch.isPatch(file("b")))
    let source = try MBTilesReader(opening: file("p"))
    #expect(
      try problem { _ = try ArchiveConversion.write(source, as: .pmtiles, to: file("x.pmtiles")) { _, _ in } }
        == "it is a patch, not an archive")
  }

  @Test func `a patch that is cut off is refused`() throws {
    var chance = Chance(seed: 8)
    let (old, new) = (ChanceArchive(&chance), ChanceArchive(&chance))
    try make(old, new)
    let whole = try bytes("p")
    for part in 1...9 {
      try whole.prefix(whole.count * part / 10).write(to: file("p2"))
      #expect(throws: UserError.self, "\(part)") { try apply("p2", as: "out\(part)") }
    }
  }
}

extension ChanceArchive {
  fileprivate static var empty: ChanceArchive {
    var chance = Chance(seed: 0)
    var archive = ChanceArchive(&chance)
    (archive.tiles, archive.notes) = ([:], [:])
    return archive
  }
}

import ArchiveIO
import Core
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Archives with rows that are no tiles, tiles of the wrong format, and paths that are no files.
@Suite struct HostileArchiveTests {
  let folder = TemporaryFolder()
  let file: URL

  init() throws { file = folder.file("Hostile.mbtiles") }

  private static let start = """
    CREATE TABLE metadata (name text, value text); INSERT INTO metadata VALUES ('format', 'png');
    """

  private func write(_ sql: String) throws {
    let connection = try SQLiteConnection(file.path, mode: .create)
    try connection.execute(HostileArchiveTests.start + sql)
    try connection.close()
  }

  private func convert(_ source: URL, as kind: ArchiveKind = .pmtiles) throws {
    let out = folder.file("out.\(kind)")
    _ = try ArchiveConversion.write(try ArchiveKind.open(source), as: kind, to: out) { _, _ in }
  }

  private func fault(_ body: () throws -> Void) throws -> UserError {
    let fault = try #require(#expect(throws: UserError.self) { try body() })
    #expect(fault.kind == .badInput && fault.suggestion != nil)
    return fault
  }

  // MARK: - Rows

  private static let png = "x'89504E470D0A1A0A'"

  @Test(arguments: [
    ("NULL, NULL, NULL, \(png)", "in the row NULL/NULL/NULL", "`zoom_level` is NULL, not a whole number"),
    ("1, 'abc', 0, \(png)", "in the row 1/'abc'/0", "`tile_column` is 'abc', not a whole number"),
    ("1, 0.5, 0, \(png)", "in the row 1/0.5/0", "`tile_column` is 0.5, not a whole number"),
    ("1, 0, x'00', \(png)", "in the row 1/0/bytes", "`tile_row` is bytes, not a whole number"),
    ("1, 0, 0, 42", "in the row 1/0/0", "`tile_data` is 42, not bytes"),
    ("1, 0, 0, 'a picture'", "in the row 1/0/0", "`tile_data` is 'a picture', not bytes"),
  ])
  func `refuses a row that is not a tile`(row: String, place: String, problem: String) throws {
    for table in ["CREATE TABLE tiles (", "CREATE TABLE stored ("] {
      try? file.remove()
      let columns = "zoom_level, tile_column, tile_row, tile_data"
      let isView = table.contains("stored")
      try write(
        table + columns + ");"
          + "INSERT INTO \(isView ? "stored" : "tiles") VALUES (0, 0, 0, \(HostileArchiveTests.png)), (\(row));"
          + (isView ? "CREATE VIEW tiles AS SELECT \(columns) FROM stored;" : ""))
      let expected = "\(place) (zoom, column and row from the south), \(problem)"
      let reader = try MBTilesReader(opening: file)
      let other = folder.file("x")
      let steps: [() throws -> Void] = [
        { _ = try reader.summary() }, { try reader.forEachStored { _ in } }, { try convert(file) },
      ]
      for step in steps {
        #expect(try fault(step).reason == expected)
        try? other.remove()
      }
    }
  }

  @Test func `accepts whole numbers that are stored as floating point`() throws {
    try write(
      """
      CREATE TABLE tiles (zoom_level REAL, tile_column REAL, tile_row REAL, tile_data BLOB);
      INSERT INTO tiles VALUES (1, 1, 0, \(HostileArchiveTests.png));
      """)
    try convert(file)
    let packed = try PMTilesReader(opening: folder.file("out.pmtiles"))
    #expect(try packed.tileIDs() == [TileID(zoom: 1, column: 1, row: 1)])
  }

  @Test func `names the invalid tile`() throws {
    try write(
      """
      CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
      INSERT INTO tiles VALUES (1, 1, 0, \(HostileArchiveTests.png)), (40, 7, 9, \(HostileArchiveTests.png));
      """)
    #expect(try fault { try convert(file) }.reason == "zoom 40, column 7, row 9 is not a valid tile")
  }

  // MARK: - Tiles

  private func writeTiles(_ format: String, _ tiles: [[UInt8]]) throws {
    try ArchiveSamples.writeFlat(["format": format], tiles, zoom: 3, row: 7, to: file)
  }

  private static func image(_ format: String) -> [UInt8] {
    ForeignArchiveTests.tiles.first { $0.0 == format }?.1 ?? []
  }

  @Test(arguments: [
    ("png", [image("png"), image("jpg")], "tile 3/1/0 is jpg, but the archive is png"),
    ("webp", [image("webp"), image("png")], "tile 3/1/0 is png, but the archive is webp"),
    ("jpg", [image("png")], "tile 3/0/0 is png, but the archive is jpg"),
    ("png", [[0x78]], "tile 3/0/0 does not begin like an image, but the archive is png"),
    ("pbf", [image("png")], "tile 3/0/0 is png, but the archive is pbf"),
    ("pbf", [VectorSamples.tile()], "tile 3/0/0 is not compressed with gzip, but the archive is pbf"),
    ("pbf", [[0x28, 0xB5, 0x2F, 0xFD]], "tile 3/0/0 is not compressed with gzip, but the archive is pbf"),
  ])
  func `refuses a tile of another format`(format: String, tiles: [[UInt8]], reason: String) throws {
    try writeTiles(format, tiles)
    #expect(try fault { try convert(file) }.reason == reason)
  }

  @Test func `calls an empty vector tile empty`() throws {
    try writeTiles("pbf", [Gzip.compress(VectorSamples.tile()), []])
    #expect(try fault { try convert(file) }.reason == "tile 3/1/0 is empty")
  }

  // MARK: - Views

  @Test(.timeLimit(.minutes(15))) func `a view that calls printf is refused at once`() throws {
    try write(
      """
      CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row,
        printf('%.*c', 900000000, 'x') AS tile_data;
      """)
    let reason = try fault { _ = try MBTilesReader(opening: file).summary() }.reason
    #expect(reason.hasPrefix("its tables or views cannot be read (not authorized to use function: "))
  }

  // MARK: - Paths

  @Test(.timeLimit(.minutes(15)), arguments: ["pipe.mbtiles", "pipe.pmtiles"])
  func `does not open a pipe`(name: String) throws {
    let pipe = folder.file(name)
    try #require(mkfifo(pipe.path, 0o600) == 0)
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: pipe)
    try write("CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);")
    let expected = "it is a pipe, a socket or a device"
    for path in [pipe, link] {
      #expect(ArchiveKind(contentsOf: path) == nil)
      #expect(try fault { _ = try ArchiveKind.open(path) }.reason == expected)
    }
  }

  @Test func `a folder is called a folder`() throws {
    #expect(try fault { _ = try ArchiveKind.open(folder.url) }.reason == "it is a folder")
  }

  @Test func `a journal of unfinished changes is reported`() throws {
    try write("CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);")
    try Data([0xD9, 0xD5, 5, 0xF9]).write(to: URL(filePath: file.path + "-journal"))
    let found = try fault { _ = try MBTilesReader(opening: file) }
    #expect(found.reason.hasPrefix("its writer was interrupted"))
    #expect(found.suggestion?.contains("sqlite3 FILE") == true)
  }

  // MARK: - Writing

  /// A file without a name disappears with the process.
  @Test func `tiles that wait for others leave no file`() throws {
    let writer = try MBTilesWriter(creating: file)
    try writer.add(Tile(id: TileID(zoom: 1, column: 1, row: 0), data: [1]))
    try writer.add(Tile(id: TileID(zoom: 1, column: 0, row: 0), data: [2]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    _ = try writer.finish(
      ArchiveMetadata(
        name: "A", format: "png", bounds: GeoBox(west: -10, south: 0, east: 10, north: 10), minZoom: 1,
        maxZoom: 1, attribution: "", description: "", version: "1"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Hostile.mbtiles"])
    #expect(try MBTilesReader(opening: file).summary().distinctTiles == 2)
  }

  /// The bytes of a tile that a run repeats are stored once.
  @Test func `a run becomes rows of one image`() throws {
    var ocean = PMTilesHostilityTests.Handmade.png
    ocean.root = [1, 5, 16, 4, 1]
    try convert(try ocean.write(to: folder.file("ocean.pmtiles")), as: .mbtiles)
    let summary = try MBTilesReader(opening: folder.file("out.mbtiles")).summary()
    #expect(summary.distinctTiles == 1 && summary.zooms.map(\.tiles) == [16])
  }
}

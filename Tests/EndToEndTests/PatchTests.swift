import Core
import Foundation
import Pipeline
import RasterIO
import SQLiteIO
import TestSupport
import Testing
import TileArchive

/// Patches between archives that were really built: a chart before and after its seam was filled, and the mosaic of which it is
/// a part.
@Suite(.serialized) struct PatchTests {
  private static let flight = Result { () throws -> TemporaryFolder in
    let work = try TemporaryFolder()
    let ending = try Program().run([
      "build", "sample-mosaic", "--cycle", "2304", "--from", "samples", "--work", work.url.path,
    ])
    try #require(ending.status == 0, "\(ending.errors)")
    let built = work.file("build/2304/sample-mosaic")
    for (name, path) in [
      ("cut", "cut/Sample_West.mbtiles"), ("west", "Sample_West.mbtiles"), ("bay", "Bay_Area.mbtiles"),
    ] {
      try FileManager.default.copyItem(at: built.appending(path: path), to: work.file("\(name).mbtiles"))
    }
    return work
  }

  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private func run(_ words: String...) throws -> Program.Ending {
    try Program().run(["patch"] + words, in: try Self.flight.get().url)
  }

  private func file(_ name: String) throws -> URL { try Self.flight.get().file(name) }

  @Test(arguments: [("cut", "west"), ("west", "bay"), ("bay", "west"), ("west", "west")])
  func `what was built comes out byte for byte`(old: String, new: String) throws {
    let (patch, out) = ("\(old)-\(new).patch", "\(old)-\(new).mbtiles")
    let made = try run("make", "\(old).mbtiles", "\(new).mbtiles", patch)
    #expect(made.status == 0 && made.output == "\(patch)\n", "\(made.errors)")
    let again = try run("make", "\(old).mbtiles", "\(new).mbtiles", "again.patch")
    #expect(again.status == 0)
    #expect(try Data(contentsOf: file("again.patch")) == Data(contentsOf: file(patch)))
    let applied = try run("apply", "\(old).mbtiles", patch, out, "--json")
    #expect(applied.status == 0 && applied.output.contains("\"tiles\" : "), "\(applied.errors)")
    #expect(try Data(contentsOf: file(out)) == Data(contentsOf: file("\(new).mbtiles")))
  }

  @Test func `the base may be replaced by what comes out, which GDAL opens`() throws {
    try FileManager.default.copyItem(at: try file("cut.mbtiles"), to: try file("base.mbtiles"))
    #expect(try run("make", "cut.mbtiles", "west.mbtiles", "seam.patch").status == 0)
    let ending = try run("apply", "base.mbtiles", "seam.patch", "base.mbtiles")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try Data(contentsOf: file("base.mbtiles")) == Data(contentsOf: file("west.mbtiles")))
    let raster = try RasterDataset(opening: try file("base.mbtiles").path, drivers: ["MBTiles"])
    #expect(raster.driver == "MBTiles" && raster.bandCount == 4 && raster.width > 256)
    try raster.close()
    let second = try run("apply", "base.mbtiles", "seam.patch", "base.mbtiles")
    #expect(second.status == 3 && second.errors.contains("the patch is for another archive"))
    #expect(try Data(contentsOf: file("base.mbtiles")) == Data(contentsOf: file("west.mbtiles")))
  }

  /// The page's words are what apps are written from, so it is these that are run.
  @Test(.enabled(if: python != nil), arguments: [(0, true), (1, false)])
  func `the SQL of the formats' page does the same in another program`(block: Int, flat: Bool) throws {
    #expect(try run("make", "cut.mbtiles", "bay.mbtiles", "sql.patch").status == 0)
    let page = try String(contentsOf: repositoryRoot.appending(path: "docs/FORMATS.md"), encoding: .utf8)
    let section = try #require(page.components(separatedBy: "\n## Patches\n").last)
    let blocks = section.components(separatedBy: "```sql\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
    let sql = blocks[block].replacing("new.patch", with: try file("sql.patch").path)
    let base = try file("sql-\(block).mbtiles")
    try? FileManager.default.removeItem(at: base)
    if flat {
      try copyFlat(try file("cut.mbtiles"), to: base)
    } else {
      try FileManager.default.copyItem(at: try file("cut.mbtiles"), to: base)
    }
    try applyInPython(sql, to: base)
    let new = try MBTilesReader(opening: try file("bay.mbtiles"))
    let patched = try MBTilesReader(opening: base)
    #expect(try patched.aggregateHash() == new.aggregateHash())
    #expect(try patched.metadata() == new.metadata())
    #expect(try flat || patched.summary() == new.summary())
  }

  private func applyInPython(_ sql: String, to base: URL) throws {
    let program = """
      import hashlib, sqlite3, sys
      database = sqlite3.connect(sys.argv[1], isolation_level=None)
      database.create_function("md5", 1, lambda data: hashlib.md5(data).hexdigest())
      database.executescript(sys.argv[2])
      """
    let ending = try RunningProgram(
      URL(filePath: try #require(Self.python)), ["-c", program, base.path, sql]
    ).wait()
    #expect(ending.status == 0, "\(ending.errors)")
  }

  private func copyFlat(_ archive: URL, to copy: URL) throws {
    let connection = try SQLiteConnection(copy.path, mode: .create)
    try connection.execute(
      """
      ATTACH '\(archive.path)' AS own;
      CREATE TABLE metadata AS SELECT * FROM own.metadata;
      CREATE TABLE tiles AS SELECT * FROM own.tiles;
      """)
    try connection.close()
  }

  @Test(arguments: [
    (["make", "west.mbtiles", "bay.mbtiles"], Int32(2), "OUT is missing"),
    (["mend", "a", "b", "c"], 2, "\"mend\" is neither make nor apply"),
    (["make", "west.mbtiles", "bay.mbtiles", "./bay.mbtiles"], 2, "OUT would overwrite ./bay.mbtiles"),
    (["apply", "west.mbtiles", "bay.mbtiles", "bay.mbtiles"], 2, "OUT would overwrite bay.mbtiles"),
    (["apply", "west.mbtiles", "bay.mbtiles", "out"], 3, "there is more than plain tables in it"),
    (["make", "page.html", "bay.mbtiles", "out"], 3, "it is not an SQLite database"),
    (["make", "west.pmtiles", "bay.mbtiles", "out"], 2, "west.pmtiles is PMTiles, and patches are of"),
    (["make", "west.mbtiles", "bay.mbtiles", "none/out"], 1, "the file cannot be written"),
    (["make", "west.mbtiles", "bay.mbtiles", "build"], 2, "it is there already, and is no plain file"),
  ])
  func `what cannot be done is told and leaves no file`(
    words: [String], status: Int32, problem: String
  ) throws {
    try Data("<html>".utf8).write(to: file("page.html"))
    let pmtiles = try file("build/2304/sample-mosaic/Sample_West.pmtiles")
    if try !FileManager.default.fileExists(atPath: file("west.pmtiles").path) {
      try FileManager.default.copyItem(at: pmtiles, to: try file("west.pmtiles"))
    }
    let before = try files(below: Self.flight.get().url)
    let ending = try Program().run(["patch"] + words, in: try Self.flight.get().url)
    #expect(ending.status == status && ending.errors.contains(problem), "\(ending.errors)")
    #expect(try files(below: Self.flight.get().url) == before)
  }

  @Test func `a patch is told apart from an archive`() throws {
    #expect(try run("make", "cut.mbtiles", "west.mbtiles", "told.patch").status == 0)
    let folder = try Self.flight.get().url
    let inspection = try Program().run(["inspect", "told.patch"], in: folder)
    #expect(inspection.output.hasPrefix("told.patch: patch of a tile archive (MBTiles), "))
    #expect(inspection.output.contains("\nFrom tiles ") && inspection.errors.isEmpty)
    #expect(try Program().run(["inspect", "told.patch", "--image", "told.png"], in: folder).status == 2)
    let validation = try Program().run(["validate", "told.patch"], in: folder)
    #expect(validation.status == 4 && validation.output.contains("it is a patch, from tiles "))
  }
}

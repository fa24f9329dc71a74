import Core
import CryptoIO
import Foundation
import ImageIO
import Pipeline
import RasterIO
import SQLiteIO
import TestSupport
import Testing
import TileArchive

/// Archives in the other format, and pictures of them.
@Suite(.blocking) struct ConvertTests {
  let folder: TemporaryFolder
  let archive: URL

  init() throws {
    folder = try TemporaryFolder()
    archive = folder.file("a.mbtiles")
    let writer = try MBTilesWriter(creating: archive)
    let box = GeoBox(west: -122.6, south: 37.2, east: -121.9, north: 37.9)
    let tile = try PNG.encode(
      RGBAImage(width: 256, height: 256, pixels: [UInt8](repeating: 200, count: 256 * 256 * 4)))
    for range in (6...9).map({ TileRange(zoom: $0, covering: box) }) {
      for column in range.columns {
        for row in range.rows {
          try writer.add(Tile(id: TileID(zoom: range.zoom, column: column, row: row), data: tile))
        }
      }
    }
    _ = try writer.finish(
      ArchiveMetadata(
        name: "Bay", format: "png", bounds: box, minZoom: 6, maxZoom: 9, attribution: "FAA",
        description: "A bay", version: "2612"))
  }

  @Test(arguments: ["pmtiles", "mbtiles"])
  func `an error of writing names the folder of the call`(format: String) throws {
    let source = format == "pmtiles" ? "a.mbtiles" : "b.pmtiles"
    if format == "mbtiles" { _ = try Program().run(["convert", "a.mbtiles", source], in: folder.url) }
    let ending = try Program().run(["convert", source, "nowhere/c.\(format)"], in: folder.url)
    #expect(ending.status == 2)
    #expect(
      ending.errors.contains(
        "writing nowhere/c.\(format): \(folder.url.path)/nowhere: there is no such folder"),
      "\(ending.errors)")
  }

  @Test func `converting to PMTiles and back gives the same file`() throws {
    let there = try Program().run(["convert", "a.mbtiles", "b.pmtiles"], in: folder.url)
    #expect(there.status == 0 && there.output == "b.pmtiles\n", "\(there.errors)")
    #expect(there.errors.hasPrefix("convert a.mbtiles: "))
    try FileManager.default.copyItem(at: archive, to: folder.file("c.mbtiles"))
    let back = try Program().run(["convert", "b.pmtiles", "c.mbtiles", "--json"], in: folder.url)
    #expect(back.status == 0, "\(back.errors)")
    #expect(back.output.contains("\"kind\" : \"mbtiles\""))
    #expect(try Data(contentsOf: folder.file("c.mbtiles")) == Data(contentsOf: archive))
    let validation = try Program().run(["validate", "b.pmtiles"], in: folder.url)
    #expect(validation.status == 0, "\(validation.output)")
    #expect(try files(below: folder.url) == ["a.mbtiles", "b.pmtiles", "c.mbtiles"])
  }

  @Test(arguments: [
    (["a.mbtiles", "a.mbtiles"], Int32(2), "a.mbtiles: OUT would overwrite an input"),
    (["a.mbtiles", "./a.mbtiles"], 2, "a.mbtiles: OUT would overwrite an input"),
    (["a.mbtiles", "b.mbtiles"], 2, "a.mbtiles is MBTiles already"),
    (["a.mbtiles", "b.zip"], 2, "OUT must end in .pmtiles or .mbtiles, not \"b.zip\""),
    (["a.mbtiles"], 2, "FILE OUT is missing"),
    (["page.html", "b.pmtiles"], 3, "it is an HTML or XML text"),
    (["a.mbtiles", "none/b.pmtiles"], 2, "none: there is no such folder"),
  ])
  func `explains a wrong call and changes nothing`(operands: [String], status: Int32, problem: String) throws
  {
    try Data("<html>".utf8).write(to: folder.file("page.html"))
    let before = try Data(contentsOf: archive)
    let ending = try Program().run(["convert"] + operands, in: folder.url)
    #expect(ending.status == status && ending.errors.contains(problem), "\(ending.errors)")
    #expect(try Data(contentsOf: archive) == before)
    #expect(try files(below: folder.url) == ["a.mbtiles", "page.html"])
  }

  @Test func `removes what a killed process left, and nothing else`() throws {
    let left = folder.file(".chartpipe-\(UUID().uuidString)")
    let locked = folder.file(".chartpipe-\(UUID().uuidString)")
    let other = folder.file(".chartpipe-notes")
    for place in [left, locked, other] {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      try Data("half".utf8).write(to: place.appending(path: "x.pmtiles"))
    }
    let lock = try FolderLock(locked, operation: "testing", suggestion: "")
    let ending = try Program().run(["convert", "a.mbtiles", "b.pmtiles"], in: folder.url)
    #expect(ending.status == 0, "\(ending.errors)")
    withExtendedLifetime(lock) {
      #expect(left.kindOnDisk == nil && locked.kindOnDisk == .folder && other.kindOnDisk == .folder)
    }
    #expect(folder.file("b.pmtiles").kindOnDisk == .file)
  }

  @Test func `keeps the old file after a truncated archive`() throws {
    let good = try Program().run(["convert", "a.mbtiles", "b.pmtiles"], in: folder.url)
    #expect(good.status == 0)
    let before = try Data(contentsOf: folder.file("b.pmtiles"))
    try Data(contentsOf: archive).prefix(6000).write(to: archive)
    let ending = try Program().run(["convert", "a.mbtiles", "b.pmtiles"], in: folder.url)
    #expect(ending.status == 3, "\(ending.errors)")
    #expect(try Data(contentsOf: folder.file("b.pmtiles")) == before)
    #expect(try files(below: folder.url) == ["a.mbtiles", "b.pmtiles"])
  }

  @Test func `inspect draws a picture`() throws {
    let ending = try Program().run(["inspect", "a.mbtiles", "--image", "a.png"], in: folder.url)
    #expect(ending.status == 0 && ending.output.contains("tile archive (MBTiles)"), "\(ending.errors)")
    let picture = try PNG.decode(Array(Data(contentsOf: folder.file("a.png"))))
    #expect(picture.width == 3 * 384 + 2 * 20 + 2 * 24 && picture.isOpaque)
    let own = try Program().run(["inspect", "a.mbtiles", "--image", "a.mbtiles"], in: folder.url)
    #expect(own.status == 2 && own.errors.contains("--image would overwrite an input"))
    #expect(try files(below: folder.url) == ["a.mbtiles", "a.png"])
  }

  /// One step writes both archives, and they are staged and validated together.
  @Test func `a family can request both formats`() throws {
    let source = repositoryRoot.appending(path: "pipelines/sample-terminal.json5")
    let definition = try String(contentsOf: source, encoding: .utf8).replacing(
      /tiles: \{[^}]*\}/,
      with: "tiles: { minZoom: 6, maxZoom: 8, format: \"png\", archives: [\"mbtiles\", \"pmtiles\"] }")
    try definition.write(to: folder.file("sample-terminal.json5"), atomically: true, encoding: .utf8)
    let work = folder.file("work")
    let ending = try Program().run([
      "run", folder.file("sample-terminal.json5").path, "--cycle", "2304", "--from", "samples", "--work",
      work.path,
    ])
    #expect(ending.status == 0, "\(ending.errors)")
    let built = work.appending(path: "build/2304/sample-terminal")
    let text = try Data(contentsOf: built.appending(path: "Sample_Bay.product.json"))
    let product = try JSONDecoder().decode(Product.self, from: text)
    #expect(
      product.files.map(\.path) == [
        "Sample_Bay.mbtiles", "Sample_Bay.control.png", "Sample_Bay.reference.png", "Sample_Bay.pmtiles",
      ])
    #expect(product.files.map(\.role) == ["tiles", "control", "reference", "pmtiles"])
    let twin = try #require(product.files.last)
    #expect(twin.mediaType == "application/vnd.pmtiles")
    #expect(try SHA256Hex(ofFile: built.appending(path: twin.path)) == twin.sha256)
    let blobs = try files(below: work.appending(path: "site/blobs"))
    #expect(blobs.contains { $0.hasSuffix("\(twin.sha256).pmtiles") })
  }
}

/// Patches between built archives: a chart before and after its seam was filled, and the mosaic that contains it.
@Suite(.slow, .blocking) struct PatchTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    let built = try await Samples.mosaic().file("build/2304/sample-mosaic")
    for (name, path) in [
      ("cut.mbtiles", "cut/Sample_West.mbtiles"), ("west.mbtiles", "Sample_West.mbtiles"),
      ("bay.mbtiles", "Bay_Area.mbtiles"), ("west.pmtiles", "Sample_West.pmtiles"),
    ] {
      try FileManager.default.copyItem(at: built.appending(path: path), to: file(name))
    }
    try FileManager.default.createDirectory(at: file("folder"), withIntermediateDirectories: true)
    try Data("<html>".utf8).write(to: file("page.html"))
  }

  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private func run(_ words: String...) throws -> Program.Ending {
    try Program().run(["patch"] + words, in: folder.url)
  }

  private func file(_ name: String) -> URL { folder.file(name) }

  @Test(arguments: [("cut", "west"), ("west", "bay"), ("bay", "west"), ("west", "west")])
  func `a patch restores the new archive byte for byte`(old: String, new: String) throws {
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

  @Test func `GDAL opens a patched archive, and neither the base nor the patch is overwritten`() throws {
    #expect(try run("make", "cut.mbtiles", "west.mbtiles", "seam.patch").status == 0)
    let ending = try run("apply", "cut.mbtiles", "seam.patch", "gdal.mbtiles")
    #expect(ending.status == 0, "\(ending.errors)")
    let raster = try RasterDataset(opening: file("gdal.mbtiles").path, drivers: ["MBTiles"])
    #expect(raster.driver == "MBTiles" && raster.bandCount == 4 && raster.width > 256)
    try raster.close()
    let second = try run("apply", "gdal.mbtiles", "seam.patch", "other.mbtiles")
    #expect(second.status == 3 && second.errors.contains("the patch is for another archive"))
    let before = try Data(contentsOf: file("cut.mbtiles"))
    for out in ["cut.mbtiles", "seam.patch"] {
      let refused = try run("apply", "cut.mbtiles", "seam.patch", out)
      #expect(refused.status == 2 && refused.errors.contains("\(out): OUT would overwrite an input"))
    }
    let made = try run("make", "cut.mbtiles", "west.mbtiles", "bay.mbtiles")
    #expect(made.status == 2 && made.errors.contains("bay.mbtiles: it exists and is not a patch"))
    #expect(try Data(contentsOf: file("cut.mbtiles")) == before)
  }

  /// Apps are written from the page, so the test runs its text.
  @Test(.enabled(if: python != nil), arguments: [(0, true), (1, false)])
  func `the SQL of FORMATS.md applies a patch in another program`(block: Int, flat: Bool) throws {
    #expect(try run("make", "cut.mbtiles", "bay.mbtiles", "sql.patch").status == 0)
    let page = try String(contentsOf: repositoryRoot.appending(path: "docs/FORMATS.md"), encoding: .utf8)
    let section = try #require(page.components(separatedBy: "\n## Patches\n").last)
    let blocks = section.components(separatedBy: "```sql\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
    let sql = blocks[block].replacing("new.patch", with: file("sql.patch").path)
    let base = file("sql-\(block).mbtiles")
    try? FileManager.default.removeItem(at: base)
    if flat {
      try copyFlat(file("cut.mbtiles"), to: base)
    } else {
      try FileManager.default.copyItem(at: file("cut.mbtiles"), to: base)
    }
    try applyInPython(sql, to: base)
    let new = try MBTilesReader(opening: file("bay.mbtiles"))
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
    (
      ["make", "west.mbtiles", "bay.mbtiles", "./bay.mbtiles"], 2, "bay.mbtiles: OUT would overwrite an input"
    ),
    (
      ["apply", "west.mbtiles", "bay.mbtiles", "bay.mbtiles"], 2, "bay.mbtiles: OUT would overwrite an input"
    ),
    (["apply", "west.mbtiles", "bay.mbtiles", "out"], 3, "it contains more than plain tables"),
    (["make", "page.html", "bay.mbtiles", "out"], 3, "it is an HTML or XML text"),
    (["make", "west.pmtiles", "bay.mbtiles", "out"], 2, "west.pmtiles is PMTiles, but patches are for"),
    (["make", "west.mbtiles", "bay.mbtiles", "none/out"], 2, "none: there is no such folder"),
    (["make", "west.mbtiles", "bay.mbtiles", "folder"], 2, "it exists and is not a regular file"),
  ])
  func `explains a wrong call and leaves no file`(
    words: [String], status: Int32, problem: String
  ) throws {
    let before = try files(below: folder.url)
    let ending = try Program().run(["patch"] + words, in: folder.url)
    #expect(ending.status == status && ending.errors.contains(problem), "\(ending.errors)")
    #expect(try files(below: folder.url) == before)
  }

  @Test func `inspect and validate recognise a patch`() throws {
    #expect(try run("make", "cut.mbtiles", "west.mbtiles", "seam.patch").status == 0)
    let inspection = try Program().run(["inspect", "seam.patch"], in: folder.url)
    #expect(inspection.output.hasPrefix("seam.patch: patch of a tile archive (MBTiles), "))
    #expect(inspection.output.contains("\nFrom tiles ") && inspection.errors.isEmpty)
    #expect(try Program().run(["inspect", "seam.patch", "--image", "seam.png"], in: folder.url).status == 2)
    let validation = try Program().run(["validate", "seam.patch"], in: folder.url)
    #expect(validation.status == 4 && validation.output.contains("it is a patch, from tiles "))
  }
}

/// `chartpipe diff`.
@Suite(.blocking) struct DiffTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try database("old.sqlite", cycle: "2611", name: "PALO ALTO")
    try database("new.sqlite", cycle: "2612", name: "<script>alert('&')</script>")
  }

  private func database(_ file: String, cycle: String, name: String) throws {
    let connection = try TinyDatabase.create(at: folder.file(file), cycle: cycle)
    try connection.prepare(
      "INSERT INTO airports VALUES ('KPAO', '1', 'A', ?, 'PALO ALTO', 'CA', 'US', 'airport', 'public', 1, 2443)"
    )
    .run([.text(name)])
    try connection.close()
  }

  private func run(_ words: String...) throws -> Program.Ending {
    try Program().run(["diff"] + words, in: folder.url)
  }

  @Test func `prints the change as text and as JSON`() throws {
    let ending = try run("old.sqlite", "new.sqlite")
    #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
    #expect(ending.output.hasPrefix("Aviation data 2611 (2026-11-26) -> 2612 (2026-11-26)\n"))
    #expect(ending.output.contains("name PALO ALTO -> <script>alert('&')</script>\n"))
    let json = try run("old.sqlite", "new.sqlite", "--json")
    let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(document?["format"] as? String == "chartpipe-diff-1")
  }

  @Test func `the page escapes markup in texts`() throws {
    let ending = try run("old.sqlite", "new.sqlite", "--html", "changes.html")
    #expect(
      ending.status == 0 && ending.output.hasSuffix("1 changed: name 1\n\nchanges.html\n"), "\(ending.output)"
    )
    let page = try String(contentsOf: folder.file("changes.html"), encoding: .utf8)
    #expect(page.contains("<title>Changes 2611 (2026-11-26) → 2612 (2026-11-26)</title>"))
    #expect(page.contains("PALO ALTO → &lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"))
    #expect(page.components(separatedBy: "<script>").count == 2)
    for outside in ["http:", "https:", "src=", "url("] { #expect(!page.contains(outside)) }
    #expect(try files(below: folder.url) == ["changes.html", "new.sqlite", "old.sqlite"])
  }

  @Test(arguments: [
    (["old.sqlite"], Int32(2), "OLD NEW is missing"),
    (["old.sqlite", "none.sqlite"], 2, "there is no such file or folder"),
    (["old.sqlite", "page.sqlite"], 3, "it is no SQLite database"),
    (["old.sqlite", "new.sqlite", "--html", "./new.sqlite"], 2, "--html would overwrite an input"),
    (["old.sqlite", "new.sqlite", "--html", "none/a/b.html"], 2, "none/a: there is no such folder"),
  ])
  func `explains a wrong call`(words: [String], status: Int32, problem: String) throws {
    try Data("<html>".utf8).write(to: folder.file("page.sqlite"))
    let before = try Data(contentsOf: folder.file("new.sqlite"))
    let ending = try Program().run(["diff"] + words, in: folder.url)
    #expect(ending.status == status && ending.errors.contains(problem), "\(ending.status) \(ending.errors)")
    #expect(try Data(contentsOf: folder.file("new.sqlite")) == before)
  }
}

import Core
import CryptoIO
import Foundation
import ImageIO
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Archives in the other format, and pictures of them.
@Suite(.blocking) struct ConvertTests {
  let folder = TemporaryFolder()
  let archive: URL

  init() throws {
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
    if format == "mbtiles" { _ = try Program().run("convert a.mbtiles \(source)", in: folder.url) }
    let ending = try Program().run("convert \(source) nowhere/c.\(format)", in: folder.url).expect(2)
    #expect(
      ending.errors.contains(
        "writing nowhere/c.\(format): \(folder.url.path)/nowhere: there is no such folder"),
      "\(ending.errors)")
  }

  @Test func `converting to PMTiles and back gives the same file`() throws {
    let there = try Program().run("convert a.mbtiles b.pmtiles", in: folder.url)
    #expect(there.status == 0 && there.output == "b.pmtiles\n", "\(there.errors)")
    #expect(there.errors.hasPrefix("convert a.mbtiles: "))
    try FileManager.default.copyItem(at: archive, to: folder.file("c.mbtiles"))
    let back = try Program().run("convert b.pmtiles c.mbtiles --json", in: folder.url).expect(0)
    #expect(back.output.contains("\"kind\" : \"mbtiles\""))
    #expect(try folder.file("c.mbtiles").data == archive.data)
    try Program().run("validate b.pmtiles", in: folder.url).expect(0)
    #expect(try files(below: folder.url) == ["a.mbtiles", "b.pmtiles", "c.mbtiles"])
  }

  @Test(arguments: [
    (["a.mbtiles", "a.mbtiles"], Int32(2), "a.mbtiles: OUT would overwrite an input"),
    (["a.mbtiles", "./a.mbtiles"], 2, "a.mbtiles: OUT would overwrite an input"),
    (["a.mbtiles", "b.mbtiles"], 2, "a.mbtiles is MBTiles already"),
    (["a.mbtiles", "b.zip"], 2, "OUT must end in .mbtiles or .pmtiles, not \"b.zip\""),
    (["a.mbtiles"], 2, "FILE OUT is missing"),
    (["page.html", "b.pmtiles"], 3, "it is an HTML or XML text"),
    (["a.mbtiles", "none/b.pmtiles"], 2, "none: there is no such folder"),
  ])
  func `explains a wrong call and changes nothing`(words: [String], status: Int32, problem: String) throws {
    try folder.file("page.html").put("<html>")
    let before = try archive.data
    try Program().run(["convert"] + words, in: folder.url).expect(status, problem)
    #expect(try archive.data == before)
    #expect(try files(below: folder.url) == ["a.mbtiles", "page.html"])
  }

  @Test func `removes what a killed process left, and nothing else`() throws {
    let left = folder.file(".chartpipe-\(UUID().uuidString)")
    let locked = folder.file(".chartpipe-\(UUID().uuidString)")
    let other = folder.file(".chartpipe-notes")
    for place in [left, locked, other] {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      try place.appending(path: "x.pmtiles").put("half")
    }
    let lock = try FolderLock(locked, operation: "testing", suggestion: "")
    try Program().run("convert a.mbtiles b.pmtiles", in: folder.url).expect(0)
    withExtendedLifetime(lock) {
      #expect(left.kindOnDisk == nil && locked.kindOnDisk == .folder && other.kindOnDisk == .folder)
    }
    #expect(folder.file("b.pmtiles").kindOnDisk == .file)
  }

  @Test func `keeps the old file after a truncated archive`() throws {
    try Program().run("convert a.mbtiles b.pmtiles", in: folder.url).expect(0)
    let before = try folder.file("b.pmtiles").data
    try archive.data.prefix(6000).write(to: archive)
    try Program().run("convert a.mbtiles b.pmtiles", in: folder.url).expect(3)
    #expect(try folder.file("b.pmtiles").data == before)
    #expect(try files(below: folder.url) == ["a.mbtiles", "b.pmtiles"])
  }

  @Test func `inspect draws a picture`() throws {
    let ending = try Program().run("inspect a.mbtiles --image a.png", in: folder.url)
    #expect(ending.status == 0 && ending.output.contains("tile archive (MBTiles)"), "\(ending.errors)")
    let picture = try PNG.decode(Array(folder.file("a.png").data))
    #expect(picture.width >= 4 * 240 + 3 * 20 && picture.isOpaque)
    #expect(ending.output.contains("north edge, west edge, east edge, south edge.\n"))
    try Program().run("inspect a.mbtiles --image a.mbtiles", in: folder.url).expect(
      2, "--image would overwrite an input")
    #expect(try files(below: folder.url) == ["a.mbtiles", "a.png"])
  }

  /// One step writes both archives, and they are staged and validated together.
  @Test func `a family can request both formats`() throws {
    let source = repositoryRoot.appending(path: "pipelines/sample-terminal.json5")
    let definition = try source.text.replacing(
      /tiles: \{[^}]*\}/,
      with: "tiles: { minZoom: 6, maxZoom: 8, format: \"png\", archives: [\"mbtiles\", \"pmtiles\"] }")
    try definition.write(to: folder.file("sample-terminal.json5"), atomically: true, encoding: .utf8)
    let work = folder.file("work")
    try Program().run(
      "run \(folder.file("sample-terminal.json5").path) --cycle 2304 --from samples --work \(work.path)"
    ).expect(0)
    let built = work.appending(path: "build/2304/sample-terminal")
    let text = try built.appending(path: "Sample_Bay.product.json").data
    let product = try text.decoded(Product.self)
    #expect(
      product.files.map(\.path) == [
        "Sample_Bay.mbtiles", "Sample_Bay.control.png", "Sample_Bay.reference.png", "Sample_Bay.pmtiles",
      ])
    #expect(product.files.map(\.role.rawValue) == ["tiles", "control", "reference", "pmtiles"])
    let twin = try #require(product.files.last)
    #expect(twin.mediaType == "application/vnd.pmtiles")
    #expect(try SHA256Hex(ofFile: built.appending(path: twin.path)) == twin.sha256)
    let blobs = try files(below: work.appending(path: "site/blobs"))
    #expect(blobs.contains { $0.hasSuffix("\(twin.sha256).pmtiles") })
  }
}

/// `chartpipe diff`.
@Suite(.blocking) struct DiffTests {
  let folder = TemporaryFolder()

  init() throws {
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
    #expect(ending.output.hasPrefix("Changes 2611 (2026-11-26) -> 2612 (2026-11-26)\n"))
    #expect(ending.output.contains("name PALO ALTO -> <script>alert('&')</script>\n"))
    let json = try run("old.sqlite", "new.sqlite", "--json")
    let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(document?["format"] as? String == "chartpipe-diff-1")
  }

  @Test func `the page escapes markup in texts`() throws {
    let ending = try run("old.sqlite", "new.sqlite", "--html", "changes.html").expect(0)
    #expect(ending.output.hasSuffix("1 changed: name 1\n\nchanges.html\n"), "\(ending.output)")
    let page = try folder.file("changes.html").text
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
    try folder.file("page.sqlite").put("<html>")
    let before = try folder.file("new.sqlite").data
    try Program().run(["diff"] + words, in: folder.url).expect(status, problem)
    #expect(try folder.file("new.sqlite").data == before)
  }
}

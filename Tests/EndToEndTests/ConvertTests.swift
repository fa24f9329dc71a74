import Core
import CryptoIO
import Foundation
import ImageIO
import Pipeline
import TestSupport
import Testing
import TileArchive

/// Archives in the other format, and pictures of them, as a user asks for them.
@Suite struct ConvertTests {
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

  @Test func thereAndBackIsTheSameFile() throws {
    let there = try Program().run(["convert", "a.mbtiles", "b.pmtiles"], in: folder.url)
    #expect(there.status == 0 && there.output == "b.pmtiles\n", "\(there.errors)")
    #expect(there.errors.hasPrefix("convert a.mbtiles: "))
    try Data("an older one".utf8).write(to: folder.file("c.mbtiles"))
    let back = try Program().run(["convert", "b.pmtiles", "c.mbtiles", "--json"], in: folder.url)
    #expect(back.status == 0, "\(back.errors)")
    #expect(back.output.contains("\"kind\" : \"mbtiles\""))
    #expect(try Data(contentsOf: folder.file("c.mbtiles")) == Data(contentsOf: archive))
    let validation = try Program().run(["validate", "b.pmtiles"], in: folder.url)
    #expect(validation.status == 0, "\(validation.output)")
    #expect(try files(below: folder.url) == ["a.mbtiles", "b.pmtiles", "c.mbtiles"])
  }

  @Test(arguments: [
    (["a.mbtiles", "a.mbtiles"], Int32(2), "FILE and OUT are the same file"),
    (["a.mbtiles", "./a.mbtiles"], 2, "FILE and OUT are the same file"),
    (["a.mbtiles", "b.mbtiles"], 2, "a.mbtiles is MBTiles already"),
    (["a.mbtiles", "b.zip"], 2, "OUT must end in .pmtiles or .mbtiles, not \"b.zip\""),
    (["a.mbtiles"], 2, "FILE OUT is missing"),
    (["page.html", "b.pmtiles"], 3, "it is not an SQLite database"),
    (["a.mbtiles", "none/b.pmtiles"], 1, "the file cannot be written"),
  ])
  func whatCannotBeDoneIsToldAndChangesNothing(operands: [String], status: Int32, problem: String) throws {
    try Data("<html>".utf8).write(to: folder.file("page.html"))
    let before = try Data(contentsOf: archive)
    let ending = try Program().run(["convert"] + operands, in: folder.url)
    #expect(ending.status == status && ending.errors.contains(problem), "\(ending.errors)")
    #expect(try Data(contentsOf: archive) == before)
    #expect(try files(below: folder.url) == ["a.mbtiles", "page.html"])
  }

  @Test func anArchiveThatIsCutOffLeavesTheOldFileAsItWas() throws {
    let good = try Program().run(["convert", "a.mbtiles", "b.pmtiles"], in: folder.url)
    #expect(good.status == 0)
    let before = try Data(contentsOf: folder.file("b.pmtiles"))
    try Data(contentsOf: archive).prefix(6000).write(to: archive)
    let ending = try Program().run(["convert", "a.mbtiles", "b.pmtiles"], in: folder.url)
    #expect(ending.status == 3, "\(ending.errors)")
    #expect(try Data(contentsOf: folder.file("b.pmtiles")) == before)
    #expect(try files(below: folder.url) == ["a.mbtiles", "b.pmtiles"])
  }

  @Test func inspectDrawsAPicture() throws {
    let ending = try Program().run(["inspect", "a.mbtiles", "--image", "a.png"], in: folder.url)
    #expect(ending.status == 0 && ending.output.contains("tile archive (MBTiles)"), "\(ending.errors)")
    let picture = try PNG.decode(Array(Data(contentsOf: folder.file("a.png"))))
    #expect(picture.width == 3 * 384 + 2 * 20 + 2 * 24 && picture.isOpaque)
    let own = try Program().run(["inspect", "a.mbtiles", "--image", "a.mbtiles"], in: folder.url)
    #expect(own.status == 2 && own.errors.contains("the same file"))
    #expect(try files(below: folder.url) == ["a.mbtiles", "a.png"])
  }

  /// A family that asks for both kinds gets both from one step, and they are staged and validated together.
  @Test func aFamilyMayAskForBothKinds() throws {
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

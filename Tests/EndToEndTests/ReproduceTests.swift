import Core
import CryptoIO
import Foundation
import ImageIO
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// `chartpipe reproduce`: a published cycle is built again from its manifest.
@Suite(.slow, .blocking) struct ReproduceTests {
  /// A staged site, its definitions and its sources, one of which is renamed after the build.
  private static let published = Samples.shared { () -> TemporaryFolder in
    let folder = TemporaryFolder()
    try folder.add(Samples.smallCycle, to: "sources")
    try folder.add("broken/tiny.json5", to: "definitions")
    try FileManager.default.copyItem(
      at: repositoryRoot.appending(path: "pipelines/sample-nasr.json5"),
      to: folder.file("definitions/sample-nasr.json5"))
    try Program().run([
      "run", "tiny", "sample-nasr", "--cycle", "2304", "--from", folder.file("sources").path, "--quiet",
      "--pipelines", folder.file("definitions").path, "--work", folder.file("work").path,
    ]).expect(0)
    try FileManager.default.moveItem(
      at: folder.file("sources/Tiny.zip"), to: folder.file("sources/renamed.bin"))
    return folder
  }

  private struct Answer: Decodable {
    struct Reproduced: Decodable {
      var id: String
      var outcome: String
      var problem: String?
    }
    var ok: Bool
    var products: [Reproduced]
  }

  private let folder: TemporaryFolder
  private let scratch = TemporaryFolder()

  init() async throws { folder = try await Self.published.value }

  private var manifest: URL { folder.file("work/site/cycles/2304/manifest.json") }

  private func reproduce(
    _ options: [String], _ manifest: URL? = nil, from: URL? = nil, definitions: URL? = nil
  ) throws -> Program.Ending {
    try Program().run(
      [
        "reproduce", (manifest ?? self.manifest).path, "--from", (from ?? folder.file("sources")).path,
        "--pipelines", (definitions ?? folder.file("definitions")).path, "--work", scratch.file("work").path,
      ] + options)
  }

  /// The manifest with another text in it, in a separate site.
  private func altered(_ old: String, _ new: String) throws -> URL {
    let text = try manifest.text
    let other = text.replacing(old, with: new)
    try #require(other != text)
    let file = scratch.file("site/cycles/2304/manifest.json")
    try file.put(other)
    return file
  }

  private func product(_ id: String) throws -> Product {
    let manifest = try manifest.decoded(Manifest.self)
    return try #require(manifest.products.first { $0.id == id })
  }

  @Test func `reproduces every file of a cycle`() throws {
    let ending = try reproduce(["--json", "--jobs", "3"]).expect(0)
    let answer = try Data(ending.output.utf8).decoded(Answer.self)
    #expect(answer.ok && answer.products.allSatisfy { $0.outcome == "identical" })
    #expect(
      answer.products.map(\.id) == [
        "sample-nasr/airports", "sample-nasr/aviation", "sample-nasr/identifiers", "sample-nasr/map",
        "sample-nasr/openefb", "sample-nasr/vector", "tiny/Tiny",
      ])
    // The folder is this program's: what another one built proves nothing.
    let program = try SHA256Hex(ofFile: Program().url).text.prefix(12)
    #expect(
      try files(below: scratch.file("work/reproduce")).contains {
        $0.hasSuffix("/\(program)/build/2304/tiny/Tiny.mbtiles")
      })
    #expect(!scratch.file("work/site").exists)
  }

  @Test func `accepts the blob of a manifest`() throws {
    let catalogue = try folder.file("work/site/catalog.json").decoded(Catalog.self)
    let path = try #require(catalogue.previous?.manifest.path)
    let ending = try reproduce(["--only", "Tiny"], folder.file("work/site/\(path)")).expect(0)
    #expect(ending.output.hasPrefix("identical  tiny/Tiny\n\nCycle 2304: 1 of 1 product identical."))
  }

  @Test func `compares with the manifest that the catalogue names, not with a changed copy`() throws {
    let site = scratch.file("site")
    let dates = try product("tiny/Tiny").expirationDate
    let copy = try altered(
      "\"expirationDate\" : \"\(dates)\"", "\"expirationDate\" : \"2031-01-01T09:01:00Z\"")
    let catalogue = folder.file("work/site/catalog.json")
    try FileManager.default.copyItem(at: catalogue, to: site.appending(path: "catalog.json"))
    try reproduce(["--only", "Tiny"], copy).expect(3, "the manifest of cycle 2304 is not there")
    let named = try catalogue.decoded(Catalog.self).previous?.manifest
    let blob = site.appending(path: try #require(named?.path))
    try blob.deletingLastPathComponent().makeFolder()
    try FileManager.default.copyItem(at: manifest, to: blob)
    let ending = try reproduce(["--only", "Tiny"], copy)
    #expect(ending.status == 0 && ending.output.hasPrefix("identical  tiny/Tiny\n"), "\(ending.output)")
    #expect(
      ending.errors.contains("the file is not the manifest that the catalogue names"), "\(ending.errors)")
  }

  @Test(arguments: [true, false])
  func `names a source that differs or is missing`(isThere: Bool) throws {
    let sources = scratch.file("sources")
    try FileManager.default.copyItem(at: folder.file("sources"), to: sources)
    try sources.appending(path: "renamed.bin").remove()
    if isThere {
      var zip = try samplesFolder.appending(path: "broken/good/Tiny.zip").data
      zip[zip.count / 2] ^= 1
      try zip.write(to: sources.appending(path: "Tiny.zip"))
    }
    let ending = try reproduce(["--only", "Tiny,identifiers"], from: sources).expect(5)
    #expect(ending.output.contains("identical  sample-nasr/identifiers\n"))
    let words = isThere ? "Tiny.zip is another file" : "is not in \(sources.path)"
    #expect(ending.output.contains("NOT BUILT  tiny/Tiny\n           Tiny.zip (SHA-256 "), "\(ending.output)")
    #expect(ending.output.contains(words), "\(ending.output)")
  }

  @Test func `reports another library version even if the bytes are the same`() throws {
    let sqlite = try #require(try product("tiny/Tiny").build.libraries["sqlite"])
    let other = try altered("\"sqlite\" : \"\(sqlite)\"", "\"sqlite\" : \"3.1.0\"")
    let ending = try reproduce(["--only", "Tiny"], other).expect(0)
    #expect(ending.output.contains("sqlite was 3.1.0, here it is \(sqlite)\n"), "\(ending.output)")
  }

  @Test func `counts a tile that differs`() throws {
    let file = try product("tiny/Tiny").files[0]
    let forged = scratch.file("forged.mbtiles")
    try FileManager.default.copyItem(at: folder.file("work/site/\(file.path)"), to: forged)
    let archive = try SQLiteConnection(forged.path, mode: .create)
    try archive.execute(
      "INSERT INTO images SELECT 'another', tile_data FROM images ORDER BY rowid DESC LIMIT 1; "
        + "UPDATE map SET tile_id = 'another' WHERE rowid = (SELECT min(rowid) FROM map)")
    try archive.close()
    let ending = try reproduce(["--only", "Tiny"], publish(forged, inPlaceOf: file)).expect(1)
    #expect(ending.output.contains("DIFFERENT  tiny/Tiny\n           Tiny.mbtiles: of "), "\(ending.output)")
    #expect(ending.output.contains(" tiles 1 changed\n"), "\(ending.output)")
  }

  @Test func `a tile with the same pixels in other bytes is equivalent`() throws {
    let file = try product("tiny/Tiny").files[0]
    let forged = scratch.file("forged.mbtiles")
    try FileManager.default.copyItem(at: folder.file("work/site/\(file.path)"), to: forged)
    let archive = try SQLiteConnection(forged.path, mode: .create)
    let first = "SELECT tile_id FROM map ORDER BY rowid LIMIT 1"
    let tile = try #require(
      try archive.prepare("SELECT tile_data FROM images WHERE tile_id = (\(first))").map { $0.blob(0) }.first)
    try archive.prepare("INSERT INTO images VALUES ('another', ?)")
      .run([.blob(try PNG.encode(TileImage.decode(tile)))])
    try archive.execute(
      "UPDATE map SET tile_id = 'another' WHERE rowid = 1; UPDATE metadata SET value = '' WHERE name = 'agg_tiles_hash'"
    )
    try archive.close()
    let ending = try reproduce(["--only", "Tiny"], publish(forged, inPlaceOf: file)).expect(5)
    #expect(ending.output.hasPrefix("equivalent tiny/Tiny\n           Tiny.mbtiles: of "), "\(ending.output)")
    #expect(ending.output.contains(" 1 with other bytes for the same content\n"), "\(ending.output)")
    #expect(ending.output.contains("0 of 1 product identical, 1 equivalent."), "\(ending.output)")
  }

  @Test func `a database with the same rows on other pages is equivalent`() throws {
    let file = try product("sample-nasr/aviation").files[0]
    let forged = scratch.file("forged.sqlite")
    let copy = try SQLiteConnection(folder.file("work/site/\(file.path)").path, mode: .readOnly)
    try copy.prepare("VACUUM INTO ?").run([.text(forged.path)])
    let ending = try reproduce(["--only", "aviation"], publish(forged, inPlaceOf: file)).expect(5)
    #expect(
      ending.output.hasPrefix(
        "equivalent sample-nasr/aviation\n           aviation.sqlite: the same rows in all tables"),
      "\(ending.output)")
  }

  @Test func `names the table of a row that differs`() throws {
    let file = try product("sample-nasr/aviation").files[0]
    let forged = scratch.file("forged.sqlite")
    try FileManager.default.copyItem(at: folder.file("work/site/\(file.path)"), to: forged)
    let database = try SQLiteConnection(forged.path, mode: .create)
    try database.execute("UPDATE navaids SET frequency = 108.05 WHERE id = (SELECT min(id) FROM navaids)")
    try database.close()
    let ending = try reproduce(["--only", "aviation"], publish(forged, inPlaceOf: file)).expect(1)
    #expect(ending.output.contains("aviation.sqlite: navaids (1 row)\n"), "\(ending.output)")
  }

  /// Puts a file among the blobs of the scratch site, and gives a manifest that names it.
  private func publish(_ file: URL, inPlaceOf old: Product.File) throws -> URL {
    let hash = try SHA256Hex(ofFile: file)
    let manifest = try altered(old.sha256.text, hash.text)
    let blob = scratch.file("site/blobs/\(hash.text.prefix(2))/\(hash).\(file.pathExtension)")
    try blob.deletingLastPathComponent().makeFolder()
    try FileManager.default.moveItem(at: file, to: blob)
    return manifest
  }

  @Test func `reports a forged date`() throws {
    let dates = try product("tiny/Tiny").expirationDate
    let other = try altered(
      "\"expirationDate\" : \"\(dates)\"", "\"expirationDate\" : \"2031-01-01T09:01:00Z\"")
    let ending = try reproduce(["--only", "Tiny"], other).expect(1)
    #expect(ending.output.contains("description differs: expirationDate\n"), "\(ending.output)")
  }

  @Test func `reports another definition`() throws {
    let definitions = scratch.file("definitions")
    try definitions.makeFolder()
    let text = try folder.file("definitions/tiny.json5").text
    try definitions.appending(path: "tiny.json5").put(text.replacing("maxZoom: 11", with: "maxZoom: 10"))
    let ending = try reproduce(["--only", "Tiny,map"], definitions: definitions).expect(1)
    #expect(ending.output.contains("           definition was "), "\(ending.output)")
    #expect(ending.output.matches(of: /description differs: .*maxZoom/).count == 1, "\(ending.output)")
    #expect(
      ending.output.contains("NOT BUILT  sample-nasr/map\n           looking for the pipeline sample-nasr"))
  }

  @Test func `without the definitions, the error names --pipelines`() throws {
    let folder = scratch.file("empty")
    try folder.makeFolder()
    try reproduce([], definitions: folder).expect(2, "Name another folder with --pipelines.")
    try folder.appending(path: "other.json5").put("{}")
    let ending = try reproduce([], definitions: folder).expect(5)
    #expect(
      ending.output.contains("holds no tiny.json5. It holds: other. Name another folder with --pipelines."))
  }

  @Test(arguments: [
    (["nowhere.json"], Int32(3), "there is no such file"),
    (["docs/schemas/manifest.schema.json"], 3, "`format`"),
    (["work/site/cycles/2304/manifest.json", "--only", "Mars"], 2, "it has no product \"Mars\""),
  ])
  func `refuses a file that is not a manifest`(words: [String], status: Int32, problem: String) throws {
    let here = words[0].hasPrefix("work/") ? folder.url : repositoryRoot
    try Program().run(["reproduce"] + words + ["--from", samplesFolder.path], in: here).expect(
      status, problem)
  }
}

/// `chartpipe reproduce` of a chart whose edge tiles contain its neighbours.
@Suite(.slow, .blocking) struct ReproduceSeamsTests {
  @Test func `reproduces one chart with its neighbours`() async throws {
    let folder = TemporaryFolder()
    let call = [
      "reproduce", try await Samples.mosaic().file("site/cycles/2304/manifest.json").path, "--work",
      folder.file("again").path,
    ]
    let west = try Program().run(call + ["--from", "samples", "--only", "Sample_West"]).expect(0)
    #expect(west.output.hasPrefix("identical  sample-mosaic/Sample_West\n"), "\(west.output)")
    let alone = folder.file("alone")
    try alone.makeFolder()
    try FileManager.default.copyItem(
      at: samplesFolder.appending(path: "sectional-files/Sample_West.zip"), to: alone.appending(path: "a.zip")
    )
    let lost = try Program().run(call + ["--from", alone.path, "--only", "Sample_West"])
    #expect(lost.status == 5 && lost.output.contains("Sample_East.zip ("), "\(lost.output)")
  }
}

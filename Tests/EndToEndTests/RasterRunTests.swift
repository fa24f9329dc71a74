import Core
import Foundation
import RasterIO
import RasterWriting
import TestSupport
import Testing

@testable import ChartpipeKit

/// `chartpipe tile`, and a pipeline of images from the definition to the staged site.
@Suite(.blocking) struct RasterRunTests {
  let folder = TemporaryFolder()

  init() throws { try RasterRunTests.write(to: folder.file("hills.tif")) }

  /// Hills and valleys, made once.
  static let hills = samples { column, row, band in
    let (x, y) = (Double(column), Double(row))
    return UInt8(128 + 50 * sin(x / 7 + Double(band)) + 50 * cos(y / 9 + x / 31))
  }

  private static let (width, height) = (400, 300)

  /// The samples of each band, by column, row and band.
  private static func samples(bands: Int = 3, _ sample: (Int, Int, Int) -> UInt8) -> [[UInt8]] {
    (1...bands).map { band in (0..<width * height).map { sample($0 % width, $0 / width, band) } }
  }

  /// Writes an image in UTM, 30 metres a pixel.
  static func write(_ bands: [[UInt8]] = hills, to file: URL, shift: Double = 0) throws {
    let dataset = try RasterWriter(
      file.path, width: width, height: height, bands: bands.count,
      options: ["PHOTOMETRIC=RGB"] + (bands.count == 4 ? ["ALPHA=YES"] : []))
    try dataset.setGeoreference(
      GeoTransform(originX: 480_000 + shift, originY: 4_200_000, pixelWidth: 30, pixelHeight: -30),
      wkt: try SpatialReference(epsg: 32_610).wkt)
    let window = PixelWindow(column: 0, row: 0, width: width, height: height)
    for (index, samples) in bands.enumerated() {
      try dataset.writeBytes(samples, band: index + 1, window: window)
    }
    try dataset.close()
  }

  @Test func `tiles an image as MBTiles and PMTiles`() throws {
    let made = try Program().run("tile hills.tif -o hills.mbtiles --json", in: folder.url).expect(0)
    #expect(made.output.contains("\"format\" : \"webp\"") && made.output.contains("\"maxZoom\" : 12"))
    let streamed = try Program().run(
      "tile hills.tif -o hills.pmtiles --zooms 9-11 --format png --size 512 --quiet",
      in: folder.url)
    #expect(streamed.status == 0 && streamed.output == "hills.pmtiles\n" && streamed.errors.isEmpty)
    for file in ["hills.mbtiles", "hills.pmtiles"] {
      try Program().run("validate \(file)", in: folder.url).expect(0)
    }
    #expect(try files(below: folder.url) == ["hills.mbtiles", "hills.pmtiles", "hills.tif"])
  }

  @Test(arguments: [
    (["missing.tif"], Int32(3), "there is no such file"), (["empty.tif"], 3, "the file is empty"),
    (["page.html"], 3, "it is not an image that GDAL"), (["short.tif"], 3, "it is damaged or cut short"),
    (["plain.tif"], 3, "it is not georeferenced"), (["list.vrt"], 3, "gdal_translate list.vrt image.tif"),
    (["two.tif"], 3, "are neither grey, a palette, nor red, green and blue"), (["."], 3, "it is a folder"),
    (["hills.tif", "--zooms", "9-23"], 2, "up to 22"), (["hills.tif", "--zooms", "11-9"], 2, "such as 6-12"),
    (["hills.tif", "--zooms", "deep"], 2, "such as 6-12"),
    (["hills.tif", "--zooms", "22"], 2, "Give a largest zoom of 18 or less"),
    (["hills.tif", "--format", "jpeg"], 2, "png, png32, webp, webp-lossless"),
    (["hills.tif", "--crs", "WGS84"], 2, "Give the EPSG code"),
    (["hills.tif", "--crs", "EPSG:99999"], 2, "Give the EPSG code"),
    (["hills.tif", "--crs", "EPSG:4326"], 3, "480000.0, 4200000.0, which are not a longitude"),
    (["hills.tif", "--scale", "9,3"], 2, "the smaller one first"),
    (["hills.tif", "--size", "300"], 2, "256 or 512"), (["hills.tif", "--quality", "40"], 2, "50 to 100"),
    (["https://maps.example/hills.tif"], 2, "IMAGE takes a path"), ([], 2, "IMAGE is missing"),
  ])
  func `explains what it cannot tile`(words: [String], status: Int32, problem: String) throws {
    let whole = try folder.file("hills.tif").data
    try Data().write(to: folder.file("empty.tif"))
    try folder.file("page.html").put("<html>")
    try whole.prefix(whole.count / 2).write(to: folder.file("short.tif"))
    try folder.file("list.vrt").put("<VRTDataset rasterXSize=\"3\" rasterYSize=\"3\"/>")
    try RasterWriter(folder.file("plain.tif").path, width: 9, height: 9, bands: 1)
      .close()
    try RasterWriter(folder.file("two.tif").path, width: 9, height: 9, bands: 2)
      .close()
    let before = try files(below: folder.url)
    try Program().run(["tile"] + words + ["-o", "out.mbtiles"], in: folder.url).expect(status, problem)
    #expect(try files(below: folder.url) == before)
  }

  @Test(arguments: [
    ("hills.mbtiles", Int32(2), "hills.mbtiles: --output would overwrite an input"),
    ("map.zip", 2, "must end in .mbtiles or .pmtiles"),
    ("folder.mbtiles", 2, "it exists and is not a regular file"),
    ("none/map.mbtiles", 2, "none: there is no such folder"),
    ("hills.tif", 2, "must end in .mbtiles or .pmtiles"),
    ("other.mbtiles", 2, "other.mbtiles: it exists and is not a tile archive in MBTiles"),
  ])
  func `explains where it cannot write`(output: String, status: Int32, problem: String) throws {
    try folder.file("folder.mbtiles").makeFolder()
    // Its contents decide what a file is.
    for name in ["hills.mbtiles", "other.mbtiles"] {
      try folder.file("hills.tif").data.write(to: folder.file(name))
    }
    let before = try files(below: folder.url)
    try Program().run("tile hills.mbtiles -o \(output)", in: folder.url).expect(status, problem)
    #expect(try files(below: folder.url) == before)
  }

  @Test(arguments: ["mbtiles", "pmtiles"])
  func `replaces an older file, with the same bytes for any number of workers`(kind: String) throws {
    let out = folder.file("map.\(kind)")
    try Program().run("tile hills.tif -o map.\(kind) --zooms 3", in: folder.url).expect(0)
    let archives = try ["1", "4"].map { jobs -> Data in
      try Program().run("tile hills.tif --output map.\(kind) --jobs \(jobs)", in: folder.url).expect(0)
      return try out.data
    }
    #expect(archives[0] == archives[1] && archives[0].count > 10_000)
    #expect(try files(below: folder.url) == ["hills.tif", "map.\(kind)"])
  }

  @Test func `an older file stays if the image cannot be tiled`() throws {
    let out = folder.file("map.mbtiles")
    try Program().run("tile hills.tif -o map.mbtiles", in: folder.url).expect(0)
    let older = try out.data
    try folder.file("hills.tif").data.prefix(200_000).write(to: folder.file("short.tif"))
    #expect(try Program().run("tile short.tif -o map.mbtiles", in: folder.url).status == 3)
    #expect(try out.data == older)
    #expect(try files(below: folder.url) == ["hills.tif", "map.mbtiles", "short.tif"])
  }

  private func define(zooms: String = "") throws {
    let text = """
      {
        kind: "raster", name: "offline", title: "Offline maps", attribution: "Made for a test",
        tiles: { archives: ["mbtiles", "pmtiles"]\(zooms) },
        images: [
          { id: "Hills", name: "Hills", file: "hills.tif" },
          { id: "Valleys", name: "Valleys", file: "valleys.tif", format: "png" },
        ],
      }
      """
    try folder.file("offline.json5").put(text)
    try RasterRunTests.write(to: folder.file("valleys.tif"), shift: 20_000)
  }

  private func run(cycle: String = "2612") throws -> Program.Ending {
    try Program().run("run offline.json5 --from . --cycle \(cycle) --work work", in: folder.url)
  }

  @Test func `a definition of images becomes a staged site, and a second run builds nothing`() throws {
    try define()
    try run().expect(0)
    let build = folder.file("work/build/2612/offline")
    let names = try FileManager.default.contentsOfDirectory(atPath: build.path).sorted()
    #expect(
      names
        == ["Hills", "Valleys"].flatMap {
          ["\($0).mbtiles", "\($0).pmtiles", "\($0).product.json", "\($0).samples.json"]
        })
    let catalog = try folder.file("work/site/catalog.json").text
    #expect(catalog.contains("offline/Hills") && catalog.contains("offline/Valleys"))
    try Program().run("verify work/site --at 2026-12-01", in: folder.url).expect(0)
    let archive = try build.appending(path: "Hills.mbtiles").data
    try run().expect(0, "2 up to date")
    #expect(try build.appending(path: "Hills.mbtiles").data == archive)
    // A changed input is built again, and gives the same bytes in another folder.
    try define(zooms: ", minZoom: 10, maxZoom: 11")
    try run().expect(0)
    #expect(try build.appending(path: "Hills.mbtiles").data != archive)
  }

  /// The limits of rules about charts are those of print, which such images do not have.
  @Test func `noise, chequers, saturated colours and islands are not refused`() throws {
    var state: UInt32 = 1
    let noise = Self.samples { _, _, _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    let chequers = Self.samples { column, row, _ in (column + row).isMultiple(of: 2) ? 255 : 0 }
    let squares = Self.samples { column, row, band in
      [row / 40 + column / 40, column / 40, row / 40][band - 1].isMultiple(of: 2) ? 255 : 0
    }
    let islands = Self.samples(bands: 4) { column, row, band in
      band < 4 ? UInt8(60 + column / 4) : column % 200 < 40 && row % 150 < 30 ? 255 : 0
    }
    for (name, samples) in [
      ("noise", noise), ("chequers", chequers), ("squares", squares), ("islands", islands),
    ] { try Self.write(samples, to: folder.file("\(name).tif")) }
    let images = ["noise", "chequers", "squares", "islands"].flatMap { name in
      ["png", "webp"].map {
        "{ id: \"\(name)-\($0)\", name: \"M\", file: \"\(name).tif\", format: \"\($0)\" }"
      }
    }
    let text = """
      { kind: "raster", name: "offline", title: "T", attribution: "A", tiles: { minZoom: 7, maxZoom: 13 },
        images: [\(images.joined(separator: ", "))] }
      """
    try folder.file("offline.json5").put(text)
    try run().expect(0, "8 products")
  }

  @Test(.enabled(if: SchemaCheck.isInstalled)) func `a staged site of images matches the schemas`() throws {
    try define()
    try run().expect(0)
    let files = [
      ("catalog", "catalog.json"), ("manifest", "cycles/2612/manifest.json"), ("regions", "regions.json"),
      ("latest", "latest.json"),
    ]
    for (schema, path) in files {
      let verdicts = try SchemaCheck(schema).verdicts([folder.file("work/site/\(path)")])
      #expect(verdicts.allSatisfy { $0.hasSuffix(" ok") }, "\(verdicts)")
    }
  }

  @Test func `the next cycle publishes the same archive again`() throws {
    try define()
    try run().expect(0)
    let next = try run(cycle: "2613")
    #expect(next.status == 0 && !next.errors.contains("warning"), "\(next.errors)")
    let archives = try ["2612", "2613"].map { try folder.file("work/build/\($0)/offline/Hills.mbtiles").data }
    #expect(archives[0] == archives[1])
  }

  @Test func `a changed world file is a changed input`() throws {
    try define()
    // TIFF's own georeference is used first.
    let plain = try RasterWriter(
      folder.file("valleys.tif").path, width: 200, height: 100, bands: 1)
    try plain.writeBytes(
      (0..<20_000).map { UInt8($0 % 200) }, band: 1,
      window: PixelWindow(column: 0, row: 0, width: 200, height: 100))
    try plain.close()
    func placed(at west: Int) throws -> Program.Ending {
      try folder.file("valleys.tfw").put("30\n0\n0\n-30\n\(west)\n4200000\n")
      return try run()
    }
    let text = try folder.file("offline.json5").text
    try folder.file("offline.json5").put(
      text.replacing("format: \"png\"", with: "format: \"png\", crs: \"EPSG:32610\""))
    try placed(at: 500_000).expect(0)
    let description = folder.file("work/build/2612/offline/Valleys.product.json")
    let first = try description.text
    #expect(first.contains("valleys.tfw"))
    try placed(at: 510_000).expect(0, "1 up to date")
    #expect(try description.text != first)
  }

  @Test(arguments: [(150.0, "pixels west"), (20_000, "it is missing, though the image is opaque there")])
  func `an archive that does not match its image is refused`(shift: Double, problem: String) throws {
    try define()
    try Program().run("build offline.json5 --from . --cycle 2612 --work work", in: folder.url).expect(0)
    try RasterRunTests.write(to: folder.file("hills.tif"), shift: shift)
    try Program().run("build offline.json5 --from . --cycle 2612 --work other", in: folder.url).expect(0)
    let file = "build/2612/offline/Hills.samples.json"
    try folder.file("work/" + file).remove()
    try FileManager.default.copyItem(at: folder.file("other/" + file), to: folder.file("work/" + file))
    let verdict = try Program().run("validate work/build/2612/offline", in: folder.url).expect(4)
    #expect(verdict.output.contains("place-samples") && verdict.output.contains(problem), "\(verdict.output)")
  }

  @Test(arguments: [
    ("minZoom: 9", "minZoom and maxZoom or neither"), ("size: 300", "256 or 512"),
    ("archives: [\"pmtiles\"]", "mbtiles"), ("colours: 3", "colours"),
  ])
  func `a wrong definition is explained`(key: String, problem: String) throws {
    try expect(problem, of: key, file: "hills.tif")
  }

  @Test func `a file in another folder is explained`() throws {
    try expect(
      "must be a name: put the image into the folder of --from", of: "size: 256", file: "../hills.tif")
  }

  private func expect(_ problem: String, of key: String, file: String) throws {
    let text = """
      { kind: "raster", name: "offline", title: "T", attribution: "A", tiles: { \(key) },
        images: [{ id: "Hills", name: "Hills", file: "\(file)" }] }
      """
    try folder.file("offline.json5").put(text)
    try run().expect(3, problem)
  }
}

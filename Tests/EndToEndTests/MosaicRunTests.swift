import Core
import CryptoIO
import Foundation
import ImageIO
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The two sample sectionals with filled seams and as a mosaic, in WebP and PMTiles.
@Suite(.slow, .blocking) struct JoinedSampleTests {
  private let shared: TemporaryFolder

  init() async throws { shared = try await Samples.mosaic() }

  private static func build(
    _ work: TemporaryFolder, jobs: Int, _ more: [String] = []
  ) throws -> Program.Ending {
    try Program().run(
      "build sample-mosaic --cycle 2304 --from samples --work \(work.url.path) --jobs \(jobs) "
        + more.joined(separator: " "))
  }

  private func built(_ name: String) -> URL { shared.file("build/2304/sample-mosaic").appending(path: name) }

  @Test func `the mosaic has no hole at any zoom`() throws {
    let mosaic = try MBTilesReader(opening: built("Bay_Area.mbtiles"))
    var looked = 0
    try mosaic.forEachTile { tile in
      // Pixels on the rim may be covered in part.
      let rim = 0.005 + 2 * 360 / 256 / Double(1 << tile.id.zoom)
      let inside = GeoBox(west: -123 + rim, south: 37 + rim, east: -120.96 - rim, north: 37.8 - rim)
      let image = try TileImage.decode(tile.data)
      for row in stride(from: 0, to: 256, by: 3) {
        for column in stride(from: 0, to: 256, by: 3) {
          let side = tile.id.mercator.side / 256
          let place = WebMercator.unproject(
            x: tile.id.mercator.west + (Double(column) + 0.5) * side,
            y: tile.id.mercator.north - (Double(row) + 0.5) * side)
          guard inside.contains(place) else { continue }
          looked += 1
          if image[column, row].alpha != 255 { Issue.record("\(tile.id) has a hole at \(column), \(row)") }
        }
      }
    }
    #expect(looked > 10_000)
  }

  @Test func `tiles that two archives share are complete in both`() throws {
    let west = try MBTilesReader(opening: built("Sample_West.mbtiles"))
    let east = try MBTilesReader(opening: built("Sample_East.mbtiles"))
    let mosaic = try MBTilesReader(opening: built("Bay_Area.mbtiles"))
    let shared = try Set(west.tileIDs()).intersection(try east.tileIDs())
    #expect(shared.count >= 5)
    for id in shared {
      let whole = try #require(try mosaic.tile(id).map { try TileImage.decode($0) })
      for pack in [west, east] {
        let image = try #require(try pack.tile(id).map { try TileImage.decode($0) })
        let missing = (0..<256 * 256).count {
          image.pixels[$0 * 4 + 3] < 128 && whole.pixels[$0 * 4 + 3] >= 128
        }
        // Where the chart's own edge is half covered, a pixel or two of the rim may be on either side.
        #expect(missing < 300, "\(id): \(missing) pixels")
      }
    }
    #expect(try west.metadata()["chartpipe:seams"] == "Sample East")
  }

  @Test func `each chart has reference patches and the mosaic has none`() throws {
    func product(_ name: String) throws -> Product { try built("\(name).product.json").decoded(Product.self) }
    for name in ["Sample_West", "Sample_East"] {
      let chart = try product(name)
      #expect(chart.files.map(\.role.rawValue) == ["tiles", "control", "reference", "pmtiles"])
      #expect(try SHA256Hex(ofFile: built("\(name).control.png")) == chart.files[1].sha256)
    }
    let mosaic = try product("Bay_Area")
    #expect(mosaic.control == nil && mosaic.files.map(\.role.rawValue) == ["tiles", "pmtiles"])
  }

  @Test func `the PMTiles archives contain the same tiles`() throws {
    for name in ["Sample_West", "Sample_East", "Bay_Area"] {
      let tiles = try MBTilesReader(opening: built("\(name).mbtiles"))
      let twin = try PMTilesReader(opening: built("\(name).pmtiles"))
      #expect(try tiles.aggregateHash() == twin.aggregateHash())
    }
  }

  @Test func `any number of workers and any order of runs give the same bytes`() throws {
    let other = TemporaryFolder()
    // First one chart without its neighbour; the second run must fill its seams.
    try Self.build(other, jobs: 1, ["--only", "Sample_West"]).expect(0)
    try Self.build(other, jobs: 3).expect(0)
    let pipeline = "build/2304/sample-mosaic"
    #expect(try fingerprint(shared.file(pipeline)) == fingerprint(other.file(pipeline)))
  }

  @Test func `a shard builds charts only, and a run of all charts joins them`() throws {
    let work = TemporaryFolder()
    for shard in ["1/2", "2/2"] { try Self.build(work, jobs: 2, ["--shard", shard]).expect(0) }
    let pack = work.file("build/2304/sample-mosaic/Sample_West.mbtiles")
    #expect(!pack.exists)
    let ending = try Self.build(work, jobs: 2)
    #expect(ending.errors.contains("sample-mosaic/Sample_West: up to date"), "\(ending.errors)")
    #expect(try pack.data == built("Sample_West.mbtiles").data)
  }
}

/// The sample's charts as variants, from the zip to the catalogue.
@Suite(.slow, .blocking) struct VariantTests {
  let folder = TemporaryFolder()

  private func run(_ variants: String, _ pipelines: String...) throws -> Program.Ending {
    try Program().run(
      ["run"] + pipelines + [
        "--cycle", "2304", "--from", "samples", "--only", "Sample_West", "--variant", variants, "--work",
        folder.file("work").path,
      ])
  }

  private struct Catalog: Decodable {
    struct Product: Decodable {
      struct File: Decodable {
        let path: String
        let role: String
        let bytes: Int
      }

      let id: String
      let format: String
      let tileSize: Int?
      let variantOf: String?
      let maxZoom: Int
      let files: [File]
    }

    let products: [Product]
  }

  private struct Region: Decodable {
    struct Form: Decodable {
      let variant: String?
      let url: String
    }

    let id: String
    let forms: [Form]
  }

  @Test func `one run builds several variants, and the catalogue lists them`() throws {
    try run("standard,webp-2x,lite", "sample-sectional").expect(0)
    let site = folder.file("work/site")
    let catalog = try site.appending(path: "catalog.json").decoded(Catalog.self)
    let products = catalog.products.sorted { $0.id < $1.id }
    let families = ["sample-sectional-lite", "sample-sectional-webp-2x", "sample-sectional"]
    #expect(products.map(\.id) == families.map { "\($0)/Sample_West" })
    try #require(products.count == 3)
    let (lite, small, standard) = (products[0], products[1], products[2])
    #expect(small.variantOf == standard.id && small.format == "webp" && small.tileSize == 512)
    #expect(standard.variantOf == nil && standard.format == "png" && standard.tileSize == nil)
    #expect(small.maxZoom == standard.maxZoom - 1)
    #expect(try side(small, in: site) == 512 && side(standard, in: site) == 256)
    #expect(lite.variantOf == standard.id && lite.format == "webp" && lite.tileSize == nil)
    #expect(lite.maxZoom == standard.maxZoom - 1 && lite.files[0].bytes < standard.files[0].bytes / 3)
    let regions = try site.appending(path: "regions.json").decoded([Region].self)
    #expect(regions.map(\.id) == ["Sample_West"])
    #expect(regions[0].forms.map(\.variant) == [nil, "lite", "webp-2x"])
    #expect(regions[0].forms.map(\.url) == [standard, lite, small].map(\.files[0].path))
  }

  @Test func `refuses an unknown variant and a pipeline without variants`() throws {
    try run("jpeg", "sample-sectional").expect(2, "--variant takes 2x, lite, standard, webp, webp-2x")
    try Program().run("build sample-nasr --cycle 2304 --from samples --variant webp").expect(
      2, "--variant is for charts")
    try run("webp,webp", "sample-sectional").expect(2, "named twice")
  }

  /// The width of a tile of the largest zoom.
  private func side(_ product: Catalog.Product, in site: URL) throws -> Int? {
    let tiles = try #require(product.files.first { $0.role == "tiles" })
    let connection = try SQLiteConnection(site.appending(path: tiles.path).path, mode: .readOnly)
    let data = try connection.prepare(
      "SELECT tile_data FROM tiles WHERE zoom_level = \(product.maxZoom) LIMIT 1"
    )
    .map { $0.blob(0) }
    return try data.first.map { try TileImage.decode($0, sideLimit: 1024).width }
  }
}

/// The sample mosaic over the two cycles of its edition, and with one changed chart.
@Suite(.slow, .blocking) struct ReusedChartTests {
  private func build(_ cycle: String, _ work: TemporaryFolder, _ definition: String = "sample-mosaic") throws
    -> String
  {
    let ending = try Program().run(
      "build \(definition) --cycle \(cycle) --from samples --work \(work.url.path) --jobs 2"
    ).expect(0)
    return ending.errors
  }

  @Test func `the next cycle of an edition has the files of the first and of a fresh build`() async throws {
    let (work, fresh) = (try await Samples.mosaic().copy(), TemporaryFolder())
    let lines = try build("2305", work)
    #expect(
      lines.split(separator: "\n").count { $0.hasSuffix(": the same as in cycle 2304") } == 5, "\(lines)")
    #expect(try !build("2305", fresh).contains("the same as"))
    #expect(try fingerprint(work.file("build/2305")) == fingerprint(fresh.file("build/2305")))
    let archive = "sample-mosaic/Bay_Area.pmtiles"
    #expect(try work.file("build/2304/\(archive)").data == work.file("build/2305/\(archive)").data)
  }

  @Test func `a changed chart leaves a fresh build's bytes in its neighbour and the mosaic`() async throws {
    let (work, fresh, folder) = (try await Samples.mosaic().copy(), TemporaryFolder(), TemporaryFolder())
    let text = try repositoryRoot.appending(path: "pipelines/sample-mosaic.json5").text
    let east = try #require(text.range(of: "id: \"Sample_East\"")).lowerBound
    let changed = text[..<east] + text[east...].replacing("parallel: 37 }", with: "parallel: 37.05 }")
    try #require(changed != text)
    let definition = folder.file("sample-mosaic.json5")
    try definition.put(String(changed))
    let lines = try build("2304", work, definition.path)
    #expect(lines.contains("sample-mosaic/Sample_West: up to date"), "\(lines)")
    _ = try build("2304", fresh, definition.path)
    let pipeline = "build/2304/sample-mosaic"
    #expect(try fingerprint(work.file(pipeline)) == fingerprint(fresh.file(pipeline)))
  }
}

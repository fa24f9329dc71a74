import Foundation
import ImageIO
import SQLiteIO
import TestSupport
import Testing

/// The sample's charts in other forms, from the zip to the catalogue.
struct VariantTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

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

  @Test func `one run makes several forms, and the catalogue lets a client choose`() throws {
    let ending = try run("standard,webp-2x", "sample-sectional")
    #expect(ending.status == 0, "\(ending.errors)")
    let site = folder.file("work/site")
    let catalog = try JSONDecoder().decode(
      Catalog.self, from: Data(contentsOf: site.appending(path: "catalog.json")))
    let products = catalog.products.sorted { $0.id < $1.id }
    #expect(
      products.map(\.id) == ["sample-sectional-webp-2x/Sample_West", "sample-sectional/Sample_West"])
    try #require(products.count == 2)
    let (small, standard) = (products[0], products[1])
    #expect(small.variantOf == standard.id && small.format == "webp" && small.tileSize == 512)
    #expect(standard.variantOf == nil && standard.format == "png" && standard.tileSize == nil)
    #expect(small.maxZoom == standard.maxZoom - 1)
    #expect(try side(small, in: site) == 512 && side(standard, in: site) == 256)
  }

  @Test func `what is no variant, or has none, is a bad call`() throws {
    let unknown = try run("jpeg", "sample-sectional")
    #expect(unknown.status == 2 && unknown.errors.contains("--variant takes 2x, standard, webp, webp-2x"))
    let data = try Program().run([
      "build", "sample-nasr", "--cycle", "2304", "--from", "samples", "--variant", "webp",
    ])
    #expect(data.status == 2 && data.errors.contains("--variant is for charts"))
    let twice = try run("webp,webp", "sample-sectional")
    #expect(twice.status == 2 && twice.errors.contains("named twice"))
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

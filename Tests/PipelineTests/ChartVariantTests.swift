import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Families in other forms.
struct ChartVariantTests {
  let folder = TemporaryFolder()

  private static let text = """
    { kind: "charts", name: "vfr", title: "Charts", cadence: "56-day", attribution: "FAA", seam: "fill",
      tiles: { minZoom: 6, maxZoom: 12 }, mosaics: [{ id: "All", name: "All" }],
      charts: [
        { id: "A", name: "A", zip: "A.zip", tif: "A.tif" },
        { id: "B", name: "B", zip: "B.zip", tif: "B.tif", maxZoom: 10 },
      ] }
    """

  init() throws { try folder.file("vfr.json5").put(Self.text) }

  private func family(_ variant: ChartVariant, _ text: String = Self.text) throws -> ChartFamily {
    let file = folder.file("family.json5")
    try file.put(text)
    let definition = try #require(try PipelineLibrary.read(file).variant(variant))
    guard let family = definition as? ChartFamily else { throw CancellationError() }
    return family
  }

  @Test func `a variant has its own name and tiles`() throws {
    let standard = try family(.standard)
    #expect(standard.name == "vfr" && standard.standardName == nil && standard.tiles.format == .png)
    let webp = try family(.webp)
    #expect(webp.name == "vfr-webp" && webp.standardName == "vfr" && webp.title == "Charts (WebP)")
    #expect(webp.tiles.format == .webp && webp.tiles.size == 256 && webp.tiles.maxZoom == 12)
    let double = try family(.double)
    #expect(double.name == "vfr-2x" && double.tiles.format == .png && double.tiles.size == 512)
    #expect(double.charts.map { double.tiles(for: $0).maxZoom } == [11, 9])
    #expect(double.charts.map { double.tiles(for: $0).minZoom } == [6, 6])
    let both = try family(.webpDouble)
    #expect(both.name == "vfr-webp-2x" && both.title == "Charts (WebP, 512 px)")
    #expect(both.tiles.format == .webp && both.tiles.size == 512)
    let lite = try family(.lite)
    #expect(lite.name == "vfr-lite" && lite.title == "Charts (WebP, one zoom less)")
    #expect(lite.tiles.format == .webp && lite.tiles.size == 256)
    #expect(lite.charts.map { lite.tiles(for: $0).maxZoom } == [11, 9])
    #expect(lite.charts.compactMap(lite.region).isEmpty, "a form of a region, and no region")
    let ofWebP = try family(
      .lite, Self.text.replacing("maxZoom: 12 }", with: "maxZoom: 12, format: \"webp\" }"))
    #expect(ofWebP.tiles.maxZoom == 11)
  }

  @Test func `two variants share no product, file or step`() throws {
    let file = folder.file("vfr.json5")
    let definition = try PipelineLibrary.read(file)
    let variants = try ChartVariant.allCases.compactMap(definition.variant)
    let plan = try BuildPlan(variants)
    #expect(Set(plan.items.map(\.product)).count == 15)
    #expect(Set(try plan.items.map { try $0.definitionSha256() }).count == 15)
    let standard = try BuildPlan([definition]).items.map { try $0.definitionSha256() }
    let first = try plan.items.prefix(3).map { try $0.definitionSha256() }
    #expect(first == standard, "the standard form is built as without variants")
    #expect(
      try plan.only(["A"]).items.map(\.product) == [
        "vfr/A", "vfr-webp-2x/A", "vfr-webp/A", "vfr-2x/A", "vfr-lite/A",
      ])
    #expect(throws: UserError.self) { try BuildPlan(variants + variants.prefix(1)) }
  }

  @Test func `finds a variant by name unless a file has that name`() throws {
    let library = PipelineLibrary(folder: folder.url)
    #expect(try library.definition("vfr-webp-2x").items.map(\.product).first == "vfr-webp-2x/A")
    #expect(try library.definition("vfr-2x").name == "vfr-2x")
    #expect(throws: UserError.self) { try library.definition("vfr-standard") }
    #expect(throws: UserError.self) { try library.definition("other-webp") }
    let own = Self.text.replacing("name: \"vfr\"", with: "name: \"vfr-webp\"")
    try folder.file("vfr-webp.json5").put(own)
    guard let family = try library.definition("vfr-webp") as? ChartFamily else { return }
    #expect(family.standardName == nil && family.tiles.format == .png)
  }

  @Test(arguments: [
    "vfr-sectional", "vfr-terminal", "vfr-helicopter", "caribbean", "grand-canyon", "planning",
    "sample-sectional",
  ])
  func `each family of the repository has each variant`(name: String) throws {
    let library = PipelineLibrary(folder: repositoryRoot.appending(path: "pipelines"))
    let definition = try library.definition(name)
    for variant in ChartVariant.allCases {
      let made = try #require(try definition.variant(variant))
      #expect(made.items.count == definition.items.count)
      #expect(try library.definition(made.name) as? ChartFamily == made as? ChartFamily)
    }
  }

  @Test(arguments: [
    (ChartVariant.webp, "maxZoom: 12 }", "maxZoom: 12, format: \"webp\" }", "already WebP"),
    (.double, "maxZoom: 12 }", "maxZoom: 12, size: 512 }", "already have 512 px"),
    (.webpDouble, "maxZoom: 10 }", "maxZoom: 6 }", "a single zoom"),
    (.lite, "maxZoom: 10 }", "maxZoom: 6 }", "a single zoom"),
  ])
  func `rejects a variant that changes nothing`(
    variant: ChartVariant, part: String, replacement: String, expected: String
  ) throws {
    try expectFault(expected, kind: .badCall) {
      try family(variant, Self.text.replacing(part, with: replacement))
    }
  }
}

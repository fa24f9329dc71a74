import ArchiveIO
import Core
import Foundation
import SyntheticSheet
import TestSupport
import Testing
import ZipWriting

@testable import ChartpipeKit

/// A family of neighbouring charts, one of them across 180 degrees, with seams and a mosaic.
@Suite(.slow, .blocking) struct FleetTests {
  private static let charts = ["San_Francisco", "Las_Vegas", "Western_Aleutian_Islands_East"]

  /// The sheets and their definition, drawn once for all tests.
  private static let drawnSources = Samples.shared { () -> TemporaryFolder in
    try DrawnFleet("vfr-sectional", metresPerPixel: 5000) { family in
      family.charts.removeAll { !charts.contains($0.id) }
      family.covers = nil  // three charts do not cover the whole area
      family.mosaics = [.init(id: "United_States", name: "United States")]
    }.folder
  }

  private static let referenceRun = Samples.shared { () -> TemporaryFolder in
    let work = TemporaryFolder()
    let drawn = try await drawnSources.value
    try run(drawn.definition, from: drawn, work: work).expect(0)
    return work
  }

  private let drawn: TemporaryFolder
  private let reference: TemporaryFolder

  init() async throws {
    drawn = try await Self.drawnSources.value
    reference = try await Self.referenceRun.value
  }

  private static func run(
    _ definition: String, from sources: TemporaryFolder, work: TemporaryFolder, _ options: [String] = []
  ) throws -> Program.Ending {
    try Program().run(
      ["run", definition, "--cycle", "2304", "--from", sources.url.path, "--work", work.url.path]
        + DrawnFleet.withoutEvidence + options)
  }

  private func run(
    from sources: TemporaryFolder, work: TemporaryFolder, _ options: [String] = []
  ) throws -> Program.Ending { try Self.run(drawn.definition, from: sources, work: work, options) }

  @Test func `a mosaic across 180 degrees has two boxes and its center on a chart`() throws {
    let file = reference.file("build/2304/vfr-sectional/United_States.product.json")
    let product = try file.decoded(Product.self)
    let boxes = try #require(product.boundingBoxes)
    #expect(boxes.map(\.west) == [178, -180])
    #expect(boxes[0].east == 180 && (-111 ... -110).contains(boxes[1].east), "\(boxes)")
    #expect(product.cut == nil, "each chart has a cut of its own")
    let inspection = try Program().run([
      "inspect", file.deletingLastPathComponent().appending(path: "United_States.pmtiles").path, "--json",
    ])
    #expect(inspection.output.contains("\"center\" : \"-121."), "\(inspection.output.prefix(2000))")
  }

  @Test func `a repaired chart gives the same bytes as a run without the error`() throws {
    let (sources, work) = (try drawn.copy(), TemporaryFolder())
    try Data().write(to: sources.file("Las_Vegas.zip"))
    try run(from: sources, work: work).expect(
      5, "2 of 6 failed: vfr-sectional/Las_Vegas, vfr-sectional/United_States",
      "1 chart of 3 could not be built: Las_Vegas")

    try sources.file("Las_Vegas.zip").remove()
    try FileManager.default.copyItem(at: drawn.file("Las_Vegas.zip"), to: sources.file("Las_Vegas.zip"))
    try run(from: sources, work: work).expect(0, "vfr-sectional/San_Francisco: up to date")
    #expect(try fingerprint(work.file("build")) == fingerprint(reference.file("build")))
  }

  /// Adds a comment to the chart's page, which makes it another edition.
  private func change(_ zip: URL) throws {
    var writer = ZipWriter()
    do {
      let old = try ZipArchive(path: zip.path)
      writer.members = try old.members.map { ($0.name, try old.read($0)) }
    }
    for index in writer.members.indices where writer.members[index].name.hasSuffix(".htm") {
      writer.members[index].bytes += Array("<!-- corrected -->\n".utf8)
    }
    try zip.remove()
    try writer.write(to: zip.path)
  }

  /// The inode numbers of the files: a new file of the same name has another number.
  private func numbers(_ work: TemporaryFolder) throws -> [String: Int] {
    let build = work.file("build/2304/vfr-sectional")
    return try Dictionary(
      uniqueKeysWithValues: files(below: build).map { path in
        let facts = try FileManager.default.attributesOfItem(atPath: build.appending(path: path).path)
        return (path, (facts[.systemFileNumber] as? NSNumber)?.intValue ?? 0)
      })
  }

  @Test func `a changed source rebuilds one chart and its seams`() throws {
    let (sources, work) = (try drawn.copy(), try reference.copy())
    let before = try numbers(work)
    try change(sources.file("San_Francisco.zip"))
    let run = try run(from: sources, work: work, ["--json"]).expect(0)
    func steps(_ event: String) -> [String] {
      run.errors.split(separator: "\n").compactMap {
        try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
      .filter { $0["event"] as? String == event }.compactMap { $0["step"] as? String }
      .filter { $0.hasPrefix("vfr-sectional/") }.map { String($0.dropFirst("vfr-sectional/".count)) }
    }
    // At the smallest zooms all three coarse sheets share a tile, which contains a part of San Francisco.
    #expect(
      steps("finished") == ["San_Francisco"]
        + ["Las_Vegas", "San_Francisco", "Western_Aleutian_Islands_East"].map { $0 + ", seams" }
        + ["United_States"])
    #expect(steps("skipped") == ["Las_Vegas", "Western_Aleutian_Islands_East"])
    let after = try numbers(work)
    #expect(before.keys == after.keys)
    let touched = after.keys.filter { before[$0] != after[$0] }
    #expect(touched.contains("cut/San_Francisco.mbtiles") && touched.contains("Las_Vegas.mbtiles"))
    #expect(touched.allSatisfy { !$0.hasPrefix("cut/") || $0.hasPrefix("cut/San_Francisco.") }, "\(touched)")
  }

  /// A run of one chart must not undo what a run of all of them completed.
  @Test func `a run of one chart keeps the seams from its neighbours`() throws {
    let work = try reference.copy()
    let before = try fingerprint(work.file("build"))
    try run(from: drawn, work: work, ["--only", "San_Francisco"]).expect(
      0, "vfr-sectional/San_Francisco, seams: up to date")
    #expect(try fingerprint(work.file("build")) == before)
  }

  @Test func `a shard leaves seams and mosaic to a run of all charts`() throws {
    let definition = drawn.definition
    let work = TemporaryFolder()
    let ending = try Program().run(
      "build \(definition) --cycle 2304 --from \(drawn.url.path) --work \(work.url.path) --shard 2/3"
    ).expect(0)
    #expect(ending.errors.hasSuffix("`chartpipe join` completes edge tiles and builds mosaics.\n"))
    #expect(try files(below: work.file("build")).allSatisfy { $0.contains("/cut/") })
    let plan = try Program().run("plan \(definition) --shards 3")
    #expect(plan.output.contains("\"afterwards\" : [\n    \"vfr-sectional/United_States\""), "\(plan.output)")
  }
}

extension TemporaryFolder {
  fileprivate var definition: String { file("vfr-sectional.json5").path }
}

/// The definitions of the smaller families, built from small sheets that are drawn as the definition says.
@Suite(.slow, .blocking) struct FamilyFleetTests {
  @Test(arguments: [
    ("vfr-helicopter", ["Baltimore", "New_York", "US_Gulf_Coast", "Dallas_Love_Inset"]),
    ("vfr-terminal", ["Anchorage", "Detroit", "Miami_FLY", "Puerto_Rico-VI"]),
    ("caribbean", ["Caribbean_1", "Caribbean_2"]),
  ])
  func `builds each chart within its outline`(name: String, ids: [String]) throws {
    let fleet = try DrawnFleet(name, metresPerPixel: 4000, fewestPixels: 200) { family in
      family.charts.removeAll { !ids.contains($0.id) }
      (family.covers, family.mosaics, family.seam) = (nil, [], .clean)
    }
    #expect(fleet.family.charts.count == ids.count)
    let work = TemporaryFolder()
    try fleet.chartpipe("build", work: work).expect(0)
    for id in ids { #expect((try fleet.product(id, in: work).build.counts["tiles"] ?? 0) > 0, "\(id)") }
  }

  /// The same drawing as that of a whole country at full size, with pixels that are 8 times as large.
  @Test func `a run accepts dense charts with a texture`() throws {
    let fleet = try DrawnFleet("grand-canyon", reductions: 3)
    let work = TemporaryFolder()
    try fleet.chartpipe("run", work: work).expect(0)
  }
}

/// Small drawn sheets of a family of `pipelines/`, with a definition that fits them.
struct DrawnFleet {
  static let cycle = "2304"

  let folder: TemporaryFolder
  let family: ChartFamily
  /// The path of the fitted definition.
  var definition: String { folder.file("\(family.name).json5").path }

  /// - Parameters:
  ///   - fewestPixels: The minimum of a sheet's shorter side.
  ///   - printed: The outlines of maps that are not printed where the definition has them.
  ///   - change: Removes parts of the definition.
  init(
    _ name: String, metresPerPixel: Double, fewestPixels: Int = 300,
    printed: [String: [NeatlineDefinition.Edge]] = [:], change: (inout ChartFamily) -> Void = { _ in }
  ) throws {
    var family = try DrawnFleet.family(name)
    change(&family)
    try self.init(
      Fleet(
        family, metresPerPixel: metresPerPixel, fewestPixels: fewestPixels,
        edition: Edition(of: DrawnFleet.sampleCycle()), printed: printed))
  }

  /// All charts of a family with their details and with larger pixels.
  ///
  /// - Parameter reductions: how often the size of the pixels is doubled.
  init(_ name: String, reductions: Int) throws {
    let samples = try SampleSet(
      samples: repositoryRoot.appending(path: "samples"), cycle: DrawnFleet.sampleCycle())
    try self.init(
      Fleet(
        DrawnFleet.family(name), reductions: reductions,
        texture: SheetTexture(samples.edition, samples.features), edition: samples.edition))
  }

  private init(_ fleet: Fleet) throws {
    let scratch = TemporaryFolder()
    (family, folder) = (fleet.family, TemporaryFolder())
    try fleet.write(to: folder.url, scratch: scratch.url) { _ in }
  }

  private static func family(_ name: String) throws -> ChartFamily {
    let definition = try PipelineLibrary.read(repositoryRoot.appending(path: "pipelines/\(name).json5"))
    guard let family = definition as? ChartFamily else { throw CocoaError(.coderInvalidValue) }
    return family
  }

  private static func sampleCycle() throws -> AiracCycle {
    let day = try #require(CalendarDay(SheetDesign.sampleCycleDay))
    return try #require(AiracCycle(effective: day))
  }

  /// The sheets are so coarse that neither their graticule nor an airport can be found.
  static let withoutEvidence = ["--accept", "place-evidence:drawn coarsely"]

  /// Runs `build` or `run` with these sheets.
  func chartpipe(
    _ command: String, work: TemporaryFolder, _ options: [String] = []
  ) throws -> Program.Ending {
    try Program().run(
      [command, definition, "--cycle", Self.cycle, "--from", folder.url.path, "--work", work.url.path]
        + (command == "run" ? Self.withoutEvidence : []) + options)
  }

  /// The product of a chart.
  func product(_ id: String, in work: TemporaryFolder) throws -> Product {
    let build = work.file("build/\(Self.cycle)/\(family.name)")
    let file = try files(below: build).first {
      $0 == "\(id).product.json" || $0.hasSuffix("/\(id).product.json")
    }
    return try build.appending(path: try #require(file, "\(id) was not built")).decoded(Product.self)
  }
}

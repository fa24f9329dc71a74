import ArchiveIO
import Core
import CryptoIO
import Foundation
import Pipeline
import SyntheticSheet
import TestSupport
import Testing

/// A family as a whole: charts that are neighbours, one of them across 180 degrees, their seams and their mosaic.
@Suite(.serialized) struct FleetTests {
  private static let charts = ["San_Francisco", "Las_Vegas", "Western_Aleutian_Islands_East"]

  /// Drawn once for all tests.
  private static let drawn = Result {
    try DrawnFleet("vfr-sectional", metresPerPixel: 5000) { family in
      family.charts.removeAll { !charts.contains($0.id) }
      family.covers = nil  // these three do not cover what all of them do
    }.folder
  }

  private static let reference = Result { () throws -> TemporaryFolder in
    let work = try TemporaryFolder()
    let ending = try run(from: try drawn.get(), work: work)
    try #require(ending.status == 0, "\(ending.errors)")
    return work
  }

  private static func run(
    from sources: TemporaryFolder, work: TemporaryFolder, _ options: [String] = []
  ) throws -> Program.Ending {
    let definition = try drawn.get().file("vfr-sectional.json5").path
    return try Program().run(
      ["run", definition, "--cycle", "2304", "--from", sources.url.path, "--work", work.url.path] + options)
  }

  /// Path and SHA-256 of all that was built.
  private func fingerprint(_ work: TemporaryFolder) throws -> [String] {
    let build = work.file("build")
    return try files(below: build).map {
      "\($0) \(try SHA256Hex(ofFile: build.appending(path: $0)).text)"
    }
  }

  @Test func aMosaicAcrossTheDateLineTellsItsExtentAndOpensOnAChart() throws {
    let file = try Self.reference.get().file("build/2304/vfr-sectional/United_States.product.json")
    let product = try JSONDecoder().decode(Product.self, from: Data(contentsOf: file))
    let boxes = try #require(product.boundingBoxes)
    #expect(boxes.map(\.west) == [178, -180])
    #expect(boxes[0].east == 180 && (-111 ... -110).contains(boxes[1].east), "\(boxes)")
    #expect(product.cut == nil, "each chart has a cut of its own")
    let inspection = try Program().run([
      "inspect", file.deletingLastPathComponent().appending(path: "United_States.mbtiles").path, "--json",
    ])
    #expect(inspection.output.contains("\"center\" : \"-121."), "\(inspection.output.prefix(2000))")
  }

  @Test func aBrokenChartIsMendedToTheBytesOfARunThatWasRightAtOnce() throws {
    let sources = try TemporaryFolder()
    let work = try TemporaryFolder()
    for name in try files(below: Self.drawn.get().url) {
      try FileManager.default.copyItem(at: Self.drawn.get().file(name), to: sources.file(name))
    }
    try Data().write(to: sources.file("Las_Vegas.zip"))
    let broken = try Self.run(from: sources, work: work)
    #expect(broken.status == 5, "\(broken.errors)")
    #expect(broken.errors.contains("2 of 6 failed: vfr-sectional/Las_Vegas, vfr-sectional/United_States"))
    #expect(broken.errors.contains("1 chart of 3 could not be built: Las_Vegas"), "\(broken.errors)")

    try FileManager.default.removeItem(at: sources.file("Las_Vegas.zip"))
    try FileManager.default.copyItem(
      at: Self.drawn.get().file("Las_Vegas.zip"), to: sources.file("Las_Vegas.zip"))
    let mended = try Self.run(from: sources, work: work)
    #expect(mended.status == 0, "\(mended.errors)")
    #expect(mended.errors.contains("vfr-sectional/San_Francisco: up to date"))
    #expect(try fingerprint(work) == fingerprint(Self.reference.get()))
  }

  /// Puts a remark on the page of the chart: another edition, as far as anybody can tell.
  private func change(_ zip: URL) throws {
    var writer = ZipWriter()
    do {
      let old = try ZipArchive(path: zip.path)
      writer.members = try old.members.map { ($0.name, try old.read($0)) }
    }
    for index in writer.members.indices where writer.members[index].name.hasSuffix(".htm") {
      writer.members[index].bytes += Array("<!-- corrected -->\n".utf8)
    }
    try FileManager.default.removeItem(at: zip)
    try writer.write(to: zip.path)
  }

  /// Which file each one is: a new one of the same name has another number.
  private func numbers(_ work: TemporaryFolder) throws -> [String: Int] {
    let build = work.file("build/2304/vfr-sectional")
    return try Dictionary(
      uniqueKeysWithValues: files(below: build).map { path in
        let facts = try FileManager.default.attributesOfItem(atPath: build.appending(path: path).path)
        return (path, (facts[.systemFileNumber] as? NSNumber)?.intValue ?? 0)
      })
  }

  @Test func oneChangedChartIsOneChartBuilt() throws {
    let (sources, work) = (try TemporaryFolder(), try TemporaryFolder())
    for (from, to) in [(try Self.drawn.get(), sources), (try Self.reference.get(), work)] {
      for name in try FileManager.default.contentsOfDirectory(atPath: from.url.path) {
        try FileManager.default.copyItem(at: from.file(name), to: to.file(name))
      }
    }
    let before = try numbers(work)
    try change(sources.file("San_Francisco.zip"))
    let run = try Self.run(from: sources, work: work, ["--json"])
    #expect(run.status == 0, "\(run.errors)")
    func steps(_ event: String) -> [String] {
      run.errors.split(separator: "\n").compactMap {
        try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
      .filter { $0["event"] as? String == event }.compactMap { $0["step"] as? String }
      .filter { $0.hasPrefix("vfr-sectional/") }.map { String($0.dropFirst("vfr-sectional/".count)) }
    }
    // At the smallest zooms of these coarse sheets all three share a tile, which holds a part of San Francisco.
    #expect(
      steps("finished") == ["San_Francisco"]
        + ["Las_Vegas", "San_Francisco", "Western_Aleutian_Islands_East"].map { $0 + ", seams" }
        + ["United_States"])
    #expect(steps("skipped") == ["Las_Vegas", "Western_Aleutian_Islands_East"])
    let after = try numbers(work)
    #expect(before.keys == after.keys)
    let touched = after.keys.filter { before[$0] != after[$0] }
    #expect(touched.contains("cut/San_Francisco.mbtiles") && touched.contains("Las_Vegas.mbtiles"))
    #expect(
      touched.allSatisfy { !$0.hasPrefix("cut/") || $0.hasPrefix("cut/San_Francisco.") }, "\(touched)")
  }

  /// A run of one chart must not undo what a run of all of them completed.
  @Test func aChartAloneIsCompletedFromNeighboursThatStand() throws {
    let work = try Self.reference.get()
    let before = try fingerprint(work)
    let again = try Self.run(from: Self.drawn.get(), work: work, ["--only", "San_Francisco"])
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.errors.contains("vfr-sectional/San_Francisco, seams: up to date"))
    #expect(try fingerprint(work) == before)
  }

  @Test func aShardLeavesSeamsAndMosaicToARunThatHasAll() throws {
    let definition = try Self.drawn.get().file("vfr-sectional.json5").path
    let work = try TemporaryFolder()
    let ending = try Program().run([
      "build", definition, "--cycle", "2304", "--from", Self.drawn.get().url.path, "--work", work.url.path,
      "--shard", "2/3",
    ])
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.errors.hasSuffix("A run with all charts completes edge tiles and builds mosaics and exports.\n"))
    #expect(try files(below: work.file("build")).allSatisfy { $0.contains("/cut/") })
    let plan = try Program().run(["plan", definition, "--shards", "3"])
    #expect(plan.output.contains("\"afterwards\" : [\n    \"vfr-sectional/United_States\""), "\(plan.output)")
  }
}

/// The definitions of the smaller families, each built from sheets that are drawn where the definition says, far away and small.
@Suite(.serialized) struct FamilyFleetTests {
  @Test(arguments: [
    ("vfr-helicopter", ["Baltimore", "New_York", "US_Gulf_Coast", "Dallas_Love_Inset"]),
    ("vfr-terminal", ["Anchorage", "Detroit", "Miami_FLY", "Puerto_Rico-VI"]),
    ("caribbean", ["Caribbean_1", "Caribbean_2"]),
  ])
  func eachChartIsBuiltWithinItsOutline(name: String, ids: [String]) throws {
    let fleet = try DrawnFleet(name, metresPerPixel: 4000, fewestPixels: 200) { family in
      family.charts.removeAll { !ids.contains($0.id) }
      (family.covers, family.mosaic, family.seam) = (nil, nil, .clean)
    }
    #expect(fleet.family.charts.count == ids.count)
    let work = try TemporaryFolder()
    let ending = try fleet.chartpipe("build", work: work)
    #expect(ending.status == 0, "\(ending.errors)")
    for id in ids {
      #expect((try fleet.product(id, in: work).build.counts["tiles"] ?? 0) > 0, "\(id)")
    }
  }
}

/// The sheets of a family of `pipelines/`, drawn small, with a definition that fits them.
struct DrawnFleet {
  static let cycle = "2304"

  let folder: TemporaryFolder
  /// As drawn.
  let family: ChartFamily
  /// The path of the fitted definition.
  var definition: String { folder.file("\(family.name).json5").path }

  /// - Parameters:
  ///   - fewestPixels: of the shorter side of a sheet, on which the scale of a small chart depends.
  ///   - printed: the outlines of maps that are printed elsewhere than the definition has them.
  ///   - change: what the definition has to be without.
  init(
    _ name: String, metresPerPixel: Double, fewestPixels: Int = 300,
    printed: [String: [NeatlineDefinition.Edge]] = [:], change: (inout ChartFamily) -> Void = { _ in }
  ) throws {
    let definition = try PipelineDefinition(
      contentsOf: repositoryRoot.appending(path: "pipelines/\(name).json5"))
    guard case .charts(var family) = definition.content else { throw CocoaError(.coderInvalidValue) }
    change(&family)
    let day = try #require(CalendarDay(SheetDesign.sampleCycleDay))
    let edition = Edition(of: try #require(AiracCycle(effective: day)))
    let fleet = try Fleet(
      family, metresPerPixel: metresPerPixel, fewestPixels: fewestPixels, edition: edition, printed: printed)
    let scratch = try TemporaryFolder()
    (self.family, folder) = (fleet.family, try TemporaryFolder())
    try fleet.write(to: folder.url, scratch: scratch.url) { _ in }
  }

  /// Runs `build` or `run` with these sheets.
  func chartpipe(
    _ command: String, work: TemporaryFolder, _ options: [String] = []
  ) throws -> Program.Ending {
    try Program().run(
      [command, definition, "--cycle", Self.cycle, "--from", folder.url.path, "--work", work.url.path]
        + options)
  }

  /// What was built of a chart.
  func product(_ id: String, in work: TemporaryFolder) throws -> Product {
    let build = work.file("build/\(Self.cycle)/\(family.name)")
    let file = try files(below: build).first {
      $0 == "\(id).product.json" || $0.hasSuffix("/\(id).product.json")
    }
    return try JSONDecoder().decode(
      Product.self, from: Data(contentsOf: build.appending(path: try #require(file, "\(id) was not built"))))
  }
}

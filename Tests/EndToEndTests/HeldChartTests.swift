import ArchiveIO
import Core
import Foundation
import TestSupport
import Testing
import ZipWriting

@testable import ChartpipeKit

/// Two neighbours over two cycles. In the second cycle one loses so many tiles that validation refuses it.
@Suite(.blocking, .slow) struct HeldChartTests {
  private static let east = "sample-mosaic/Sample_East"
  private static let west = "sample-mosaic/Sample_West"
  private static let mosaic = "sample-mosaic/Bay_Area"

  /// The right definition, and one that cuts off the south of the eastern chart.
  private static let definitionFolder = Samples.shared { () -> TemporaryFolder in
    let folder = TemporaryFolder()
    let text = try repositoryRoot.appending(path: "pipelines/sample-mosaic.json5").text.replacing(
      "minZoom: 6, maxZoom: 10, format: \"webp\", archives: [\"mbtiles\", \"pmtiles\"]",
      with: "minZoom: 9, maxZoom: 11, format: \"png\"")
    let east = try #require(text.range(of: "id: \"Sample_East\"")).lowerBound
    let bad =
      text[..<east] + text[east...].replacing("south: { parallel: 37 }", with: "south: { parallel: 37.42 }")
    let other = text.replacing("id: \"Sample_East\"", with: "id: \"Renamed\"")
      .replacing("\"Sample_East\"", with: "\"Renamed\"")
      .replacing("minZoom: 9, maxZoom: 11", with: "minZoom: 8, maxZoom: 10, colors: 64")
    for (name, text) in [("right", text), ("bad", String(bad)), ("other", other)] {
      let file = folder.file("\(name)/sample-mosaic.json5")
      try file.deletingLastPathComponent().makeFolder()
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    return folder
  }

  private static func run(
    _ definition: String, _ cycle: String, _ work: TemporaryFolder, _ options: [String] = [],
    from sources: String = "samples"
  ) async throws -> Program.Ending {
    let definition = try await definitionFolder.value.file("\(definition)/sample-mosaic.json5").path
    return try Program().run(
      ["run", definition, "--cycle", cycle, "--from", sources, "--work", work.url.path] + options)
  }

  private static let first = Samples.shared { () -> TemporaryFolder in
    let work = TemporaryFolder()
    try await run("right", "2304", work).expect(0)
    return work
  }

  /// The work folder after the second cycle, in which a chart is held back.
  private static let held = Samples.shared { () -> (work: TemporaryFolder, ending: Program.Ending) in
    let work = try await first.value.copy()
    return (work, try await run("bad", "2305", work))
  }

  private func manifest(_ work: TemporaryFolder, _ cycle: String = "2305") throws -> Manifest {
    let file = work.file("site/cycles/\(cycle)/manifest.json")
    return try file.decoded(Manifest.self)
  }

  private func seams(_ work: TemporaryFolder) throws -> String? {
    let archive = work.file("build/2305/sample-mosaic/Sample_West.mbtiles")
    return try MBTilesReader(opening: archive).metadata()["chartpipe:seams"]
  }

  @Test func `holds back a refused chart and stages its neighbour without its pixels`() async throws {
    let (held, ending) = try await Self.held.value
    let work = try held.copy()
    #expect(ending.status == 5, "\(ending.errors)")
    #expect(ending.output.contains("2 products held back: \(Self.mosaic), \(Self.east)"), "\(ending.output)")
    #expect(
      ending.errors.contains(
        "Validation refuses \(Self.east): edges and mosaics that show them are built again."))
    #expect(ending.errors.contains("held back: tiles-changed: Sample_East.product.json zoom 11"))
    #expect(ending.errors.contains("--accept tiles-changed@\(Self.east):REASON."))
    let manifest = try manifest(work)
    #expect(manifest.products.map(\.id) == [Self.west] && manifest.missing.isEmpty)
    #expect(manifest.held?.map(\.id) == [Self.mosaic, Self.east])
    #expect(manifest.held?.map(\.because) == [[Self.east], nil])
    #expect(
      manifest.kept?.map(\.cycle) == ["2304", "2304"] && manifest.kept?.map(\.id) == [Self.mosaic, Self.east])
    #expect(manifest.products[0].includes == nil)
    #expect(try seams(work) == "")

    // A second run builds nothing and changes no byte.
    let before = try fingerprint(work.file("site")) + fingerprint(work.file("build"))
    let again = try await Self.run("bad", "2305", work).expect(5, "all steps are up to date")
    #expect(!again.errors.contains("completed from"), "\(again.errors)")
    #expect(
      again.errors.contains("\(Self.mosaic): warning: not built, since validation refused \(Self.east)"))
    // The doubts about the held chart, which is up to date.
    let doubt = "\n\(Self.east): warning: its southern edge could not be measured"
    #expect(ending.errors.contains(doubt) && again.errors.contains(doubt), "\(again.errors)")
    #expect(try fingerprint(work.file("site")) + fingerprint(work.file("build")) == before)
  }

  @Test func `a repaired chart gives the same bytes as a run without the error`() async throws {
    let (work, reference) = (try await Self.held.value.work.copy(), try await Self.first.value.copy())
    try await Self.run("right", "2305", work).expect(0)
    try await Self.run("right", "2305", reference).expect(0)
    #expect(try fingerprint(work.file("build")) == fingerprint(reference.file("build")))
    #expect(try manifest(work) == manifest(reference))
    #expect(try manifest(work).held == nil && manifest(work).kept == nil)
    #expect(!work.file("journal/2305.refused.json").exists)
  }

  @Test func `an accepted finding stages the chart, even after it was held back`() async throws {
    let work = try await Self.held.value.work.copy()
    let ending = try await Self.run(
      "bad", "2305", work, ["--accept", "tiles-changed:the south went to another chart"]
    ).expect(0)
    #expect(
      ending.errors.contains(
        "Validation refuses no chart any more: edges and mosaics are built again with all charts."))
    #expect(!ending.errors.contains("nothing to accept"), "\(ending.errors)")
    #expect(try manifest(work).products.map(\.id) == [Self.mosaic, Self.east, Self.west])
    #expect(try manifest(work).held == nil)
    #expect(try seams(work) == "Sample East")
  }

  @Test func `the old charts under new dates stay held back, though joined again they have other bytes`()
    async throws
  {
    let (work, sources) = (try await Self.first.value.copy(), try Self.oldChartsUnderNewDates())
    let before = try fingerprint(work.file("site"))
    let refusal = "its sheet shows nothing but that of \(Self.east) in the edition of 2023-04-20"
    let ending = try await Self.run("right", "2306", work, from: sources.url.path).expect(4, refusal)
    #expect(ending.errors.contains("Nothing was staged, and what is published stays."), "\(ending.errors)")
    // Without its neighbour, all of its edge tiles differ.
    try await Self.run("right", "2306", work, ["--only", "Sample_East"], from: sources.url.path)
      .expect(4, refusal)
    // Under other names, at other zooms and in other colours.
    try await Self.run("other", "2306", work, ["--only", "Renamed"], from: sources.url.path)
      .expect(
        4,
        "source-stale: sample-mosaic/Renamed, Renamed.product.json: its sheet shows nothing but that of \(Self.east)"
      )
    #expect(try fingerprint(work.file("site")) == before)
    // From an empty work folder, the published catalogue knows the sheet, also where its manifest is damaged.
    let (target, empty) = (try await published(), TemporaryFolder())
    let catalogue = try target.file("catalog.json").decoded(Catalog.self)
    for entry in catalogue.entries { try target.file(entry.manifest.path).put("{") }
    try await Self.run("right", "2306", empty, ["--publish", target.url.path], from: sources.url.path)
      .expect(4, refusal)
    #expect(!empty.file("site").exists)
  }

  @Test func `an old chart that was held back stays so in later runs from empty work folders`() async throws {
    let (target, sources) = (try await published(), try Self.oldChartsUnderNewDates())
    // The second run, with today's clock, finds no other manifest of the first cycle, the third one takes it for the minor cycle.
    for cycle in ["2306", "2306", "2307"] {
      let work = TemporaryFolder()
      let ending = try await Self.run(
        "right", cycle, work,
        ["--publish", target.url.path, "--accept", "source-stale@\(Self.east):a test"],
        from: sources.url.path
      ).expect(5, "source-stale: Sample_West.product.json: its sheet shows nothing but that of \(Self.west)")
      let stays =
        "Its edition of 2023-04-20, built for cycle 2304, stays published.\n  The report has the details."
      #expect(ending.errors.contains(stays), "\(ending.errors)")
      #expect(try manifest(work, cycle).products.map(\.id) == [Self.east])
      #expect(try manifest(work, cycle).held?.last?.published?.cycle == "2304")
    }
  }

  /// The charts of the first cycle, with the dates of the next edition.
  private static func oldChartsUnderNewDates() throws -> TemporaryFolder {
    let sources = TemporaryFolder()
    for name in ["Sample_East.zip", "Sample_West.zip"] {
      let old = try ZipArchive(path: samplesFolder.appending(path: "sectional-files/\(name)").path)
      var new = ZipWriter()
      for member in old.members {
        var bytes = try old.read(member)
        if member.name.hasSuffix(".htm") {
          let text = String(decoding: bytes, as: UTF8.self).replacing("20230614", with: "20230809")
          bytes = Array(text.replacing("20230420", with: "20230615").utf8)
        }
        new.members.append((member.name, bytes))
      }
      try new.write(to: sources.file(name).path)
    }
    return sources
  }

  /// A target with the first cycle.
  private func published() async throws -> TemporaryFolder {
    let target = TemporaryFolder()
    try Program().run(["publish", try await Self.first.value.file("site").path, target.url.path]).expect(0)
    return target
  }

  @Test func `a chart that cannot be built again stays as it was, also in its neighbour, and is reported`()
    async throws
  {
    let (work, sources) = (try await Self.first.value.copy(), TemporaryFolder())
    for name in ["Sample_East.zip", "Sample_West.zip"] {
      let data = try Data(contentsOf: samplesFolder.appending(path: "sectional-files/\(name)"))
      try (name == "Sample_West.zip" ? data.prefix(1000) : data).write(to: sources.file(name))
    }
    let before = try (manifest(work, "2304"), fingerprint(work.file("build")))
    for _ in 1...2 {
      try await Self.run("right", "2304", work, from: sources.url.path)
        .expect(5, "1 of 5 failed: \(Self.west)")
      let now = try manifest(work, "2304")
      #expect(now.products.map(\.id) == [Self.mosaic, Self.east])
      #expect(now.missing == [Self.west] && now.failures?.map(\.id) == [Self.west])
      #expect(now.kept == before.0.products.filter { $0.id == Self.west })
      #expect(try fingerprint(work.file("build")) == before.1)
      let report = try work.file("site/cycles/2304/report.html").text
      #expect(report.contains("Incomplete: 1 product missing"))
    }
    try await Self.run("right", "2304", work).expect(0)
    #expect(try manifest(work, "2304") == before.0)
  }

  @Test
  func `a chart is not staged with tiles of a neighbour that was built from another source than the site's`()
    async throws
  {
    let (work, sources) = (try await Self.first.value.copy(), TemporaryFolder())
    for name in ["Sample_East.zip", "Sample_West.zip"] {
      let old = try ZipArchive(path: samplesFolder.appending(path: "sectional-files/\(name)").path)
      var new = ZipWriter()
      for member in old.members { new.members.append((member.name, try old.read(member))) }
      if name == "Sample_West.zip" { new.members.append(("note.txt", [])) }
      try new.write(to: sources.file(name).path)
    }
    let before = try fingerprint(work.file("site"))
    let definition = try await Self.definitionFolder.value.file("right/sample-mosaic.json5").path
    try Program().run("build \(definition) --cycle 2304 --from \(sources.url.path) --work \(work.url.path)")
      .expect(0)
    for product in ["Sample_East", "Bay_Area"] {
      let file = work.file("build/2304/sample-mosaic/\(product).product.json").path
      try Program().run(["stage", file, "--site", work.file("site").path])
        .expect(4, "it shows parts of \(Self.west), which is neither staged with it nor in the cycle's site")
    }
    #expect(try fingerprint(work.file("site")) == before)
  }

  @Test func `a strict run stages nothing and leaves its report`() async throws {
    let work = try await Self.first.value.copy()
    let before = try fingerprint(work.file("site"))
    let report = work.file("build/2305/refused.html")
    try await Self.run("bad", "2305", work, ["--strict"]).expect(
      4, "Nothing was staged, and what is published stays. The report is \(report.path).\n")
    let json = try await Self.run("bad", "2305", work, ["--strict", "--json"]).expect(4)
    let answer = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(answer?["cycle"] as? String == "2305" && (answer?["failed"] as? [Any])?.isEmpty == true)
    #expect(
      (answer?["error"] as? String)?.hasPrefix("staging cycle 2305: validation found ") == true,
      "\(json.output)")
    #expect(answer?.count == 3)
    #expect(try fingerprint(work.file("site")) == before)
    #expect(try report.text.contains("tiles-changed"))
    // The next staging removes it.
    try await Self.run("bad", "2305", work).expect(5)
    #expect(!report.exists)
  }

  @Test func `an acceptance for a mosaic that was not built is not reported as useless`() async throws {
    let work = try await Self.held.value.work.copy()
    let ending = try await Self.run("bad", "2305", work, ["--accept", "charts-cover:known"])
    #expect(ending.status == 5 && !ending.errors.contains("nothing to accept"), "\(ending.errors)")
  }

  @Test func `staging a built folder holds back the neighbour that shows the refused chart`() async throws {
    let work = try await Self.first.value.copy()
    let definition = try await Self.definitionFolder.value.file("bad/sample-mosaic.json5").path
    try Program().run("build \(definition) --cycle 2305 --from samples --work \(work.url.path)").expect(0)
    let stage = ["stage", work.file("build/2305").path, "--site", work.file("site").path]
    try Program().run(stage).expect(4, "Nothing was staged, and what is published stays.")
    // Another chart of the cycle is staged alone.
    try Program().run("build sample-terminal --cycle 2305 --from samples --work \(work.url.path)").expect(0)
    try Program().run(stage).expect(5, "`chartpipe run` completes its edges without them")
    let manifest = try manifest(work)
    #expect(manifest.held?.map(\.id) == [Self.mosaic, Self.east, Self.west])
    #expect(manifest.products.allSatisfy { $0.id.hasPrefix("sample-terminal/") })
  }
}

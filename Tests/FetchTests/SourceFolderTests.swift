import Core
import Foundation
import TestSupport
import Testing
import ZipWriting

@testable import ChartpipeKit

@Suite struct SourceFolderTests {
  let folder = TemporaryFolder()

  init() throws {
    try folder.file("tac-files").makeFolder()
    try folder.file("tac-files/Denver_TAC.zip").put("abc")
  }

  @Test func `finds a file in a subfolder in any letter case`() throws {
    let found = try #require(try SourceFolder(folder.url).locate(["missing.zip", "denver_tac.ZIP"]))
    #expect(found.name == "Denver_TAC.zip")
    #expect(found.bytes == 3)
    #expect(found.sha256.text == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func `returns nil for a missing file`() throws {
    #expect(try SourceFolder(folder.url).locate(["Seattle_TAC.zip"]) == nil)
  }

  @Test func `does not wait for a pipe in place of a file`() throws {
    #expect(mkfifo(folder.file("Denver.zip").path, 0o600) == 0)
    try expectFault("it is a pipe, a socket or a device") {
      _ = try SourceFolder(folder.url).locate(["Denver.zip"])
    }
  }

  @Test func `a missing file is reported with a similar name`() throws {
    for name in ["ENR_L01.zip", "28DaySubscription_Effective_2023-05-18.zip"] {
      try folder.file(name).put("abc")
    }
    let sources = try SourceFolder(folder.url)
    try expectFault("it is not in \(folder.url.path); the folder has Denver_TAC.zip") {
      try sources.locate(["Denvr_TAC.zip"], getItFrom: "the FAA")
    }
    // Another edition, but not another chart of a series.
    #expect(
      sources.similarName("28DaySubscription_Effective_2023-04-20.zip")?.contains("2023-05-18") == true)
    #expect(sources.similarName("ENR_L02.zip") == nil)
  }

  @Test func `refuses two files of one name`() throws {
    try Data().write(to: folder.file("Denver_TAC.zip"))
    try expectFault("it exists 2 times", kind: .badInput) {
      try SourceFolder(folder.url).locate(["Denver_TAC.zip"])
    }
  }

  @Test func `finds another spelling and prefers the exact one`() throws {
    try Data().write(to: folder.file("denver-tac.zip"))
    let sources = try SourceFolder(folder.url)
    #expect(try sources.find("Denver_TAC.zip")?.lastPathComponent == "Denver_TAC.zip")
    #expect(try sources.find("denver-tac.zip")?.lastPathComponent == "denver-tac.zip")
    try expectFault("denver-tac.zip, ", "Denver_TAC.zip") { try sources.find("Denver TAC.zip") }
  }

  @Test func `follows links to files and folders`() throws {
    let links = TemporaryFolder()
    let manager = FileManager.default
    let zip = folder.file("tac-files/Denver_TAC.zip")
    try manager.createSymbolicLink(at: links.file("Linked_TAC.zip"), withDestinationURL: zip)
    try manager.createSymbolicLink(at: links.file("downloads"), withDestinationURL: folder.url)
    try manager.createSymbolicLink(at: links.file("itself"), withDestinationURL: links.url)
    try manager.createSymbolicLink(at: links.file("Lost.zip"), withDestinationURL: links.file("nowhere"))
    let sources = try SourceFolder(links.url)
    #expect(try sources.locate(["Linked_TAC.zip"])?.bytes == 3)
    #expect(try sources.locate(["Denver_TAC.zip"])?.bytes == 3)
    #expect(try sources.locate(["Lost.zip"]) == nil)
    #expect(try SourceFolder(links.file("downloads")).locate(["Denver_TAC.zip"])?.bytes == 3)
  }

  @Test func `a missing folder is a usage error`() throws {
    try expectFault(kind: .badCall) { try SourceFolder(folder.file("nowhere")) }
  }
}

@Suite struct SourceInventoryTests {
  let folder = TemporaryFolder()

  private func zip(_ name: String, _ members: [String]) throws {
    var zip = ZipWriter()
    zip.members = members.map { ($0, [1]) }
    try zip.write(to: folder.file(name).path)
  }

  /// A family of one or two charts a zip: each entry is `Zip: Tif, Tif`.
  private func items(
    _ zips: KeyValuePairs<String, [String]>, name: String = "terminal", notCharts: [String] = []
  ) throws -> [any PipelineItem] {
    let charts = zips.flatMap { zip, tifs in tifs.map { (zip, $0) } }.enumerated().map { number, chart in
      "{ id: \"C\(number)\", name: \"C\(number)\", zip: \"\(chart.0)\", tif: \"\(chart.1)\" }"
    }
    let text = """
      { kind: "charts", name: "\(name)", title: "T", cadence: "56-day", attribution: "A",
        tiles: { minZoom: 6, maxZoom: 12 }, notCharts: ["\(notCharts.joined(separator: "\",\""))"],
        charts: [\(charts.joined(separator: ","))] }
      """
    let file = folder.file("\(name).json5")
    try file.put(text)
    return try PipelineLibrary.read(file).items
  }

  private func notes(_ items: [any PipelineItem]) throws -> [String] {
    SourceInventory(items).notes(in: try SourceFolder(folder.url)).map(\.message)
  }

  @Test func `known images are not noted`() throws {
    try zip(
      "denver_tac.ZIP",
      ["Denver TAC.tif", "denver_fly.TIF", "Denver TAC.htm", "Denver-Graphic.tif", "._x.tif"])
    let items = try items(
      ["Denver_TAC.zip": ["Denver TAC.tif", "Denver FLY.tif"]], notCharts: ["Denver Graphic.tif"])
    #expect(try notes(items).isEmpty)
    #expect(try notes([items[0]]).isEmpty)
  }

  @Test func `notes an unknown image with its zip`() throws {
    try zip("Denver_TAC.zip", ["Denver TAC.tif", "charts/Aspen TAC.TIF", "Denver TAC.tfw"])
    let denver = try items(["Denver_TAC.zip": ["Denver TAC.tif"]])
    #expect(
      try notes(denver) == [
        "an unknown tif \"Aspen TAC.TIF\" is in Denver_TAC.zip: add it to the definition or to notCharts"
      ])
    let aspen = try items(["Aspen_TAC.zip": ["Aspen TAC.tif"]], name: "aspen")
    #expect(try notes(denver + aspen).isEmpty)
  }

  @Test func `shortens a long list of names`() throws {
    let names = (0..<9).map { "\($0)" + String(repeating: "x", count: 300) + ".tif" }
    try zip("Denver_TAC.zip", names + ["Denver TAC.tif"])
    let note = try #require(try notes(try items(["Denver_TAC.zip": ["Denver TAC.tif"]])).first)
    #expect(note.hasPrefix("9 unknown tifs are in Denver_TAC.zip: \"0xx"))
    #expect(note.contains("… and 4 more: add them") || note.contains("…\" and 4 more: add them"))
    #expect(note.count < 600)
  }

  /// The charts that need them report them.
  @Test func `skips broken and missing zips`() throws {
    try folder.file("Denver_TAC.zip").put("no zip")
    let items = try items(["Denver_TAC.zip": ["Denver TAC.tif"], "Seattle_TAC.zip": ["Seattle TAC.tif"]])
    #expect(try notes(items).isEmpty)
  }

  @Test func `does not open the zips of other plans`() throws {
    try zip("Denver_TAC.zip", ["Denver TAC.tif"])
    try zip("Seattle_TAC.zip", ["Seattle TAC.tif", "Portland TAC.tif"])
    let items = try items(["Denver_TAC.zip": ["Denver TAC.tif"], "Seattle_TAC.zip": ["Seattle TAC.tif"]])
    #expect(try notes([items[0]]).isEmpty)
    #expect(try notes([items[1]]).count == 1)
  }
}

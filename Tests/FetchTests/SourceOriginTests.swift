import Core
import Fetch
import Foundation
import Pipeline
import TestSupport
import Testing

@Suite struct SourceOriginTests {
  @Test func aMirrorHasTheSamePathsOrAllSideBySide() throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    let items = try charts.items(url: "https://faa.example/visual/{mm-dd-yyyy}/sectional-files/{name}")
    try charts.put("Flat.zip", seed: 9, at: charts.served.file("flat/Denver.zip"))
    let same = try charts.fetch(.mirror(charts.server.url), items: items)
    #expect(same.map(\.state) == [.fetched, .fetched])
    let flat = try charts.fetch(.mirror(charts.server.url + "/flat"), items: items)
    #expect(flat.map(\.state) == [.fetched, .missing])
    #expect(flat[0].url == charts.server.url + "/flat/Denver.zip")
  }

  @Test func capitalsDoNotMatter() throws {
    let charts = try ServedCharts()
    let items = try charts.items(url: "\(charts.server.url)/Visual/{mm-dd-yyyy}/Sectional-Files/DENVER.zip")
    #expect(try charts.fetch(items: items).map(\.state) == [.fetched])
    #expect(charts.isWhole())
  }

  @Test func aServerWithoutListingsIsAskedForEachFile() throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    charts.server.always(.status(403), at: ServedCharts.folder + "/")
    charts.server.hide(charts.path("Cheyenne.zip"))
    #expect(try charts.list().map(\.state) == [.new, .missing])
    #expect(charts.server.asked.map(\.method) == ["GET", "HEAD", "HEAD"])
  }

  @Test func aFolderIsCopiedAndChecked() throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip", "Omaha.zip"])
    try Data("PK".utf8).write(to: charts.servedFile("Cheyenne.zip"))
    try FileManager.default.removeItem(at: charts.servedFile("Omaha.zip"))
    let fetched = try charts.fetch(.folder(charts.served.url))
    #expect(fetched.map(\.state) == [.fetched, .failed, .missing])
    #expect(charts.isWhole())
    #expect(charts.server.asked.isEmpty)
  }

  @Test func aDatabasesSourcesComeByTheirNames() throws {
    let charts = try ServedCharts()
    for name in ["airports.csv", "runways.csv"] { try Data("id\n".utf8).write(to: charts.served.file(name)) }
    try charts.put("s", seed: 1, at: charts.served.file("28Day_2026-11-26.zip"))
    try charts.put("d", seed: 2, at: charts.served.file("DAILY.ZIP"))
    let base = charts.server.url
    let text = """
      { kind: "nasr", name: "nasr", title: "T", cadence: "28-day", id: "aviation",
        sources: ["folder_{date}", "28Day_{date}.zip"],
        urls: { "28Day_{date}.zip": "\(base)/{name}",
          "world/airports.csv": "\(base)/airports.csv", "world/runways.csv": "\(base)/runways.csv" },
        exports: [{ id: "airports", format: "rzflight", title: "W", world: ["world.zip", "world"] }],
        gates: { droppedRowShare: 0.1, minimumRows: {} } }
      """
    try Data(text.utf8).write(to: charts.own.file("nasr.json5"))
    let obstacles = """
      { kind: "obstacles", name: "o", title: "T", cadence: "28-day", id: "obstacles",
        sources: ["DOF_{yymmdd}.zip", "DAILY.ZIP"], urls: { "DAILY.ZIP": "\(base)/{name}" },
        gates: { droppedRowShare: 0.1, minimumRows: {} } }
      """
    try Data(obstacles.utf8).write(to: charts.own.file("o.json5"))
    let items = try ["nasr", "o"].flatMap {
      try PipelineDefinition(contentsOf: charts.own.file("\($0).json5")).items
    }
    let fetched = try charts.fetch(items: items)
    #expect(
      fetched.map(\.path) == [
        "28Day_2026-11-26.zip", "world/airports.csv", "world/runways.csv", "DAILY.ZIP",
      ])
    #expect(fetched.allSatisfy { $0.state == .fetched })
    let folder = try SourceFolder(charts.work)
    #expect(try folder.locate(["world.zip", "world"])?.isFolder == true)
  }

  @Test(arguments: ["ftp://a/b", "work/sources", "/srv/faa"])
  func whatIsNoAddressIsAFolder(text: String) throws {
    guard case .folder = try SourceOrigin(text) else {
      Issue.record("\(text) is an address")
      return
    }
  }

  @Test func anAddressWithAPasswordIsRefused() throws {
    let fault = #expect(throws: UserError.self) { try SourceOrigin("https://me:secret@mirror.example/faa") }
    #expect(fault?.message.contains("secret") == false)
    #expect(try SourceOrigin("https://mirror.example/faa/") == .mirror("https://mirror.example/faa"))
    #expect(throws: UserError.self) { try SourceOrigin("https://") }
    #expect(throws: UserError.self) { try SourceOrigin("https://mirror.example/?key=1") }
  }
}

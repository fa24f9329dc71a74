import Core
import TestSupport
import Testing

@testable import ChartpipeKit

/// The files that a database requires, their alternatives and their editions.
struct SourceRequirementTests {
  private static let definition = """
    { kind: "nasr", name: "nasr", title: "T", cadence: "28-day", id: "aviation",
      sources: ["28Day_{date}.zip", "{day_Mon_year}_CSV.zip"],
      classAirspace: ["class.zip"], specialUse: ["aixm.zip"],
      urls: { "28Day_{date}.zip": "https://x.org/{name}", "{day_Mon_year}_CSV.zip": "https://x.org/extra/{name}",
        "class.zip": "https://x.org/{date}/{name}", "aixm.zip": "https://x.org/{date}/{name}" },
      parts: { airports: { tables: ["runways"], sources: ["{day_Mon_year}_CSV.zip", "28Day_{date}.zip"] } },
      gates: { droppedRowShare: 0.1, minimumRows: {} } }
    """

  private static let obstacles = """
    { kind: "obstacles", name: "obstacles", title: "T", cadence: "28-day", id: "obstacles",
      sources: ["DAILY_DOF_CSV.ZIP", "DOF_{dof_yymmdd}.zip"],
      urls: { "DAILY_DOF_CSV.ZIP": "https://x.org/o/{name}", "DOF_{dof_yymmdd}.zip": "https://x.org/o/{name}" },
      gates: { droppedRowShare: 0.1, minimumRows: {} } }
    """

  private func plan() throws -> BuildPlan {
    let folder = TemporaryFolder()
    return try BuildPlan(
      [SourceRequirementTests.definition, SourceRequirementTests.obstacles].enumerated().map { number, text in
        let file = folder.file("\(number).json5")
        try file.put(text)
        return try PipelineLibrary.read(file)
      })
  }

  private func sources(_ plan: BuildPlan, _ cycle: AiracCycle) -> [SourceRequirement] {
    SourceRequirement.all(of: plan.items, for: cycle)
  }

  @Test func `the small files are an alternative to the whole subscription`() throws {
    let cycle: AiracCycle = "2612"
    let requirements = try sources(plan(), cycle)
    #expect(
      requirements.map { $0.alternatives.map { $0.map(\.path) } } == [
        [["28Day_2026-11-26.zip"], ["26_Nov_2026_CSV.zip", "class.zip", "aixm.zip"]],
        [["DAILY_DOF_CSV.ZIP"], ["DOF_261122.zip"]],
      ])
    #expect(
      requirements[0].alternatives[1].map(\.url) == [
        "https://x.org/extra/26_Nov_2026_CSV.zip", "https://x.org/2026-11-26/class.zip",
        "https://x.org/2026-11-26/aixm.zip",
      ])
    // A part without airspace takes the archive of tables alone.
    let part = try sources(plan().only(["airports"]), cycle)
    #expect(
      part.map { $0.alternatives.map { $0.map(\.path) } } == [
        [["26_Nov_2026_CSV.zip"], ["28Day_2026-11-26.zip"]]
      ])
  }

  @Test func `the daily obstacle file has no edition`() throws {
    let cycle: AiracCycle = "2613"
    let requirements = try sources(plan(), cycle)
    let files = requirements.flatMap(\.alternatives).joined()
    let editions = Dictionary(files.map { ($0.path, $0.edition?.id) }) { first, _ in first }
    #expect(editions["DAILY_DOF_CSV.ZIP"] == .some(nil))
    #expect(editions["28Day_2026-12-24.zip"] == "2613")
    #expect(editions["class.zip"] == "2613")
    // The 56-day file takes effect with the previous cycle and expires with the next.
    #expect(editions["DOF_261122.zip"] == "2612")
    let dof = try #require(files.first { $0.path == "DOF_261122.zip" }?.edition)
    #expect(dof.expires.description == "2027-01-21T09:01:00Z")
  }

  /// The names of real files.
  @Test(arguments: [
    ("2412", "241124"), ("2413", "241124"), ("2505", "250511"), ("2511", "251026"), ("2513", "251221"),
    ("2601", "251221"), ("2608", "260802"),
  ])
  func `the obstacle file of 56 days is dated the Sunday before`(cycle: String, name: String) throws {
    let cycle = try #require(AiracCycle(identifier: cycle))
    let names = try sources(plan(), cycle).flatMap(\.alternatives).joined().map(\.path)
    #expect(names.contains("DOF_\(name).zip"), "\(names)")
  }
}

@Suite struct SourceOriginTests {
  @Test func `a mirror has the publisher's paths or a flat folder`() throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    let items = try charts.items(url: "https://faa.example/visual/{mm-dd-yyyy}/sectional-files/{name}")
    try charts.put("Flat.zip", seed: 9, at: charts.served.file("flat/Denver.zip"))
    let same = try charts.fetch(.mirror(charts.server.url), items: items)
    #expect(same.map(\.state) == [.fetched, .fetched])
    let flat = try charts.fetch(.mirror(charts.server.url + "/flat"), items: items)
    #expect(flat.map(\.state) == [.fetched, .missing])
    #expect(flat[0].url == charts.server.url + "/flat/Denver.zip")
  }

  @Test func `finds addresses in any letter case`() throws {
    let charts = try ServedCharts()
    let items = try charts.items(url: "\(charts.server.url)/Visual/{mm-dd-yyyy}/Sectional-Files/DENVER.zip")
    #expect(try charts.fetch(items: items).map(\.state) == [.fetched])
    #expect(charts.isWhole())
  }

  @Test func `sends a HEAD request for each file to a server without listings`() throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    charts.server.always(.status(403), at: ServedCharts.folder + "/")
    charts.server.hide(charts.path("Cheyenne.zip"))
    #expect(try charts.list().map(\.state) == [.new, .missing])
    #expect(charts.server.requests.map(\.method) == ["GET", "HEAD", "HEAD"])
  }

  @Test func `copies and checks files of a local folder`() throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip", "Omaha.zip"])
    try charts.servedFile("Cheyenne.zip").put("PK")
    try charts.servedFile("Omaha.zip").remove()
    let fetched = try charts.fetch(.folder(charts.served.url))
    #expect(fetched.map(\.state) == [.fetched, .failed, .missing])
    #expect(charts.isWhole())
    #expect(charts.server.requests.isEmpty)
  }

  @Test func `fetches a database's sources by their names`() throws {
    let charts = try ServedCharts()
    for name in ["airports.csv", "runways.csv", "aip.db"] { try charts.served.file(name).put("id\n") }
    try charts.put("s", seed: 1, at: charts.served.file("28Day_2026-11-26.zip"))
    try charts.put("d", seed: 2, at: charts.served.file("DAILY.ZIP"))
    let base = charts.server.url
    let text = """
      { kind: "nasr", name: "nasr", title: "T", cadence: "28-day", id: "aviation",
        sources: ["folder_{date}", "28Day_{date}.zip"],
        urls: { "28Day_{date}.zip": "\(base)/{name}",
          "world/airports.csv": "\(base)/airports.csv", "world/runways.csv": "\(base)/runways.csv",
          "aip.db": "\(base)/{name}" },
        exports: [{ id: "airports", format: "rzflight", title: "W", world: ["world.zip", "world"],
          supplements: [{ name: "aip", source: "S", licence: "L", files: ["aip.zip", "aip.db"] }] }],
        gates: { droppedRowShare: 0.1, minimumRows: {} } }
      """
    try charts.own.file("nasr.json5").put(text)
    let obstacles = """
      { kind: "obstacles", name: "o", title: "T", cadence: "28-day", id: "obstacles",
        sources: ["DOF_{yymmdd}.zip", "DAILY.ZIP"], urls: { "DAILY.ZIP": "\(base)/{name}" },
        gates: { droppedRowShare: 0.1, minimumRows: {} } }
      """
    try charts.own.file("o.json5").put(obstacles)
    let items = try ["nasr", "o"].flatMap { try PipelineLibrary.read(charts.own.file("\($0).json5")).items }
    let fetched = try charts.fetch(items: items)
    #expect(
      fetched.map(\.path) == [
        "28Day_2026-11-26.zip", "world/airports.csv", "world/runways.csv", "aip.db", "DAILY.ZIP",
      ])
    #expect(fetched.allSatisfy { $0.state == .fetched })
    let folder = try SourceFolder(charts.work)
    #expect(try folder.locate(["world.zip", "world"])?.isFolder == true)
  }

  @Test(arguments: ["ftp://a/b", "work/sources", "/srv/faa"])
  func `an origin that is not an address is a folder`(text: String) throws {
    guard case .folder = try SourceOrigin(text) else {
      Issue.record("\(text) is an address")
      return
    }
  }

  @Test func `refuses an address with a password`() throws {
    let fault = #expect(throws: UserError.self) { try SourceOrigin("https://me:secret@mirror.example/faa") }
    #expect(fault?.message.contains("secret") == false)
    #expect(try SourceOrigin("https://mirror.example/faa/") == .mirror("https://mirror.example/faa"))
    #expect(throws: UserError.self) { try SourceOrigin("https://") }
    #expect(throws: UserError.self) { try SourceOrigin("https://mirror.example/?key=1") }
  }
}

@Suite struct RemoteListingTests {
  private let folder = "https://faa.example/visual/10-29-2026/sectional-files/"

  private func read(_ html: String) -> RemoteListing? { RemoteListing(html: Array(html.utf8), at: folder) }

  @Test func `reads a listing of IIS`() throws {
    let listing = try #require(
      read(
        """
        <pre><A HREF="/visual/">[To Parent Directory]</A><br><br> 9/30/2026  8:12 AM        &lt;dir&gt; \
        <A HREF="/visual/10-29-2026/sectional-files/PDFs/">PDFs</A><br>10/10/2026 12:14 PM     82123456 \
        <A HREF="/visual/10-29-2026/sectional-files/Dallas-Ft_Worth.zip">Dallas-Ft_Worth.zip</A><br></pre>
        """))
    #expect(listing.fileNames == ["Dallas-Ft_Worth.zip"])
    let entry = try #require(try listing.file("dallas-ft_WORTH.zip"))
    #expect(entry.bytes == 82_123_456)
    #expect(entry.url == folder + "Dallas-Ft_Worth.zip")
    #expect(try listing.folder("pdfs")?.name == "PDFs")
    #expect(try listing.file("PDFs") == nil)
  }

  @Test func `reads listings of nginx and Apache`() throws {
    let nginx =
      "<a href=\"../\">../</a>\n<a href=\"St_Louis.zip\">St_Louis.zip</a>    13-Oct-2026 08:00    81000000\r\n"
    #expect(try read(nginx)?.file("St_Louis.zip")?.bytes == 81_000_000)
    let apache =
      "<td><a href='New%20York.zip'>New York.zip</a></td><td align=right>2026-10-13 08:00  </td><td> 79M</td>"
    let entry = try #require(try read(apache)?.file("New York.zip"))
    #expect(entry.bytes == nil)
    #expect(entry.url == folder + "New%20York.zip")
  }

  @Test func `finds another spelling and prefers the exact one`() throws {
    let links = ["Balt_Wash_Heli.zip", "heli-files/", "A_B.zip", "a b.zip", "C-D.zip", "C_D.zip", "C_D.zip"]
    let listing = try #require(read(links.map { "<a href=\"\($0)\">x</a>" }.joined()))
    #expect(try listing.file("Balt-Wash_Heli.zip")?.name == "Balt_Wash_Heli.zip")
    #expect(try listing.folder("Heli_files")?.name == "heli-files")
    #expect(try listing.file("C_D.zip")?.name == "C_D.zip")
    try expectFault("\"A_B.zip\", \"a b.zip\"") { try listing.file("A-B.zip") }
  }

  /// Only links to files directly in the folder count.
  @Test(arguments: [
    "https://other.example/visual/10-29-2026/sectional-files/a.zip", "//other.example/a.zip", "../a.zip",
    "../../../etc/passwd", "sub/a.zip", "javascript:alert(1)", "file:///etc/passwd", "?C=M;O=A", "#top", "",
    "/a.zip", ".hidden.zip", "%2e%2e%2fa.zip", "a%2Fb.zip", "a%00.zip", "a%0A.zip", "..\\a.zip",
    "http://faa.example/visual/10-29-2026/sectional-files/a.zip", "a.zip?x=1",
  ])
  func `ignores links that lead elsewhere`(target: String) {
    let listing = read("<a href=\"\(target)\">a.zip</a>")
    #expect(listing == nil)
  }

  @Test(arguments: [
    "", "<", "<a", "<a href", "<a href=\"a.zip", String(repeating: "<a ", count: 50_000),
    String(repeating: "<", count: 200_000),
    "<a href=\"a.zip\" " + String(repeating: "x", count: 100_000) + ">",
  ])
  func `a broken page is not a listing`(html: String) {
    let listing = read(html)
    #expect(listing == nil || listing?.fileNames == ["a.zip"])
  }
}

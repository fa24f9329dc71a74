import Core
import CryptoIO
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The app's own type: the names and types of its properties, with the synthesised `Decodable`.
private struct TFR: Decodable, Identifiable {
  enum Kind: String, Decodable { case security, vip, hazard, airshow, stadium, other }

  let id: String
  let type: Kind
  let description: String
  let effectiveDate: Date
  let expirationDate: Date
  let latitude: Double
  let longitude: Double
  let radiusNM: Double?
  let boundaries: [[Double]]
  let floorAltitude: Int
  let ceilingAltitude: Int
}

/// From the sources to the files of a snapshot.
@Suite struct TFRSnapshotTests {
  private let folder = TemporaryFolder()
  private var saved: URL { folder.file("saved") }
  private var sources: URL { folder.file("sources") }
  private let progress = RecordedProgress()

  private func definition(_ urls: String? = nil, terrain: String? = nil) throws -> TFRDefinition {
    let json = """
      {"name": "tfr", "title": "TFRs", "id": "tfr", "validMinutes": 15, "maxLoss": 0.5
       \(terrain.map { ", \"terrain\": \"\($0)\"" } ?? "")\(urls.map { ", \"urls\": \($0)" } ?? "")}
      """
    return try Data(json.utf8).decoded(TFRDefinition.self)
  }

  /// Brings the sources up to date from the folder of saved files.
  @discardableResult
  private func poll(_ time: String, _ origin: SourceOrigin? = nil, _ definition: TFRDefinition? = nil) throws
    -> SourcePoll
  {
    let now = try instant(time)
    let poll = try SourcePoll(into: sources, from: origin ?? .folder(saved), now: now, progress: progress)
    let cycle = CycleFiles(workspace: Workspace(folder.file("work")), cycle: AiracCycle(at: now), from: saved)
    try (definition ?? self.definition()).poll(poll, cycle)
    return poll
  }

  private struct Made {
    let product: Product
    let files: [String: URL]

    var elements: [TFR] {
      get throws { try JSONDecoder().decode([TFR].self, from: #require(files["openefb-tfrs.json"]).data) }
    }
    var features: [[String: Any]] {
      get throws {
        let object =
          try JSONSerialization.jsonObject(with: #require(files["tfr.geojson"]).data) as? [String: Any]
        return try #require(object?["features"] as? [[String: Any]])
      }
    }
    func rows(_ sql: String) throws -> [[String]] {
      let connection = try SQLiteConnection(#require(files["tfr.sqlite"]).path, mode: .readOnly)
      return try connection.prepare(sql).map { row in (0..<row.columnCount).map { row.text($0) ?? "NULL" } }
    }
  }

  private func build(_ time: String = "2026-10-03T12:00:00Z", _ definition: TFRDefinition? = nil) throws
    -> Made
  {
    let context = StepContext(
      cycle: AiracCycle(at: try instant(time)),
      workspace: Workspace(folder.file("work/\(UUID())")),
      sources: try SourceFolder(sources), jobs: 1, joins: false, refused: [:],
      progress: progress)
    try context.workspace.prepare()
    let item = TFRItem(definition: try definition ?? self.definition())
    guard case .fromSources(let prepare) = item.steps(context)[0].preparation else {
      throw CancellationError()
    }
    let outputs = try prepare().make { nil }
    let product = try #require(outputs.files.last).scratch.decoded(Product.self)
    return Made(
      product: product,
      files: Dictionary(uniqueKeysWithValues: outputs.files.map { ($0.final.lastPathComponent, $0.scratch) }))
  }

  private func put(_ name: String, _ text: String) throws { try saved.appending(path: name).put(text) }

  private func putList(_ entries: [(String, String)]) throws {
    try put("2026-10-03T1155-getTfrList.json", MadeTFR.list(entries))
  }

  private func putDetail(_ made: MadeTFR) throws {
    try put("2026-10-03T1155-" + #require(TFRNumber(made.number)).detailName, made.xml)
  }

  @Test func `the files of a snapshot`() throws {
    try putList([("6/6654", "202610011551"), ("6/1234", "202610021200"), ("6/7777", "202609010000")])
    let real = try fixtureFolder.appending(path: "tfr/detail_6_6654.xml").text
    try put("2026-10-03T1155-detail_6_6654.xml", real)
    try putDetail(
      MadeTFR(
        dates: "", text: "2610010000-PERM",
        areas: [
          .init(recipe: [("BASE", [circle(52, 179.9, 30)]), ("SUBTR", [circle(52, 179, 5)])]),
          .init(recipe: [("BASE", lines([(51, 178), (51, -178), (53, -178), (53, 178)]))]),
        ]))
    let square = "[[-107.8,38.2],[-107.7,38.0],[-107.2,38.1],[-107.8,38.2]]"
    try put(
      "2026-10-03T1155-V_TFR_LOC.json",
      MadeTFR.features([("6/9802-1-FDC-F", square), ("6/9803-1-FDC-F", nil)]))
    try put(
      "2026-10-03T1155-noShapeTfrList.json",
      #"[{"notam_id": "6/0413", "notam_key": "6/0413-1-FDC-F", "title": "STADIUMS", "state": "USA", "legal": "SECURITY"}]"#
    )
    let poll = try poll("2026-10-03T12:00:00Z")
    #expect(poll.faults.isEmpty)
    let made = try build()
    let product = made.product
    #expect(product.kind.rawValue == "tfr" && product.id == "tfr/tfr")
    #expect(
      product.effectiveDate == Instant("2026-10-02T12:00:00Z")
        && product.expirationDate == Instant("2026-10-02T12:15:00Z"))
    #expect(product.files.map(\.path) == ["tfr.geojson", "tfr.sqlite", "openefb-tfrs.json"])
    #expect(product.boundingBox?.west == -180 && product.boundingBox?.east == 180)
    #expect(
      product.build.counts["notams"] == 6 && product.build.counts["textOnly"] == 3, "\(product.build.counts)")
    #expect(product.build.counts["noDetail"] == 3 && product.build.counts["notListed"] == 2)

    let elements = try made.elements
    #expect(Set(elements.map(\.id)).count == elements.count)
    #expect(
      elements.allSatisfy { $0.effectiveDate < $0.expirationDate && $0.floorAltitude < $0.ceilingAltitude })
    let fire = elements.filter { $0.id.hasPrefix("FDC 6/6654") }
    #expect(
      fire.map(\.id) == [
        "FDC 6/6654-1-1-20261001T160000Z", "FDC 6/6654-1-1-20261002T160000Z",
        "FDC 6/6654-1-1-20261003T160000Z",
        "FDC 6/6654-1-1-later",
      ])
    #expect(
      fire[0].radiusNM == 3 && fire[0].boundaries.isEmpty && fire[0].latitude == 48.35
        && fire[0].longitude == -120.833333)
    #expect(fire[0].effectiveDate == ISO8601DateFormatter().date(from: "2026-10-01T16:00:00Z"))
    #expect(fire[0].type == .hazard && fire[0].ceilingAltitude == 10_000)
    #expect(
      fire[0].description
        == "Hazard Area1. 28NM W TWISP, WASHINGTON. SFC to 10000 ft MSL. daily 1600-0200 UTC. TO PROVIDE A SAFE ENVIRONMENT FOR FIRE FIGHTING ACFT OPS. 91.137(a)(2)"
    )
    let islands = elements.filter { $0.id.hasPrefix("FDC 6/1234") }
    #expect(
      islands.count == 4
        && islands.allSatisfy { $0.radiusNM == nil && $0.expirationDate > Date(timeIntervalSince1970: 4e9) })
    for ring in islands.map(\.boundaries) {
      #expect(ring.first == ring.last && ring.count > 4)
      #expect(
        ring.allSatisfy { abs($0[0]) < 60 && abs($0[1]) <= 180 } && Set(ring.map { $0[1] > 0 }).count == 1)
    }
    let drawn = elements.filter { $0.id.hasPrefix("FDC 6/9802") }
    #expect(drawn.map(\.floorAltitude) == [0] && drawn.map(\.ceilingAltitude) == [99_999])
    #expect(drawn.first?.description.hasPrefix("UNCONFIRMED") == true)

    let features = try made.features
    #expect(features.count == 7 && features.count { $0["geometry"] is NSNull } == 3)
    let ids = features.compactMap { $0["id"] as? String }
    #expect(
      ids == [
        "FDC 6/0413", "FDC 6/1234-1", "FDC 6/1234-2", "FDC 6/6654-1", "FDC 6/7777", "FDC 6/9802-1",
        "FDC 6/9803",
      ])
    let properties = try #require(features[3]["properties"] as? [String: Any])
    #expect(properties["notam"] as? String == "FDC 6/6654" && properties["radiusNM"] as? Double == 3)
    let periods = try #require(properties["periods"] as? [[String: Any]])
    #expect(
      periods[0] as? [String: String] == [
        "effective": "2026-10-01T16:00:00Z", "expires": "2026-10-15T02:00:00Z", "startTime": "1600",
        "endTime": "0200",
      ])

    #expect(try made.rows("SELECT count(*) FROM areas_rtree") == [["4"]])
    #expect(
      try made.rows("SELECT unconfirmed FROM notams WHERE notam = 'FDC 6/9802'") == [
        ["notListed,noDetail,shapeFromMap"]
      ])
    #expect(try made.rows("SELECT DISTINCT classification FROM airspaces") == [["tfr"]])
    #expect(
      try made.rows(
        "SELECT count(*) FROM airspaces WHERE minLat < 49 AND maxLat > 48 AND floorAltitude <= 5000 AND ceilingAltitude >= 5000"
      ) == [["1"]])
    #expect(try made.rows("SELECT count(*), max(maxLon - minLon) < 5 FROM airspaces") == [["6", "1"]])
    #expect(try made.rows("PRAGMA integrity_check") == [["ok"]])
  }

  @Test func `limits above ground are above the terrain model of the definition`() throws {
    try putList([("6/1234", "202610021200")])
    try putDetail(
      MadeTFR(areas: [
        .init(
          floor: ("HEI", "0", "FT"), ceiling: ("HEI", "2000", "FT"),
          recipe: [("BASE", [circle(37.5, -122, 5)])])
      ]))
    let model = samplesFolder.appending(path: "terrain/Sample_Terrain.tif")
    try FileManager.default.copyItem(at: model, to: saved.appending(path: model.lastPathComponent))
    let definition = try definition(terrain: model.lastPathComponent)
    try poll("2026-10-03T12:00:00Z", nil, definition)
    let made = try build("2026-10-03T12:00:00Z", definition)
    #expect(
      made.product.build.counts["limitsFromTerrain"] == 1 && made.product.build.counts["limitsUnknown"] == 0)
    let element = try #require(try made.elements.first)
    #expect(element.floorAltitude == 0 && (2001..<12_000).contains(element.ceilingAltitude))
    #expect(
      try made.rows("SELECT groundSource, ceilingAltitude - highestGround FROM airspaces") == [
        ["terrain", "2000"]
      ])
    try saved.appending(path: model.lastPathComponent).remove()
    try poll("2026-10-03T12:05:00Z", nil, definition)
    #expect(try build("2026-10-03T12:05:00Z", definition).elements.first?.ceilingAltitude == 99_999)
  }

  @Test func `the definition of the repository is valid, and others are checked`() throws {
    let file = repositoryRoot.appending(path: "pipelines/tfr.json5")
    let items = try PipelineLibrary.read(file).items
    #expect(items.map(\.product) == ["tfr/tfr"] && (items[0] as? TFRItem)?.secondsAfterFetch == 900)
    for (old, new, reason) in [
      ("validMinutes: 15", "validMinutes: 0", "validMinutes must be 1 to 1440"),
      ("maxLoss: 0.5", "maxLoss: 1", "maxLoss must be"), ("detail:", "details:", "urls must be of"),
    ] {
      let changed = folder.file("tfr.json5")
      try changed.put(file.text.replacing(old, with: new))
      let fault = #expect(throws: UserError.self) { try PipelineLibrary.read(changed) }
      #expect(fault?.reason.contains(reason) == true, "\(fault?.reason ?? "")")
    }
  }

  @Test func `the same sources give the same bytes`() throws {
    try putList([("6/1234", "202610021200")])
    try putDetail(MadeTFR())
    try poll("2026-10-03T12:00:00Z")
    let (first, second) = (try build("2026-10-03T12:00:00Z"), try build("2026-10-04T01:00:00Z"))
    #expect(first.product == second.product)
    for (name, file) in first.files { #expect(try file.data == #require(second.files[name]).data, "\(name)") }
  }

  @Test(arguments: [
    ("[]", "no TFR with a time"), ("<html><body>503</body></html>", "not JSON"),
    ("[{\"notam_id\": \"6/12", "not JSON"),
    ("{}", "not"), (MadeTFR.list([("6/1001", "202610021100")]), "the list before had 4"),
    (
      MadeTFR.list([("6/1001", "202610011100"), ("6/1002", "202610020000"), ("6/1003", "202610020000")]),
      "older list"
    ),
    (MadeTFR.list([("6/1001", "202710011100"), ("6/1002", "202610020000")]), "in the future"),
    (
      MadeTFR.list([("../../x", "202610020000"), ("7", "202610020000"), ("6/1", "202610020000")]),
      "no TFR with a time"
    ),
    (
      #"[1, null, [], {"notam_id": 5}, {"notam_id": "6/1001", "mod_abs_time": "99999999999999999999"}]"#,
      "no TFR with a time"
    ),
  ])
  func `a list that is damaged, short or old does not replace a good one`(text: String, reason: String) throws
  {
    let good = MadeTFR.list((1001...1004).map { ("6/\($0)", "202610021200") })
    try put("2026-10-03T1155-getTfrList.json", good)
    try poll("2026-10-03T12:00:00Z")
    try put("2026-10-03T1200-getTfrList.json", text)
    let poll = try poll("2026-10-03T12:05:00Z")
    #expect(
      poll.faults.count == 1 && poll.faults[0].message.contains(reason), "\(poll.faults.map(\.message))")
    #expect(poll.data("getTfrList.json") == Data(good.utf8))
    #expect(try build().product.build.counts["notams"] == 4)
  }

  @Test func `a list without the newest entries of the one before is an old one`() throws {
    let entries = (1...6).map { ("6/100\($0)", "20261002120\($0)") }
    try put("2026-10-03T1155-getTfrList.json", MadeTFR.list(entries))
    try poll("2026-10-03T12:00:00Z")
    try put("2026-10-03T1200-getTfrList.json", MadeTFR.list(Array(entries.prefix(4))))
    #expect(try poll("2026-10-03T12:05:00Z").faults.first?.message.contains("older list") == true)
    try put("2026-10-03T1210-getTfrList.json", MadeTFR.list(Array(entries.prefix(5))))
    #expect(try poll("2026-10-03T12:15:00Z").faults.isEmpty, "one may have been cancelled")
  }

  @Test func `a list may lose some entries, and any number after a day`() throws {
    try put(
      "2026-10-03T1155-getTfrList.json", MadeTFR.list((1001...1004).map { ("6/\($0)", "202610021200") }))
    try poll("2026-10-03T12:00:00Z")
    try put(
      "2026-10-03T1200-getTfrList.json",
      MadeTFR.list([("6/1001", "202610011200"), ("6/1002", "202610031200")]))
    #expect(
      try poll("2026-10-03T12:05:00Z").faults.isEmpty, "one entry was set back, and another one is newer")
    try put("2026-10-05T1200-getTfrList.json", MadeTFR.list([("6/1009", "202610011200")]))
    #expect(try poll("2026-10-05T12:05:00Z").faults.isEmpty)
  }

  @Test(arguments: [
    (
      MadeTFR.features([("6/1001-1-FDC-F", "[[-107,38],[-107,39],[-106,39],[-107,38]]")], matched: 2),
      "1 of 2 features"
    ),
    (
      MadeTFR.features([
        (
          "6/1001-1-FDC-F",
          "[[-11900000,4500000],[-11900000,4600000],[-11800000,4500000],[-11900000,4500000]]"
        )
      ]), "not in degrees"
    ),
    (MadeTFR.features([]), "0 of 0"), ("<html></html>", "not JSON"),
  ])
  func `an answer of the map server without all features is refused`(text: String, reason: String) throws {
    try putList([("6/1001", "202610021200")])
    try put("2026-10-03T1155-V_TFR_LOC.json", text)
    let poll = try poll("2026-10-03T12:00:00Z")
    #expect(
      poll.faults.count == 1 && poll.faults[0].message.contains(reason), "\(poll.faults.map(\.message))")
    #expect(poll.data("V_TFR_LOC.json") == nil)
  }

  @Test func `a damaged detail does not replace a good one, and one no longer listed is removed`() throws {
    try putList([("6/1234", "202610021200"), ("6/1235", "202610021200")])
    try putDetail(MadeTFR())
    try putDetail(MadeTFR(number: "6/1235"))
    try poll("2026-10-03T12:00:00Z")
    try put("2026-10-03T1300-detail_6_1234.xml", "<XNOTAM-Update>")
    try put("2026-10-03T1300-getTfrList.json", MadeTFR.list([("6/1234", "202610031200")]))
    let poll = try poll("2026-10-03T13:05:00Z")
    #expect(poll.faults.count == 1 && poll.data("detail_6_1234.xml") == Data(MadeTFR().xml.utf8))
    #expect(poll.data("detail_6_1235.xml") == nil)
    #expect(try build().product.build.counts["olderDetail"] == 1)
  }

  @Test func `asks the server for what may have changed`() throws {
    let server = try TestServer(serving: saved.deletingLastPathComponent().appending(path: "server"))
    let place = folder.file("server")
    let keys = ["getTfrList.json", "noShapeTfrList.json", "V_TFR_LOC.json", "detail"]
    let urls = "{\(keys.map { #""\#($0)": "\#(server.url)/{name}""# }.joined(separator: ", "))}"
    let definition = try definition(urls)
    func ask(_ minutes: Int) throws -> [String] {
      let before = server.requests.count
      let now = Instant(secondsSince1970: Int(Date().timeIntervalSince1970) / 60 * 60 + minutes * 60)
      try poll(now.description, .publisher, definition)
      return server.requests.dropFirst(before).map { "\($0)" }.filter { $0.contains("detail") }
    }
    let now = Instant(secondsSince1970: Int(Date().timeIntervalSince1970))
    let digits = now.adding(-7200).description.filter(\.isNumber).prefix(12)
    try place.appending(path: "getTfrList.json").put(MadeTFR.list([("6/1234", String(digits))]))
    try place.appending(path: "detail_6_1234.xml").put(MadeTFR().xml)
    #expect(try ask(0).count == 1)
    #expect(try ask(5).isEmpty, "it is known and was not changed")
  }
}

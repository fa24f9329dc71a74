import Core
import CryptoIO
import Fetch
import Foundation
import Pipeline
import TestSupport
import Testing

@Suite struct SourceFetcherTests {
  @Test func comesToItsPlaceWithALockFile() throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    let fetched = try charts.fetch()
    #expect(fetched.map(\.path) == ["Denver.zip", "Cheyenne.zip"])
    #expect(fetched.map(\.state) == [.fetched, .fetched])
    #expect(fetched[0].products == ["sectional/C0"])
    #expect(charts.isWhole("Denver.zip") && charts.isWhole("Cheyenne.zip"))
    #expect(try files(below: charts.work) == ["Cheyenne.zip", "Denver.zip", "sources.lock.json"])
    let entry = try #require(try charts.lock()["Denver.zip"])
    #expect(try entry.sha256 == SHA256Hex(ofFile: charts.servedFile("Denver.zip")))
    #expect(entry.url == charts.server.url + charts.path("Denver.zip"))
    #expect(entry.etag != nil && entry.lastModified != nil && entry.fetched == "2026-11-27T23:59:59Z")
  }

  @Test func whatDidNotChangeCostsNoDownload() throws {
    let charts = try ServedCharts()
    _ = try charts.fetch()
    let lock = try charts.lock()
    charts.server.forgetAsked()
    let again = try charts.fetch()
    #expect(again.map(\.state) == [.here])
    #expect(again.map(\.received) == [0])
    #expect(charts.server.asked(charts.path("Denver.zip")).map(\.status) == [304])
    #expect(try charts.lock() == lock)
  }

  /// Another work folder, another month: the cache has it.
  @Test func theCacheServesEveryFolder() throws {
    let charts = try ServedCharts()
    _ = try charts.fetch()
    try FileManager.default.removeItem(at: charts.work)
    let again = try charts.fetch()
    #expect(again.map(\.state) == [.fetched])
    #expect(again.map(\.received) == [0])
    #expect(charts.isWhole())
  }

  @Test func whatHasNoRoomIsNotBegun() throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    let bytes = try charts.names.reduce(0) { try $0 + Data(contentsOf: charts.servedFile($1)).count }
    func fetch(into limit: Int) throws -> [FetchedSource] {
      var request = try charts.request()
      request.room = DiskSpace(charts.work, limit: limit)
      return try SourceFetcher(request, progress: SilentProgress()).fetch()
    }
    let fault = #expect(throws: UserError.self) { try fetch(into: bytes - 1) }
    #expect(fault?.path == "the sources of cycle 2612")
    #expect(charts.work.kindOnDisk == nil)
    #expect(try fetch(into: bytes).map(\.state) == [.fetched, .fetched])
    #expect(try fetch(into: 1).map(\.state) == [.here, .here], "nothing more is to come")
  }

  /// Two of these together are more than a number of the machine's can hold.
  @Test func aListingThatPromisesTooMuchIsNoCrash() throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    let lines = charts.names.map {
      "11/27/2026 1:00 AM \(Int.max) <A HREF=\"\(charts.path($0))\">\($0)</A><br>"
    }
    charts.server.always(.page(lines.joined()), at: ServedCharts.folder + "/")
    #expect(try charts.list().map(\.bytes) == [4 << 30, 4 << 30], "no more is ever taken")
    #expect(try charts.fetch().map(\.state) == [.fetched, .fetched])
  }

  @Test func aDamagedCacheIsNotTrusted() throws {
    let charts = try ServedCharts()
    let sha256 = try #require(try charts.fetch()[0].sha256?.text)
    let blob = charts.own.file("cache/\(sha256.prefix(2))/\(sha256)")
    try FileManager.default.removeItem(at: charts.work)
    try FileManager.default.removeItem(at: blob)
    try Data("other".utf8).write(to: blob)
    #expect(try charts.fetch()[0].received > 0)
    #expect(charts.isWhole())
  }

  @Test func aChangeOnTheServerIsTakenAndTold() throws {
    let charts = try ServedCharts()
    let before = try charts.fetch()[0]
    try charts.put("Denver.zip", seed: 99)
    #expect(try charts.list().map(\.state) == [.changed])
    let told = Told()
    let after = try charts.fetch(progress: told)[0]
    #expect(after.state == .fetched && after.sha256 != before.sha256)
    #expect(charts.isWhole())
    #expect(told.warnings == ["it changed since it was had at 2026-11-27T23:59:59Z"])
  }

  @Test func lockedRefusesAChange() throws {
    var charts = try ServedCharts()
    let before = try charts.fetch()[0]
    try charts.put("Denver.zip", seed: 99)
    charts.isLocked = true
    // The old one is still there, so the server is not even asked.
    charts.server.forgetAsked()
    #expect(try charts.fetch().map(\.state) == [.here])
    #expect(charts.server.asked.isEmpty)
    try FileManager.default.removeItem(at: charts.own.file("cache"))
    try FileManager.default.removeItem(at: charts.work.appending(path: "Denver.zip"))
    let fault = try #require(try charts.fetch()[0].fault)
    #expect(fault.kind == .refused)
    #expect(fault.reason.contains("another file than the one the lock file names"))
    #expect(try charts.lock()["Denver.zip"]?.sha256 == before.sha256)
    #expect(try files(below: charts.work) == ["sources.lock.json"])
  }

  @Test func lockedTakesOnlyWhatIsLocked() throws {
    var charts = try ServedCharts()
    charts.isLocked = true
    let fault = try #require(try charts.fetch()[0].fault)
    #expect(fault.reason == "the lock file does not name it")
  }

  @Test func listTellsHowEachStands() throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip", "Omaha.zip"])
    charts.server.hide(charts.path("Omaha.zip"))
    try charts.put("Omana.zip", seed: 7)
    var states = try charts.list()
    #expect(states.map(\.state) == [.new, .new, .missing])
    #expect(states[0].bytes == (try Data(contentsOf: charts.servedFile("Denver.zip")).count))
    #expect(states[2].fault?.reason.contains("the folder has Omana.zip") == true)
    #expect(charts.server.asked.map(\.path) == [ServedCharts.folder + "/"])
    #expect(charts.work.kindOnDisk == nil)
    _ = try charts.fetch()
    states = try charts.list()
    #expect(states.map(\.state) == [.here, .here, .missing])
  }

  @Test func oneServerHasAtMostFourConnections() throws {
    var charts = try ServedCharts((0..<10).map { "C\($0).zip" })
    charts.jobs = 10
    for name in charts.names {
      charts.server.always(.slow(piece: 10_000, pause: 0.02), at: charts.path(name))
    }
    #expect(try charts.fetch().allSatisfy { $0.state == .fetched })
    #expect((2...4).contains(charts.server.mostConnections))
  }

  @Test func anInterruptedFetchGoesOn() throws {
    let charts = try ServedCharts(bytes: 400_000)
    charts.server.inject(.slow(piece: 10_000, pause: 0.1), at: charts.path("Denver.zip"))
    let token = CancellationToken()
    #expect(throws: CancellationError.self) {
      try token.run { try charts.fetch(progress: AtFirstBytes { token.cancel() }) }
    }
    let fetched = try charts.fetch()[0]
    #expect(fetched.received > 0 && fetched.received < 400_000)
    #expect(charts.isWhole())
    #expect(try files(below: charts.work) == ["Denver.zip", "sources.lock.json"])
  }

  @Test func aFileOfAnotherEditionIsNotKept() throws {
    var charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    charts.check = { file, _ in
      guard file.name == "Denver.zip" else { return }
      throw UserError(.badInput, operation: "reading", path: file.url.path, reason: "another edition")
    }
    let fetched = try charts.fetch()
    #expect(fetched.map(\.state) == [.failed, .fetched])
    #expect(fetched[0].fault?.path == charts.server.url + charts.path("Denver.zip"))
    #expect(try files(below: charts.work) == ["Cheyenne.zip", "sources.lock.json"])
  }

  @Test func aLockFileThatCannotBeReadIsNamed() throws {
    let charts = try ServedCharts()
    _ = try charts.fetch()
    try Data("{".utf8).write(to: charts.work.appending(path: SourceLock.name))
    let fault = #expect(throws: UserError.self) { try charts.fetch() }
    #expect(fault?.operation == "reading the lock file")
  }

  @Test func aNameThatLeadsOutIsRefused() throws {
    let charts = try ServedCharts()
    try charts.put("x", seed: 1, at: charts.served.file("out.zip"))
    let text = try String(
      contentsOf: {
        _ = try charts.items(); return charts.own.file("sectional.json5")
      }(), encoding: .utf8)
    try Data(text.replacing("\"Denver.zip\"", with: "\"../out.zip\"").utf8).write(
      to: charts.own.file("bad.json5"))
    let items = try PipelineDefinition(contentsOf: charts.own.file("bad.json5")).items
    let fetched = try charts.fetch(.mirror(charts.server.url), items: items)
    #expect(fetched.allSatisfy { $0.fault != nil })
    #expect(!FileManager.default.fileExists(atPath: charts.own.file("out.zip").path))
  }
}

/// Keeps what is told.
final class Told: ProgressReporter {
  private let events = Kept<ProgressEvent>()

  func report(_ event: ProgressEvent) { events.add(event) }

  var warnings: [String] {
    events.all.compactMap { if case .warning(_, let message) = $0 { message } else { nil } }
  }
}

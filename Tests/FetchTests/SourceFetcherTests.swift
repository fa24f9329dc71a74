import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite(.blocking) struct SourceFetcherTests {
  @Test func `fetches files into the folder and writes a lock file`() throws {
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

  @Test func `files that a file names are fetched after it`() throws {
    let charts = try ServedCharts(["List.zip", "Denver.zip", "Cheyenne.zip"])
    var request = try charts.request()
    let url = charts.server.url + ServedCharts.folder
    let last = request.requirements.removeLast().products + request.requirements.removeLast().products
    request.requirements[0].filesNamed = [
      { file in
        ["Denver.zip", "Cheyenne.zip", "Gone.zip"].map {
          RequiredFile(path: file.name == "List.zip" ? $0 : "", url: "\(url)/\($0)", edition: nil)
        }
      }
    ]
    #expect(last == ["sectional/C2", "sectional/C1"])
    let fetched = try SourceFetcher(request, progress: SilentProgress()).fetch()
    #expect(fetched.map(\.path) == ["List.zip", "Denver.zip", "Cheyenne.zip", "Gone.zip"])
    #expect(fetched.map(\.state) == [.fetched, .fetched, .fetched, .missing])
    #expect(fetched.allSatisfy { $0.products == ["sectional/C0"] })
    #expect(charts.isWhole("Denver.zip") && charts.isWhole("Cheyenne.zip"))
    let lock = try charts.lock()
    let named = try SourceRequirement.named(by: request.requirements, in: charts.work)
    #expect(lock.covers(request.requirements, in: charts.work) && !lock.covers(named, in: charts.work))
  }

  @Test func `an unchanged file is not downloaded again`() throws {
    let charts = try ServedCharts()
    _ = try charts.fetch()
    let lock = try charts.lock()
    charts.server.clearLog()
    let again = try charts.fetch()
    #expect(again.map(\.state) == [.here])
    #expect(again.map(\.received) == [0])
    #expect(charts.server.requests(for: charts.path("Denver.zip")).map(\.status) == [304])
    #expect(try charts.lock() == lock)
  }

  @Test func `the cache serves every work folder`() throws {
    let charts = try ServedCharts()
    _ = try charts.fetch()
    try charts.work.remove()
    let again = try charts.fetch()
    #expect(again.map(\.state) == [.fetched])
    #expect(again.map(\.received) == [0])
    #expect(charts.isWhole())
  }

  @Test func `refuses to start without enough disk space`() throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    let bytes = try charts.names.reduce(0) { try $0 + charts.servedFile($1).data.count }
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

  /// The sum of two of these sizes overflows `Int`.
  @Test func `a listing with huge sizes does not crash`() throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    let lines = charts.names.map {
      "11/27/2026 1:00 AM \(Int.max) <A HREF=\"\(charts.path($0))\">\($0)</A><br>"
    }
    charts.server.always(.page(lines.joined()), at: ServedCharts.folder + "/")
    #expect(try charts.list().map(\.bytes) == [4 << 30, 4 << 30], "no more is ever taken")
    #expect(try charts.fetch().map(\.state) == [.fetched, .fetched])
  }

  @Test func `a damaged file of the cache is downloaded again`() throws {
    let charts = try ServedCharts()
    let sha256 = try #require(try charts.fetch()[0].sha256?.text)
    let blob = charts.own.file("cache/\(sha256.prefix(2))/\(sha256)")
    try charts.work.remove()
    try blob.remove()
    try blob.put("other")
    #expect(try charts.fetch()[0].received > 0)
    #expect(charts.isWhole())
  }

  @Test func `fetches a changed file and warns`() throws {
    let charts = try ServedCharts()
    let before = try charts.fetch()[0]
    try charts.put("Denver.zip", seed: 99)
    #expect(try charts.list().map(\.state) == [.changed])
    let recorded = RecordedProgress()
    let after = try charts.fetch(progress: recorded)[0]
    #expect(after.state == .fetched && after.sha256 != before.sha256)
    #expect(charts.isWhole())
    #expect(recorded.warnings == ["it changed since it was fetched at 2026-11-27T23:59:59Z"])
  }

  @Test func `a locked fetch refuses a changed file`() throws {
    var charts = try ServedCharts()
    let before = try charts.fetch()[0]
    try charts.put("Denver.zip", seed: 99)
    charts.isLocked = true
    // The old one is still there, so the server is not even asked.
    charts.server.clearLog()
    #expect(try charts.fetch().map(\.state) == [.here])
    #expect(charts.server.requests.isEmpty)
    try charts.own.file("cache").remove()
    try charts.work.appending(path: "Denver.zip").remove()
    let fault = try #require(try charts.fetch()[0].error)
    #expect(fault.kind == .refused)
    #expect(fault.reason.contains("not the file that the lock file names"))
    #expect(try charts.lock()["Denver.zip"]?.sha256 == before.sha256)
    #expect(try files(below: charts.work) == ["sources.lock.json"])
  }

  @Test func `a locked fetch refuses a file that the lock does not name`() throws {
    var charts = try ServedCharts()
    charts.isLocked = true
    let fault = try #require(try charts.fetch()[0].error)
    #expect(fault.reason == "the lock file does not name it")
  }

  @Test func `lists the state of each file`() throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip", "Omaha.zip"])
    charts.server.hide(charts.path("Omaha.zip"))
    try charts.put("Omana.zip", seed: 7)
    var states = try charts.list()
    #expect(states.map(\.state) == [.new, .new, .missing])
    #expect(states[0].bytes == (try charts.servedFile("Denver.zip").data.count))
    #expect(states[2].error?.reason.contains("the folder has Omana.zip") == true)
    #expect(charts.server.requests.map(\.path) == [ServedCharts.folder + "/"])
    #expect(charts.work.kindOnDisk == nil)
    _ = try charts.fetch()
    states = try charts.list()
    #expect(states.map(\.state) == [.here, .here, .missing])
  }

  @Test func `opens at most four connections to a server`() throws {
    var charts = try ServedCharts((0..<10).map { "C\($0).zip" })
    charts.jobs = 10
    for name in charts.names {
      charts.server.always(.slow(piece: 10_000, pause: 0.02), at: charts.path(name))
    }
    #expect(try charts.fetch().allSatisfy { $0.state == .fetched })
    #expect((2...4).contains(charts.server.mostConnections))
  }

  @Test func `resumes an interrupted fetch`() throws {
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

  @Test func `removes a file of another edition`() throws {
    var charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    charts.check = { file, _ in
      guard file.name == "Denver.zip" else { return }
      throw UserError(.badInput, operation: "reading", path: file.url.path, reason: "another edition")
    }
    let fetched = try charts.fetch()
    #expect(fetched.map(\.state) == [.failed, .fetched])
    #expect(fetched[0].error?.path == charts.server.url + charts.path("Denver.zip"))
    #expect(try files(below: charts.work) == ["Cheyenne.zip", "sources.lock.json"])
  }

  @Test func `names a lock file that cannot be read`() throws {
    let charts = try ServedCharts()
    _ = try charts.fetch()
    try charts.work.appending(path: SourceLock.name).put("{")
    let fault = #expect(throws: UserError.self) { try charts.fetch() }
    #expect(fault?.operation == "reading the lock file")
  }

  @Test func `refuses a name that leads out of the folder`() throws {
    let charts = try ServedCharts()
    try charts.put("x", seed: 1, at: charts.served.file("out.zip"))
    _ = try charts.items()
    let text = try charts.own.file("sectional.json5").text
    try charts.own.file("bad.json5").put(text.replacing("\"Denver.zip\"", with: "\"../out.zip\""))
    let items = try PipelineLibrary.read(charts.own.file("bad.json5")).items
    let fetched = try charts.fetch(.mirror(charts.server.url), items: items)
    #expect(fetched.allSatisfy { $0.error != nil })
    #expect(!charts.own.file("out.zip").exists)
  }
}

/// Server faults: the fetch ends with the right bytes, or with an error that names the fault.
@Suite(.blocking) struct FetchErrorTests {
  /// Part of the error's reason; nil where the fetch recovers.
  @Test(arguments: [
    (TestServer.Behavior.reset(after: 9000), String?.none),
    (.ends(after: 9000), nil),
    (.ends(after: 0), nil),
    (.status(503, fields: ["Retry-After: 0"]), nil),
    (.claims(more: 100), nil),
    (.ignoresRanges, nil),
    (.omitsValidators, nil),
    (.silent, nil),
    (.redirect(to: "/elsewhere/Denver.zip"), nil),
    (.page("<!DOCTYPE html><html><body>Service is down</body></html>"), "the server sent a web page"),
    (.cut(to: 9000), "it is cut short: it has 9,000 bytes, the folder's listing says 20,1"),
    (.cut(to: 0), "it is empty"),
    (.status(403), "the server answered 403 (forbidden)"),
    (.status(404), "the server answered 404 (not found)"),
    (.packed, "the server compressed it (gzip)"),
    (.endlessHead, "the headers of the response are too large"),
    (.redirect(to: "file:///etc/hostname"), "Protocol \"file\" "),
  ])
  func `recovers from server faults or explains them`(_ fault: TestServer.Behavior, words: String?) throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    try charts.put("Denver.zip", seed: 0, at: charts.served.file("elsewhere/Denver.zip"))
    charts.server.inject(fault, at: charts.path("Denver.zip"))
    let fetched = try charts.fetch()
    #expect(charts.isWhole("Cheyenne.zip"))
    guard let words else {
      #expect(fetched.map(\.state) == [.fetched, .fetched])
      #expect(charts.isWhole())
      return
    }
    let problem = try #require(fetched[0].error?.reason)
    #expect(problem.contains(words))
    #expect(try files(below: charts.work) == ["Cheyenne.zip", "sources.lock.json"])
    // The next time it comes.
    #expect(try charts.fetch().allSatisfy { $0.error == nil })
    #expect(charts.isWhole())
  }

  @Test(arguments: [1_048_576, 5_242_880])
  func `recognizes copies truncated by web archives`(size: Int) throws {
    let charts = try ServedCharts(bytes: size + 1000)
    charts.server.always(.cut(to: size), at: charts.path("Denver.zip"))
    let problem = try #require(try charts.fetch()[0].error?.reason)
    #expect(
      problem == "it is cut short at exactly \(Counts.grouped(size)) bytes, as copies in web archives are")
  }

  @Test func `detects a damaged zip member`() throws {
    let charts = try ServedCharts()
    var bytes = try charts.servedFile("Denver.zip").data
    bytes[10_000] ^= 1
    try bytes.write(to: charts.servedFile("Denver.zip"))
    let problem = try #require(try charts.fetch()[0].error?.reason)
    #expect(problem.contains("the zip archive is cut short or damaged"))
  }

  @Test(arguments: [
    ("2026-10-01", "it is not published yet: this edition takes effect on 2026-10-29"),
    ("2026-11-27", "the server does not have it, although this edition is in force"),
    ("2027-01-10", "it is no longer published: this edition was in force from 2026-10-29 to 2026-12-24"),
  ])
  func `a missing edition is early, in force or expired`(now: String, words: String) throws {
    var charts = try ServedCharts()
    charts.now = now
    charts.server.hide("/visual/10-29-2026")
    let fetched = try charts.fetch()
    #expect(fetched.map(\.state) == [.missing])
    #expect(fetched[0].error?.reason.hasPrefix(words) == true)
  }

  @Test func `fetches the available part of an edition`() throws {
    var charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    charts.now = "2026-10-20"
    charts.server.hide(charts.path("Denver.zip"))
    let fetched = try charts.fetch()
    #expect(fetched.map(\.state) == [.missing, .fetched])
    #expect(fetched[0].error?.reason.contains("though its folder exists") == true)
  }

  /// No process listens on port 9.
  @Test func `distinguishes a network failure from a missing file`() throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    let items = try charts.items(url: "http://127.0.0.1:9/{mm-dd-yyyy}/{name}")
    let fetched = try charts.fetch(items: items)
    #expect(fetched.map(\.state) == [.failed, .failed])
    #expect(fetched.allSatisfy { $0.error?.kind == .failed })
    #expect(fetched[1].error?.reason.hasPrefix("the server cannot be reached") == true)
  }

  @Test(arguments: [1, 3])
  func `reports an unreachable server once`(count: Int) throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip", "Miami.zip"].prefix(count).map(\.self))
    let recorded = RecordedProgress()
    let items = try charts.items(url: "http://127.0.0.1:9/{mm-dd-yyyy}/{name}")
    let fetched = try charts.fetch(items: items, progress: recorded)
    #expect(recorded.failures.map(\.step) == [count == 1 ? "Denver.zip" : "127.0.0.1"])
    #expect(recorded.failures.first?.message.contains("the server cannot be reached") == true)
    #expect(recorded.failures.first?.message.contains("fetching 3 sources from 127.0.0.1") == (count == 3))
    #expect(
      fetched.map(\.unreachableServer) == Array(repeating: count == 1 ? nil : "127.0.0.1", count: count))
    #expect(fetched.allSatisfy { $0.error?.path?.hasSuffix(".zip") == true }, "each file keeps its own error")
  }

  @Test func `restarts when the file changes during the download`() throws {
    let charts = try ServedCharts(bytes: 300_000)
    charts.server.inject(.ends(after: 100_000), at: charts.path("Denver.zip"))
    let recorded = AtFirstBytes { try? charts.put("Denver.zip", seed: 50, bytes: 300_000) }
    let fetched = try charts.fetch(progress: recorded)
    #expect(fetched.map(\.state) == [.fetched])
    #expect(charts.isWhole())
  }
}

/// Leftovers of killed fetches.
@Suite struct LeftoverTests {
  private let charts: ServedCharts

  init() throws { charts = try ServedCharts() }

  private func leave(_ paths: String...) throws {
    for path in paths {
      let file = charts.own.file(path)
      try file.put("half")
    }
  }

  @Test func `removes leftovers except resumable downloads`() throws {
    try leave(
      "2612/.sources.lock.json.new", "2612/.fetching/.dat.nosync1", "2612/.fetching/Denver.zip.link",
      "2612/.fetching/Denver.zip", "2612/.fetching/Omaha.zip", "2612/.fetching/Salina.zip.part.json",
      "2612/.fetching/Billings.zip.part", "cache/scratch/half")
    try leave("2612/.fetching/Wichita.zip.part", "2612/.fetching/Wichita.zip.part.json")
    _ = try charts.fetch()
    #expect(charts.isWhole())
    #expect(
      try files(below: charts.work) == [
        ".fetching/Wichita.zip.part", ".fetching/Wichita.zip.part.json", "Denver.zip", "sources.lock.json",
      ])
    #expect(try files(below: charts.own.file("cache/scratch")).isEmpty)
  }

  @Test func `keeps files that another run is adding to the cache`() throws {
    try leave("cache/scratch/others")
    var other = FolderLock(sharing: charts.own.file("cache/scratch")) {}
    try #require(other != nil)
    _ = try charts.fetch()
    #expect(try files(below: charts.own.file("cache/scratch")) == ["others"])
    other = nil
    _ = try charts.fetch()
    #expect(try files(below: charts.own.file("cache/scratch")).isEmpty)
  }

  @Test func `detects a source that changed after hashing`() throws {
    let file = charts.servedFile("Denver.zip")
    let source = try SourceFolder.file(file)
    try source.checkUnchanged()
    let bytes = try file.data
    try bytes.write(to: file, options: .atomic)  // another file, with the same bytes
    try source.checkUnchanged()
    try (bytes + [0]).write(to: file)
    let fault = try #require(throws: UserError.self) { try source.checkUnchanged() }
    #expect(fault.path == file.path && fault.reason == "it changed while it was read")
    try file.remove()
    #expect(throws: UserError.self) { try source.checkUnchanged() }
  }

  @Test func `detects a folder that changed after hashing`() throws {
    let folder = charts.own.file("unpacked")
    try leave("unpacked/A.csv", "unpacked/more/B.csv")
    let source = try SourceFolder.file(folder)
    try source.checkUnchanged()
    try leave("unpacked/more/C.csv")
    #expect(throws: UserError.self) { try source.checkUnchanged() }
  }
}

import Core
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ChartpipeKit

/// A site that goes out into a folder, as a reader of that folder sees it.
struct PublishTests: PublishingSuite {
  let folder = TemporaryFolder()
  private let key = SigningKey.new()

  @Test func `two swapped folders are named`() throws {
    let staged = try site("staged", ["2612": ["vfr-sectional/Seattle": "one"]])
    try publish(staged)
    let before = try contents()
    let error = try #require(throws: UserError.self) {
      try Publisher.publish(
        target, to: PublishTarget(folder: staged), publishOptions("2026-12-01"), progress: SilentProgress())
    }
    #expect(error.kind == .badCall)
    #expect(error.reason.hasSuffix("SITE and TARGET are swapped"), "\(error)")
    #expect(try contents() == before)
    // A published site can still be published to a new place.
    try publish(target, to: FolderStore(root: folder.file("other")))
  }

  @Test func `the site of a work folder is named`() throws {
    let site = try site("work/site", ["2612": ["a": "1"]])
    try expectFault(remedy: site.path) { try publish(folder.file("work")) }
  }

  @Test func `a site is published completely, and a second publication writes nothing`() throws {
    let site = try site("site", ["2611": ["a": "1"], "2612": ["a": "2", "b": "3"]])
    let report = try publish(site)
    #expect(report.changed && report.serial == 2 && report.after["current"] == "2612")
    #expect(try offered(in: target) == ["2611": ["a": "1"], "2612": ["a": "2", "b": "3"]])
    #expect(try catalogue().current?.published == "2026-12-01T23:59:59Z")
    #expect(try catalogue().replaces == nil)
    let before = try contents()
    #expect(before.keys.contains("cycles/2612/report.html"))
    let again = try publish(site, now: "2026-12-02")
    #expect(again.isIdle && again.there > 0 && !again.changed)
    #expect(try contents() == before)
  }

  @Test func `what no catalogue names stays for two days, and the next publication removes it`() throws {
    try publish(site("first", ["2612": ["a": "1"]]))
    let lost = try #require(try catalogue().products.first?.files.first?.path)
    try publish(site("second", ["2612": ["a": "2"]]))
    let third = try site("third", ["2612": ["a": "3"]])
    for (hours, isRemoved) in [(47, false), (49, true)] {
      try age(hours: hours, before: "2026-12-01")
      let report = try Publisher.publish(
        third, to: PublishTarget(folder: target), publishOptions("2026-12-01"), progress: SilentProgress())
      #expect(report.removed.map(\.path).contains(lost) == isRemoved, "\(hours) hours")
      #expect(try contents().keys.contains(lost) != isRemoved)
    }
  }

  @Test func `a file that another publisher may be about to remove is sent again`() throws {
    try publish(site("first", ["2612": ["a": "1"]]))
    let second = try site("second", ["2612": ["a": "2"]])
    let path = try #require(try files(below: second).first { $0.hasSuffix(".mbtiles") })
    let waits = Mutex(0)
    for (hours, isSent) in [(19, false), (21, true)] {
      let copy = folder.file("copy \(hours)")
      try FileManager.default.copyItem(at: target, to: copy)
      // A publisher that was killed had sent it.
      let file = copy.appending(path: path)
      try file.deletingLastPathComponent().makeFolder()
      try FileManager.default.copyItem(at: second.appending(path: path), to: file)
      try age(copy, hours: hours, before: "2026-12-01")
      var options = try publishOptions("2026-12-01")
      options.clock.wait = { seconds in waits.withLock { $0 += seconds } }
      let report = try Publisher.publish(
        second, to: PublishTarget(folder: copy), options, progress: SilentProgress())
      #expect(report.sent.map(\.path).contains(path) == isSent, "\(hours) hours")
    }
    // Until a removal by another publisher has ended.
    #expect(waits.withLock { $0 } == PublishTimes.look + PublishTimes.call)
  }

  @Test func `a store that ignores conditions is reported`() throws {
    let progress = RecordedProgress()
    let careless = CarelessStore(store: FolderStore(root: folder.file("careless")))
    try publish(site("site", ["2612": ["a": "1"]]), to: careless, progress: progress)
    #expect(progress.warnings.contains { $0.contains("never run two publishers there") })
  }

  @Test func `products that only the target has stay, or are removed with --replace`() throws {
    try publish(site("first", ["2611": ["a": "1"], "2612": ["a": "2", "b": "3"]]))
    let second = try site("second", ["2612": ["b": "4", "c": "5"]])
    let report = try publish(second, now: "2026-12-02")
    let merged = ["2611": ["a": "1"], "2612": ["a": "2", "b": "4", "c": "5"]]
    #expect(try offered(in: target) == merged && report.serial == 3)
    let manifest = try target.appending(path: "cycles/2612/manifest.json").data
    #expect(try manifest == target.appending(path: catalogue().current?.manifest.path ?? "").data)
    #expect(try catalogue().current?.published == "2026-12-02T23:59:59Z")
    #expect(try catalogue().previous?.published == "2026-12-01T23:59:59Z")
    try publish(second, replacing: true)
    #expect(try offered(in: target)["2612"] == ["b": "4", "c": "5"])
  }

  @Test func `the files of the replaced catalogue stay until the next flip`() throws {
    try publish(site("first", ["2611": ["a": "1"], "2612": ["a": "2"]]))
    let old = try target.appending(path: "catalog.json").data
    let lost = try #require(try catalogue().products.first { $0.cycle == "2611" }?.files.first?.path)
    let second = try site("second", ["2613": ["a": "3"]])
    #expect(try publish(second, now: "2026-12-25").removed.isEmpty)
    #expect(try offered(in: target) == ["2612": ["a": "2"], "2613": ["a": "3"]])
    #expect(try contents()[lost] != nil && contents().keys.contains("cycles/2611/report.html"))
    let before = try #require(try catalogue().replaces)
    #expect(try contents()[before.path] == old)
    #expect(try publish(second, now: "2026-12-26").isIdle)
    #expect(try contents()[lost] != nil)
    let report = try publish(site("third", ["2613": ["a": "4"]]), now: "2026-12-27")
    #expect(report.removed.map(\.path).contains(lost) && report.removed.map(\.path).contains(before.path))
    let names = try contents().keys
    #expect(!names.contains(lost) && !names.contains { $0.hasPrefix("cycles/2611/") })
  }

  @Test func `files with names that a publication never gives are left alone`() throws {
    try publish(site("first", ["2612": ["a": "2"]]))
    for path in [
      "other/blobs/x", "blobs/zz/photo.jpg", "signatures/letter.txt", "cycles/2301/diary.txt",
      "cycles/a/report.html",
      "cycles/2501/report.html",
    ] {
      let file = target.appending(path: path)
      try file.deletingLastPathComponent().makeFolder()
      try file.put("x")
    }
    let report = try publish(site("second", ["2612": ["a": "3"]]))
    #expect(report.removed.map(\.path).sorted() == ["cycles/2501/report.html"])
    #expect(try contents().values.filter { $0 == Data("x".utf8) }.count == 5)
  }

  @Test func `a dry run reports the plan and changes nothing`() throws {
    try publish(site("first", ["2611": ["a": "1"], "2612": ["a": "2"]]))
    let before = try contents()
    let site = try site("second", ["2612": ["a": "7"], "2613": ["a": "3"]])
    let dry = try publish(site) { $0.isDryRun = true }
    #expect(try contents() == before)
    #expect(dry.before["next"] == nil && dry.after["next"] == "2613" && dry.serial == 3)
    #expect(dry.text.contains("would list previous 2611, current 2612, next 2613"))
    var real = try publish(site)
    real.dryRun = true
    #expect(real == dry)
  }

  @Test func `a signed catalogue has its signature in both places, and stays signed`() throws {
    let first = try site("first", ["2612": ["a": "2"]])
    try publish(first) { $0.key = key }
    let second = try site("second", ["2612": ["a": "3"]])
    try expectFault("signed", kind: .badCall) { try publish(second) }
    try publish(second) { $0.key = key }
    let findings = { try checkHealth(PublishedSite(folder: target), by: key.verifier).findings }
    #expect(try findings().isEmpty)
    // After a kill between the flip and the alias, the same call writes the alias.
    let alias = target.appending(path: "catalog.json.minisig")
    let signature = try alias.data
    try alias.put("stale")
    #expect(try findings().map(\.severity) == [.warning])
    let repaired = try publish(second) { $0.key = key }
    #expect(repaired.sent.map(\.path) == ["catalog.json.minisig"] && !repaired.changed)
    #expect(try alias.data == signature)
  }

  @Test func `only cycles validated by this version are published`() throws {
    for (version, ok, words) in [("0.1.9", true, "0.1.9"), (ToolVersion.version, false, "did not pass")] {
      let site = try PaperSite(at: folder.file(words), ["2612": ["a": "2"]], version: version, ok: ok)
      try expectFault(words, kind: .refused) { try publish(site.root) }
    }
    #expect(!target.appending(path: "catalog.json").exists)
  }

  @Test func `a damaged file in the site stops the publication, and the catalogue stays`() throws {
    try publish(site("first", ["2612": ["a": "2"]]))
    let before = try target.appending(path: "catalog.json").data
    let site = try site("second", ["2612": ["a": "55"]])
    let path = try #require(try files(below: site).first { $0.hasSuffix(".mbtiles") })
    let blob = site.appending(path: path)
    try blob.put("66")
    let fault = try #require(throws: UserError.self) { try publish(site) }
    #expect(fault.kind == .badInput && fault.path == blob.path)
    try blob.put("555")
    #expect(try #require(throws: UserError.self) { try publish(site) }.reason.contains("is not there"))
    #expect(try target.appending(path: "catalog.json").data == before)
  }

  @Test func `--check finds and replaces damaged files at the target`() throws {
    let site = try site("first", ["2612": ["a": "2"]])
    try publish(site)
    let path = try #require(try catalogue().products.first?.files.first?.path)
    try target.appending(path: path).put("x")
    #expect(try publish(site).isIdle)
    try publish(site) { $0.checks = true }
    #expect(try offered(in: target) == ["2612": ["a": "2"]])
  }

  @Test(arguments: ["", "/inside", "/.."])
  func `a site is not published into itself`(tail: String) throws {
    let site = try site("outer/site", ["2612": ["a": "2"]])
    let place = URL(filePath: site.path + tail).standardizedFileURL
    try expectFault(kind: .badCall) {
      try Publisher.publish(
        site, to: PublishTarget(folder: place), publishOptions("2026-12-01"), progress: SilentProgress())
    }
  }

  @Test func `the serial exceeds the target's and the site's, and the largest one is rejected`() throws {
    let ahead = try PaperSite(at: folder.file("ahead"), ["2612": ["a": "2"]], serial: 41)
    #expect(try publish(ahead.root).serial == 42)
    #expect(try publish(site("fresh", ["2612": ["a": "3"]])).serial == 43)
    let hostile = try PaperSite(at: folder.file("hostile"), ["2612": ["a": "4"]], serial: .max)
    #expect(throws: UserError.self) { try publish(hostile.root) }
  }

  @Test func `several threads make the same mirror as one, and report progress`() throws {
    let many = Dictionary(uniqueKeysWithValues: (0..<40).map { ("p\($0)", "words \($0)") })
    let progress = RecordedProgress()
    try publish(site("many", ["2612": many]), progress: progress) { $0.jobs = 4 }
    #expect(try offered(in: target) == ["2612": many])
    let done = progress.all.compactMap { event -> Int? in
      if case .advanced("publish", let done, _, "bytes") = event { done } else { nil }
    }
    #expect(done.count >= 40)
  }
}

/// Ignores conditions, as some servers do.
private struct CarelessStore: WrappedStore {
  let store: any WritableObjectStore

  func put(_ body: ObjectBody, at key: String, _ headers: ObjectHeaders, if condition: PutCondition) throws
    -> ObjectTag?
  { try store.put(body, at: key, headers, if: .always) }
}

import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite(.blocking) struct PublishRollbackTests {
  private let folder: TemporaryFolder
  private let target: URL
  private static let day = "2026-12-01"

  init() throws {
    folder = try TemporaryFolder()
    target = folder.file("target")
    for (name, cycles) in [
      ("good", ["2611": ["a": "1"], "2612": ["a": "good", "b": "2"]]),
      ("bad", ["2612": ["a": "bad"], "2613": ["a": "3"]]),
    ] {
      let site = try PaperSite(at: folder.file(name), cycles).root
      _ = try Publisher.publish(
        site, to: PublishTarget(folder: target), publishOptions(Self.day), progress: SilentProgress())
    }
  }

  private func rollBack(
    to cycle: String? = nil, _ change: (inout PublishOptions) -> Void = { _ in }
  ) throws -> PublishReport {
    var terms = try publishOptions(Self.day)
    change(&terms)
    return try Publisher.rollBack(
      PublishTarget(folder: target), to: cycle.flatMap(AiracCycle.init(identifier:)), terms,
      progress: SilentProgress())
  }

  private let good = ["2611": ["a": "1"], "2612": ["a": "good", "b": "2"]]

  @Test func `a rollback publishes the earlier catalogue under a higher serial`() throws {
    #expect(try offered(in: target)["2612"] == ["a": "bad", "b": "2"])
    let dry = try rollBack { $0.isDryRun = true }
    #expect(try offered(in: target)["2612"] == ["a": "bad", "b": "2"])
    var report = try rollBack()
    report.dryRun = true
    #expect(report == dry && report.serial == 4 && report.after.next == nil)
    #expect(try offered(in: target) == good)
    let names = try files(below: target)
    // The catalogue that was replaced named 2613, so its pages stay until the next one.
    #expect(names.contains("cycles/2612/manifest.json") && names.contains("cycles/2613/manifest.json"))
    // The earlier report was about the other products.
    #expect(!names.contains("cycles/2612/report.html"))
    let manifest = try JSONDecoder().decode(
      Manifest.self, from: Data(contentsOf: target.appending(path: "cycles/2612/manifest.json")))
    #expect(manifest.products.map(\.name) == ["a", "b"])
  }

  @Test func `a cycle that was published too early is withdrawn, and nothing else changes`() throws {
    let report = try rollBack(to: "2612")
    #expect(report.after.current == "2612" && report.after.next == nil && report.changed)
    #expect(
      try offered(in: target) == ["2611": ["a": "1"], "2612": ["a": "bad", "b": "2"]])
    #expect(try rollBack(to: "2612").changed == false)
    let fault = try #require(throws: UserError.self) { try rollBack(to: "2610") }
    #expect(fault.reason.contains("2611, 2612 are"))
  }

  @Test func `withdrawing nothing changes nothing, even if the record of a withdrawal is old`() throws {
    let old = PublishTarget(folder: folder.file("old target"))
    for name in ["first", "second"] {
      let site = try PaperSite(at: folder.file(name), ["2304": ["a": name]]).root
      _ = try Publisher.publish(site, to: old, publishOptions(Self.day), progress: SilentProgress())
    }
    func rollBack(to cycle: AiracCycle?) throws -> PublishReport {
      try Publisher.rollBack(old, to: cycle, publishOptions(Self.day), progress: SilentProgress())
    }
    #expect(try rollBack(to: nil).changed)
    #expect(try rollBack(to: AiracCycle(identifier: "2304")).changed == false)
    // The replaced catalogue is still there.
    #expect(try rollBack(to: nil).changed)
  }

  @Test func `a rejected rollback writes nothing`() throws {
    func state() throws -> [String: Data] {
      try Dictionary(
        uniqueKeysWithValues: files(below: target).map {
          ($0, try Data(contentsOf: target.appending(path: $0)))
        })
    }
    let before = try state()
    #expect(throws: UserError.self) { try rollBack(to: "2610") }
    #expect(throws: UserError.self) {
      try rollBack(to: "2610") { $0.checks = true }
    }
    #expect(try state() == before)
    try FileManager.default.removeItem(at: target.appending(path: PublishLease.key))
    #expect(throws: UserError.self) { try rollBack(to: "2610") }
    #expect(try state() == before.filter { $0.key != PublishLease.key })
  }

  @Test func `a dry run at a signed target needs no key, and a rollback does`() throws {
    let key = try SigningKey.generate()
    _ = try Publisher.publish(
      PaperSite(at: folder.file("next"), ["2613": ["a": "4"]]).root, to: PublishTarget(folder: target),
      {
        var options = try publishOptions(Self.day)
        (options.key, options.adoptsUnsigned) = (key, true)
        return options
      }(), progress: SilentProgress())
    let names = try files(below: target)
    let progress = RecordedProgress()
    var options = try publishOptions(Self.day)
    options.isDryRun = true
    let dry = try Publisher.rollBack(
      PublishTarget(folder: target), to: nil, options, progress: progress)
    #expect(dry.changed)
    #expect(progress.warnings.contains { $0.contains("--key FILE is needed") })
    _ = try Publisher.publish(
      folder.file("good"), to: PublishTarget(folder: target), options, progress: SilentProgress())
    let fault = try #require(throws: UserError.self) { try rollBack() }
    #expect(fault.reason.contains("there is no key"))
    #expect(try files(below: target) == names)
    #expect(try rollBack { ($0.key, $0.adoptsUnsigned) = (key, true) }.serial == dry.serial)
  }

  @Test func `a rollback of a rollback undoes it, and a third one repeats it`() throws {
    let published = try offered(in: target)
    _ = try rollBack()
    #expect(try offered(in: target) == good)
    _ = try rollBack()
    #expect(try offered(in: target) == published)
    _ = try rollBack()
    #expect(try offered(in: target) == good)
  }

  @Test func `a rollback to missing files is rejected`() throws {
    let before = try Data(contentsOf: target.appending(path: "catalog.json"))
    let named = try JSONDecoder().decode(Catalog.self, from: before)
    let reference = try #require(named.replaces)
    let replaced = try JSONDecoder().decode(
      Catalog.self, from: Data(contentsOf: target.appending(path: reference.path)))
    let good = try #require(replaced.products.first { $0.cycle == "2612" && $0.name == "a" }?.files.first)
    try FileManager.default.removeItem(at: target.appending(path: good.path))
    let fault = try #require(throws: UserError.self) { try rollBack() }
    #expect(fault.reason.contains(good.path) && fault.reason.contains("paper/a"))
    try FileManager.default.removeItem(at: target.appending(path: reference.path))
    #expect(throws: UserError.self) { try rollBack() }
    #expect(try Data(contentsOf: target.appending(path: "catalog.json")) == before)
  }

  @Test func `a rollback of nothing or of the first catalogue is rejected`() throws {
    let empty = PublishTarget(folder: folder.file("empty"))
    #expect(throws: UserError.self) {
      try Publisher.rollBack(empty, to: nil, publishOptions(Self.day), progress: SilentProgress())
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("empty").path))
    _ = try Publisher.publish(
      folder.file("good"), to: empty, publishOptions(Self.day), progress: SilentProgress())
    let fault = try #require(throws: UserError.self) {
      try Publisher.rollBack(empty, to: nil, publishOptions(Self.day), progress: SilentProgress())
    }
    #expect(fault.reason.contains("first"))
  }
}

import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite(.blocking) struct PublishRollbackTests: PublishingSuite {
  let folder = TemporaryFolder()

  init() throws {
    try publish(site("good", good))
    try publish(site("bad", ["2612": ["a": "bad"], "2613": ["a": "3"]]))
  }

  private let good = ["2611": ["a": "1"], "2612": ["a": "good", "b": "2"]]

  @Test func `a rollback publishes the earlier catalogue under a higher serial`() throws {
    #expect(try offered(in: target)["2612"] == ["a": "bad", "b": "2"])
    let dry = try rollBack { $0.isDryRun = true }
    #expect(try offered(in: target)["2612"] == ["a": "bad", "b": "2"])
    var report = try rollBack()
    report.dryRun = true
    #expect(report == dry && report.serial == 4 && report.after["next"] == nil)
    #expect(try offered(in: target) == good)
    let names = try files(below: target)
    // The catalogue that was replaced named 2613, so its pages stay until the next one.
    #expect(names.contains("cycles/2612/manifest.json") && names.contains("cycles/2613/manifest.json"))
    // The earlier report was about the other products.
    #expect(!names.contains("cycles/2612/report.html"))
    let manifest = try target.appending(path: "cycles/2612/manifest.json").decoded(Manifest.self)
    #expect(manifest.products.map(\.name) == ["a", "b"])
  }

  @Test func `a cycle that was published too early is withdrawn, and nothing else changes`() throws {
    let report = try rollBack(to: "2612")
    #expect(report.after["current"] == "2612" && report.after["next"] == nil && report.changed)
    #expect(try offered(in: target) == ["2611": ["a": "1"], "2612": ["a": "bad", "b": "2"]])
    #expect(try rollBack(to: "2612").changed == false)
    try expectFault("2611, 2612 are") { try rollBack(to: "2610") }
  }

  @Test func `withdrawing nothing changes nothing, even if the record of a withdrawal is old`() throws {
    let old = FolderStore(root: folder.file("old target"))
    for name in ["first", "second"] { try publish(site(name, ["2304": ["a": name]]), to: old) }
    #expect(try rollBack(old).changed)
    #expect(try rollBack(old, to: "2304").changed == false)
    // The replaced catalogue is still there.
    #expect(try rollBack(old).changed)
  }

  @Test func `a rejected rollback writes nothing`() throws {
    let before = try contents()
    #expect(throws: UserError.self) { try rollBack(to: "2610") }
    #expect(throws: UserError.self) { try rollBack(to: "2610") { $0.checks = true } }
    #expect(try contents() == before)
  }

  @Test func `a mirror is not rolled back`() throws {
    try FileManager.default.createDirectory(
      at: target.appending(path: SiteFolder.mirrorParts), withIntermediateDirectories: true)
    let before = try contents()
    for renews in [false, true] {
      try expectFault("a mirror of another site") { try rollBack { $0.renews = renews } }
    }
    #expect(try contents() == before)
  }

  @Test func `a dry run at a signed target needs no key, and a rollback does`() throws {
    let key = try SigningKey.generate()
    try publish(site("next", ["2613": ["a": "4"]])) { ($0.key, $0.adoptsUnsigned) = (key, true) }
    let names = try files(below: target)
    let progress = RecordedProgress()
    let dry = try rollBack(progress: progress) { $0.isDryRun = true }
    #expect(dry.changed)
    #expect(progress.warnings.contains { $0.contains("--key FILE is needed") })
    try publish(folder.file("good")) { $0.isDryRun = true }
    try expectFault("there is no key") { try rollBack() }
    #expect(try files(below: target) == names)
    #expect(try rollBack { ($0.key, $0.adoptsUnsigned) = (key, true) }.serial == dry.serial)
  }

  @Test func `a rollback of a rollback undoes it, and a third one repeats it`() throws {
    let published = try offered(in: target)
    try rollBack()
    #expect(try offered(in: target) == good)
    try rollBack()
    #expect(try offered(in: target) == published)
    try rollBack()
    #expect(try offered(in: target) == good)
  }

  @Test func `a rollback to missing files is rejected`() throws {
    let before = try target.appending(path: "catalog.json").data
    let reference = try #require(try catalogue().replaces)
    let replaced = try PublishedCatalogue(target.appending(path: reference.path).data).catalogue
    let good = try #require(replaced.products.first { $0.cycle == "2612" && $0.name == "a" }?.files.first)
    try target.appending(path: good.path).remove()
    try expectFault(good.path, "paper/a") { try rollBack() }
    try target.appending(path: reference.path).remove()
    #expect(throws: UserError.self) { try rollBack() }
    #expect(try target.appending(path: "catalog.json").data == before)
  }

  @Test func `a rollback of nothing or of the first catalogue is rejected`() throws {
    let empty = FolderStore(root: folder.file("empty"))
    #expect(throws: UserError.self) { try rollBack(empty) }
    #expect(!folder.file("empty").exists)
    try publish(folder.file("good"), to: empty)
    try expectFault("first") { try rollBack(empty) }
  }
}

import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// A cycle that a publication leaves out is reported with its reason, and a withdrawn one does not come back unasked.
@Suite(.blocking) struct UnsentCycleTests: PublishingSuite {
  let folder = TemporaryFolder()
  private static let day = "2026-12-01"  // 2612 is in force

  @discardableResult
  private func publish(
    _ cycles: [String: [String: String]], now: String = day, reinstating: Set<AiracCycle> = [],
    held: [String: [String]] = [:]
  ) throws -> PublishReport {
    let root = try site(UUID().uuidString, cycles)
    for (id, names) in held { try hold(names, of: id, in: root) }
    return try publish(root, now: now) { $0.reinstated = reinstating }
  }

  /// Moves products of a staged cycle to those that validation refused.
  private func hold(_ names: [String], of cycle: String, in root: URL) throws {
    let file = root.appending(path: "cycles/\(cycle)/manifest.json")
    var manifest = try file.decoded(Manifest.self)
    let refused = manifest.products.filter { names.contains($0.name) }
    manifest.products.removeAll { names.contains($0.name) }
    manifest.held = refused.map { HeldProduct($0, refusedFor: []) }
    let before = root.appending(path: "cycles/2613/manifest.json")
    if cycle > "2613", let data = try? before.data {
      manifest.kept = try data.decoded(Manifest.self).products.filter { names.contains($0.name) }
    }
    try CanonicalJSON.pretty(manifest).write(to: file)
  }

  // MARK: - Roles

  @Test func `a cycle after the next one is reported with its publication date`() throws {
    try publish(["2612": ["a": "1"], "2613": ["a": "2"]])
    let report = try publish(["2701": ["a": "3"]])
    #expect(report.isIdle && !report.changed && report.sent.isEmpty)
    let unsent = try #require(report.unsent.first)
    #expect(unsent.cycle == "2701" && unsent.reason == .tooEarly && unsent.listed == "2613")
    #expect(unsent.from == "2026-12-24T09:01:00Z" && unsent.needsAttention)
    #expect(!report.text.contains("has all of it already"))
    #expect(
      report.text.hasSuffix(
        "stays unchanged, serial 2, valid until \(try #require(report.expires)). It lists current 2612, next 2613.\n"
          + "cycle 2701 of the site was not published: a catalogue lists one coming cycle, and that is 2613. "
          + "Publish it from 2026-12-24T09:01:00Z on.\n"))
    // A second before that time it is still too early.
    #expect(try publish(["2701": ["a": "3"]], now: "2026-12-24T09:00:59Z").unsent.count == 1)
    let later = try publish(["2701": ["a": "3"]], now: "2026-12-24T09:01:00Z")
    #expect(later.unsent.isEmpty && later.after["next"] == "2701" && later.after["current"] == "2613")
    let dropping = try publish(["2702": ["a": "4"]], now: "2027-01-21T09:01:00Z")
    #expect(
      dropping.text.contains(
        "It lists previous 2613, current 2701, next 2702, without 2612; before, it listed previous 2612, current 2613, next 2701.\n"
      ),
      "\(dropping.text)")
  }

  @Test func `each of several future cycles is reported with the date of the one before it`() throws {
    let report = try publish(["2613": ["a": "1"], "2701": ["a": "2"], "2702": ["a": "3"]])
    #expect(report.after["next"] == "2613")
    #expect(report.unsent.map(\.cycle) == ["2701", "2702"])
    #expect(report.unsent.map(\.from) == ["2026-12-24T09:01:00Z", "2027-01-21T09:01:00Z"])
    #expect(report.unsent.allSatisfy { $0.listed == "2613" })
  }

  @Test func `an old cycle of the site needs no attention`() throws {
    let report = try publish(["2609": ["a": "0"], "2611": ["a": "1"], "2612": ["a": "2"]])
    #expect(report.unsent.map(\.cycle) == ["2609"] && report.unsent.map(\.reason) == [.superseded])
    #expect(report.unsent.map(\.listed) == ["2611"] && report.warnings.isEmpty)
    let again = try publish(["2609": ["a": "0"], "2612": ["a": "2"]])
    #expect(
      again.text.contains("has all of it already") && again.text.contains("cycle 2609 of the site was not"))
  }

  // MARK: - Withdrawn

  private let good = ["a": "1", "b": "1"]
  private let bad = ["a": "bad", "b": "2", "chart": "3"]

  private func withdraw() throws {
    try publish(["2612": good, "2613": bad])
    try rollBack(to: "2612")
    #expect(try catalogue().next == nil)
    #expect(try catalogue().withdrawn?.map(\.id) == ["2613"])
    #expect(try catalogue().withdrawn?.first?.withdrawn == publishOptions(Self.day).clock.now())
    #expect(
      try catalogue().withdrawn?.first?.products.keys.sorted() == ["paper/a", "paper/b", "paper/chart"])
  }

  @Test func `a withdrawn cycle is not published again, neither as a whole nor in part`() throws {
    try withdraw()
    let before = try target.appending(path: "catalog.json").data
    let sites = [bad, ["a": "bad"], ["b": "2"], ["a": "bad", "new": "4"]]
    for site in sites {
      let report = try publish(["2612": good, "2613": site])
      let unsent = try #require(report.unsent.first)
      #expect(unsent.cycle == "2613" && unsent.reason == .withdrawn && report.isIdle, "\(site)")
      #expect(report.text.contains("--reinstate 2613"))
      #expect(try target.appending(path: "catalog.json").data == before, "\(site)")
    }
    if SchemaCheck.isInstalled {
      let file = target.appending(path: "catalog.json")
      #expect(try SchemaCheck("catalog").verdicts([file]) == ["catalog.json ok"])
    }
    // Neither beside another change, nor when it is in force.
    let report = try publish(["2612": ["a": "other"], "2613": bad], now: "2026-12-26")
    #expect(report.changed && report.unsent.map(\.reason) == [.withdrawn])
    #expect(try offered(in: target) == ["2612": ["a": "other", "b": "1"]])
    #expect(try catalogue().current == nil && catalogue().withdrawn?.count == 1)
  }

  @Test func `a corrected cycle is published without its withdrawn products`() throws {
    try withdraw()
    let fixed = ["a": "fixed", "b": "2", "chart": "3"]
    let report = try publish(["2613": fixed])
    #expect(report.unsent.isEmpty && report.after["next"] == "2613")
    let comeback = try #require(report.returning.first)
    #expect(comeback.corrected == ["paper/a"] && comeback.same == ["paper/b", "paper/chart"])
    #expect(!comeback.isReinstated && report.text.contains("with a correction of paper/a: 2 products"))
    #expect(try publish(["2613": fixed]).returning.isEmpty)
    // The old site of another machine.
    for site in [bad, ["a": "bad"]] {
      #expect(try publish(["2613": site]).unsent.map(\.products) == [["paper/a"]], "\(site)")
    }
    #expect(try offered(in: target)["2613"] == fixed)
    // New products were never withdrawn.
    #expect(try publish(["2613": ["new": "4"]]).unsent.isEmpty)
  }

  @Test func `a cycle whose bad product is held back counts as corrected`() throws {
    try withdraw()
    let report = try publish(["2613": bad], held: ["2613": ["a"]])
    #expect(report.unsent.isEmpty && report.returning.first?.corrected == ["paper/a"])
    #expect(try offered(in: target)["2613"] == ["b": "2", "chart": "3"])
  }

  @Test func `a withdrawn cycle is published again with --reinstate`() throws {
    try withdraw()
    let report = try publish(["2613": bad], reinstating: ["2613"])
    #expect(report.unsent.isEmpty && report.returning.map(\.isReinstated) == [true])
    #expect(report.text.contains("as it was: 3 products with the same bytes"))
    #expect(try offered(in: target)["2613"] == bad && catalogue().withdrawn == nil)
    #expect(try publish(["2613": bad]).isIdle)
    let fault = try #require(throws: UserError.self) { try publish(["2613": bad], reinstating: ["2612"]) }
    #expect(fault.reason.contains("2612") && (fault.suggestion ?? "").contains("2613"))
  }

  @Test func `reinstating too early keeps the record`() throws {
    try withdraw()
    try publish(["2613": ["a": "fixed"]])
    try publish(["2701": ["a": "bad 2701"]], now: "2026-12-25")
    try rollBack(to: "2613", now: "2026-12-25")
    let report = try publish(["2701": ["a": "bad 2701"]], now: "2026-12-20", reinstating: ["2701"])
    #expect(report.unsent.map(\.reason) == [.tooEarly])
    #expect(try catalogue().withdrawn?.map(\.id) == ["2613", "2701"])
  }

  @Test func `a rollback to the previous catalogue withdraws products, and another restores them`() throws {
    try publish(["2612": ["a": "good", "b": "1"]])
    try publish(["2612": ["a": "bad", "b": "1"], "2613": ["a": "3"]])
    try rollBack()
    #expect(try catalogue().withdrawn?.map(\.id) == ["2612", "2613"])
    #expect(try catalogue().withdrawn?.first?.products.keys.sorted() == ["paper/a"])
    let again = try publish(["2612": ["a": "bad", "b": "1"], "2613": ["a": "3"]])
    #expect(again.unsent.map(\.cycle) == ["2612", "2613"] && again.isIdle)
    // The rollback of the rollback was asked for.
    let undone = try rollBack()
    #expect(undone.after["next"] == "2613")
    #expect(try offered(in: target)["2612"]?["a"] == "bad")
    #expect(try catalogue().withdrawn?.map(\.id) == ["2612"])  // of the good one now
    // Only the report is new, which the rollback removed.
    let last = try publish(["2612": ["a": "bad", "b": "1"], "2613": ["a": "3"]])
    #expect(last.sent.contains { $0.path == "cycles/2612/report.html" })
    #expect(try last.before == last.after && offered(in: target)["2612"]?["a"] == "bad")
    #expect(try rollBack(to: "2612").changed)
  }

  @Test func `a withdrawn product returns neither as an old edition nor in place of a held product`() throws {
    let cycles = [
      "2612": good, "2613": bad, "2701": ["a": "refused", "b": "4"], "2702": ["b": "6", "chart": "7"],
    ]
    func backs(_ now: String) throws -> [String: String]? {
      try publish(cycles, now: now, held: ["2701": ["a"]])
      return try offered(in: target)["2613"]
    }
    // Where it was not withdrawn, it is there: in place of the refused one, and as the chart's previous edition.
    try publish(["2612": good])
    #expect(try backs("2027-02-20") == ["a": "bad", "chart": "3"])
    try target.remove()
    try withdraw()
    #expect(try backs("2027-01-25") == nil)
    #expect(try backs("2027-02-20") == nil)
    #expect(try catalogue().previous?.id == "2701" && catalogue().current?.id == "2702")
    // The last edition that was not withdrawn stays in place of the refused one.
    #expect(try catalogue().previous?.held?.map(\.published) == ["2612"])
  }

  @Test func `a record ends after a year`() throws {
    try withdraw()
    try publish(["2712": ["a": "9"]], now: "2027-11-20")
    #expect(try catalogue().withdrawn?.count == 1)
    try publish(["2801": ["a": "10"]], now: "2028-02-01")
    #expect(try catalogue().withdrawn == nil)
  }
}

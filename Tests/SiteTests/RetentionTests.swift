import Core
import TestSupport
import Testing

@testable import ChartpipeKit

/// Each product keeps its current and its previous edition until the next one takes effect, for any cadence.
@Suite(.blocking) struct RetentionTests: PublishingSuite {
  let folder = TemporaryFolder()

  /// The day `days` after a cycle takes effect.
  private func day(_ cycle: AiracCycle, _ days: Int) -> String {
    cycle.effectiveDay.adding(days: days).description
  }

  private func words(_ name: String, _ cycle: AiracCycle) -> String {
    "\(name) \(cycle.edition(name == "chart" ? .every56Days : .every28Days).id)"
  }

  /// Publishes one cycle from a machine that has no other.
  private func publish(_ cycle: AiracCycle, now: String, to store: any WritableObjectStore) throws {
    let products = ["chart": words("chart", cycle), "data": words("data", cycle)]
    try publish(site("site-\(cycle)-\(now)", [cycle.identifier: products]), to: store, now: now)
  }

  /// What a client finds of a product: the words of its editions that have started, the latest last.
  private func started(_ name: String, now: String, in store: any WritableObjectStore) throws -> [String] {
    let now = try #require(Instant(now))
    let files = try catalogue(in: store).products
      .filter { product in product.name == name && product.effectiveDate <= now }
      .sorted { $0.effectiveDate < $1.effectiveDate }.flatMap(\.files)
    let texts = try files.map { String(decoding: try #require(try store.read($0.path)).data, as: UTF8.self) }
    return texts.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// Three publications a cycle: a week ahead, on the day, and in the middle.
  private func expectYear(in store: any WritableObjectStore, cycles: Int) throws {
    let first: AiracCycle = "2601"
    for step in 0..<cycles {
      let cycle = first.advanced(by: step)
      try publish(cycle, now: day(cycle, 1), to: store)
      for days in [1, 14, 21] {
        if days == 21 { try publish(cycle.advanced(by: 1), now: day(cycle, days), to: store) }
        let now = day(cycle, days)
        _ = try offered(in: store)  // every file that is named is there
        for (name, schedule) in [("chart", Schedule.every56Days), ("data", .every28Days)] {
          let own = cycle.edition(schedule)
          let before = schedule.edition(before: own)
          let known = before.effective < first.effective ? [own] : [before, own]
          #expect(
            try started(name, now: now, in: store).suffix(2) == known.map { "\(name) \($0.id)" },
            "\(name) on \(now)")
        }
        let entries = try catalogue(in: store).products
        #expect(entries.count <= 7, "\(entries.map { "\($0.id) \($0.cycle)" }) on \(now)")
      }
    }
    let blobs = try store.list("blobs/").filter { $0.key.hasSuffix(".mbtiles") }
    #expect(blobs.count <= 8, "\(blobs)")
  }

  @Test func `both editions are published on every day of a year`() throws {
    try expectYear(in: FolderStore(root: folder.file("target")), cycles: 14)
  }

  @Test(.slow, .enabled(if: LoopbackS3.canRun, Comment(rawValue: LoopbackS3.whyNot)))
  func `both editions are published in S3, too`() async throws {
    try await expectYear(in: try S3Bench().store, cycles: 4)
  }

  @Test func `the previous edition is listed in the second half of an edition`() throws {
    let store = FolderStore(root: folder.file("target"))
    for cycle: AiracCycle in ["2610", "2611", "2612"] { try publish(cycle, now: day(cycle, 1), to: store) }
    let catalogue = try catalogue(in: store)
    #expect(catalogue.previous?.id == "2611" && catalogue.current?.id == "2612")
    let charts = catalogue.products.filter { $0.name == "chart" }.map { "\($0.cycle) \($0.edition)" }
    #expect(charts == ["2610 2026-09-03", "2611 2026-10-29", "2612 2026-10-29"])
    #expect(catalogue.products.filter { $0.name == "data" }.map(\.cycle) == ["2611", "2612"])
    let health = try health(store.root)
    #expect(health.findings.isEmpty && health.cycles == ["2611", "2612"])
    let kept = try #require(catalogue.products.first { $0.cycle == "2610" })
    #expect(kept.region == "chart" && kept.cut == nil)
  }

  @Test func `a publication after a long outage keeps the replaced files for a rollback`() throws {
    let store = FolderStore(root: folder.file("target"))
    for cycle: AiracCycle in ["2601", "2602", "2603"] { try publish(cycle, now: day(cycle, 1), to: store) }
    let before = try offered(in: store)
    let late: AiracCycle = "2612"
    try publish(late, now: day(late, 1), to: store)
    #expect(try catalogue(in: store).previous?.id == "2603")
    #expect(try started("chart", now: day(late, 1), in: store) == ["chart 2603", "chart 2611"])
    try rollBack(store, now: day(late, 2))
    #expect(try offered(in: store)["2603"] == before["2603"])
    #expect(try catalogue(in: store).previous?.id == "2603" && catalogue(in: store).current == nil)
  }

  @Test func `a withdrawn product does not return as a previous edition`() throws {
    let store = FolderStore(root: folder.file("target"))
    for cycle: AiracCycle in ["2611", "2612"] { try publish(cycle, now: "2026-12-01", to: store) }
    try publish("2613", now: "2026-12-20", to: store)
    try rollBack(store, to: "2612", now: "2026-12-25")
    #expect(Set(try catalogue(in: store).products.map(\.cycle)) == ["2611", "2612"])
  }

  @Test func `a product that ended stays for one more term`() throws {
    let store = FolderStore(root: folder.file("target"))
    let cycle: AiracCycle = "2611"
    try publish(cycle, now: day(cycle, 1), to: store)
    var seen: [Int] = []
    for step in 1...6 {
      let later = cycle.advanced(by: step)
      let site = try site("ended-\(step)", [later.identifier: ["data": "data \(step)"]])
      try publish(site, to: store, now: day(later, 1))
      if try catalogue(in: store).products.contains(where: { $0.name == "chart" }) { seen.append(step) }
    }
    // In force in the cycles 0 and 1, and then the previous edition for 56 days.
    #expect(seen == [1, 2, 3])
  }
}

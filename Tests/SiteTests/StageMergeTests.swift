import Core
import Foundation
import Pipeline
import Site
import TestSupport
import Testing

@Suite struct StageMergeTests {
  let sample: SampleBuild

  init() throws { sample = try SampleBuild() }

  @Test func thePipelinesOfACycleMayBeStagedOneAfterTheOther() throws {
    try sample.chart("San_Francisco")
    try sample.chart("San_Francisco", pipeline: "vfr-terminal", shade: 90)
    try sample.stage(sample.build("2612", "vfr-sectional"))
    let staged = try sample.stage(sample.build("2612", "vfr-terminal"))
    #expect(staged.products == 2)
    #expect(
      try sample.manifest("2612").products.map(\.id)
        == ["vfr-sectional/San_Francisco", "vfr-terminal/San_Francisco"])
    #expect(try sample.catalogue().products == sample.manifest("2612").products)
    let other = try SampleBuild()
    try other.chart("San_Francisco")
    try other.chart("San_Francisco", pipeline: "vfr-terminal", shade: 90)
    try other.stage(other.build("2612"))
    #expect(try other.manifest("2612") == sample.manifest("2612"))
    #expect(try other.report() == sample.report())
  }

  @Test func oneChartMadeAnewReplacesItselfAlone() throws {
    try sample.chart("San_Francisco")
    try sample.chart("Seattle", shade: 10)
    try sample.stage(sample.build("2612"))
    let before = try sample.manifest("2612").products
    let description = try sample.chart("Seattle", shade: 11)
    try sample.stage(description)
    let after = try sample.manifest("2612").products
    #expect(after.map(\.id) == before.map(\.id))
    #expect(after[0] == before[0] && after[1] != before[1])
  }

  @Test func whatWasMissingStaysMissingUntilItIsThere() throws {
    let seattle = try sample.chart("Seattle")
    try sample.stage(seattle, missing: ["vfr-sectional/Miami", "vfr-sectional/San_Francisco"])
    #expect(
      try sample.manifest("2612").missing == ["vfr-sectional/Miami", "vfr-sectional/San_Francisco"])
    #expect(try sample.report().contains("Incomplete: 2 products missing"))
    try sample.stage(try sample.chart("San_Francisco", shade: 9))
    #expect(try sample.manifest("2612").missing == ["vfr-sectional/Miami"])
    try sample.stage(try sample.chart("Miami", shade: 8), missing: ["vfr-sectional/Seattle"])
    #expect(try sample.manifest("2612").missing == [])
    #expect(try sample.manifest("2612").products.count == 3)
  }

  @Test func aNoteOfASourceStaysUntilThatSourceIsStagedAgain() throws {
    let seattle = try sample.chart("Seattle")
    let miami = try sample.chart("Miami")
    let source = try #require(
      try JSONDecoder().decode(Product.self, from: Data(contentsOf: seattle)).sources.first?.url)
    let note = SourceNote(source: source, message: "an unknown tif <b>")
    try sample.stage(seattle, notes: [note, SourceNote(source: "Other.zip", message: "another")])
    #expect(try sample.manifest("2612").notes?.map(\.source).sorted() == ["Other.zip", source].sorted())
    #expect(try sample.report().contains("<li>an unknown tif &lt;b&gt;</li>"))
    try sample.stage(miami, notes: [])
    #expect(try sample.manifest("2612").notes?.contains { $0.source == "Other.zip" } == true)
    try sample.stage(seattle)
    #expect(try sample.manifest("2612").notes?.contains(note) == false)
  }

  @Test func whatAnotherVersionValidatedIsNotMixedIn() throws {
    try sample.chart("San_Francisco")
    let seattle = try sample.chart("Seattle")
    try sample.stage(sample.build("2612"))
    let file = sample.site.appending(path: "cycles/2612/manifest.json")
    var manifest = try sample.manifest("2612")
    manifest.validation.version = "0.0.1"
    try CanonicalJSON.pretty(manifest).write(to: file)
    let before = try sample.hashes()
    let fault = try #require(throws: UserError.self) { try sample.stage(seattle) }
    #expect(fault.kind == .refused)
    #expect(
      fault.reason
        == "vfr-sectional/San_Francisco would stay as validated by chartpipe 0.0.1, and this is \(ToolVersion.version)"
    )
    #expect(try sample.hashes() == before)
    try sample.stage(sample.build("2612"))
    #expect(try sample.manifest("2612").validation.version == ToolVersion.version)
  }
}

@Suite struct CycleRoleTests {
  let sample: SampleBuild

  init() throws {
    sample = try SampleBuild()
    for cycle in ["2610", "2611", "2612", "2613"] { try sample.chart("San_Francisco", cycle: cycle) }
  }

  private func roles(now: String) throws -> [String?] {
    try sample.stage(sample.build("2611"), now: now)
    let catalogue = try sample.catalogue()
    let listed = [catalogue.previous, catalogue.current, catalogue.next].compactMap(\.self)
    #expect(catalogue.products.map(\.cycle).filter(listed.map(\.id).contains) == listed.map(\.id))
    for entry in listed {
      let cycle = try #require(AiracCycle(identifier: entry.id))
      #expect(entry.effective == cycle.effective.description)
      #expect(entry.expires == cycle.expires(.every28Days).description)
    }
    return [catalogue.previous?.id, catalogue.current?.id, catalogue.next?.id]
  }

  @Test func rolesGoByTheClockToTheSecond() throws {
    for cycle in ["2613", "2611", "2612"] { try sample.stage(sample.build(cycle)) }
    #expect(try roles(now: "2026-11-26T09:00:59Z") == [nil, "2611", "2612"])
    #expect(try roles(now: "2026-11-26T09:01:00Z") == ["2611", "2612", "2613"])
    #expect(try roles(now: "2026-12-24T09:01:00Z") == ["2612", "2613", nil])
  }

  @Test func aCycleThatHasExpiredIsNeverCurrent() throws {
    for cycle in ["2611", "2612"] { try sample.stage(sample.build(cycle)) }
    #expect(try roles(now: "2026-12-24T09:00:59Z") == ["2611", "2612", nil])
    #expect(try roles(now: "2026-12-24T09:01:00Z") == ["2612", nil, nil])
    #expect(try roles(now: "2030-01-01") == ["2612", nil, nil])
  }

  @Test func aCycleThatIsStillToComeIsNextAndNotCurrent() throws {
    for cycle in ["2612", "2611"] { try sample.stage(sample.build(cycle)) }
    #expect(try roles(now: "2020-01-01") == [nil, nil, "2611"])
  }

  @Test func aCycleThatFallsOutOfTheCatalogueKeepsItsFiles() throws {
    for cycle in ["2610", "2611", "2612"] { try sample.stage(sample.build(cycle)) }
    #expect(try roles(now: "2026-12-01") == ["2611", "2612", nil])
    #expect(try sample.manifest("2610").products.count == 1)
    // The edition before the one of 2611 and 2612.
    #expect(try sample.catalogue().products.map(\.cycle) == ["2610", "2611", "2612"])
  }

  @Test func aChangeOfRolesAloneRaisesTheSerial() throws {
    try sample.stage(sample.build("2611"), now: "2026-11-01")
    try sample.stage(sample.build("2612"), now: "2026-11-01")
    #expect(try sample.catalogue().serial == 2)
    try sample.stage(sample.build("2612"), now: "2026-11-02")
    #expect(try sample.catalogue().serial == 2)
    try sample.stage(sample.build("2612"), now: "2026-12-01")
    #expect(try sample.catalogue().serial == 3)
  }
}

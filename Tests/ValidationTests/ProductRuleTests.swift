import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Each fixture has one error, and only the rule for it reports it.
@Suite struct ProductRuleTests {
  let fixture: ProductFixture
  init() throws { fixture = try ProductFixture() }

  @Test func `has no findings in a good product`() throws { #expect(try fixture.findings() == []) }

  @Test func `finds a changed file`() throws {
    try fixture.archive.set("chartpipe:note", "added later")
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["product-hash"])
    #expect(findings.first?.where == fixture.file.path)
  }

  @Test func `finds a missing file`() throws {
    try fixture.archive.file.remove()
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["product-hash"])
    #expect(findings.first?.message == "the file Bay.mbtiles cannot be read")
  }

  @Test(arguments: ["../Bay.mbtiles", "/etc/passwd", "", "a//b", "./Bay.mbtiles"])
  func `finds a path out of the folder`(path: String) throws {
    try fixture.change { $0.files[0].path = path }
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["product-hash"])
    #expect(findings.first?.message == "the file \(path) is not in its folder")
  }

  @Test(arguments: [
    ("edition", "2026-10-30", "no issue took effect on the edition's day, \"2026-10-30\""),
    ("edition", "2026-09-03", "the edition of 2026-09-03 is not the one in force in cycle 2612 (2026-11-26)"),
    (
      "effective", "2026-10-29T00:00:00Z",
      "effectiveDate is 2026-10-29T00:00:00Z, but this edition took effect at 2026-10-29T09:01:00Z"
    ),
    (
      "expires", "2026-11-26T09:01:00Z",
      "expirationDate is 2026-11-26T09:01:00Z, but this edition ends at 2026-12-24T09:01:00Z"
    ),
  ])
  func `finds a date that is not in the calendar`(key: String, value: String, message: String) throws {
    try fixture.change {
      switch key {
      case "edition": $0.edition = IssueDate(value) ?? $0.edition
      case "effective": $0.effectiveDate = Instant(value) ?? $0.effectiveDate
      default: $0.expirationDate = Instant(value) ?? $0.expirationDate
      }
    }
    let findings = try fixture.findings()
    #expect(Set(findings.map(\.rule)) == ["product-dates"])
    #expect(findings.map(\.message).contains(message))
  }

  @Test func `finds a file of another cycle`() throws {
    try fixture.change {
      ($0.cycle, $0.edition) = ("2610", "2026-09-03")
      ($0.effectiveDate, $0.expirationDate) = ("2026-09-03T09:01:00Z", "2026-10-29T09:01:00Z")
    }
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["product-dates", "product-dates", "product-dates"])
    #expect(findings.first?.message == "cycle is 2610, but its file says 2612")
  }

  @Test func `accepts a chart's archive that names the first cycle of its edition`() throws {
    try fixture.archive.set("chartpipe:cycle", "2611")
    try fixture.change { _ in }
    #expect(try fixture.findings() == [])
    try fixture.archive.set("chartpipe:cycle", "2610")
    try fixture.change { _ in }
    #expect(try fixture.findings().map(\.rule).contains("product-dates"))
  }

  @Test func `finds bounds and zooms that the file does not have`() throws {
    try fixture.change { $0.boundingBox?.east = -121 }
    #expect(try fixture.findings().map(\.rule) == ["product-bounds"])
    try fixture.change { $0.boundingBox = nil }
    #expect(try fixture.findings().map(\.message) == ["it has no boundingBox"])
    try fixture.change { ($0.minZoom, $0.maxZoom, $0.format) = (nil, 12, "webp") }
    #expect(
      try fixture.findings().map(\.message) == [
        "minZoom is missing, but its file says 9", "maxZoom is 12, but its file says 11",
        "format is webp, but its file says png",
      ])
  }

  private static func edge(
    _ name: String, _ edge: NeatlineDefinition.Edge, offset: Double?, _ evidence: Product.Cut.Evidence,
    _ flags: [Product.Cut.Flag]
  ) -> Product.Cut.Edge {
    Product.Cut.Edge(
      name: name, edge: edge, offset: offset, shift: offset ?? 0, evidence: evidence,
      inside: Product.Cut.Shares(ink: 0.1, paper: 0.1, tint: 0.8), outside: nil, flags: flags)
  }

  @Test func `warns of measured edges with a suggestion`() throws {
    let east = Self.edge("eastern edge", .column(16_600), offset: -7.3, .step, [.moved])
    var south = east
    (south.name, south.flags) = ("southern edge", [.collarLeft, .mapCutOff])
    try fixture.change { $0.cut = Product.Cut(source: .auto, edges: [south, east]) }
    let findings = try fixture.findingsBesidesSheet()
    #expect(findings.map(\.rule) == Array(repeating: "neatline-cut", count: 4))
    #expect(findings.allSatisfy { $0.severity == .warning })
    let words = [
      "was found automatically", "within its southern edge", "beyond its southern edge",
      "printed 7.3 pixels inward",
    ]
    for (finding, word) in zip(findings, words) { #expect(finding.message.contains(word)) }
    #expect(findings.dropFirst().allSatisfy { $0.message.contains("; look at") })
    try fixture.change { $0.cut = Product.Cut(source: .given, edges: []) }
    #expect(try fixture.findingsBesidesSheet() == [])
  }

  @Test(arguments: [(-100.0, 98.0, true), (-100, -98, false), (-100, 30, false), (-30, 30, false)])
  func `reports opposite edges printed far to the same side`(west: Double, east: Double, isError: Bool) throws
  {
    let edges = [("western edge", west), ("eastern edge", east)].map { name, offset in
      Self.edge(name, .meridian(-120), offset: offset, .frame, [.moved])
    }
    try fixture.change { $0.cut = Product.Cut(source: .given, edges: edges) }
    let errors = try fixture.findingsBesidesSheet().filter { $0.severity == .error }
    #expect(errors.map(\.rule) == (isError ? ["neatline-cut"] : []))
    if isError { #expect(errors[0].message.contains("100.0 and 98.0 pixels east")) }
  }

  @Test func `warns of an edge without evidence unless the definition explains it`() throws {
    var edge = Self.edge("southern edge", .parallel(68), offset: nil, .unclear, [])
    for flags in [[], [Product.Cut.Flag.unclear]] {
      edge.flags = flags
      try fixture.change { $0.cut = Product.Cut(source: .given, edges: [edge]) }
      let findings = try fixture.findingsBesidesSheet()
      #expect(findings.map(\.rule) == ["neatline-cut"] && findings[0].severity == .warning)
      #expect(findings[0].message.contains("could not be measured"))
    }
    (edge.flags, edge.unmeasured) = ([], "open water")
    try fixture.change { $0.cut = Product.Cut(source: .given, edges: [edge]) }
    #expect(try fixture.findingsBesidesSheet() == [])
    edge.flags = [.mapCutOff]
    try fixture.change { $0.cut = Product.Cut(source: .given, edges: [edge]) }
    #expect(
      try fixture.findingsBesidesSheet().map(\.message).count { $0.contains("beyond its southern edge") } == 1
    )
  }

  @Test func `warns of an inset that a person must check`() throws {
    let box = GeoBox(west: -122.3, south: 37.5, east: -122.2, north: 37.6)
    func inset(_ name: String?, _ verdict: Product.Cut.Inset.Verdict) -> Product.Cut.Inset {
      Product.Cut.Inset(name: name, verdict: verdict, columns: nil, rows: nil, box: box, evidence: nil)
    }
    try fixture.change {
      $0.cut = Product.Cut(
        source: .given, edges: [],
        insets: [
          inset("A", .masked), inset(nil, .masked), inset("B", .unclear), inset(nil, .unclear),
          inset("C", .missing),
        ])
    }
    let findings = try fixture.findingsBesidesSheet()
    #expect(findings.allSatisfy { $0.severity == .warning && $0.rule == "neatline-cut" })
    let words = [
      "an inset that the definition does not list was found and masked at -122.3,37.5 to -122.2,37.6; look",
      "its inset B at -122.3,37.5 to -122.2,37.6 is not masked", "what may be an inset at",
      "its inset C was not found",
    ]
    try #require(findings.count == words.count)
    for (finding, word) in zip(findings, words) { #expect(finding.message.contains(word)) }
  }
}

import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The measured edges of charts in a site and its report.
@Suite struct CutTests {
  let sample = SampleBuild()

  /// A chart whose western edge was measured at an offset.
  private func chart(
    cycle: String = "2612", offset: Double?, west: NeatlineDefinition.Edge = .meridian(-125),
    source: Product.Cut.Source = .given, flags: [Product.Cut.Flag] = []
  ) throws {
    let file = try sample.chart("San_Francisco", cycle: cycle)
    var product = try Product(describedBy: file)
    let shares = Product.Cut.Shares(ink: 0.12, paper: 0.03, tint: 0.85)
    func edge(_ name: String, _ edge: NeatlineDefinition.Edge, _ offset: Double?) -> Product.Cut.Edge {
      Product.Cut.Edge(
        name: name, edge: edge, offset: offset, shift: 0, evidence: offset == nil ? .unclear : .frame,
        inside: shares, outside: nil, flags: flags)
    }
    product.cut = Product.Cut(
      source: source,
      edges: [
        edge("western edge", west, offset), edge("southern edge", .parallel(36.5), 0),
        edge("eastern edge", .columnThrough(.init(longitude: -117.6, latitude: 38)), 0),
        edge("northern edge", .row(287), 0),
      ])
    // A sheet in another projection has no reference patches.
    product.control = Product.Control(projection: nil, placing: [], side: 48, points: [])
    try CanonicalJSON.pretty(product).write(to: file)
  }

  /// The fixture's charts have no sheet, which two rules would refuse.
  private func stage(_ cycle: String = "2612") throws {
    try sample.stage(sample.build(cycle)) {
      $0.accepted = ["sheet-evidence", "place-evidence"].map {
        Acceptance(rule: $0, reason: "there is no sheet")
      }
    }
  }

  private func drifts(_ cycle: AiracCycle) throws -> [Finding] {
    try sample.manifest(cycle).validation.findings.filter { $0.rule == "neatline-drift" }
  }

  @Test func `warns about an edge that moved since the previous cycle`() throws {
    for (cycle, offset) in [("2610", 1.0), ("2611", 3.9), ("2612", 0.8), ("2613", nil)] {
      try chart(cycle: cycle, offset: offset)
      try stage(cycle)
    }
    #expect(try drifts("2610").isEmpty && drifts("2611").isEmpty && drifts("2613").isEmpty)
    let drift = try #require(try drifts("2612").first)
    #expect(try drifts("2612").count == 1)
    #expect(
      drift.product == "vfr-sectional/San_Francisco"
        && drift.where == "San_Francisco.product.json western edge")
    #expect(drift.severity == .warning)
    #expect(drift.message.hasPrefix("it lies 3.1 pixels from where cycle 2611 had it; check"))
  }

  @Test func `does not compare a redefined edge with the old one`() throws {
    try chart(cycle: "2611", offset: 9)
    try stage("2611")
    try chart(offset: 0, west: .meridian(-125.1))
    try stage()
    #expect(try drifts("2612").isEmpty)
  }

  @Test func `the report shows each edge`() throws {
    try chart(offset: -7.5, flags: [.moved, .mapCutOff])
    try stage()
    let page = try sample.report()
    for fact in [
      "Neatline: 4 edges, print at most 7.5 px from the given edge", "<details open>",
      "<code>{ meridian: -125 }</code>", ">-7.5<", ">frame<", ">rim<",
      "<strong>moved</strong> <strong>map-cut-off</strong>", "12\u{A0}% ink, 3\u{A0}% paper, 85\u{A0}% tint",
      "<code>{ columnThrough: [-117.6, 38] }</code>",
    ] { #expect(page.contains(fact), "\(fact)") }
    #expect(!page.contains("please confirm"))
  }

  @Test func `the report shows each inset`() throws {
    try chart(offset: 0)
    let file = try sample.chart("San_Francisco", cycle: "2612")
    var product = try Product(describedBy: file)
    let evidence = Product.Cut.Inset.Evidence(
      sides: [.band, .band, .neatline, .band], paper: 0.99, tint: 0.97, variety: 0.4,
      graticule: Product.Cut.Inset.Graticule(inside: 15, seenInside: 0, beside: 16, seenBeside: 14))
    let box = GeoBox(west: -122.3, south: 37.5, east: -122.2, north: 37.6)
    product.cut = Product.Cut(
      source: .given, edges: product.cut?.edges ?? [],
      insets: [
        Product.Cut.Inset(
          name: "Bay", verdict: .masked, columns: [460, 1540], rows: [360, 1240], box: box, evidence: evidence
        ),
        Product.Cut.Inset(
          name: "<Delta>", verdict: .missing, columns: nil, rows: nil, box: box, evidence: nil),
      ])
    product.control = Product.Control(projection: nil, placing: [], side: 48, points: [])
    try CanonicalJSON.pretty(product).write(to: file)
    try stage()
    let page = try sample.report()
    for fact in [
      "<details open>", ">Bay<", ">masked<", "460–1540 x 360–1240",
      "<code>[-122.3, 37.5, -122.2, 37.6]</code>",
      "white band on 3 sides, neatline on 1; 97\u{A0}% tint; graticule at 0 of 15 places inside, 14 of 16 beside",
      "&lt;Delta&gt;", "<strong>missing</strong>",
    ] { #expect(page.contains(fact), "\(fact)") }
    #expect(!page.contains("<Delta>"))
  }

  /// The text in the report must be valid in a definition.
  @Test func `a found neatline can be pasted into the definition`() throws {
    try chart(offset: 0, source: .auto)
    try stage()
    let page = try sample.report()
    let start = try #require(page.range(of: "<pre><code>"))
    let end = try #require(page.range(of: "</code></pre>"))
    #expect(page.contains("<strong>auto: please confirm.</strong>"))
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let pasted = Data("{ \(page[start.upperBound..<end.lowerBound]) }".utf8)
    let found = try #require(try decoder.decode([String: NeatlineDefinition].self, from: pasted)["neatline"])
    let east = NeatlineDefinition.Edge.columnThrough(.init(longitude: -117.6, latitude: 38))
    #expect(found.outline == [.meridian(-125), .parallel(36.5), east, .row(287)])
  }
}

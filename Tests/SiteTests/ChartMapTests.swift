import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The map at the head of the report.
@Suite struct ChartMapTests {
  private func square(_ west: Double, _ south: Double, _ side: Double = 4) -> [GeoPoint] {
    [(0.0, 0.0), (side, 0), (side, side), (0, side)].map {
      GeoPoint(longitude: west + $0.0, latitude: south + $0.1)
    }
  }

  private func chart(_ name: String, _ state: MappedChart.State, _ ring: [GeoPoint]?) -> MappedChart {
    MappedChart(
      id: "vfr-sectional/\(name)", name: name, state: state, detail: "\(name): \(state.words.title)",
      link: ReportContent.fragment("vfr-sectional/\(name)"), rings: ring.map { [$0] })
  }

  private func html(_ charts: [MappedChart]) -> String {
    FamilyMap(family: MappedFamily(name: "vfr-sectional", charts: charts), isOpen: true).html
  }

  @Test func `each chart links to its card and has a tooltip and a mark`() throws {
    let page = html([
      chart("Seattle", .fresh, square(-124, 44)), chart("Reno", .same, square(-120, 44)),
      chart("Miami <b>", .held, square(-116, 44)), chart("Denver", .missing, square(-112, 44)),
    ])
    for part in [
      "<a href=\"#vfr-sectional/Seattle\"><title>Seattle: new or changed</title><path class=\"fresh\" d=\"M",
      "<path class=\"same\"", "<path class=\"held\"", "<path class=\"missing\"", ">! Miami &lt;b&gt;<",
      "</svg> ● 1 new or changed</li>", "</svg> 1 unchanged</li>", "</svg> ! 1 held back</li>",
      "</svg> ✕ 1 missing</li>", ">✕ Denver</text>", ">Reno</text>", "<small>2 of 4 charts</small>",
    ] { #expect(page.contains(part), "\(part)") }
    #expect(XMLParser(data: Data("<root>\(page.replacing(" open>", with: ">"))</root>".utf8)).parse())
    let sheet = String(decoding: PackageResources.report_css, as: UTF8.self)
    for state in MappedChart.State.allCases { #expect(sheet.contains(".\(state.rawValue) { fill:")) }
  }

  /// The corners of each path, in the order of the page.
  private func corners(_ page: String) -> [[(x: Double, y: Double)]] {
    page.matches(of: /<title>.*?<\/title><path class="\w+" d="M([^"]*)Z"/).map { path in
      path.output.1.split(separator: "L").map { point in
        let numbers = point.split(separator: " ").compactMap { Double($0) }
        return (numbers[0], numbers[1])
      }
    }
  }

  @Test func `a family across 180 degrees is one map, with north up and east right`() throws {
    let page = html([
      chart("Aleutians", .fresh, square(178, 51)), chart("Cold Bay", .fresh, square(-178, 51)),
      chart("Anchorage", .fresh, square(-152, 60)),
    ])
    let size = try #require(page.firstMatch(of: /<svg viewBox="0 0 ([\d.]+) ([\d.]+)" role="group"/)).output
    let (width, height) = (try #require(Double(size.1)), try #require(Double(size.2)))
    let found = corners(page)
    #expect(
      found.count == 3
        && found.joined().allSatisfy { (0...width).contains($0.x) && (0...height).contains($0.y) })
    let charts = found.sorted { $0[0].x < $1[0].x }
    #expect(charts[0][1].x > charts[0][0].x && charts[0][2].y < charts[0][1].y)
    // 34 degrees take the whole width.
    #expect(abs(charts[1][0].x - charts[0][0].x - 4 * (width - 16) / 34) < 1)
    #expect(charts[2][0].y < charts[0][0].y)
  }

  @Test func `small charts lie on top, and missing ones below`() {
    let page = html([
      chart("Inset", .fresh, square(-122, 45, 1)), chart("Seattle", .fresh, square(-124, 44)),
      chart("Reno", .missing, square(-124, 44, 2)),
    ])
    let titles = page.matches(of: /<title>(\w+):/).map { String($0.output.1) }
    #expect(titles == ["Reno", "Seattle", "Inset"])
  }

  @Test func `a chart without a known outline is named below the map`() {
    let page = html([chart("Seattle", .fresh, square(-124, 44)), chart("Reno", .missing, nil)])
    #expect(page.contains("Not on the map, since their outlines are not known: Reno."))
    #expect(page.contains("<small>1 of 2 charts</small>"))
  }

  @Test func `the edges of a definition give a rough outline`() throws {
    let edges: [NeatlineDefinition.Edge] = [
      .meridian(-109), .parallel(32), .columnThrough(GeoPoint(longitude: -101.8, latitude: 36.2)),
      .rowThrough(GeoPoint(longitude: -109, latitude: 36.3)),
    ]
    let corners = try #require(ApproximateOutline.corners(edges.map(\.notation)))
    #expect(
      corners
        == [(-109, 32), (-101.8, 32), (-101.8, 36.3), (-109, 36.3)].map {
          GeoPoint(longitude: $0.0, latitude: $0.1)
        })
    let pixels: [NeatlineDefinition.Edge] = [.column(3), .row(4), .column(9), .row(80)]
    #expect(ApproximateOutline.corners(pixels.map(\.notation)) == nil)
  }

  @Test func `a staged cycle with several charts begins with the map`() throws {
    let sample = SampleBuild()
    try sample.chart("San_Francisco", name: "San Francisco")
    try sample.chart("Seattle", shade: 9)
    try sample.stage(sample.build("2612"))
    let page = try sample.report()
    let map = try #require(page.range(of: "<section id=\"map\">"))
    let charts = try #require(page.range(of: "<section id=\"charts\">"))
    #expect(map.lowerBound < charts.lowerBound)
    #expect(page.contains("<title>San Francisco: new, edition 2026-10-29</title>"))
  }
}

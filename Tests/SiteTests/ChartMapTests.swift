import Core
import CryptoIO
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
      id: "vfr-sectional/\(name)", name: name, state: state, detail: "\(name): \(state.title)",
      link: ReportAnchors.fragment("vfr-sectional/\(name)"), rings: ring.map { [$0] })
  }

  private func html(_ charts: [MappedChart], ground: [[GeoPoint]] = []) -> String {
    FamilyMap(family: MappedFamily(name: "vfr-sectional", charts: charts, ground: ground), isOpen: true).html
  }

  @Test func `each chart links to its card and has a tooltip, a mark and a pattern`() throws {
    let page = html([
      chart("Seattle", .fresh, square(-124, 44)), chart("Reno", .same, square(-120, 44)),
      chart("Miami <b>", .held, square(-116, 44)), chart("Denver", .missing, square(-112, 44)),
    ])
    for part in [
      "<a href=\"#vfr-sectional/Seattle\"><title>Seattle: new or changed</title><path class=\"fresh\" d=\"M",
      "<path class=\"same\"", "<path class=\"held\"", "<path class=\"missing\"", ">Miami &lt;b&gt;<",
      "</svg> 1 new or changed</li>", "</svg> 1 unchanged</li>", "</svg> 1 held back</li>",
      "</svg> 1 missing</li>", "</svg> 1 area without a chart</li>", ">✕</text>", ">!</text>",
      "<small>2 of 4 charts</small>", ">44° N</text>",
    ] { #expect(page.contains(part), "\(part)") }
    #expect(XMLParser(data: Data("<root>\(page.replacing(" open>", with: ">"))</root>".utf8)).parse())
    for (fill, rule) in [("held", "held-pattern"), ("missing", "hole-pattern"), ("hole", "hole-pattern")] {
      #expect(MapStyle.sheet.contains(try Regex("\\.\(fill)[^{]*\\{ fill: url\\(#\(rule)\\)")))
      #expect(MapStyle.patterns.contains("id=\"\(rule)\""))
    }
  }

  @Test func `far regions get panels of their own and do not shrink the 48 states`() throws {
    let mainland = [chart("Seattle", .fresh, square(-124, 44)), chart("Miami", .fresh, square(-83, 24))]
    let far = [
      chart("Anchorage", .fresh, square(-152, 60)), chart("Aleutians", .fresh, square(178, 51)),
      chart("Hawaii", .same, square(-160, 19)), chart("Guam", .same, square(143, 13)),
      chart("Samoa", .same, square(-172, -15, 2)), chart("San Juan", .same, square(-68, 16)),
    ]
    let (alone, all) = (html(mainland), html(mainland + far))
    let frame = /<svg viewBox="0 0 (\d+) (\d+)" role="group"/
    let widths = all.matches(of: frame).map { String($0.output.1) }
    #expect(widths.count == 6)
    #expect(widths.first == alone.firstMatch(of: frame).map { String($0.output.1) })
    for title in ["Alaska", "Hawaii", "Western Pacific", "South Pacific", "Caribbean"] {
      #expect(all.contains("<figcaption>\(title)</figcaption>"))
    }
    #expect(!alone.contains("class=\"far\""))
  }

  @Test func `a region across 180 degrees is as wide as its charts`() throws {
    let rings = [square(178, 51), square(-178, 51), square(-152, 60)]
    let panel = try #require(MapPanel(.alaska, showing: rings, within: (300, 220)))
    let boxes = rings.compactMap { panel.ring($0).box }
    #expect(boxes[0].minX < boxes[1].minX && boxes[1].minX < boxes[2].minX)
    #expect(
      boxes.allSatisfy { $0.minX >= 0 && $0.maxX <= panel.width && $0.minY >= 0 && $0.maxY <= panel.height })
    #expect(boxes[0].maxX - boxes[0].minX > 20)
    #expect(panel.graticule.contains { $0.label.hasSuffix("N") })
  }

  @Test(arguments: [-60.0, -2, 0, 30, 80])
  func `the projection keeps north up and east right at any latitude`(south: Double) {
    let projection = PanelProjection(GeoBox(west: -10, south: south, east: 10, north: south + 4))
    let at = { projection.project(GeoPoint(longitude: $0, latitude: $1)) }
    let (west, east, north) = (at(-5, south + 2), at(5, south + 2), at(0, south + 4))
    #expect(west.x < 0 && east.x > 0 && abs(west.x + east.x) < 1e-9)
    #expect(north.y < at(0, south + 2).y)
    let width = 10 * .pi / 180 * cos((south + 2) * .pi / 180)
    #expect(abs((east.x - west.x) / width - 1) < 0.02)
  }

  @Test func `counts the areas that no chart covers, but no slivers`() {
    let ring = { (x: Double, y: Double, width: Double, height: Double) in
      PlaneRing([
        PlanePoint(x: x, y: y), PlanePoint(x: x + width, y: y), PlanePoint(x: x + width, y: y + height),
        PlanePoint(x: x, y: y + height),
      ])
    }
    let ground = [ring(10, 10, 200, 60)]
    let count = { CoverageHoles(ground: ground, covered: $0, width: 220, height: 80).count }
    #expect(count([]) == 1)
    #expect(count([ring(0, 0, 220, 80)]) == 0)
    #expect(count([ring(0, 0, 60, 80), ring(100, 0, 60, 80)]) == 2)
    #expect(count([ring(0, 0, 100, 80), ring(102, 0, 118, 80)]) == 0)
  }

  @Test func `simplified outlines stay within the tolerance`() {
    let circle = (0..<360).map { degree in
      PlanePoint(x: 100 * cos(Double(degree) * .pi / 180), y: 100 * sin(Double(degree) * .pi / 180))
    }
    let simple = Simplification.simplified(circle, tolerance: 0.5)
    #expect(simple.count < 50)
    #expect(abs(abs(PlaneRing(simple).signedArea) / (.pi * 10_000) - 1) < 0.01)
    #expect(Simplification.simplified([circle[0]], tolerance: 1) == [circle[0]])
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
    let sample = try SampleBuild()
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

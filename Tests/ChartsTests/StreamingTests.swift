import Core
import CryptoIO
import Fetch
import Foundation
import Pipeline
import Testing

@testable import Charts

@Suite("A sheet read in bands, and the units that are made from them")
struct StreamingTests {
  private func image(of bench: ChartBench) throws -> sending SheetImage {
    let family = try bench.family(minZoom: 4, maxZoom: 8)
    let files = try ChartFiles(
      ChartRequest(
        chart: family.charts[0], family: family, definitionSha256: try SHA256Hex(of: []),
        source: try SourceFolder.file(try bench.zip()), cycle: try #require(AiracCycle(identifier: "2601"))))
    return try SheetReader(files: files, page: try ChartPage(htm: files.htm)).open()
  }

  @Test("bands hold the sheet's own rows, whatever the last one was")
  func bands() throws {
    let bench = try ChartBench()
    let whole = try image(of: bench).rows(0..<bench.sheet.height)
    let bands = SheetBands(try image(of: bench))
    for range in [0..<40, 30..<90, 90..<91, 50..<60, 55..<500, 0..<0, 499..<500, 0..<500, 100..<200] {
      let rows = try bands.rows(range)
      #expect(rows.range == range)
      let part = whole.indexes[range.lowerBound * whole.width..<range.upperBound * whole.width]
      #expect(rows.indexes == Array(part), "rows \(range)")
    }
  }

  @Test("the feed gives every unit once, from north to south, with its rows")
  func feed() throws {
    let bench = try ChartBench()
    let image = try image(of: bench)
    let plan = try plan(ChartSheet(image), zooms: 4...10, covering: [try bench.sheet.extent])
    let feed = UnitFeed(plan.rows, from: SheetBands(image))
    var given: [TileID] = []
    while let work = try feed.next() {
      given.append(work.root)
      let row = try #require(plan.rows.first { $0.units.contains(work.root) })
      #expect(work.rows.range == row.sourceRows)
    }
    #expect(given == plan.rows.flatMap(\.units))
    #expect(Set(given).count == given.count)
    #expect(zip(given, given.dropFirst()).allSatisfy { $0.row < $1.row || $0.column < $1.column })
  }

  @Test("units cover both windows of a chart across 180 degrees, and meet in one pyramid")
  func windows() throws {
    let noise = try NoiseSheet(band: 48...56, longitude: 180)
    let windows = [
      GeoBox(west: 179.8, south: 51.9, east: 180, north: 52.1),
      GeoBox(west: -180, south: 51.9, east: -179.8, north: 52.1),
    ]
    let plan = try plan(noise.sheet, zooms: 0...12, covering: windows)
    let units = plan.rows.flatMap(\.units)
    let last = (1 << 10) - 1
    #expect(Set(units.map(\.column)) == [0, last])
    #expect(plan.rows.allSatisfy { !$0.sourceRows.isEmpty })
    #expect(plan.contains(TileID(zoom: 0, column: 0, row: 0)))
    #expect(!plan.contains(TileID(zoom: 12, column: 2048, row: units[0].row << 2)))
  }

  @Test("the survey looks at a small part of the chart, everywhere in it")
  func survey() throws {
    let bench = try ChartBench()
    let plan = try plan(ChartSheet(try image(of: bench)), zooms: 4...13, covering: [try bench.sheet.extent])
    let sampled = plan.survey.flatMap(\.units)
    #expect(sampled.allSatisfy { $0.zoom == 13 && plan.contains($0) })
    #expect(sampled.count * 20 < plan.leafCount)
    let rows = Set(plan.rows.flatMap(\.units).map(\.row)).sorted()
    let (first, last) = (try #require(rows.first), try #require(rows.last))
    let third = (last - first + 1) / 3
    for part in 0..<3 {
      #expect(
        sampled.contains {
          ($0.row >> 2) >= first + part * third && ($0.row >> 2) <= first + (part + 1) * third
        })
    }
    #expect(plan.survey.map(\.sourceRows.count).reduce(0, +) < bench.sheet.height)
  }

  /// A tint that only one corner has would else come out as some other.
  @Test("the survey sees all of a small chart")
  func smallSurvey() throws {
    let bench = try ChartBench()
    let sheet = ChartSheet(try image(of: bench))
    for zoom in 5...9 {
      let plan = try plan(sheet, zooms: 4...zoom, covering: [try bench.sheet.extent])
      guard plan.leafCount <= 36 else { continue }
      #expect(plan.survey.flatMap(\.units).count == plan.leafCount, "\(zoom)")
    }
  }

  private func plan(_ sheet: ChartSheet, zooms: ClosedRange<Int>, covering windows: [GeoBox]) throws
    -> UnitPlan
  {
    let json = #"{"minZoom": \#(zooms.lowerBound), "maxZoom": \#(zooms.upperBound)}"#
    return try UnitPlan(
      try JSONDecoder().decode(TileSettings.self, from: Data(json.utf8)), covering: windows, on: sheet)
  }
}

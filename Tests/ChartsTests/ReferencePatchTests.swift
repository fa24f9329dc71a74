import Core
import Foundation
import ImageIO
import RasterIO
import RasterWriting
import Testing

@testable import ChartpipeKit

@Suite("Reference patches")
struct ControlTests {
  @Test func `patches are the sheet's own pixels, well within the map, with print on each`() throws {
    let bench = try ChartBench()
    let built = try bench.build(try bench.zip(), zooms: 5...8)
    let control = try #require(built.product.control)
    let strip = try PNG.decode([UInt8](Data(contentsOf: built.control)))
    #expect(control.side == 48 && strip.height == 48)
    #expect(
      control.points.count >= 3
        && strip.width == 48 * (control.points.count + (control.inkPoints?.count ?? 0)))
    for (number, point) in control.points.enumerated() {
      var marked = 0
      for row in 0..<48 {
        for column in 0..<48 {
          let isMarked = bench.sheet.marks.contains {
            ($0.0 - 4..<$0.0 + 4).contains(point.column + column)
              && ($0.1 - 4..<$0.1 + 4).contains(point.row + row)
          }
          marked += isMarked ? 1 : 0
          let color = isMarked ? MadeUpSheet.ink : MadeUpSheet.tint
          let pixel = strip[number * 48 + column, row]
          #expect(PaletteColor(red: pixel.red, green: pixel.green, blue: pixel.blue) == color)
        }
      }
      #expect(marked > 0)
    }
    #expect(control.placing == bench.sheet.placing.six)
    #expect(control.projection?.origin == MadeUpSheet.cone.origin)
    let parallels = try #require(control.projection?.standardParallels)
    #expect(abs(parallels[0] - (38 + 2.0 / 3)) < 1e-9 && abs(parallels[1] - (33 + 1.0 / 3)) < 1e-9)
  }

  @Test func `patches grow with the sheet pixels under a tile pixel, and few marks are too few`() throws {
    let bench = try ChartBench()
    let built = try bench.build(try bench.zip(), zooms: 4...6)
    let control = try #require(built.product.control)
    #expect((150...192).contains(control.side))
    #expect(control.points.isEmpty && control.inkPoints?.isEmpty == false)
  }

  @Test func `a sheet in another projection has no patches and records why`() throws {
    let bench = try ChartBench()
    let wkt = """
      PROJCS["other",GEOGCS["NAD83",DATUM["North_American_Datum_1983",
      SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],
      PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",36],PARAMETER["central_meridian",-121],
      PARAMETER["scale_factor",1],PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1]]
      """
    let tif = try bench.sheet.tif { try $0.setGeoreference(bench.sheet.placing, wkt: wkt) }
    let zip = try bench.zip([("Made Up SEC.htm", bench.sheet.htm()), ("Made Up SEC.tif", tif)])
    let built = try bench.build(zip)
    let control = try #require(built.product.control)
    #expect(control.projection == nil && control.points.isEmpty)
    #expect(built.product.files.map(\.role.rawValue) == ["tiles", "reference"])
    #expect(!FileManager.default.fileExists(atPath: built.control.path))
  }
}

@Suite("Reference grid")
struct ReferenceTests {
  @Test func `has the mean colour of each cell of the map and the texture of its print`() throws {
    let bench = try ChartBench()
    let built = try bench.build(try bench.zip(), zooms: 5...8)
    let reference = try #require(built.product.reference)
    let picture = try PNG.decode([UInt8](Data(contentsOf: built.reference)))
    #expect(picture.width == reference.columns && picture.height == 2 * reference.rows)
    #expect(reference.blanks.isEmpty)
    let seen = (0..<reference.rows * reference.columns).filter { cell in
      picture[cell % reference.columns, cell / reference.columns + reference.rows].green == 255
    }
    #expect(seen.count > 20)
    let flat = seen.filter { cell in
      let pixel = picture[cell % reference.columns, cell / reference.columns]
      return (pixel.red, pixel.green, pixel.blue)
        == (MadeUpSheet.tint.red, MadeUpSheet.tint.green, MadeUpSheet.tint.blue)
    }
    #expect(flat.count * 2 > seen.count)
    for cell in flat {
      #expect(picture[cell % reference.columns, cell / reference.columns + reference.rows].red == 0)
    }
    #expect(
      seen.contains { picture[$0 % reference.columns, $0 / reference.columns + reference.rows].red > 0 })
  }
}

@Suite("Bands and units")
struct StreamingTests {
  private func image(of bench: ChartBench) throws -> sending SheetImage {
    let family = try bench.family(minZoom: 4, maxZoom: 8)
    let files = try ChartFiles(try SourceFolder.file(try bench.zip()), tifName: family.charts[0].tif)
    return try SheetReader(files: files, page: try ChartPage(htm: files.htm)).open()
  }

  @Test func `bands contain the sheet's own rows after any other band`() throws {
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

  @Test func `the feed returns every unit once, from north to south, with its rows`() throws {
    let bench = try ChartBench()
    let image = try image(of: bench)
    let plan = try plan(image.sheet, zooms: 4...10, covering: [try bench.sheet.extent])
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

  @Test func `units cover both windows of a chart across 180 degrees and share one pyramid`() throws {
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

  @Test func `the survey samples a small part of the chart in all areas`() throws {
    let bench = try ChartBench()
    let plan = try plan(try image(of: bench).sheet, zooms: 4...13, covering: [try bench.sheet.extent])
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

  /// A tint that occurs in one corner only would otherwise get another colour.
  @Test func `the survey covers all of a small chart`() throws {
    let bench = try ChartBench()
    let sheet = try image(of: bench).sheet
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

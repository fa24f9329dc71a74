import Charts
import Core
import Foundation
import ImageIO
import Pipeline
import SyntheticSheet
import TestSupport
import Testing
import TileArchive

/// Sheets that are hard to cut, built and held against what they were drawn from.
struct HardChartTests {
  @Test(arguments: 0..<7)
  func aHardSheetIsCutAndPlacedAsItWasDrawn(number: Int) throws {
    let chart = try DrawnChart.hard.get()[number]
    let zoom = chart.design.id == "Hard_Arctic" ? 10 : 11
    let built = try chart.build(zooms: 9...zoom)
    let findings = try built.findings()
    #expect(findings == [], "\(findings)")
    try expectExtent(of: built, chart.design)
    let picture = try WorldPicture(built.archive, zoom: zoom)
    expectMarks(on: picture, chart.design)
    expectCut(of: picture, chart.design)
    if chart.design.id == "Hard_Antimeridian" {
      for zoom in 9...zoom { try expectNoGapAt180(WorldPicture(built.archive, zoom: zoom)) }
      expectMeridianOf180(on: picture)
    }
  }

  /// A tenth of a pixel, where an error of projection, of tiling or of resampling would be half of one at least.
  private func expectMarks(on picture: WorldPicture, _ design: SheetDesign) {
    for mark in design.controlMarks() {
      let white = 7 / picture.sheetPixels(design, at: mark.point)
      let error = picture.error(of: mark.point, whiteRadius: white)
      #expect(max(abs(error.x), abs(error.y)) < 0.1, "\(design.name) \(mark.point): \(error)")
    }
  }

  /// No collar within the cut, and no map lost.
  private func expectCut(of picture: WorldPicture, _ design: SheetDesign) {
    let cut = CutCheck(picture, SheetTruth(design))
    #expect(cut.seen > 100_000)
    #expect(cut.collar < 1, "\(design.name) shows a pixel so far outside of the map")
    #expect(cut.hole < 2, "\(design.name) lacks a pixel so far within the map")
  }

  private func expectExtent(of built: DrawnChart.Built, _ design: SheetDesign) throws {
    let metadata = try built.metadata()
    let truth = try #require(SheetTruth(design).extent)
    let isAcross = truth.east > 180
    let bounds = try #require(metadata["bounds"].flatMap { GeoBox(metadata: $0) })
    #expect((GeoBox(adjustedIn: metadata) != nil) == isAcross)
    let told = GeoBox(adjustedIn: metadata) ?? bounds
    let halfPixel = 0.0002 / cos(truth.north * .pi / 180)
    for side in [\GeoBox.west, \.south, \.east, \.north] {
      #expect(abs(told[keyPath: side] - truth[keyPath: side]) < halfPixel, "\(told) is not \(truth)")
    }
    #expect(
      built.product.boundingBox == bounds && built.product.boundingBoxes == (isAcross ? told.windows : nil))
    if isAcross { #expect(bounds.west == -180 && bounds.east == 180) }
    let center = try #require(metadata["center"]).split(separator: ",").compactMap { Double($0) }
    try #require(center.count == 3)
    #expect(abs(center[0] - told.center.longitude) < 1e-6 && abs(center[1] - told.center.latitude) < 1e-6)
    let neatline = try #require(metadata["chartpipe:neatline"])
    #expect(neatline.hasPrefix("{\"type\":\"\(isAcross ? "MultiPolygon" : "Polygon")\""))
  }

  private func expectNoGapAt180(_ picture: WorldPicture) throws {
    #expect(Set(picture.tiles.keys.map(\.column)).isSuperset(of: [0, (1 << picture.zoom) - 1]))
    let rows = (0..<picture.worldSize).filter { picture[0, $0].alpha > 0 }
    let (top, bottom) = (try #require(rows.first), try #require(rows.last))
    for row in top + 2...bottom - 2 {
      #expect((-3..<3).allSatisfy { picture[$0, row].alpha == 255 }, "a gap in row \(row)")
    }
  }

  /// That meridian is drawn, and half of its line comes from either window: its middle must be where they meet.
  private func expectMeridianOf180(on picture: WorldPicture) {
    var sum = (weight: 0.0, moment: 0.0)
    for row in (0..<picture.worldSize) where picture[0, row].alpha > 0 {
      for column in -3..<3 {
        let weight = max(0, 120 - Double(picture[column, row].green))
        sum = (sum.weight + weight, sum.moment + weight * (Double(column) + 0.5))
      }
    }
    #expect(sum.weight > 20_000)
    #expect(abs(sum.moment / sum.weight) < 0.1)
  }

  @Test func theNumberOfWorkersChangesNoByte() throws {
    let chart = try DrawnChart.hard("Antimeridian")
    let one = try chart.build(zooms: 8...10, jobs: 1)
    let three = try chart.build(zooms: 8...10, jobs: 3)
    #expect(one.product == three.product)
  }

  @Test func theOtherEngineSeesTheSame() throws {
    let chart = try DrawnChart.hard("Insets")
    let kernel = try chart.build(zooms: 10...10, format: .png32)
    let gdal = try chart.build(zooms: 10...10, format: .png32, engine: .gdal)
    let own = try WorldPicture(kernel.archive, zoom: 10)
    let other = try WorldPicture(gdal.archive, zoom: 10)
    #expect(own.tiles.keys == other.tiles.keys)
    var (square, count) = (0, 0)
    for (id, tile) in own.tiles {
      let twin = try #require(other.tiles[id]).pixels
      for index in stride(from: 0, to: twin.count, by: 4)
      where tile.pixels[index + 3] == 255 && twin[index + 3] == 255 {
        let difference = Int(tile.pixels[index + 1]) - Int(twin[index + 1])
        (square, count) = (square + difference * difference, count + 1)
      }
    }
    #expect(count > 40_000)
    #expect(square < count, "a level of green is what they may differ by, in the mean")
  }

  @Test(arguments: [
    (TileSettings.Format.png, 512), (.png32, 256), (.png32, 512), (.webp, 256), (.webpLossless, 256),
    (.webpLossless, 512),
  ])
  func everyFormatAndSizePassesValidation(format: TileSettings.Format, size: Int) throws {
    let chart = try DrawnChart.hard("Southern")
    let built = try chart.build(zooms: 8...9, format: format, size: size)
    let findings = try built.findings()
    #expect(findings == [], "\(findings)")
    #expect(built.product.format == format.imageType)
    let picture = try WorldPicture(built.archive, zoom: 9)
    #expect(picture.tileSize == size)
    let pixel = picture.sheetPixels(chart.design, at: chart.design.controlMarks()[0].point)
    let cut = CutCheck(picture, SheetTruth(chart.design))
    #expect(cut.collar < pixel && cut.hole < pixel, "\(cut.collar), \(cut.hole)")
  }
}

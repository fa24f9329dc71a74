import Core
import Foundation
import ImageIO
import SyntheticSheet
import TestSupport
import Testing

@testable import ChartpipeKit

/// Sheets that are hard to cut, built and compared with their drawing.
@Suite(.slow) struct HardChartTests {
  @Test(arguments: 0..<7)
  func `cuts and places a hard sheet as it was drawn`(number: Int) throws {
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

  /// An error of projection, tiling or resampling would be at least half a pixel.
  private func expectMarks(on picture: WorldPicture, _ design: SheetDesign) {
    for mark in design.controlMarks() {
      let white = 7 / picture.sheetPixels(design, at: mark.point)
      let error = picture.error(of: mark.point, whiteRadius: white)
      #expect(max(abs(error.x), abs(error.y)) < 0.1, "\(design.name) \(mark.point): \(error)")
    }
  }

  /// The cut contains no collar and the whole map.
  private func expectCut(of picture: WorldPicture, _ design: SheetDesign) {
    let cut = CutCheck(picture, SheetTruth(design))
    #expect(cut.seen > 100_000)
    #expect(cut.collar < 1, "\(design.name) shows a pixel that far outside the map")
    #expect(cut.hole < 2, "\(design.name) lacks a pixel that far inside the map")
  }

  private func expectExtent(of built: DrawnChart.Built, _ design: SheetDesign) throws {
    let metadata = try built.metadata()
    let truth = try #require(SheetTruth(design).extent)
    let isAcross = truth.east > 180
    let bounds = try #require(metadata["bounds"].flatMap { GeoBox(metadata: $0) })
    #expect((GeoBox(adjustedIn: metadata) != nil) == isAcross)
    let declared = GeoBox(adjustedIn: metadata) ?? bounds
    let halfPixel = 0.0002 / cos(truth.north * .pi / 180)
    for side in [\GeoBox.west, \.south, \.east, \.north] {
      #expect(abs(declared[keyPath: side] - truth[keyPath: side]) < halfPixel, "\(declared) is not \(truth)")
    }
    #expect(
      built.product.boundingBox == bounds
        && built.product.boundingBoxes == (isAcross ? declared.windows : nil))
    if isAcross { #expect(bounds.west == -180 && bounds.east == 180) }
    let center = try #require(metadata["center"]).split(separator: ",").compactMap { Double($0) }
    try #require(center.count == 3)
    #expect(
      abs(center[0] - declared.center.longitude) < 1e-6 && abs(center[1] - declared.center.latitude) < 1e-6)
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

  /// Half of the meridian's line comes from each window, so its middle must be where they meet.
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

  @Test func `the number of workers does not change the bytes`() throws {
    let chart = try DrawnChart.hard("Antimeridian")
    let one = try chart.build(zooms: 8...10, jobs: 1)
    let three = try chart.build(zooms: 8...10, jobs: 3)
    #expect(one.product == three.product)
  }

  @Test(arguments: [
    (TileSettings.Format.png, 512), (.png32, 512), (.webp, 256), (.webpLossless, 512),
  ])
  func `every format and tile size passes validation`(format: TileSettings.Format, size: Int) throws {
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

/// Hard sheets with a wrong definition or none: the build measures the right edges on the print, or refuses.
@Suite(.slow) struct HardMeasuringTests {
  /// Offsets from the true edges in pixels, such that no common shift corrects them.
  private static let errors = [5.0, -5, 4, -4]

  @Test(arguments: [
    ("Antimeridian", true), ("Arctic", true), ("Stepped", true), ("Angular", false), ("Tilted", false),
  ])
  func `finds edges that the definition has some pixels off`(id: String, hasFrame: Bool) throws {
    let chart = try hasFrame ? DrawnChart.hard(id) : DrawnChart.frameless(id)
    var wrong = chart.design.neatline
    let errors = wrong.outline.indices.map { HardMeasuringTests.errors[$0 % 4] }
    wrong.outline = zip(wrong.outline.indices, errors).map { chart.design.moved(side: $0, by: $1) }
    let built = try chart.build(zooms: 7...7, neatline: wrong)
    let edges = try #require(built.product.cut).edges
    for (edge, error) in zip(edges, errors) {
      #expect(edge.evidence == (hasFrame ? .frame : .step))
      let offset = try #require(edge.offset)
      #expect(abs(offset + error) < 0.75, "\(id), \(edge.name): \(offset) instead of \(-error)")
      // Without a frame the cut avoids the half-covered pixels beside the edge.
      #expect((-1.5...0.1).contains(edge.shift - offset), "\(id), \(edge.name): \(edge.shift)")
    }
  }

  @Test(arguments: [
    ("Antimeridian", true), ("Arctic", true), ("Southern", true), ("Southern", false), ("Tilted", true),
    ("Tilted", false),
  ])
  func `finds four edges without a definition`(id: String, hasFrame: Bool) throws {
    let chart = try hasFrame ? DrawnChart.hard(id) : DrawnChart.frameless(id)
    let built = try chart.build(zooms: 9...10, neatline: .some(nil))
    #expect(built.product.cut?.source == .auto)
    let picture = try WorldPicture(built.archive, zoom: 10)
    let pixel = picture.sheetPixels(chart.design, at: chart.design.controlMarks()[0].point)
    let cut = CutCheck(picture, SheetTruth(chart.design))
    #expect(cut.collar < 1 + pixel / 2 && cut.hole < 2 + pixel / 2, "\(cut.collar), \(cut.hole)")
  }

  @Test(arguments: ["Stepped", "Angular"], [true, false])
  func `refuses other shapes without a definition`(id: String, hasFrame: Bool) throws {
    let chart = try hasFrame ? DrawnChart.hard(id) : DrawnChart.frameless(id)
    let fault = #expect(throws: UserError.self) { _ = try chart.build(zooms: 7...7, neatline: .some(nil)) }
    #expect(fault?.operation == "looking for the neatline")
  }

  @Test(arguments: [true, false])
  func `refuses an edge with a small step without a definition`(hasFrame: Bool) throws {
    var design = try DrawnChart.hard("Southern").design
    design.neatline.outline = [
      .meridian(-170.85), .parallel(-14.42), .column(880), .row(600), .column(930), .row(40),
    ]
    design.scenery.hasFrame = hasFrame
    let chart = try DrawnChart(design)
    try expectFault("its eastern edge") { _ = try chart.build(zooms: 7...7, neatline: .some(nil)) }
  }
}

extension DrawnChart {
  /// The same sheet without the line around the map.
  fileprivate static func frameless(_ id: String) throws -> DrawnChart {
    try #require(frameless.get().first { $0.design.id == "Hard_\(id)" })
  }

  /// Drawn once.
  private static let frameless = Result { () throws -> [DrawnChart] in
    try ["Angular", "Southern", "Stepped", "Tilted"].map { id in
      var design = try hard(id).design
      design.scenery.hasFrame = false
      return try DrawnChart(design)
    }
  }
}

extension SheetDesign {
  /// An edge of the outline, moved outward by a number of pixels.
  fileprivate func moved(side: Int, by pixels: Double) -> NeatlineDefinition.Edge {
    let ring = SheetTruth(self).corners
    let (from, to) = (ring[side], ring[(side + 1) % ring.count])
    let length = ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y)).squareRoot()
    // The outline runs anticlockwise and rows count downward, so what lies to the right is outside.
    let (x, y) = (-(to.y - from.y) / length * pixels, (to.x - from.x) / length * pixels)
    func moved(_ point: SyntheticSheet.PixelPoint) -> SyntheticSheet.PixelPoint {
      SyntheticSheet.PixelPoint(x: point.x + x, y: point.y + y)
    }
    let middle = SyntheticSheet.PixelPoint(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2)
    let (here, there) = (place(of: middle), place(of: moved(middle)))
    switch neatline.outline[side] {
    case .meridian(let degrees): return .meridian(degrees + there.longitude - here.longitude)
    case .parallel(let degrees): return .parallel(degrees + there.latitude - here.latitude)
    case .column(let column): return .column(column + x)
    case .row(let row): return .row(row + y)
    case .straight(let a, let b):
      return .straight(place(of: moved(pixel(of: a))), place(of: moved(pixel(of: b))))
    case .columnThrough, .rowThrough: return neatline.outline[side]
    }
  }
}

import Core
import Foundation
import ImageIO
import RasterIO
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite("Enroute charts: images of colours, turned on their projection")
struct LeaningSheetTests {
  private let bench = EnrouteBench()

  /// Both signs, a landscape sheet on its head, and portrait sheets on either side.
  @Test(arguments: [0, 24.5, -20.6, 45, 72.6, 80, -81.1, 90, -90, 118, 180])
  func `marks lie in the tiles where they are on the earth`(angle: Double) throws {
    try expectMarks(of: LeaningSheet(angle: angle))
  }

  @Test(arguments: LeaningSheet.Form.allCases)
  func `every form of the pixels gives the same map`(form: LeaningSheet.Form) throws {
    let sheet = LeaningSheet()
    try expectMarks(of: sheet, tif: sheet.tif(form))
  }

  @Test(arguments: [-39.2, 5.1])
  func `a leaning sheet may cross 180 degrees`(angle: Double) throws {
    var sheet = LeaningSheet(angle: angle, middle: GeoPoint(longitude: 180, latitude: 56))
    sheet.cone = LambertConformal(
      standardParallels: (65, 37), origin: GeoPoint(longitude: -154, latitude: 51))
    let built = try bench.build(sheet)
    #expect(built.product.boundingBoxes?.count == 2)
    #expect(built.product.placement?.allSatisfy { $0.outcome == .agrees } == true)
    let reader = try ArchiveKind.open(built.file)
    for (column, row) in sheet.marks {
      var place = sheet.place(column: Double(column), row: Double(row))
      place.longitude = place.longitude.remainder(dividingBy: 360)
      let tile = TileID(zoom: 8, containing: place)
      #expect(try reader.byteCount(of: tile) != nil, "\(place)")
    }
  }

  private func expectMarks(of sheet: LeaningSheet, tif: [UInt8]? = nil) throws {
    let built = try bench.build(sheet, tif: tif)
    #expect(built.product.placement?.count == 4)
    #expect(built.product.placement?.allSatisfy { $0.outcome == .agrees && ($0.pixels ?? 1) < 0.1 } == true)
    let picture = try ZoomPicture(built.file, zoom: 8)
    for (column, row) in sheet.marks {
      let truth = picture.pixel(of: sheet.place(column: Double(column), row: Double(row)))
      let found = try picture.darkCentre(near: truth, reach: 9)
      #expect(abs(found.column - truth.column) < 0.1 && abs(found.row - truth.row) < 0.1, "\(column) \(row)")
    }
    expectNoCollar(in: picture, sheet)
    let symbol = picture.pixel(
      of: sheet.place(column: Double(sheet.symbol.column), row: Double(sheet.symbol.row)))
    let ink = picture.image[Int(symbol.column), Int(symbol.row)]
    let magenta = LeaningSheet.magenta
    for (own, printed) in [(ink.red, magenta.red), (ink.green, magenta.green), (ink.blue, magenta.blue)] {
      #expect(abs(Int(own) - Int(printed)) <= 9)
    }
  }

  /// The collar and the panel are red; nothing else is.
  private func expectNoCollar(in picture: ZoomPicture, _ sheet: LeaningSheet) {
    var (shown, red) = (0, 0)
    for row in 0..<picture.image.height {
      for column in 0..<picture.image.width where picture.image[column, row].alpha > 0 {
        let pixel = picture.image[column, row]
        shown += 1
        if pixel.red > 150, pixel.green < 120, pixel.blue < 90 { red += 1 }
      }
    }
    #expect(shown > 50_000)
    #expect(red == 0)
  }

  @Test func `the same bytes with one worker and with two`() throws {
    let sheet = LeaningSheet(angle: 62.1)
    let (source, family) = (try bench.zip(sheet), try bench.family(sheet))
    let one = try bench.build(source, of: family, jobs: 1)
    let two = try bench.build(source, of: family, jobs: 2)
    #expect(try one.file.data == two.file.data)
    #expect(try one.control.data == two.control.data && one.reference.data == two.reference.data)
    #expect(one.product == two.product)
  }

  @Test func `a wrong sign, exchanged axes and a shift are refused`() throws {
    let sheet = LeaningSheet()
    var oneSign = sheet.placing
    oneSign.rotationX.negate()
    #expect(
      try bench.refusal(sheet, tif: sheet.tif(placing: oneSign)).contains("do not meet at a right angle"))
    let other = LeaningSheet(angle: -sheet.angle).placing
    #expect(try bench.refusal(sheet, tif: sheet.tif(placing: other)).contains("ENR_L99.TFWX"))
    #expect(try bench.refusal(sheet, world: sheet.worldFile(of: other)).contains("ENR_L99.TFWX"))
    let both = try bench.refusal(sheet, tif: sheet.tif(placing: other), world: sheet.worldFile(of: other))
    #expect(both.contains("bound in \"ENR_L99_tif.HTM\""))
    var mirrored = sheet.placing
    swap(&mirrored.pixelWidth, &mirrored.rotationX)
    swap(&mirrored.pixelHeight, &mirrored.rotationY)
    #expect(try bench.refusal(sheet, tif: sheet.tif(placing: mirrored)).contains("mirrored"))
    for (columns, rows) in [(2.0, 0.0), (0, -2)] {
      var moved = sheet.placing
      (moved.originX, moved.originY) = sheet.placing.projected(column: columns, row: rows)
      #expect(try bench.refusal(sheet, tif: sheet.tif(placing: moved)).contains("2.0 pixels (1,000 m)"))
      let world = sheet.worldFile(of: moved)
      let page = try bench.refusal(sheet, tif: sheet.tif(placing: moved), world: world)
      #expect(page.contains("bound in"))
    }
  }

  @Test func `without a neatline the rectangle of the face is found, whatever the angle`() throws {
    for angle in [24.5, -81.1, 90] {
      let sheet = LeaningSheet(angle: angle, hasPanel: false)
      var family = try bench.family(sheet, keys: #", "fit": "grid""#)
      family.charts[0].neatline = nil
      let cut = try #require(try bench.build(try bench.zip(sheet), of: family).product.cut)
      #expect(cut.edges.map(\.name) == ["left edge", "lower edge", "right edge", "upper edge"])
      #expect(cut.edges.map(\.kind) == ["column", "row", "column", "row"])
      let face = [
        sheet.columns.lowerBound, sheet.rows.upperBound, sheet.columns.upperBound, sheet.rows.lowerBound,
      ]
      for (edge, place) in zip(cut.edges, face) { #expect(abs(edge.values[0] - place) < 2) }
    }
  }

  @Test func `a sheet in another projection than the family's is refused`() throws {
    let sheet = LeaningSheet()
    let right = #", "projection": [33, 45, -95, 39]"#
    #expect(throws: Never.self) {
      try bench.build(try bench.zip(sheet), of: try bench.family(sheet, chartKeys: right))
    }
    let reason = try bench.refusal(sheet, chartKeys: #", "projection": [33, 45, -96, 39]"#)
    #expect(reason.contains("its projection is [45.0, 33.0, -95.0, 39.0]"))
  }

  @Test func `a page without dates gives a product without them, and wrong dates are refused`() throws {
    let sheet = LeaningSheet()
    let built = try bench.build(sheet)
    #expect(built.product.sources.allSatisfy { $0.dates == nil })
    let page = try sheet.page(dates: ("20260122", "20260318"))
    let dated = try bench.build(try bench.zip(sheet, page: page), of: try bench.family(sheet))
    #expect(dated.product.sources.last?.dates?.first?.from == "2026-01-22")
    let old = try sheet.page(dates: ("20251127", "20260121"))
    #expect(try bench.refusal(sheet, page: old).contains("this is the edition of 2025-11-27"))
  }
}

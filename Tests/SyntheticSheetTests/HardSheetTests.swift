import ArchiveIO
import Core
import Foundation
import RasterIO
import SyntheticSheet
import TestSupport
import Testing

@testable import ChartpipeKit

/// Tests that hard sheets are drawn as described.
struct HardSheetTests {
  static func designs() throws -> [SheetDesign] { SheetDesign.hard(try sampleSet().edition) }

  @Test func `their names differ and each has a neatline`() throws {
    let designs = try HardSheetTests.designs()
    #expect(Set(designs.map(\.id)).count == 7)
    #expect(designs.allSatisfy { $0.neatline.outline.count >= 4 })
    #expect(designs.map(\.neatline.outline.count).max() == 8)
    #expect(designs.map(\.neatline.masks.count).max() == 2)
  }

  @Test func `their places are where PROJ has them`() throws {
    for design in try HardSheetTests.designs() {
      let sheet = try SpatialReference(wkt: design.wkt)
      let transform = try CoordinateTransform(from: try SpatialReference(epsg: 4269), to: sheet)
      for mark in design.controlMarks() {
        let metres = try #require(transform(x: mark.point.longitude, y: mark.point.latitude))
        let pixel = PixelPoint(
          x: (metres.x - design.originX) / design.metresPerPixel,
          y: (design.originY - metres.y) / design.metresPerPixel)
        #expect(abs(pixel.x - mark.pixel.x) < 0.001, "\(design.name) \(mark)")
        #expect(abs(pixel.y - mark.pixel.y) < 0.001, "\(design.name) \(mark)")
        #expect(abs(mark.point.longitude) <= 180)
      }
    }
  }

  @Test func `the one across 180 degrees has marks on both sides`() throws {
    let marks = SheetDesign.antimeridian(try sampleSet().edition).controlMarks().map(\.point.longitude)
    #expect(marks.contains { $0 > 179 } && marks.contains { $0 < -179 })
  }

  /// The map is coloured, a mark is in its place, and everything outside the outline or in the band around an inset is bare
  /// paper.
  @Test(arguments: 0..<7)
  func `a hard sheet is drawn as it is described`(number: Int) throws {
    let design = try HardSheetTests.designs()[number]
    let drawing = SheetDrawing(design)
    func index(_ column: Int, _ row: Int) -> UInt8 { drawing.pixels[row * drawing.width + column] }
    let marks = design.controlMarks()
    #expect(marks.count >= 3, "\(design.name)")
    for mark in marks { #expect(index(Int(mark.pixel.x), Int(mark.pixel.y)) == 8, "\(design.name) \(mark)") }
    let paper = drawing.pixels.count { $0 == 0 }
    let share = Double(paper) / Double(drawing.pixels.count)
    #expect((0.1...0.6).contains(share), "\(design.name): \(share)")
    for (column, row) in [(3, 3), (996, 796), (3, 796), (996, 3)] { #expect(index(column, row) == 0) }
    for inset in design.insets {
      let middle = inset.row + inset.design.height / 2
      #expect(index(inset.column - 20, middle) == 0)
      #expect(index(inset.column + inset.design.width + 20, middle) == 0)
      let inside = (0..<inset.design.width).map { index(inset.column + $0, middle) }
      #expect(inside.count { $0 == 0 } < 20)
    }
    guard design.id == "Hard_Stepped" else { return }
    for (column, row) in [(700, 600), (900, 400)] { #expect(index(column, row) == 0) }
    for (column, row) in [(600, 600), (700, 500), (780, 400), (900, 250)] { #expect(index(column, row) > 8) }
  }

  @Test func `their definition is one that the pipeline reads`() throws {
    let folder = TemporaryFolder()
    let designs = [try sampleSet().tiny]
    try SheetPipeline.write("hard", designs, zooms: 8...12, to: folder.url, scratch: folder.url)
    let definition = try PipelineLibrary.read(folder.file("hard.json5"))
    guard let family = definition as? ChartFamily else {
      Issue.record("not of charts")
      return
    }
    #expect(family.charts.map(\.neatline) == designs.map(\.neatline))
    #expect(try ZipArchive(path: folder.file("Tiny.zip").path).members.count == 3)
    for design in try HardSheetTests.designs() {
      let data = try JSONEncoder().encode(design.neatline)
      #expect(try data.decoded(NeatlineDefinition.self) == design.neatline)
    }
  }

  @Test func `the page of the sheet across 180 degrees has its west in the east`() throws {
    let folder = TemporaryFolder()
    var design = SheetDesign.antimeridian(try sampleSet().edition)
    (design.width, design.height) = (1000, 60)
    design.neatline = NeatlineDefinition(outline: [.column(10), .row(50), .column(990), .row(10)])
    let files = try SheetFiles(design, scratch: folder.url)
    let text = try #require(String(bytes: files.htm, encoding: .isoLatin1))
    #expect(text.contains("West_Bounding_Coordinate:</em>  179.6"))
    #expect(text.contains("East_Bounding_Coordinate:</em>  -179.7"))
  }

  @Test(arguments: SheetDesign.Scale.allCases)
  func `the sheets for measuring lie within their images`(scale: SheetDesign.Scale) throws {
    let set = try sampleSet()
    let design = SheetDesign.fullSize(scale, set.edition, set.features)
    let pixels = Double(design.width * design.height) / (16_658 * 12_340)
    #expect(
      abs(pixels - ["quarter": 0.25, "half": 0.5, "full": 1, "four": 3.88][scale.rawValue, default: 0]) < 0.01
    )
    guard case .meridian(let west) = design.neatline.outline[0],
      case .parallel(let south) = design.neatline.outline[1]
    else {
      Issue.record("other edges")
      return
    }
    let corner = design.pixel(of: GeoPoint(longitude: west, latitude: south))
    #expect((500...5000).contains(corner.x))
    #expect((0..<Double(design.height)).contains(corner.y))
    let middle = GeoPoint(longitude: design.projection.origin.longitude, latitude: south)
    #expect(design.pixel(of: middle).y < Double(design.height))
  }
}

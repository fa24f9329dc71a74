import Core
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Charts

@Suite("Neatlines found without a definition")
struct NeatlineFitTests {
  @Test(
    "the samples' edges are found as their definitions have them",
    arguments: [
      ("sectional-files/Sample_West.zip", "Sample West SEC.tif", "sample-sectional", 0),
      ("sectional-files/Sample_East.zip", "Sample East SEC.tif", "sample-sectional", 1),
      ("tac-files/Sample_Bay_TAC.zip", "Sample Bay TAC.tif", "sample-terminal", 0),
    ])
  func samples(archive: String, tif: String, pipeline: String, chart: Int) throws {
    let image = try SheetImage.opened(samplesFolder.appending(path: archive), tif: tif)
    let (neatline, cut) = try NeatlineSurveyor(image, subject: "sample").cut(nil)
    let file = samplesFolder.deletingLastPathComponent().appending(path: "pipelines/\(pipeline).json5")
    guard case .charts(let family) = try PipelineDefinition(contentsOf: file).content else { return }
    let given = try #require(family.charts[chart].neatline)
    #expect(cut.source == .auto)
    for (edge, wanted) in zip(cut.edges, given.outline) {
      #expect(edge.kind == wanted.notation.kind)
      let values = (edge.values[0], wanted.notation.values[0])
      #expect(abs(values.0 - values.1) < (edge.kind == "meridian" || edge.kind == "parallel" ? 0.0002 : 1))
    }
    let truth = try NeatlineBuilder(projection: try SheetProjection(ChartSheet(image)), subject: "").build(
      given)
    for (side, wanted) in zip(neatline.sides, truth.sides) {
      #expect(side.vertices[0].pixel.distance(to: wanted.vertices[0].pixel) < 1)
    }
  }

  @Test("a map without a frame is found, and one that runs to the rim", arguments: [0, 3.0])
  func printed(frame: Double) throws {
    var sheet = PrintedSheet()
    sheet.frame = frame
    sheet.northRow = 0
    let (_, cut) = try NeatlineSurveyor(try sheet.image(), subject: "printed").cut(nil)
    #expect(cut.edges.map(\.kind) == ["meridian", "parallel", "column", "row"])
    #expect(cut.edges[0].values == [-123.5] && cut.edges[1].values == [35.5])
    #expect(abs(cut.edges[2].values[0] - 820) < 1 && cut.edges[3].values[0] < 2)
  }

  @Test("a map in a tinted collar is found, with a frame between the tints and without", arguments: [0, 3.0])
  func tinted(frame: Double) throws {
    var sheet = PrintedSheet()
    sheet.frame = frame
    sheet.collar = { _, _, _ in .neighbour }
    let (_, cut) = try NeatlineSurveyor(try sheet.image(), subject: "printed").cut(nil)
    #expect(cut.edges.map(\.kind) == ["meridian", "parallel", "column", "row"])
    #expect(cut.edges[0].values == [-123.5] && cut.edges[1].values == [35.5])
    #expect(abs(cut.edges[2].values[0] - 820) < 1 && abs(cut.edges[3].values[0] - 60) < 1)
  }

  @Test("a side that is not clear is named, and the definition asked for")
  func unclear() throws {
    var sheet = PrintedSheet()
    sheet.frame = 0
    sheet.map = { _, column, row in
      column > 700 && (column / 9 * 7 + row / 9 * 13) % 120 > 820 - column ? .paper : .land
    }
    let image = try sheet.image()
    let fault = #expect(throws: UserError.self) {
      try NeatlineSurveyor(image, subject: "vfr/Printed").cut(nil)
    }
    #expect(fault?.kind == .badInput && fault?.path == "vfr/Printed")
    #expect(fault?.reason == "its eastern edge is not clear on the sheet")
    #expect(fault?.suggestion?.contains("`neatline`") == true)
  }
}

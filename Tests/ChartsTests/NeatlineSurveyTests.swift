import Core
import Foundation
import ImageIO
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite("Measuring neatlines on the sheet", .slow)
struct NeatlineSurveyTests {
  private func survey(
    _ sheet: PrintedSheet, _ outward: [Double] = [0, 0, 0, 0]
  ) throws -> (neatline: Neatline, cut: Product.Cut) {
    try NeatlineSurveyor(try sheet.image(), subject: "vfr-sectional/Printed").cut(sheet.definition(outward))
  }

  /// How far the sides of a neatline are outside their printed positions.
  private func errors(_ neatline: Neatline, _ sheet: PrintedSheet) -> [Double] {
    let middles = neatline.sides.map { side in side.vertices[side.vertices.count / 2].pixel }
    let west = sheet.place(column: middles[0].column, row: middles[0].row)
    let south = sheet.place(column: middles[1].column, row: middles[1].row)
    return [
      sheet.pixel(longitude: sheet.west, latitude: west.latitude).column - middles[0].column,
      middles[1].row - sheet.pixel(longitude: south.longitude, latitude: sheet.south).row,
      middles[2].column - sheet.eastColumn, sheet.northRow - middles[3].row,
    ]
  }

  @Test(arguments: [[-9, -9, -9, -9], [9, 9, 9, 9], [-6.4, 5.2, 3.3, -2.7], [2.4, -3.5, -5, 7.1]])
  func `finds edges given a few pixels off and moves them to the frame`(outward: [Double]) throws {
    let sheet = PrintedSheet()
    let (neatline, cut) = try survey(sheet, outward)
    for (edge, outward) in zip(cut.edges, outward) {
      #expect(edge.evidence == .frame)
      let offset = try #require(edge.offset)
      #expect(abs(offset + outward) < 0.5, "\(edge.name): \(offset)")
      #expect(edge.flags == [.moved])
    }
    for error in errors(neatline, sheet) { #expect(abs(error) < 0.5) }
  }

  @Test(arguments: [-9, -4, 5, 9.0])
  func `without a frame the map's colours decide and the cut contains no paper`(outward: Double) throws {
    let sheet = PrintedSheet(frame: 0)
    let (neatline, cut) = try survey(sheet, Array(repeating: outward, count: 4))
    for edge in cut.edges {
      #expect(edge.evidence == .step)
      let offset = try #require(edge.offset)
      #expect(abs(offset + outward) < 0.5, "\(edge.name): \(offset)")
      let inside = edge.inside
      #expect(inside.tint > 0.8 && inside.paper == 0)
    }
    for error in errors(neatline, sheet) { #expect((-2...0).contains(error), "\(error)") }
  }

  @Test func `keeps a correct edge unchanged to the last digit`() throws {
    for frame in [0, 2, 3, 5.0] {
      let sheet = PrintedSheet(frame: frame)
      let definition = sheet.definition(frame == 0 ? [-1, -1, -1, -1] : [0, 0, 0, 0])
      let image = try sheet.image()
      let (neatline, cut) = try NeatlineSurveyor(image, subject: "vfr-sectional/Printed").cut(definition)
      let given = try NeatlineBuilder(projection: try SheetProjection(image.sheet), subject: "").build(
        definition)
      #expect(neatline == given)
      for edge in cut.edges {
        #expect(edge.shift == 0 && edge.flags.isEmpty && edge.evidence != .unclear, "\(frame) \(edge)")
      }
      #expect(cut.edges.map(\.kind) == ["meridian", "parallel", "column", "row"])
      #expect(cut.source == .given)
    }
  }

  @Test func `uses the inner line of a double frame`() throws {
    var sheet = PrintedSheet()
    sheet.collar = { depth, _, _ in (-12)...(-9) ~= depth ? .ink : .paper }
    let (_, cut) = try survey(sheet, [-3, -3, -3, -3])
    for edge in cut.edges { #expect(abs((edge.offset ?? 99) - 3) < 0.5) }
  }

  @Test func `faint noise beside a frame, as JPEG leaves it, does not move the cut outward`() throws {
    var sheet = PrintedSheet()
    sheet.collar = { depth, column, row in
      depth > -11.7 && (column * 7 + row * 3) % 4 != 0 ? .neighbour : .paper
    }
    let (_, cut) = try survey(sheet, [0, 0, 0, 0])
    for edge in cut.edges { #expect(abs(edge.shift) <= 2.5, "\(edge)") }
  }

  @Test func `treats a neighbouring country's pale tint as map`() throws {
    for frame in [0, 3.0] {
      var sheet = PrintedSheet(frame: frame)
      sheet.map = { _, column, row in column % 40 == 0 ? .ink : .neighbour }
      let (_, cut) = try survey(sheet, [4, 4, 4, 4])
      for edge in cut.edges {
        #expect(abs((edge.offset ?? 99) + 4) < 0.5)
        #expect(edge.inside.tint > 0.9 && edge.flags == [.moved])
      }
    }
  }

  @Test func `ignores a ragged paper margin and the scanner's bed beyond the edge`() throws {
    var sheet = PrintedSheet(frame: 0)
    sheet.collar = { depth, column, row in
      -depth > 14 + Double((column * 7 + row * 13) % 26) ? .ink : .paper
    }
    let (_, cut) = try survey(sheet, [-5, -5, -5, -5])
    for edge in cut.edges { #expect(abs((edge.offset ?? 99) - 5) < 0.5) }
  }

  @Test func `keeps the given edge where the map itself ends raggedly`() throws {
    var sheet = PrintedSheet(frame: 0)
    sheet.map = { depth, column, row in depth < Double((column / 9 * 7 + row / 9 * 13) % 20) ? .paper : .land
    }
    let (neatline, cut) = try survey(sheet, [2, 2, 2, 2])
    #expect(cut.edges.allSatisfy { $0.evidence == .unclear && $0.offset == nil && $0.shift == 0 })
    for error in errors(neatline, sheet) { #expect(abs(error - 2) < 0.1) }
  }

  @Test func `a white row through the map is not its end`() throws {
    for frame in [0, 3.0] {
      var sheet = PrintedSheet(frame: frame)
      sheet.map = { depth, _, row in row == 66 || (5..<6).contains(depth) ? .paper : .land }
      let (_, cut) = try survey(sheet, [3, 3, 3, 3])
      for edge in cut.edges { #expect(abs((edge.offset ?? 99) + 3) < 0.5, "\(edge)") }
    }
  }

  @Test(arguments: [PrintedSheet.Print.paper, .water])
  func `the rules of legend boxes in the collar are not a frame`(filling: PrintedSheet.Print) throws {
    var sheet = PrintedSheet(frame: 0)
    sheet.collar = { depth, _, _ in (-9)...(-7) ~= depth ? .ink : (-25)...(-9) ~= depth ? filling : .paper }
    let (_, cut) = try survey(sheet)
    for edge in cut.edges { #expect(edge.evidence == .step && abs(edge.offset ?? 99) < 0.5) }
  }

  @Test func `water on both sides is no evidence and is reported as map beyond the cut`() throws {
    var sheet = PrintedSheet(frame: 0)
    sheet.map = { _, _, _ in .water }
    sheet.collar = sheet.map
    let (_, cut) = try survey(sheet)
    #expect(cut.edges.allSatisfy { $0.evidence == .unclear && $0.flags == [.mapCutOff, .unclear] })
  }

  @Test func `reports paper on both sides as collar within the cut, with or without a frame`() throws {
    for frame in [0, 3.0] {
      var sheet = PrintedSheet(frame: frame)
      sheet.map = { depth, _, _ in depth < 300 ? .paper : .land }
      let (neatline, cut) = try survey(sheet)
      #expect(cut.edges.allSatisfy { $0.evidence == (frame == 0 ? .unclear : .frame) })
      #expect(cut.edges.allSatisfy { $0.flags == (frame == 0 ? [.collarLeft, .unclear] : [.collarLeft]) })
      for error in errors(neatline, sheet) { #expect(abs(error) < 0.5) }
    }
  }

  /// A frame in a white band of 30 pixels, on an enroute chart's white ground.
  private func sheetWithInset(frame: Int) -> PrintedSheet {
    var sheet = PrintedSheet()
    let (columns, rows) = (300..<640, 180..<500)
    sheet.map = { _, column, row in
      let inward = min(
        min(column - columns.lowerBound, columns.upperBound - 1 - column),
        min(row - rows.lowerBound, rows.upperBound - 1 - row))
      switch inward {
      case ..<0: return (column * 7 + row) % 83 == 0 || (column - 3 * row) % 97 == 0 ? .ink : .paper
      case ..<30: return .paper
      case ..<(30 + frame): return .ink
      default: return (column / 40 + row / 50).isMultiple(of: 2) ? .water : .land
      }
    }
    return sheet
  }

  @Test(arguments: [4, 0]) func `a listed inset on white ground is masked by its frame`(frame: Int) throws {
    let sheet = sheetWithInset(frame: frame)
    let corners = (sheet.place(column: 320, row: 520), sheet.place(column: 660, row: 170))
    let near = GeoBox(
      west: corners.0.longitude, south: corners.0.latitude, east: corners.1.longitude,
      north: corners.1.latitude)
    let surveyor = try NeatlineSurveyor(try sheet.image(), subject: "printed")
    let (neatline, cut) = try surveyor.cut(
      sheet.definition(), insets: [InsetDefinition(name: "Elsewhere", near: near)])
    #expect(cut.insets?.map(\.verdict) == [frame > 0 ? .masked : .missing])
    #expect(cut.insets?.map(\.name) == ["Elsewhere"])
    guard frame > 0 else { return }
    for (column, row) in [(300.5, 180.5), (639.5, 499.5), (470, 340)] {
      #expect(!neatline.contains(PixelPoint(column: column, row: row)))
    }
    for (column, row) in [(297.5, 340), (642.5, 340), (470, 177.5), (470, 502.5)] {
      #expect(neatline.contains(PixelPoint(column: column, row: row)))
    }
  }

  /// An enroute chart, whose tints are fewer near its edges.
  @Test func `a white map in a frame is not reported as collar`() throws {
    var sheet = PrintedSheet()
    sheet.map = { depth, column, row in
      if (column * 7 + row) % 83 == 0 || (column - 3 * row) % 97 == 0 { return .ink }
      return ((column / 30) * 37 + (row / 30) * 61) % 100 < min(60, Int(depth) / 5) ? .water : .paper
    }
    let (_, cut) = try survey(sheet)
    #expect(cut.edges.allSatisfy { $0.evidence == .frame && $0.flags.isEmpty }, "\(cut.edges)")
  }

  @Test func `a map that runs to the image's rim ends there`() throws {
    var sheet = PrintedSheet(frame: 0)
    sheet.eastColumn = 900
    sheet.northRow = 0
    let (neatline, cut) = try survey(sheet, [0, 0, -7, -4])
    #expect(cut.edges.map(\.evidence) == [.step, .step, .rim, .rim])
    #expect(cut.edges[2].offset == 7 && cut.edges[3].offset == 4)
    #expect(cut.edges[2].outside == nil && cut.edges[2].flags == [.moved])
    #expect(abs(errors(neatline, sheet)[2]) < 0.01)
  }

  @Test func `searches farther for a place known to a hundredth of a degree`() throws {
    let sheet = PrintedSheet()
    let east = sheet.place(column: sheet.eastColumn + 17, row: 300)
    let north = sheet.place(column: 400, row: sheet.northRow + 15)
    var definition = sheet.definition()
    definition.outline[2] = .columnThrough(east)
    definition.outline[3] = .rowThrough(north)
    let image = try sheet.image()
    #expect(definition.outline[2].slack(near: east, on: try SheetProjection(image.sheet)) == 12 + 14)
    let (neatline, cut) = try NeatlineSurveyor(image, subject: "vfr-sectional/Printed").cut(definition)
    #expect(abs((cut.edges[2].offset ?? 0) + 17) < 0.5 && abs((cut.edges[3].offset ?? 0) - 15) < 0.5)
    #expect(cut.edges.allSatisfy { $0.flags.isEmpty })
    #expect(cut.edges[2].values == [east.longitude, east.latitude])
    for error in errors(neatline, sheet) { #expect(abs(error) < 0.5) }
  }

  @Test func `measures a tilted edge at a right angle`() throws {
    var sheet = PrintedSheet(frame: 0)
    // A line from the northern edge down to the east, with paper beyond it, is the map's fourth side.
    sheet.map = { _, column, row in Double(column) + 0.5 < 500 + Double(row) * 0.4 ? .land : .paper }
    func place(_ row: Double) -> GeoPoint {
      // Five pixels to the right of it, at a right angle.
      sheet.place(column: 499.8 + row * 0.4 + 5 * (1 + 0.16).squareRoot(), row: row)
    }
    var definition = sheet.definition()
    definition.outline[2] = .straight(place(500), place(100))
    let (_, cut) = try NeatlineSurveyor(try sheet.image(), subject: "printed").cut(definition)
    #expect(cut.edges[2].evidence == .step && abs((cut.edges[2].offset ?? 0) + 5) < 0.5, "\(cut.edges[2])")
    #expect(cut.edges[2].kind == "straight")
  }

  @Test func `classifies colours at the limits as on real sheets`() {
    func kind(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> PrintKind {
      PrintKinds([[red, green, blue, 255].withUnsafeBytes { $0.load(as: UInt32.self) }])[0]
    }
    #expect(kind(250, 251, 255) == .paper && kind(255, 249, 255) == .tint)
    #expect(kind(238, 238, 234) == .tint && kind(232, 242, 240) == .tint)
    #expect(kind(127, 127, 127) == .ink && kind(20, 18, 22) == .ink && kind(128, 90, 90) == .tint)
    #expect(kind(24, 66, 150) == .tint && kind(158, 32, 104) == .tint && kind(146, 112, 74) == .tint)
  }
}

@Suite("Detecting neatlines without a definition")
struct NeatlineFitTests {
  @Test(
    arguments: [
      ("sectional-files/Sample_West.zip", "Sample West SEC.tif", "sample-sectional", 0),
      ("sectional-files/Sample_East.zip", "Sample East SEC.tif", "sample-sectional", 1),
      ("tac-files/Sample_Bay_TAC.zip", "Sample Bay TAC.tif", "sample-terminal", 0),
    ])
  func `finds the samples' defined edges`(archive: String, tif: String, pipeline: String, chart: Int) throws {
    let image = try SheetImage.opened(samplesFolder.appending(path: archive), tif: tif)
    let (neatline, cut) = try NeatlineSurveyor(image, subject: "sample").cut(nil)
    let file = samplesFolder.deletingLastPathComponent().appending(path: "pipelines/\(pipeline).json5")
    guard let family = try PipelineLibrary.read(file) as? ChartFamily else { return }
    let given = try #require(family.charts[chart].neatline)
    #expect(cut.source == .auto)
    for (edge, wanted) in zip(cut.edges, given.outline) {
      #expect(edge.kind == wanted.notation.kind)
      let values = (edge.values[0], wanted.notation.values[0])
      #expect(abs(values.0 - values.1) < (edge.kind == "meridian" || edge.kind == "parallel" ? 0.0002 : 1))
    }
    let truth = try NeatlineBuilder(projection: try SheetProjection(image.sheet), subject: "").build(given)
    for (side, wanted) in zip(neatline.sides, truth.sides) {
      #expect(side.vertices[0].pixel.distance(to: wanted.vertices[0].pixel) < 1)
    }
  }

  @Test(arguments: [0, 3.0])
  func `finds a map without a frame and a map that runs to the rim`(frame: Double) throws {
    var sheet = PrintedSheet(frame: frame)
    sheet.northRow = 0
    let (_, cut) = try NeatlineSurveyor(try sheet.image(), subject: "printed").cut(nil)
    #expect(cut.edges.map(\.kind) == ["meridian", "parallel", "column", "row"])
    #expect(cut.edges[0].values == [-123.5] && cut.edges[1].values == [35.5])
    #expect(abs(cut.edges[2].values[0] - 820) < 1 && cut.edges[3].values[0] < 2)
  }

  @Test(arguments: [0, 3.0])
  func `finds a map in a tinted collar with and without a frame between the tints`(frame: Double) throws {
    var sheet = PrintedSheet(frame: frame)
    sheet.collar = { _, _, _ in .neighbour }
    let (_, cut) = try NeatlineSurveyor(try sheet.image(), subject: "printed").cut(nil)
    #expect(cut.edges.map(\.kind) == ["meridian", "parallel", "column", "row"])
    #expect(cut.edges[0].values == [-123.5] && cut.edges[1].values == [35.5])
    #expect(abs(cut.edges[2].values[0] - 820) < 1 && abs(cut.edges[3].values[0] - 60) < 1)
  }

  @Test func `names an unclear side and asks for a definition`() throws {
    var sheet = PrintedSheet(frame: 0)
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

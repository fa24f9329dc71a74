import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Edges given wrong by various distances. Each must be found or reported.
@Suite("Incorrect neatlines", .slow)
struct NeatlineTrialTests {
  /// Sheets with different maps and collars.
  enum Kind: CaseIterable {
    case framed, unframed, ocean, ice, tintedGround, narrowGround, seaCollar, labeled

    var sheet: PrintedSheet {
      var sheet = PrintedSheet()
      switch self {
      case .framed: break
      case .unframed: sheet.frame = 0
      case .ocean: sheet.map = { _, _, _ in .water }
      case .ice: sheet.map = { _, column, row in (column + 2 * row) % 97 < 3 ? .ink : .paper }
      case .tintedGround: sheet.collar = { _, _, _ in .neighbour }
      case .narrowGround:
        // The image ends twelve pixels beyond the map.
        sheet.frame = 0
        sheet.eastColumn = 888
        sheet.collar = { _, _, _ in .neighbour }
      case .seaCollar:
        sheet.map = { _, column, row in (column * 7 + row * 3) % 211 < 2 ? .ink : .water }
        sheet.collar = { _, _, _ in .water }
      case .labeled:
        // Names across the edge and a legend box along it, as on real sheets.
        sheet.frame = 0
        sheet.collar = { depth, column, row in
          if depth > -14 { return (column + row) % 50 < 12 ? .ink : .paper }
          return (-60)...(-30) ~= depth && (column + row) % 90 < 35 ? .magenta : .paper
        }
      }
      return sheet
    }
  }

  @Test(arguments: Kind.allCases)
  func `moves an edge that is 2 to 200 pixels off to the print, or reports it`(kind: Kind) throws {
    let sheet = kind.sheet
    let image = try sheet.image()
    let surveyor = try NeatlineSurveyor(image, subject: "vfr/Trial")
    let truth = try NeatlineBuilder(projection: try SheetProjection(image.sheet), subject: "").build(
      sheet.definition())
    for outward in [-200, -25, -2, 12, 60.0] {
      let east = min(outward, Double(sheet.width) - sheet.eastColumn)
      let given = sheet.definition([outward, outward, east, outward])
      check(kind, outward, try surveyor.cut(given), truth)
    }
  }

  private func check(
    _ kind: Kind, _ outward: Double, _ found: (neatline: Neatline, cut: Product.Cut), _ truth: Neatline
  ) {
    let (neatline, cut) = found
    for (index, edge) in cut.edges.enumerated() {
      let middle = neatline.sides[index].vertices[0].pixel
        .halfway(to: neatline.sides[(index + 1) % 4].vertices[0].pixel)
      let wanted = truth.sides[index].vertices[0].pixel
        .halfway(to: truth.sides[(index + 1) % 4].vertices[0].pixel)
      let error = index.isMultiple(of: 2) ? middle.column - wanted.column : middle.row - wanted.row
      #expect(
        abs(error) < 2 || !edge.flags.isEmpty, "\(kind), \(outward): \(edge.name) is \(error) off, \(edge)")
      if kind == .framed || kind == .unframed {
        #expect(abs(error) < 2 && edge.evidence != .unclear, "\(outward): \(edge)")
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `measures correct edges without a warning, also on white maps`(kind: Kind) throws {
    let sheet = kind.sheet
    let (_, cut) = try NeatlineSurveyor(try sheet.image(), subject: "vfr/Trial").cut(sheet.definition())
    for edge in cut.edges {
      #expect(
        edge.evidence != .unclear && edge.shift == (sheet.frame == 0 ? edge.shift : 0), "\(kind) \(edge)")
      #expect(edge.flags.isEmpty, "\(kind) \(edge)")
    }
  }

  @Test(arguments: [3.0, 8])
  func `accepts an edge on the outer rim of its frame and corrects one inside it`(width: Double) throws {
    let sheet = PrintedSheet(frame: width)
    let image = try sheet.image()
    let surveyor = try NeatlineSurveyor(image, subject: "vfr/Trial")
    func cut(_ outward: Double) throws -> (neatline: Neatline, cut: Product.Cut) {
      try surveyor.cut(sheet.definition([outward, outward, outward, outward]))
    }
    let right = try cut(width / 2)
    for edge in right.cut.edges { #expect(abs(edge.shift) < 1.75 && edge.flags.isEmpty, "\(edge)") }
    for inward in [2.0, 3, 5, 8] {
      let found = try cut(width / 2 - inward)
      for edge in found.cut.edges {
        let error = abs(edge.shift - inward)
        #expect(error < 2.5 || edge.flags == [.moved], "\(inward): \(edge)")
      }
    }
  }

  @Test func `ignores tinted boxes of the legend beside a frame`() throws {
    var sheet = PrintedSheet()
    sheet.collar = { depth, column, row in
      (-70)...(-22) ~= depth && (column + row) % 90 < 65 ? .land : .paper
    }
    let (_, cut) = try NeatlineSurveyor(try sheet.image(), subject: "vfr/Trial").cut(sheet.definition())
    for edge in cut.edges { #expect(edge.evidence == .frame && edge.flags.isEmpty, "\(edge)") }
  }

  @Test func `ignores patches of ice along a frame`() throws {
    var sheet = PrintedSheet()
    sheet.map = { _, column, row in (column / 80 + row / 80).isMultiple(of: 2) ? .paper : .water }
    let (_, cut) = try NeatlineSurveyor(try sheet.image(), subject: "vfr/Trial").cut(sheet.definition())
    for edge in cut.edges { #expect(edge.flags.isEmpty, "\(edge)") }
  }

  @Test func `an edge with a step is uneven unless a mask excludes the step`() throws {
    var sheet = PrintedSheet(frame: 0)
    let map = sheet.map
    // A window in the western side where the map begins later.
    sheet.map = { depth, column, row in
      (200..<320).contains(row) && column < 450 && depth < 60 ? .paper : map(depth, column, row)
    }
    let surveyor = try NeatlineSurveyor(try sheet.image(), subject: "vfr/Trial")
    var definition = sheet.definition()
    #expect(try surveyor.cut(definition).cut.edges[0].flags == [.uneven])
    definition.masks = [[.column(5), .row(325), .column(300), .row(195)]]
    #expect(try surveyor.cut(definition).cut.edges[0].flags == [])
  }

  @Test func `a stated reason suppresses only the warning about an unclear edge`() throws {
    var sheet = PrintedSheet(frame: 0)
    sheet.map = { _, _, _ in .water }
    sheet.collar = sheet.map
    var definition = sheet.definition()
    definition.unmeasured = [1: "open water"]
    let (_, cut) = try NeatlineSurveyor(try sheet.image(), subject: "vfr/Trial").cut(definition)
    #expect(cut.edges[0].flags == [.mapCutOff, .unclear] && cut.edges[1].flags == [.mapCutOff])
    #expect(cut.edges[1].unmeasured == "open water" && cut.edges[0].unmeasured == nil)
  }

  @Test func `an edge slightly off the image follows its rim and one farther off is rejected`() throws {
    var sheet = PrintedSheet()
    (sheet.eastColumn, sheet.northRow) = (900, 0)
    let surveyor = try NeatlineSurveyor(try sheet.image(), subject: "vfr/Trial")
    var definition = sheet.definition()
    definition.outline[2] = .columnThrough(sheet.place(column: 912, row: 300))
    definition.outline[3] = .row(-9)
    let (neatline, cut) = try surveyor.cut(definition)
    #expect(cut.edges.map { $0.flags.contains(.clamped) } == [false, false, true, true])
    #expect(cut.edges[2].kind == "columnThrough" && cut.edges[3].values == [-9])
    #expect(abs(neatline.sides[2].vertices[0].pixel.column - 900) < 0.6)
    #expect(neatline.ring.allSatisfy { (-0.6...900.6).contains($0.pixel.column) && $0.pixel.row > -0.6 })
    definition.outline[3] = .row(-40)
    #expect(throws: UserError.self) { try surveyor.cut(definition) }
  }

  @Test func `a slanted edge that leaves the image follows itself and then the rim`() throws {
    let sheet = PrintedSheet()
    let surveyor = try NeatlineSurveyor(try sheet.image(), subject: "vfr/Trial")
    var definition = sheet.definition()
    definition.outline[2] = .straight(sheet.place(column: 912, row: 640), sheet.place(column: 885, row: 100))
    let (neatline, cut) = try surveyor.cut(definition)
    #expect(cut.edges[2].flags.contains(.clamped))
    #expect(neatline.ring.allSatisfy { $0.pixel.column < 900.6 })
  }

  // MARK: A real sheet

  private func realSheet() throws -> SheetImage {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    return try SheetImage.opened(
      folder.appending(path: "point-barrow-2018.tif"), tif: "point-barrow-2018.tif")
  }

  /// The edges of the real sheet, each moved outward by some pixels.
  private func realEdges(_ outward: Double) -> NeatlineDefinition {
    // A pixel is half a kilometre: a degree of longitude at 70 N is 77 pixels, a degree of latitude 226.
    NeatlineDefinition(outline: [
      .meridian(-157 - outward / 77), .parallel(68 - outward / 226), .column(1430.5 + min(outward, 2)),
      .row(2.5 - min(outward, 2)),
    ])
  }

  @Test(arguments: [-60, 0, 20.0])
  func `measures the edges of a real sheet`(outward: Double) throws {
    let (neatline, cut) = try NeatlineSurveyor(try realSheet(), subject: "vfr/Real").cut(realEdges(outward))
    #expect(cut.edges[0].evidence == .step && cut.edges[1].evidence == .step)
    for edge in cut.edges {
      #expect(outward != 0 || edge.flags.isEmpty, "\(edge)")
      #expect(
        abs(outward) < 5 || edge.name.hasPrefix("e") || edge.name.hasPrefix("n") || edge.flags == [.moved],
        "\(edge)")
      #expect(edge.evidence != .unclear || edge.flags.contains(.unclear))
    }
    // The south-western corner, 157 W and 68 N, is printed at column 69 and row 940.
    #expect(neatline.sides[1].vertices[0].pixel.distance(to: PixelPoint(column: 69.3, row: 940.1)) < 3)
  }

  @Test func `finds the edges of a real sheet without a definition`() throws {
    let (_, cut) = try NeatlineSurveyor(try realSheet(), subject: "vfr/Real").cut(nil)
    #expect(cut.edges.map(\.kind) == ["meridian", "parallel", "column", "row"])
    #expect(cut.edges[0].values == [-157] && cut.edges[1].values == [68])
    #expect(abs(cut.edges[2].values[0] - 1431) < 1.5 && cut.edges[3].values[0] < 3)
  }
}

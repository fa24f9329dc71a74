import Core
import Foundation
import SyntheticSheet
import TestSupport
import Testing

@testable import ChartpipeKit

/// Insets that no definition masks are found and masked. Content that only resembles an inset is kept.
@Suite(.slow) struct InsetTests {
  /// What most sheets have below their insets.
  private static let host = {
    var design = SheetDesign.insetsInside(edition)
    design.insets = []
    return (design: design, drawing: SheetDrawing(design))
  }()

  /// A drawn sheet, opened like a chart in the build.
  private func image(_ design: SheetDesign) throws -> SheetImage {
    let folder = TemporaryFolder()
    let file = folder.file(design.zipName)
    let isOnHost =
      design.patches.isEmpty && design.neatline == InsetTests.host.design.neatline
      && design.scenery.shift == (0, 0)
    let drawing = SheetDrawing(design, on: isOnHost ? InsetTests.host.drawing : nil)
    try SheetFiles(design, drawing, scratch: folder.url).writeZip(to: file)
    return try SheetImage.opened(file, tif: design.fileStem + ".tif")
  }

  private func survey(
    _ design: SheetDesign, masks: [[NeatlineDefinition.Edge]] = [], insets: [InsetDefinition] = []
  ) throws -> (neatline: ChartpipeKit.Neatline, cut: Product.Cut) {
    var neatline = design.neatline
    neatline.masks = masks
    return try NeatlineSurveyor(try image(design), subject: "drawn").cut(neatline, insets: insets)
  }

  private static let edition = Edition(of: "2601")

  /// The insets of a design by the outer rims of their white bands, within the map.
  private func truth(_ design: SheetDesign) -> [SheetDesign.InsetPlace] {
    design.insetPlaces(within: 200..<design.width - 50, 50..<design.height - 100)
  }

  /// Masks must cover each inset with its band, and at most two pixels of the map beside it.
  private func expectMasks(_ neatline: ChartpipeKit.Neatline, _ places: [SheetDesign.InsetPlace]) {
    for place in places {
      let (columns, rows) = (place.columns, place.rows)
      for column in stride(from: columns.lowerBound, to: columns.upperBound, by: 37) {
        for row in stride(from: rows.lowerBound, to: rows.upperBound, by: 37) {
          #expect(
            !neatline.contains(ChartpipeKit.PixelPoint(column: Double(column) + 0.5, row: Double(row) + 0.5)))
        }
      }
      let middle = (
        column: Double(columns.lowerBound + columns.count / 2), row: Double(rows.lowerBound + rows.count / 2)
      )
      let (left, right) = (Double(columns.lowerBound) - 2.5, Double(columns.upperBound) + 2.5)
      let (top, bottom) = (Double(rows.lowerBound) - 2.5, Double(rows.upperBound) + 2.5)
      for point in [(left, middle.row), (right, middle.row), (middle.column, top), (middle.column, bottom)] {
        let point = ChartpipeKit.PixelPoint(column: point.0, row: point.1)
        let isElsewhere = places.contains {
          $0.columns.contains(Int(point.column)) && $0.rows.contains(Int(point.row))
        }
        if isInOutline(of: neatline, point), !isElsewhere { #expect(neatline.contains(point), "\(point)") }
      }
    }
  }

  private func isInOutline(of neatline: ChartpipeKit.Neatline, _ point: ChartpipeKit.PixelPoint) -> Bool {
    PlanePolygon(outline: PlaneRing(neatline.ring.map(\.pixel.plane)), holes: []).contains(point.plane)
  }

  /// The insets of each sheet that are masked without being listed. No line of the graticule would cross the others.
  static let sheets: [(make: @Sendable (SyntheticSheet.Edition) -> SheetDesign, masked: Int, unclear: Int)] =
    [
      (SheetDesign.insetsInside, 2, 0), (SheetDesign.insetsInCorners, 2, 2),
      (SheetDesign.insetsAtEdges, 1, 3),
      (SheetDesign.insetsSideBySide, 3, 1), (SheetDesign.smallInsets, 3, 1),
      (SheetDesign.insetsOnOcean, 2, 0),
      (SheetDesign.blurredInsets, 2, 0), (SheetDesign.largeInset, 1, 0),
    ]

  @Test(arguments: 0..<8)
  func `masks an inset where the graticule ends at it or the definition lists it, and otherwise reports it`(
    number: Int
  ) throws {
    let (make, masked, unclear) = InsetTests.sheets[number]
    let design = make(InsetTests.edition)
    let surveyor = try NeatlineSurveyor(try image(design), subject: "drawn")
    let (neatline, cut) = try surveyor.cut(design.neatline)
    let found = cut.insets ?? []
    let verdicts = [Product.Cut.Inset.Verdict.masked, .unclear].map { verdict in
      found.count { $0.verdict == verdict }
    }
    #expect(
      verdicts == [masked, unclear] && neatline.masks.count == masked && found.count == masked + unclear)
    #expect(found.allSatisfy { $0.name == nil && ($0.evidence?.graticule != nil) == ($0.verdict == .masked) })
    #expect(cut.doubts.count == found.count)
    try expectListed(design, surveyor)
  }

  private func expectListed(_ design: SheetDesign, _ surveyor: NeatlineSurveyor) throws {
    let listed = truth(design).enumerated().map { number, place in
      let box = box(
        design, Double(place.columns.lowerBound), Double(place.rows.lowerBound),
        Double(place.columns.upperBound),
        Double(place.rows.upperBound))
      return InsetDefinition(name: "Inset \(number)", near: box)
    }
    let (neatline, cut) = try surveyor.cut(design.neatline, insets: listed)
    let insets = cut.insets ?? []
    #expect(insets.allSatisfy { $0.verdict == .masked && $0.name != nil })
    #expect(Set(insets.flatMap { ($0.name ?? "").components(separatedBy: ", ") }) == Set(listed.map(\.name)))
    #expect(cut.doubts.isEmpty)
    expectMasks(neatline, truth(design))
  }

  /// The approximate box between two columns and two rows.
  private func box(_ design: SheetDesign, _ left: Double, _ top: Double, _ right: Double, _ bottom: Double)
    -> GeoBox
  {
    let southWest = design.place(of: PixelPoint(x: left, y: bottom))
    let northEast = design.place(of: PixelPoint(x: right, y: top))
    return GeoBox(
      west: southWest.longitude, south: southWest.latitude, east: northEast.longitude,
      north: northEast.latitude)
  }

  @Test func `masks an inset that is printed tilted by a degree`() throws {
    let design = SheetDesign.tiltedInset(InsetTests.edition)
    let (neatline, cut) = try survey(design)
    #expect(cut.insets?.map(\.verdict) == [.masked])
    let inset = design.insets[0]
    let (width, height) = (
      Double(inset.design.width + 2 * inset.band), Double(inset.design.height + 2 * inset.band)
    )
    let (sine, cosine) = (sin(inset.turn * .pi / 180), cos(inset.turn * .pi / 180))
    /// A point at this distance outside the white band's rim.
    func corner(_ across: Double, _ down: Double, outward: Double) -> ChartpipeKit.PixelPoint {
      let (x, y) = (across * (width / 2 + outward), down * (height / 2 + outward))
      return ChartpipeKit.PixelPoint(
        column: Double(inset.column + inset.design.width / 2) + x * cosine - y * sine,
        row: Double(inset.row + inset.design.height / 2) + x * sine + y * cosine)
    }
    for (across, down) in [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1), (0, -1), (0, 1), (-1, 0), (1, 0)] {
      #expect(!neatline.contains(corner(across, down, outward: -3)), "\(across) \(down)")
      #expect(neatline.contains(corner(across, down, outward: 5)), "\(across) \(down)")
    }
  }

  @Test func `keeps outlines, notes, tables, ice and blank areas`() throws {
    let design = SheetDesign.decoys(InsetTests.edition)
    let (neatline, cut) = try survey(design)
    #expect(neatline.masks.isEmpty)
    // Lettering on one colour in a white band hides the graticule as an inset does, so a person must check it.
    #expect(cut.insets?.map(\.verdict) == [.unclear, .unclear])
    #expect(cut.insets?.allSatisfy { $0.evidence?.variety == 0 } == true)
  }

  @Test func `reports a listed inset as missing unless the neatline or a mask excludes it`() throws {
    let design = InsetTests.host.design
    func near(_ column: Double, _ row: Double) -> GeoBox { box(design, column, row, column + 500, row + 500) }
    let listed = [
      InsetDefinition(name: "Here", near: near(900, 900)),
      InsetDefinition(name: "Collar", near: near(-400, 900)),
      InsetDefinition(name: "Masked", near: near(2100, 1500)), InsetDefinition(name: "Anywhere"),
    ]
    let masks: [[NeatlineDefinition.Edge]] = [[.column(2000), .row(2100), .column(2700), .row(1400)]]
    let (_, cut) = try survey(design, masks: masks, insets: listed)
    #expect(cut.insets?.map(\.name) == ["Here", "Anywhere"])
    #expect(
      cut.insets?.allSatisfy { $0.verdict == .missing && $0.columns == nil && $0.evidence == nil } == true)
    #expect(cut.insets?.first?.box == near(900, 900))
    #expect(cut.doubts.count == 2 && cut.doubts[0].hasPrefix("its inset Here was not found"))
  }

  @Test func `does not report an inset that the definition masks`() throws {
    let design = SheetDesign.insetsInside(InsetTests.edition)
    let masks: [[NeatlineDefinition.Edge]] = truth(design).map {
      [
        .column(Double($0.columns.lowerBound)), .row(Double($0.rows.upperBound)),
        .column(Double($0.columns.upperBound)), .row(Double($0.rows.lowerBound)),
      ]
    }
    let (neatline, cut) = try survey(design, masks: masks)
    #expect(cut.insets == nil && neatline.masks.count == 2)
  }
}

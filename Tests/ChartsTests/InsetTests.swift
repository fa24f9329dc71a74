import Airac
import Foundation
import Geo
import Pipeline
import SyntheticSheet
import TestSupport
import Testing

@testable import Charts

/// Insets that no definition masks are found and masked; what only looks like one is not.
@Suite struct InsetTests {
  private func survey(
    _ design: SheetDesign, insets: [InsetDefinition] = []
  ) throws -> (neatline: Charts.Neatline, cut: Product.Cut) {
    let folder = try TemporaryFolder()
    let file = folder.file(design.zipName)
    try SheetFiles(design, scratch: folder.url).writeZip(to: file)
    let image = try SheetImage.opened(file, tif: design.fileStem + ".tif")
    return try NeatlineSurveyor(image, subject: "drawn").cut(design.neatline, insets: insets)
  }

  private static let edition = Result { Edition(of: try #require(AiracCycle(identifier: "2601"))) }

  /// The insets of a design by their white bands' outer rims, within the map.
  private func truth(_ design: SheetDesign) -> [SheetDesign.InsetPlace] {
    design.insetPlaces(within: 200..<design.width - 50, 50..<design.height - 100)
  }

  /// Masks must cover each inset with its band, and take no more than two pixels of the map beside it.
  private func expectMasks(_ neatline: Charts.Neatline, _ places: [SheetDesign.InsetPlace]) {
    for place in places {
      let (columns, rows) = (place.columns, place.rows)
      for column in stride(from: columns.lowerBound, to: columns.upperBound, by: 37) {
        for row in stride(from: rows.lowerBound, to: rows.upperBound, by: 37) {
          #expect(!neatline.contains(Charts.PixelPoint(column: Double(column) + 0.5, row: Double(row) + 0.5)))
        }
      }
      let middle = (
        column: Double(columns.lowerBound + columns.count / 2), row: Double(rows.lowerBound + rows.count / 2)
      )
      let (left, right) = (Double(columns.lowerBound) - 2.5, Double(columns.upperBound) + 2.5)
      let (top, bottom) = (Double(rows.lowerBound) - 2.5, Double(rows.upperBound) + 2.5)
      for point in [(left, middle.row), (right, middle.row), (middle.column, top), (middle.column, bottom)] {
        let point = Charts.PixelPoint(column: point.0, row: point.1)
        let isElsewhere = places.contains {
          $0.columns.contains(Int(point.column)) && $0.rows.contains(Int(point.row))
        }
        if isInOutline(of: neatline, point), !isElsewhere { #expect(neatline.contains(point), "\(point)") }
      }
    }
  }

  private func isInOutline(of neatline: Charts.Neatline, _ point: Charts.PixelPoint) -> Bool {
    PlanePolygon(outline: PlaneRing(neatline.ring.map(\.pixel.plane)), holes: []).contains(point.plane)
  }

  /// Which insets of each sheet are masked without being listed; through the others no line of the graticule would run.
  static let sheets: [(make: @Sendable (Edition) -> SheetDesign, masked: Int, unclear: Int)] = [
    (SheetDesign.insetsInside, 2, 0), (SheetDesign.insetsInCorners, 3, 1), (SheetDesign.insetsAtEdges, 2, 2),
    (SheetDesign.insetsSideBySide, 2, 1), (SheetDesign.smallInsets, 3, 1), (SheetDesign.insetsOnOcean, 2, 0),
    (SheetDesign.blurredInsets, 2, 0), (SheetDesign.largeInset, 1, 0),
  ]

  @Test("an unlisted inset is masked where the graticule ends at it, else reported", arguments: 0..<8)
  func unlisted(number: Int) throws {
    let (make, masked, unclear) = InsetTests.sheets[number]
    let design = make(try InsetTests.edition.get())
    let (neatline, cut) = try survey(design)
    let found = cut.insets ?? []
    #expect(found.count { $0.verdict == .masked } == masked && neatline.masks.count == masked)
    #expect(found.count { $0.verdict == .unclear } == unclear && found.count == masked + unclear)
    #expect(found.allSatisfy { $0.name == nil && ($0.evidence?.graticule != nil) == ($0.verdict == .masked) })
    #expect(cut.doubts.count == found.count)
  }

  @Test("a listed inset is masked although no line of the graticule shows it", arguments: 0..<8)
  func listed(number: Int) throws {
    let design = InsetTests.sheets[number].make(try InsetTests.edition.get())
    let listed = truth(design).enumerated().map { number, place in
      let corners = [
        (place.columns.lowerBound, place.rows.upperBound), (place.columns.upperBound, place.rows.lowerBound),
      ]
      .map { design.place(of: PixelPoint(x: Double($0.0), y: Double($0.1))) }
      return InsetDefinition(
        name: "Inset \(number)",
        near: GeoBox(
          west: corners[0].longitude, south: corners[0].latitude, east: corners[1].longitude,
          north: corners[1].latitude))
    }
    let (neatline, cut) = try survey(design, insets: listed)
    #expect(cut.insets?.allSatisfy { $0.verdict == .masked && $0.name != nil } == true)
    #expect(
      Set((cut.insets ?? []).flatMap { ($0.name ?? "").components(separatedBy: ", ") })
        == Set(listed.map(\.name)))
    #expect(cut.doubts.isEmpty)
    expectMasks(neatline, truth(design))
  }

  @Test("an inset that is printed a degree askew is masked askew")
  func tilted() throws {
    let design = SheetDesign.tiltedInset(try InsetTests.edition.get())
    let (neatline, cut) = try survey(design)
    #expect(cut.insets?.map(\.verdict) == [.masked])
    let inset = design.insets[0]
    let (width, height) = (
      Double(inset.design.width + 2 * inset.band), Double(inset.design.height + 2 * inset.band)
    )
    let (sine, cosine) = (sin(inset.turn * .pi / 180), cos(inset.turn * .pi / 180))
    /// A point as far outside of the white band's rim.
    func corner(_ across: Double, _ down: Double, outward: Double) -> Charts.PixelPoint {
      let (x, y) = (across * (width / 2 + outward), down * (height / 2 + outward))
      return Charts.PixelPoint(
        column: Double(inset.column + inset.design.width / 2) + x * cosine - y * sine,
        row: Double(inset.row + inset.design.height / 2) + x * sine + y * cosine)
    }
    for (across, down) in [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1), (0, -1), (0, 1), (-1, 0), (1, 0)] {
      #expect(!neatline.contains(corner(across, down, outward: -3)), "\(across) \(down)")
      #expect(neatline.contains(corner(across, down, outward: 5)), "\(across) \(down)")
    }
  }

  @Test("outlines, notes, tables, ice and blank areas stay")
  func decoys() throws {
    let design = SheetDesign.decoys(try InsetTests.edition.get())
    let (neatline, cut) = try survey(design)
    #expect(neatline.masks.isEmpty)
    // Lettering on one colour in a white band hides the graticule as an inset does: a person must look.
    #expect(cut.insets?.map(\.verdict) == [.unclear, .unclear])
    #expect(cut.insets?.allSatisfy { $0.evidence?.variety == 0 } == true)
  }

  @Test("a listed inset that is not there is missing, unless the neatline or a mask leaves it out")
  func missing() throws {
    var design = SheetDesign.decoys(try InsetTests.edition.get())
    design.patches = []
    func near(_ column: Double, _ row: Double) -> GeoBox {
      let (a, b) = (
        design.place(of: PixelPoint(x: column, y: row + 500)),
        design.place(of: PixelPoint(x: column + 500, y: row))
      )
      return GeoBox(west: a.longitude, south: a.latitude, east: b.longitude, north: b.latitude)
    }
    design.neatline.masks = [[.column(2000), .row(2100), .column(2700), .row(1400)]]
    let listed = [
      InsetDefinition(name: "Here", near: near(900, 900)),
      InsetDefinition(name: "Collar", near: near(-400, 900)),
      InsetDefinition(name: "Masked", near: near(2100, 1500)), InsetDefinition(name: "Anywhere"),
    ]
    let (_, cut) = try survey(design, insets: listed)
    #expect(cut.insets?.map(\.name) == ["Here", "Anywhere"])
    #expect(
      cut.insets?.allSatisfy { $0.verdict == .missing && $0.columns == nil && $0.evidence == nil } == true)
    #expect(cut.insets?.first?.box == near(900, 900))
    #expect(cut.doubts.count == 2 && cut.doubts[0].hasPrefix("its inset Here was not found"))
  }

  @Test("an inset that the definition masks is not reported")
  func givenMask() throws {
    var design = SheetDesign.insetsInside(try InsetTests.edition.get())
    design.neatline.masks = truth(design).map {
      [
        .column(Double($0.columns.lowerBound)), .row(Double($0.rows.upperBound)),
        .column(Double($0.columns.upperBound)), .row(Double($0.rows.lowerBound)),
      ]
    }
    let (neatline, cut) = try survey(design)
    #expect(cut.insets == nil && neatline.masks.count == 2)
  }
}

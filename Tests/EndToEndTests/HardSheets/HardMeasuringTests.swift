import Core
import Foundation
import Pipeline
import SyntheticSheet
import Testing

/// Hard sheets whose definition is wrong, or missing: what is measured on the print must come right, or be refused.
struct HardMeasuringTests {
  /// Pixels outward of the true edges, some more and some less, so that no common shift would mend them.
  private static let errors = [5.0, -5, 4, -4]

  @Test(arguments: [
    ("Antimeridian", true), ("Arctic", true), ("Stepped", true), ("Angular", false), ("Tilted", false),
  ])
  func edgesThatAreSomePixelsOffAreFound(id: String, hasFrame: Bool) throws {
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
      // Without a frame the cut stays clear of the half-covered pixels beside the edge.
      #expect((-1.5...0.1).contains(edge.shift - offset), "\(id), \(edge.name): \(edge.shift)")
    }
  }

  @Test(arguments: [
    ("Antimeridian", true), ("Arctic", true), ("Southern", true), ("Southern", false), ("Tilted", true),
    ("Tilted", false),
  ])
  func fourEdgesAreFoundWithoutADefinition(id: String, hasFrame: Bool) throws {
    let chart = try hasFrame ? DrawnChart.hard(id) : DrawnChart.frameless(id)
    let built = try chart.build(zooms: 9...10, neatline: .some(nil))
    #expect(built.product.cut?.source == .auto)
    let picture = try WorldPicture(built.archive, zoom: 10)
    let pixel = picture.sheetPixels(chart.design, at: chart.design.controlMarks()[0].point)
    let cut = CutCheck(picture, SheetTruth(chart.design))
    #expect(cut.collar < 1 + pixel / 2 && cut.hole < 2 + pixel / 2, "\(cut.collar), \(cut.hole)")
  }

  @Test(arguments: ["Stepped", "Angular"], [true, false])
  func otherShapesAreRefusedWithoutADefinition(id: String, hasFrame: Bool) throws {
    let chart = try hasFrame ? DrawnChart.hard(id) : DrawnChart.frameless(id)
    let fault = #expect(throws: UserError.self) {
      _ = try chart.build(zooms: 7...7, neatline: .some(nil))
    }
    #expect(fault?.operation == "looking for the neatline")
  }

  /// One small step, where the greater part of the edge is as it should be.
  @Test(arguments: [true, false])
  func aSmallStepIsRefusedToo(hasFrame: Bool) throws {
    var design = try DrawnChart.hard("Southern").design
    design.neatline.outline = [
      .meridian(-170.85), .parallel(-14.42), .column(880), .row(600), .column(930), .row(40),
    ]
    design.scenery.hasFrame = hasFrame
    let chart = try DrawnChart(design)
    let fault = #expect(throws: UserError.self) {
      _ = try chart.build(zooms: 7...7, neatline: .some(nil))
    }
    #expect(fault?.reason.contains("its eastern edge") == true, "\(fault?.reason ?? "")")
  }
}

extension DrawnChart {
  /// The same sheet without the line around the map.
  fileprivate static func frameless(_ id: String) throws -> DrawnChart {
    var design = try hard(id).design
    design.scenery.hasFrame = false
    return try DrawnChart(design)
  }
}

extension SheetDesign {
  /// An edge of the outline so many pixels outward of where it is drawn.
  fileprivate func moved(side: Int, by pixels: Double) -> NeatlineDefinition.Edge {
    let ring = SheetTruth(self).corners
    let (from, to) = (ring[side], ring[(side + 1) % ring.count])
    let length = ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y)).squareRoot()
    // The outline runs anticlockwise and rows count downward, so what lies to the right is outside.
    let (x, y) = (-(to.y - from.y) / length * pixels, (to.x - from.x) / length * pixels)
    func moved(_ point: PixelPoint) -> PixelPoint { PixelPoint(x: point.x + x, y: point.y + y) }
    let middle = PixelPoint(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2)
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

import Foundation
import Testing

@testable import ChartpipeKit

/// The shapes that the audit draws from the AIXM of special-use airspace.
struct SpecialUseShapeTests {
  /// A half disc of 10 nautical miles around 40 N 100 W: an arc over the north, and a line back along the parallel.
  private static let radius = 10.0 / 60

  private func source(from: Double, to: Double, lineTo: [(Double, Double)]) throws -> SpecialUseSource {
    let pos = { (x: Double, y: Double) in "<pos>\(x) \(y)</pos>" }
    let text = """
      <m><Airspace id="A"><AirspaceTimeSlice><designator>R1</designator><AirspaceGeometryComponent><AirspaceVolume>
      <horizontalProjection><Surface srsName="urn:ogc:def:crs:OGC:1.3:CRS84"><PolygonPatch><exterior><Ring>
      <ArcByCenterPoint>\(pos(-100, 40))<radius uom="NM">10</radius><startAngle>\(from)</startAngle>
      <endAngle>\(to)</endAngle></ArcByCenterPoint>
      <LineStringSegment>\(lineTo.map(pos).joined())</LineStringSegment></Ring></exterior></PolygonPatch></Surface>
      </horizontalProjection></AirspaceVolume></AirspaceGeometryComponent></AirspaceTimeSlice></Airspace></m>
      """
    let root = try #require(AuditXML.read(Array(text.utf8)))
    return try #require(SpecialUseSourceFile(root).areas.first)
  }

  /// West and east end of the arc.
  private var ends: [(Double, Double)] {
    let width = Self.radius / cos(40 * .pi / 180)
    return [(-100 - width, 40), (-100 + width, 40)]
  }

  private func shape(_ corners: [(Double, Double)]) -> AuditShape {
    AuditShape([[corners.map { AuditPoint(longitude: $0.0, latitude: $0.1) }]])
  }

  /// Corners of the half disc every `step` degrees.
  private func corners(_ step: Double) -> [(Double, Double)] {
    stride(from: 0, through: 180, by: step).map { angle in
      let (x, y) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
      return (-100 + Self.radius * x / cos(40 * .pi / 180), 40 + Self.radius * y)
    }
  }

  @Test func `accepts a shape with other corners on the same arc`() throws {
    let source = try source(from: 0.4, to: 179.5, lineTo: ends)
    let drawn = AuditShape(source.polygons)
    let own = shape(corners(4))
    let strangers = drawn.strangers(of: own, metres: 100)
    #expect(strangers.strange == 0 && strangers.all == 46)
    #expect(drawn.difference(own, metres: 30) == nil)
    #expect(source.misfit < 200)
  }

  @Test func `notices a corner that is moved, and a part that is cut off`() throws {
    let drawn = AuditShape(try source(from: 0, to: 180, lineTo: ends).polygons)
    var moved = corners(4)
    moved[20].1 += 0.01
    #expect(drawn.strangers(of: shape(moved), metres: 100).strange == 1)
    let cut = shape(corners(4).filter { $0.0 < -99.9 })
    #expect(drawn.difference(cut, metres: 30) == "its area is another one in the source")
  }

  @Test func `knows an arc of more than half a circle in both directions`() throws {
    let source = try source(from: -10, to: 190, lineTo: [ends[0], (-100, 39.9), ends[1]])
    let areas = [source.polygons, source.turned].map { AuditShape($0).area }
    // The way over the north, and that over the south.
    #expect(areas[0] > 2 * areas[1])
  }

  @Test func `compares the area that a boundary encloses where it crosses itself`() throws {
    let bow = shape([(0, 0), (0, 2), (1, 0), (1, 1)])
    let crossing = (0.666667, 0.666667)
    let halves = AuditShape(
      shape([(0, 0), (0, 2), crossing]).polygons + shape([(1, 0), (1, 1), crossing]).polygons)
    #expect(!bow.isWhole)
    #expect(bow.difference(halves, metres: 30) == nil)
    #expect(bow.strangers(of: halves, metres: 30).strange == 0)
  }
}

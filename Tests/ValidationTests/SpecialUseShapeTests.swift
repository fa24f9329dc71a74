import Foundation
import Testing

@testable import ChartpipeKit

/// The shapes that the audit draws from the AIXM of special-use airspace.
struct SpecialUseShapeTests {
  /// A half disc of 10 nautical miles around 40 N 100 W: an arc over the north, and a line back along the parallel.
  private static let radius = 10.0 / 60

  private func source(from: Double, to: Double, lineTo: [(Double, Double)]) throws -> SpecialUseVolume {
    let pos = { (x: Double, y: Double) in "<pos>\(x) \(y)</pos>" }
    let text = """
      <m><Airspace id="A"><AirspaceTimeSlice><designator>R1</designator><AirspaceGeometryComponent><AirspaceVolume>
      <horizontalProjection><Surface srsName="urn:ogc:def:crs:OGC:1.3:CRS84"><PolygonPatch><exterior><Ring>
      <ArcByCenterPoint>\(pos(-100, 40))<radius uom="NM">10</radius><startAngle>\(from)</startAngle>
      <endAngle>\(to)</endAngle></ArcByCenterPoint>
      <LineStringSegment>\(lineTo.map(pos).joined())</LineStringSegment></Ring></exterior></PolygonPatch></Surface>
      </horizontalProjection></AirspaceVolume></AirspaceGeometryComponent></AirspaceTimeSlice></Airspace></m>
      """
    let root = try #require(try AIXMElement.read(Array(text.utf8)).first)
    return try #require(SpecialUseSource.all(in: root).first?.volumes.first)
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
    #expect(!drawn.hasStrangers(in: own, metres: 100) && !own.hasStrangers(in: drawn, metres: 100))
    #expect(drawn.difference(own, metres: 30) == nil)
    #expect(source.misfit < 200)
  }

  @Test func `notices a corner that is moved, and a part that is cut off`() throws {
    let drawn = AuditShape(try source(from: 0, to: 180, lineTo: ends).polygons)
    var moved = corners(4)
    moved[20].1 += 0.01
    #expect(drawn.hasStrangers(in: shape(moved), metres: 100))
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
    #expect(!bow.hasStrangers(in: halves, metres: 30))
  }

  @Test func `knows which corners a simplified ring may leave out`() {
    let whole = corners(1)
    let fewer = whole.indices.filter { $0 % 4 == 0 }.map { whole[$0] }
    #expect(shape(whole).difference(shape(fewer), tolerance: 20 / 0.111) == nil)
    #expect(shape(whole).difference(shape(fewer.reversed()), tolerance: 20 / 0.111) == nil)
    let cut = whole.indices.filter { !(20..<40).contains($0) }.map { whole[$0] }
    #expect(shape(whole).difference(shape(cut), tolerance: 20 / 0.111) == AuditShape.lacking)
    var exchanged = whole
    exchanged.swapAt(20, 21)
    #expect(shape(whole).difference(shape(exchanged), tolerance: 20 / 0.111) != nil)
  }

  @Test func `compares shapes that touch at a corner`() {
    let west = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    let east = [(1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)]
    let both = { (rings: [[(Double, Double)]]) in AuditShape(rings.flatMap { shape($0).polygons }) }
    #expect(both([west, east]).isWhole)
    // From each corner, in both orders and directions.
    for turn in 0..<4 {
      let turned = { (ring: [(Double, Double)]) in Array(ring[turn...] + ring[..<turn]) }
      #expect(both([west, east]).difference(both([turned(east), turned(west)]), tolerance: 0) == nil)
      #expect(
        both([west, east]).difference(both([turned(west), turned(east).reversed()]), tolerance: 0) == nil)
    }
    let moved = [(1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0001, 2.0)]
    #expect(both([west, east]).difference(both([west, moved]), tolerance: 0) == AuditShape.strange)
    #expect(both([west, east]).difference(both([west, west]), tolerance: 0) != nil)
  }

  @Test func `compares the two halves of a boundary that crosses itself in its middle`() {
    let bow = shape([(0, 0), (1, 1), (1, 0), (0, 1)])
    let halves = AuditShape(
      shape([(0, 0), (0.5, 0.5), (0, 1)]).polygons + shape([(1, 0), (1, 1), (0.5, 0.5)]).polygons)
    #expect(bow.difference(halves, tolerance: 0) == nil)
    #expect(bow.difference(shape([(0, 0), (1, 0), (1, 1), (0, 1)]), tolerance: 0) != nil)
    #expect(shape([(0, 0), (1, 1), (2, 2), (0.5, 0.5)]).polygons.isEmpty)
  }

  // MARK: - Strata

  /// An airspace of squares with an operation, a floor and a ceiling in feet (surface if 0), and whether the floor is above ground.
  private func strata(
    _ volumes: [(
      operation: String, west: Double, east: Double, floor: Int, isAboveGround: Bool, ceiling: Int
    )]
  ) throws -> [SpecialUseStratum] {
    let components = volumes.map { volume in
      let corners = [
        (volume.west, 0.0), (volume.east, 0), (volume.east, 1), (volume.west, 1), (volume.west, 0),
      ]
      return """
        <AirspaceGeometryComponent><operation>\(volume.operation)</operation><AirspaceVolume>
        <upperLimit uom="FT">\(volume.ceiling)</upperLimit><upperLimitReference>MSL</upperLimitReference>
        <lowerLimit uom="FT">\(volume.floor)</lowerLimit>
        <lowerLimitReference>\(volume.isAboveGround ? "SFC" : "MSL")</lowerLimitReference>
        <horizontalProjection><Surface srsName="urn:ogc:def:crs:OGC:1.3:CRS84"><PolygonPatch><exterior><Ring>
        <posList>\(corners.map { "\($0.0) \($0.1)" }.joined(separator: " "))</posList></Ring></exterior></PolygonPatch>
        </Surface></horizontalProjection></AirspaceVolume></AirspaceGeometryComponent>
        """
    }
    let text = """
      <m><Airspace id="A"><AirspaceTimeSlice><designator>R1</designator>\(components.joined())</AirspaceTimeSlice></Airspace></m>
      """
    let root = try #require(try AIXMElement.read(Array(text.utf8)).first)
    return try #require(SpecialUseSource.all(in: root).first?.strata)
  }

  private func texts(_ strata: [SpecialUseStratum]) -> [String] {
    strata.map { stratum in
      let values = ["floorText", "ceilingText", "excluded"].map { stratum.values[$0]?.shown ?? "" }
      let width = stratum.shapes[0].polygons.reduce(0) { $0 + abs(AuditShape.area($1[0])) } / 1e12
      return "\(values.joined(separator: " ").replacing("\"", with: "")) \((width * 10).rounded() / 10)"
    }.sorted()
  }

  @Test func `joins volumes with the same limits and keeps others apart`() throws {
    let strata = try strata([
      ("BASE", 0, 1, 0, true, 5000), ("UNION", 1, 2, 0, true, 5000), ("UNION", 2, 3, 3000, false, 5000),
    ])
    #expect(texts(strata) == ["3000 ft MSL 5000 ft MSL nothing 1.0", "SFC 5000 ft MSL nothing 2.0"])
  }

  @Test func `leaves the bands below and above a cut`() throws {
    let strata = try strata([("BASE", 0, 2, 1000, false, 9000), ("SUBTR", 1, 2, 3000, false, 5000)])
    #expect(
      texts(strata) == [
        "1000 ft MSL 3000 ft MSL nothing 1.0", "1000 ft MSL 9000 ft MSL nothing 1.0",
        "5000 ft MSL 9000 ft MSL nothing 1.0",
      ])
    #expect(
      try texts(self.strata([("BASE", 0, 2, 0, true, 9000), ("SUBTR", 1, 2, 0, true, 9000)])) == [
        "SFC 9000 ft MSL nothing 1.0"
      ])
  }

  @Test func `states a cut whose height depends on the ground`() throws {
    let strata = try strata([("BASE", 0, 2, 1000, false, 9000), ("SUBTR", 1, 2, 1500, true, 5000)])
    #expect(
      texts(strata) == [
        "1000 ft MSL 9000 ft MSL 1500 ft AGL to 5000 ft MSL 1.0", "1000 ft MSL 9000 ft MSL nothing 1.0",
      ])
  }
}

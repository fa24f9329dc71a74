import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The cutting, simplifying and rounding of shapes for vector tiles.
struct TileGeometryTests {
  private let zoom = MapLayer.deepestZoom
  private let root = TileID(zoom: 6, column: 10, row: 24)

  /// A place in tiles of the deepest zoom from the corner of the root.
  private func place(_ x: Double, _ y: Double) -> GeoPoint {
    let (west, north, side) = root.mercator
    return WebMercator.unproject(x: west + x * side / 8, y: north - y * side / 8)
  }

  private func ring(_ points: [(Double, Double)]) -> String {
    let places = (points + points.prefix(1)).map { place($0.0, $0.1) }
    return "[" + places.map { "[\(decimal($0.longitude)),\(decimal($0.latitude))]" }.joined(separator: ",")
      + "]"
  }

  private func decimal(_ number: Double) -> String {
    let millionths = Int((number * 1e6).rounded())
    let digits = String(1_000_000 + abs(millionths) % 1_000_000).dropFirst()
    return "\(millionths < 0 ? "-" : "")\(abs(millionths) / 1_000_000).\(digits)"
  }

  private func area(_ rings: [[(Double, Double)]]) throws -> TileShape {
    let text = #"{"type":"Polygon","coordinates":[\#(rings.map(ring).joined(separator: ","))]}"#
    return try #require(TileShape(geoJSON: text))
  }

  private func paths(_ shape: TileShape, at zoom: Int? = nil) -> [TileID: [[SIMD2<Int>]]] {
    let zoom = zoom ?? self.zoom
    var found: [TileID: [[SIMD2<Int>]]] = [:]
    shape.geometry(at: zoom).divide(zoom: zoom, under: root) { tile, part in
      found[tile] = part.paths(in: tile)
    }
    return found
  }

  private func tile(_ column: Int, _ row: Int) -> TileID {
    TileID(zoom: zoom, column: root.column * 8 + column, row: root.row * 8 + row)
  }

  private func area(_ ring: [SIMD2<Int>]) -> Double {
    zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) {
      $0 + Double($1.0.x * $1.1.y - $1.1.x * $1.0.y) / 2
    }
  }

  @Test func `an area that a tile shows in two places has two rings there`() throws {
    // A U that is open to the east.
    let shape = try area([
      [(0.2, 0.2), (1.6, 0.2), (1.6, 0.4), (0.5, 0.4), (0.5, 0.6), (1.6, 0.6), (1.6, 0.8), (0.2, 0.8)]
    ])
    let found = paths(shape)
    #expect(Set(found.keys) == [tile(0, 0), tile(1, 0)])
    let rings = try #require(found[tile(1, 0)])
    #expect(rings.count == 2 && rings.allSatisfy { $0.count == 4 && area($0) > 0 })
    #expect(found[tile(0, 0)]?.count == 1)
  }

  @Test func `a hole follows its ring, and is none where the edge of the tile cuts it`() throws {
    let shape = try area([
      [(0.1, 0.1), (2.9, 0.1), (2.9, 0.9), (0.1, 0.9)], [(0.4, 0.4), (0.6, 0.4), (0.6, 0.6), (0.4, 0.6)],
      [(1.8, 0.4), (2.2, 0.4), (2.2, 0.6), (1.8, 0.6)],
    ])
    let found = paths(shape)
    let first = try #require(found[tile(0, 0)])
    #expect(first.count == 2 && area(first[0]) > 0 && area(first[1]) < 0)
    for column in 1...2 {
      let rings = try #require(found[tile(column, 0)])
      #expect(rings.count == 1 && area(rings[0]) > 0 && rings[0].count == 8)
    }
  }

  @Test func `a tile inside an area is its square with the buffer`() throws {
    let found = paths(try area([[(-3, -3), (11, -3), (11, 11), (-3, 11)]]))
    #expect(found.count == 64)
    let square = [SIMD2(-320, -320), SIMD2(16704, -320), SIMD2(16704, 16704), SIMD2(-320, 16704)]
    #expect(found.values.allSatisfy { $0.count == 1 && Set($0[0]) == Set(square) && area($0[0]) > 0 })
  }

  @Test func `the tiles show the points that are in an area, and no others`() throws {
    var random = SteadyNumbers(seed: 7)
    for _ in 0..<20 {
      let corners = (0..<40).map { index -> (Double, Double) in
        let (angle, radius) = (Double(index) / 20 * Double.pi, Double.random(in: 0.3...3.9, using: &random))
        return (4 + radius * cos(angle), 4 + radius * sin(angle))
      }
      let hole = corners.map { (4 + ($0.0 - 4) * 0.5, 4 + ($0.1 - 4) * 0.5) }
      let outlines = [corners, hole].map { PlaneRing($0.map { PlanePoint(x: $0.0, y: $0.1) }) }
      let found = paths(try area([corners, hole]))
      for _ in 0..<200 {
        let point = PlanePoint(
          x: Double.random(in: 0..<8, using: &random), y: Double.random(in: 0..<8, using: &random))
        // Rounding moves the sides by a unit.
        let around = PlaneBox(
          minX: point.x - 0.001, minY: point.y - 0.001, maxX: point.x + 0.001, maxY: point.y + 0.001)
        guard outlines.allSatisfy({ $0.relation(to: around) != .crossing }) else { continue }
        let home = tile(Int(point.x), Int(point.y))
        let units = Double(TileGrid.extent(zoom))
        let inTile = PlanePoint(
          x: (point.x - point.x.rounded(.down)) * units, y: (point.y - point.y.rounded(.down)) * units)
        let rings = (found[home] ?? []).map { ring in
          PlaneRing(ring.map { PlanePoint(x: Double($0.x), y: Double($0.y)) })
        }
        let isShown = rings.count { $0.contains(inTile) } % 2 == 1
        #expect(isShown == (outlines[0].contains(point) && !outlines[1].contains(point)))
      }
    }
  }

  @Test func `lines of neighbouring tiles meet, at each zoom`() throws {
    var random = SteadyNumbers(seed: 3)
    let line = (0...800).map {
      TileShape.Point(place(Double($0) / 100, 0.5 + Double.random(in: 0...0.002, using: &random)))
    }
    let shape = TileShape(lines: [line])
    for zoom in root.zoom...zoom {
      let found = paths(shape, at: zoom).sorted { $0.key < $1.key }
      #expect(found.count == 1 << (zoom - root.zoom))
      let extent = TileGrid.extent(zoom)
      for (left, right) in zip(found, found.dropFirst()) {
        // Where a line of the map crosses the edge between both.
        let edge = Double(right.key.column * extent)
        func crossing(_ side: (key: TileID, value: [[SIMD2<Int>]])) throws -> Double {
          let corner = SIMD2(side.key.column, side.key.row) &* extent
          let points = try #require(side.value.first).map { SIMD2<Double>($0 &+ corner) }
          let (from, to) = try #require(zip(points, points.dropFirst()).first { $0.x <= edge && $1.x > edge })
          return from.y + (to.y - from.y) * (edge - from.x) / (to.x - from.x)
        }
        #expect(try abs(crossing(left) - crossing(right)) < 1)
      }
    }
    let counts = (root.zoom...zoom).map { zoom in paths(shape, at: zoom).values.joined().joined().count }
    #expect(counts[0] < counts[3] / 2 && counts[3] >= 801)
  }

  @Test func `what is smaller than a unit is not shown`() throws {
    let small = try area([[(0.5, 0.5), (0.5001, 0.5), (0.5001, 0.5001), (0.5, 0.5001)]])
    #expect(paths(small, at: root.zoom)[root] == [] && paths(small)[tile(0, 0)]?.isEmpty == false)
  }

  @Test(arguments: ["", "{}", #"{"type":"Polygon","coordinates":[[[1],[2],[3]]]}"#, "[[[1,x]]]"])
  func `a text without a shape is none`(text: String) {
    #expect(TileShape(geoJSON: text) == nil)
  }
}

import Core
import Foundation
import Testing

@testable import ChartpipeKit

@Suite struct NearEdgesTests {
  /// Outlines with many edges, one of them across 180 degrees.
  private static let outlines = [
    (1...400).map { index -> [Double] in
      let angle = Double(index) * .pi / 200
      return [-100 + (5 + sin(angle * 9)) * cos(angle), 40 + (3 + cos(angle * 7)) * sin(angle)]
    },
    [[-10, 40], [-6.5, 40], [-6.5, 43], [-10, 43]],
  ]

  private func text(_ rings: [[[Double]]]) throws -> String {
    let polygons = rings.map { ring in [ring + [ring[0]]] }
    let json = String(decoding: try JSONEncoder().encode(polygons), as: UTF8.self)
    return "{\"type\":\"MultiPolygon\",\"coordinates\":\(json)}"
  }

  /// The tile of the whole world needs all edges.
  private func checkDepths(_ shape: SheetShape, around place: GeoPoint) {
    let all = shape.edges(near: TileID(zoom: 0, column: 0, row: 0))
    var different = 0
    for zoom in 1...12 {
      let middle = TileID(zoom: zoom, containing: place)
      let limit = 1 << zoom
      for (column, row) in [(0, 0), (-1, 0), (1, 1), (-9, 4), (30, -20)] {
        let tile = TileID(
          zoom: zoom, column: (middle.column + column) & (limit - 1),
          row: (middle.row + row) & (limit - 1))
        let (west, north, side) = tile.mercator
        let edges = shape.edges(near: tile)
        for node in 0..<81 {
          let (x, y) = (west + side * Double(node % 9) / 8, north - side * Double(node / 9) / 8)
          if edges.depth(x: x, y: y) != all.depth(x: x, y: y) { different += 1 }
        }
      }
    }
    #expect(different == 0)
  }

  @Test func `the edges near a tile give the depths of all edges`() throws {
    for ring in Self.outlines {
      let shape = try #require(SheetShape(geoJSON: try text([ring])))
      for corner in stride(from: 0, to: ring.count, by: max(1, ring.count / 8)) {
        checkDepths(shape, around: GeoPoint(longitude: ring[corner][0], latitude: ring[corner][1]))
      }
      checkDepths(shape, around: GeoPoint(longitude: ring[0][0] + 179.9, latitude: 10))
    }
    let parts = [
      [[176.0, 51], [180, 51], [180, 53], [176, 53]], [[-180.0, 51], [-177, 51], [-177, 53], [-180, 53]],
    ]
    let shape = try #require(SheetShape(geoJSON: try text(parts)))
    for longitude in [-180, -177.5, 176.2, 179.99] {
      checkDepths(shape, around: GeoPoint(longitude: longitude, latitude: 52))
    }
  }

  @Test func `only few edges are near a small tile`() throws {
    let shape = try #require(SheetShape(geoJSON: try text([Self.outlines[0]])))
    let place = GeoPoint(longitude: Self.outlines[0][0][0], latitude: Self.outlines[0][0][1])
    #expect(shape.edges(near: TileID(zoom: 12, containing: place)).nearestCount < 40)
  }
}

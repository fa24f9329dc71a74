import Foundation
import RasterIO
import TestSupport
import Testing

@testable import RasterIO

struct FeatureLayerTests {
  private let folder = TemporaryFolder()

  /// Two squares, the second with a hole; GeoJSON needs no other file beside it.
  private let text = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"name":"ONE","level":null},"geometry":
      {"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,2],[0,0]]]}},
    {"type":"Feature","properties":{"name":"TWO","level":7},"geometry":
      {"type":"MultiPolygon","coordinates":[[[[3,0],[6,0],[6,3],[3,3],[3,0]],[[4,1],[5,1],[5,2],[4,2],[4,1]]]]}}]}
    """

  private func layer(_ text: String, driver: String = "GeoJSON") throws -> FeatureLayer {
    let file = folder.file("layer.json")
    try file.put(text)
    return try FeatureLayer(opening: file.path, driver: driver)
  }

  @Test func `features have their values and rings`() throws {
    let layer = try layer(text)
    #expect(layer.count == 2 && layer.isGeographic)
    #expect(layer.fields.contains("NAME"))
    let (one, two) = (try layer.feature(0), try layer.feature(1))
    #expect(one.values == ["NAME": "ONE"])
    #expect(two.values == ["NAME": "TWO", "LEVEL": "7"])
    #expect(one.polygons.count == 1 && one.polygons[0].count == 1)
    #expect(one.polygons[0][0].map { $0.x + 10 * $0.y } == [0, 2, 22, 20])
    #expect(two.polygons[0].map(\.count) == [4, 4])
  }

  @Test func `missing files and layers are errors`() throws {
    let layer = try layer(text)
    #expect(throws: GDALError.self) { try layer.feature(9) }
    #expect(throws: GDALError.self) { try self.layer(text, driver: "ESRI Shapefile") }
    #expect(throws: GDALError.self) { try self.layer("no such thing") }
  }

  @Test func `joins, repairs and measures areas`() throws {
    let square = try PlaneArea([(0, 0), (2, 0), (2, 2), (0, 2)])
    let other = try PlaneArea(polygons: [
      [[(1, 0), (4, 0), (4, 2), (1, 2)], [(2.5, 0.5), (3, 0.5), (3, 1)]]
    ])
    #expect(square.isValid && other.isValid)
    #expect(try square.union(other).area == 8 - 0.125)
    #expect(try square.intersection(PlaneArea([(5, 5), (6, 5), (6, 6)])).isEmpty)
    let bowtie = try PlaneArea([(0, 0), (2, 2), (2, 0), (0, 2)])
    #expect(!bowtie.isValid)
    let repaired = try bowtie.repaired()
    #expect(repaired.isValid && repaired.area == 2 && repaired.polygons.count == 2)
  }
}

@Suite struct PlaneAreaTests {
  private func area(_ west: Double, _ south: Double, _ east: Double, _ north: Double) throws -> PlaneArea {
    try PlaneArea([(west, south), (east, south), (east, north), (west, north)])
  }

  @Test func `cuts out a hole and a band`() throws {
    let square = try area(0, 0, 10, 10)
    let hole = try square.subtracting(try area(4, 4, 6, 6)).polygons
    #expect(hole.map { $0.map(\.count) } == [[4, 4]])
    let band = try square.subtracting(try area(-1, 4, 11, 6)).polygons
    #expect(band.map { $0.map(\.count) } == [[4], [4]])
    #expect(try square.subtracting(try area(-1, -1, 11, 11)).polygons.isEmpty)
  }

  @Test func `areas that only touch have no polygon in common`() throws {
    let square = try area(0, 0, 10, 10)
    #expect(try square.intersection(try area(10, 0, 20, 10)).polygons.isEmpty)
    #expect(try square.intersection(try area(5, 5, 20, 20)).polygons.map { $0.map(\.count) } == [[4]])
  }

  @Test func `reports the version of GEOS`() { #expect(geosVersion().contains(".")) }

  @Test func `a mask excludes its holes, also where they overlap`() throws {
    let mask = try polygonMask(
      [(0, 0), (4, 0), (4, 3), (0, 3)],
      holes: [[(1, 0), (3, 0), (3, 2), (1, 2)], [(2, 1), (9, 1), (9, 2), (2, 2)]], width: 5, height: 3)
    #expect(mask.map { $0 / 255 } == [1, 0, 0, 1, 0] + [1, 0, 0, 0, 0] + [1, 1, 1, 1, 0])
  }
}

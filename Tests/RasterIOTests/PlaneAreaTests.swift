import RasterIO
import Testing

@Suite struct PlaneAreaTests {
  private func area(_ west: Double, _ south: Double, _ east: Double, _ north: Double) throws -> PlaneArea {
    try PlaneArea([(west, south), (east, south), (east, north), (west, north)])
  }

  @Test func aHoleAndABandAreCutOut() throws {
    let square = try area(0, 0, 10, 10)
    let hole = try square.subtracting(try area(4, 4, 6, 6)).polygons
    #expect(hole.map { $0.map(\.count) } == [[4, 4]])
    let band = try square.subtracting(try area(-1, 4, 11, 6)).polygons
    #expect(band.map { $0.map(\.count) } == [[4], [4]])
    #expect(try square.subtracting(try area(-1, -1, 11, 11)).polygons.isEmpty)
  }

  @Test func whatOnlyTouchesHasNoPolygonInCommon() throws {
    let square = try area(0, 0, 10, 10)
    #expect(try square.intersection(try area(10, 0, 20, 10)).polygons.isEmpty)
    #expect(try square.intersection(try area(5, 5, 20, 20)).polygons.map { $0.map(\.count) } == [[4]])
  }

  @Test func theVersionIsTold() { #expect(geosVersion().contains(".")) }

  @Test func aMaskLeavesOutWhatItsHolesCoverAlsoWhereTheyOverlap() throws {
    let mask = try polygonMask(
      [(0, 0), (4, 0), (4, 3), (0, 3)],
      holes: [[(1, 0), (3, 0), (3, 2), (1, 2)], [(2, 1), (9, 1), (9, 2), (2, 2)]], width: 5, height: 3)
    #expect(mask.map { $0 / 255 } == [1, 0, 0, 1, 0] + [1, 0, 0, 0, 0] + [1, 1, 1, 1, 0])
  }
}

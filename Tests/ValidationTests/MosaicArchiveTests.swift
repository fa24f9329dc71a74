import Core
import Foundation
import ImageIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// An archive of two charts that overlap. The western one ends a zoom earlier, at 10.
@Suite struct MosaicArchiveTests {
  private static let coarse = GeoBox(west: -122.6, south: 37.2, east: -121.9, north: 37.9)
  private static let fine = GeoBox(west: -122.1, south: 37.2, east: -118.9, north: 37.9)
  private let folder = TemporaryFolder()
  private var file: URL { folder.file("Low.mbtiles") }

  /// - Parameters:
  ///   - zooms: the deepest zooms that the metadata gives.
  ///   - hole: what the deepest zoom lacks.
  private func findings(
    zooms: String? = "10,11", without lost: TileID? = nil, hole: GeoBox? = nil
  ) throws -> [String] {
    let writer = try MBTilesWriter(creating: file)
    for zoom in 9...11 {
      let boxes = [MosaicArchiveTests.coarse, MosaicArchiveTests.fine].suffix(zoom == 11 ? 1 : 2)
      let ids = Set(boxes.flatMap { TileRange(zoom: zoom, covering: $0).ids })
      for id in ids.inArchiveOrder where id != lost {
        let image = try ArchiveFixture.image(of: id, within: Array(boxes), hole: zoom == 11 ? hole : nil)
        try writer.add(Tile(id: id, data: image))
      }
    }
    var metadata = ArchiveFixture.metadata
    metadata.bounds = MosaicArchiveTests.coarse.union(MosaicArchiveTests.fine)
    metadata.extra["chartpipe:neatline"] = """
      {"type":"MultiPolygon","coordinates":[
      [[[-122.6,37.9],[-122.6,37.2],[-121.9,37.2],[-121.9,37.9],[-122.6,37.9]]],
      [[[-122.1,37.9],[-122.1,37.2],[-118.9,37.2],[-118.9,37.9],[-122.1,37.9]]]]}
      """
    metadata.extra[ArchiveMetadata.neatlineZooms] = zooms
    _ = try writer.finish(metadata)
    return Set(try found(in: file).map(\.rule)).sorted()
  }

  @Test func `has no findings although the tiles at the finer chart's rim show less than those above them`()
    throws
  {
    #expect(try findings() == [])
  }

  @Test(arguments: [nil, "11,11"])
  func `is refused if it names no chart that ends earlier`(zooms: String?) throws {
    let rules = try findings(zooms: zooms)
    #expect(rules.contains("tiles-agree") && rules.contains("tiles-inside-bounds"))
  }

  @Test func `is refused if its zooms are not those of its polygons`() throws {
    #expect(try findings(zooms: "10").contains("tiles-inside-bounds"))
  }

  @Test func `is refused if a tile of the finer chart is missing`() throws {
    let lost = TileID(zoom: 11, containing: GeoPoint(longitude: -121.95, latitude: 37.5))
    #expect(try findings(without: lost) == ["tiles-inside-bounds"])
  }

  /// In the tile of its rim, where the coarser chart ends too.
  @Test func `is refused if the finer chart has a hole where both charts lie`() throws {
    let hole = GeoBox(west: -122.05, south: 37.4, east: -122.0, north: 37.45)
    #expect(try findings(hole: hole) == ["tiles-agree"])
  }
}

import ArchiveIO
import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Archives of vector tiles.
@Suite struct VectorArchiveTests {
  let folder = TemporaryFolder()
  let (mbtiles, pmtiles): (URL, URL)

  static let layers = [
    VectorLayer(
      id: "airspace", description: "Class B, C and D", minZoom: 6, maxZoom: 8,
      fields: ["class": "String", "floor": "Number"])
  ]

  init() throws {
    (mbtiles, pmtiles) = (folder.file("a.mbtiles"), folder.file("a.pmtiles"))
    let writer = try MBTilesWriter(creating: mbtiles)
    for tile in ArchiveSamples.tiles { try writer.add(Tile(id: tile.id, data: Gzip.compress(tile.data))) }
    var metadata = ArchiveSamples.metadata
    (metadata.format, metadata.vectorLayers) = ("pbf", VectorArchiveTests.layers)
    _ = try writer.finish(metadata)
  }

  @Test func `MBTiles states the layers in the row json`() throws {
    let row = try #require(try MBTilesReader(opening: mbtiles).metadata()["json"])
    let layers = try Data(row.utf8).decoded([String: [VectorLayer]].self)
    #expect(layers == ["vector_layers": VectorArchiveTests.layers])
  }

  @Test func `PMTiles states type, compression and layers where its readers look`() throws {
    _ = try PMTilesWriter.write(try MBTilesReader(opening: mbtiles), isOwn: true, to: pmtiles)
    let reader = try PMTilesReader(opening: pmtiles)
    #expect(reader.header.tileType == .mvt && reader.header.tileCompression == .gzip)
    let file = try pmtiles.data
    let section = reader.header.metadata
    let packed = [UInt8](file[section.offset..<section.offset + section.count])
    let json = try Gzip.decompress(packed, limit: 1 << 20)
    let object = try #require(JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    let layers = try #require(object["vector_layers"] as? [[String: Any]])
    #expect(layers.first?["id"] as? String == "airspace" && layers.first?["maxzoom"] as? Int == 8)
    #expect(object["json"] == nil)
    for tile in ArchiveSamples.tiles {
      let packed = try #require(try reader.tile(tile.id))
      #expect(try Gzip.decompress(packed, limit: 1 << 20) == tile.data)
    }
  }

  @Test func `converting there and back gives the same bytes`() throws {
    let back = folder.file("back.mbtiles")
    _ = try ArchiveConversion.write(try ArchiveKind.open(mbtiles), as: .pmtiles, to: pmtiles) { _, _ in }
    _ = try ArchiveConversion.write(try ArchiveKind.open(pmtiles), as: .mbtiles, to: back) { _, _ in }
    #expect(try back.data == mbtiles.data)
  }
}

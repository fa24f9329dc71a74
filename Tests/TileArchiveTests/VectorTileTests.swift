import ArchiveIO
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct VectorTileTests {
  @Test func `reads the layers of a tile, compressed or not`() throws {
    let tile = VectorSamples.tile() + VectorSamples.tile(layer: "routes", version: 1)
    let read = try VectorTile(stored: tile)
    #expect(read.layers.map(\.name) == ["airspace", "routes"] && read.layers.map(\.version) == [2, 1])
    #expect(read.layers.allSatisfy { $0.extent == 4096 && $0.features.count == 1 })
    #expect(try VectorTile(stored: Gzip.compress(tile)) == read)
    #expect(TileEncoding(of: tile) == .pbf && TileEncoding(of: []) == nil)
  }

  @Test(arguments: [
    (VectorSamples.tile(version: 3), "layer \"airspace\" has version 3, not 1 or 2"),
    (VectorSamples.tile(layer: ""), "a layer has no name"),
    (VectorSamples.tile(tags: [0]), "a feature of layer \"airspace\" has an attribute without a value"),
    (
      VectorSamples.tile(tags: [0, 1]),
      "a feature of layer \"airspace\" has an attribute that the layer does not have"
    ),
    (
      VectorSamples.tile(geometry: [9, 50]),
      "a feature of layer \"airspace\" has a geometry that ends too early"
    ),
    (
      VectorSamples.tile(geometry: [0xF9, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
      "a feature of layer \"airspace\" has a geometry that ends too early"
    ),
    (VectorSamples.tile(geometry: [12]), "a feature of layer \"airspace\" has geometry command 4"),
    (VectorSamples.tile() + VectorSamples.tile(), "it has two layers \"airspace\""),
    (Array(VectorSamples.tile().dropLast()), "it ends too early"),
    ([0x1A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1], "it ends too early"),
    ([UInt8](repeating: 0xFF, count: 12), "a number in it is too long"),
    ([0x18, 1], "field 3 has a wrong type"), ([0x1B], "it is not a protocol buffer"),
    ([0x02, 0], "it has a field with number 0"), ([0x1F, 0x8B, 8, 0], "its gzip data is damaged"),
  ])
  func `reports invalid bytes`(bytes: [UInt8], problem: String) {
    let error = #expect(throws: VectorTileError.self) { try VectorTile(stored: bytes) }
    #expect(error?.description == problem)
  }

  @Test func `no changed byte causes a crash`() {
    let tile = VectorSamples.tile() + VectorSamples.tile(layer: "routes")
    for place in tile.indices {
      for change in UInt8.min...UInt8.max {
        var broken = tile
        broken[place] ^= change
        _ = try? VectorTile(stored: broken)
      }
    }
  }
}

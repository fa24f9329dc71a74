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

  @Test func `reads what it writes`() throws {
    var layer = VectorTileLayer()
    let values: [VectorTile.Value] = [
      .text("Ä"), .number(-7), .number(1_099_511_627_776), .number(118.6), .flag(true), .text("unused"),
    ]
    layer.add(.points, [[SIMD2(-80, 4175)]], id: 300, [(2, 0), (0, 1), (3, 4)])
    layer.add(.areas, [[SIMD2(0, 0), SIMD2(5, 0), SIMD2(5, 5)]], id: 1, [(0, 2), (2, 3), (3, 4)])
    let bytes = layer.encoded("routes", extent: 8192, keys: ["a", "unused", "b", "c"], values: values)
    let read = try #require(try VectorTile(stored: Gzip.compress(bytes)).layers.first)
    #expect(read.name == "routes" && read.extent == 8192 && read.version == 2)
    #expect(read.features.map(\.id) == [300, 1])
    #expect(read.features[0].firstPoint == .init(x: -80, y: 4175))
    let found = read.features.map { feature in
      Dictionary(uniqueKeysWithValues: read.properties(of: feature).map { ($0.name, $0.value) })
    }
    #expect(found[0] == ["b": values[0], "a": values[1], "c": values[4]])
    #expect(found[1] == ["a": values[2], "b": values[3], "c": values[4]])
    #expect(bytes.firstRange(of: Array("unused".utf8)) == nil)
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

import ArchiveIO
import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Rules about an archive of vector tiles.
@Suite struct VectorRuleTests {
  let folder = TemporaryFolder()
  var file: URL { folder.file("Bay.MBTiles") }
  let id = TileID(zoom: 8, column: 41, row: 98)

  private func write(
    _ tile: [UInt8], layers: [String]? = ["airspace"], json: String? = nil, isCompressed: Bool = true
  ) throws {
    let writer = try MBTilesWriter(creating: file)
    try writer.add(Tile(id: id, data: isCompressed ? Gzip.compress(tile) : tile))
    let box = GeoBox(west: -122.3, south: 37.8, east: -121.2, north: 38.4)
    var metadata = ArchiveMetadata(
      name: "Bay", format: "pbf", bounds: box, minZoom: 8, maxZoom: 8, attribution: "FAA",
      description: "A bay",
      version: "2612", extra: json.map { ["json": $0] } ?? [:])
    metadata.vectorLayers = layers?.map {
      VectorLayer(id: $0, description: "", minZoom: 8, maxZoom: 8, fields: ["class": "String"])
    }
    _ = try writer.finish(metadata)
  }

  @Test func `has no findings in good vector tiles, in both formats and with any case of the name`() throws {
    try write(VectorSamples.tile())
    #expect(try found(in: file) == [])
    #expect(try found(in: folder.url) == [])
    let twin = folder.file("Bay.PMTILES")
    _ = try ArchiveConversion.write(try ArchiveKind.open(file), as: .pmtiles, to: twin) { _, _ in }
    #expect(try found(in: twin) == [])
  }

  @Test(arguments: [
    (
      VectorSamples.tile(version: 7),
      "it is not a readable vector tile: layer \"airspace\" has version 7, not 1 or 2"
    ),
    (VectorSamples.tile(layer: "routes"), "its layer \"routes\" is not in `vector_layers`"),
    ([], "it has no layer, so it should not exist"),
    ([0x89, 0x50, 0x4E, 0x47], "it is not a readable vector tile: it ends too early"),
  ])
  func `finds invalid vector tiles`(tile: [UInt8], message: String) throws {
    try write(tile)
    let findings = try found(in: file)
    #expect(findings.map(\.rule) == ["vector-tiles-decode"] && findings.first?.message == message)
    #expect(findings.first?.where == "\(file.path) tile 8/41/98")
  }

  @Test func `finds tiles without compression and archives without layers`() throws {
    try write(VectorSamples.tile(), layers: nil, isCompressed: false)
    let problems = try found(in: file)
    #expect(problems.map(\.rule) == ["archive-metadata", "vector-tiles-decode"])
    #expect(
      problems.map(\.message) == [
        "the metadata has no `json`, which lists the layers of vector tiles",
        "it is not compressed with gzip",
      ])
    try file.remove()
    try write(VectorSamples.tile(), layers: nil, json: "[]")
    #expect(try found(in: file).map(\.message) == ["`json` is not an object with `vector_layers`"])
  }
}

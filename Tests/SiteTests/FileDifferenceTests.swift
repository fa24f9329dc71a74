import ArchiveIO
import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct FileDifferenceTests {
  private let folder = TemporaryFolder()

  private func words(_ old: Data, _ new: Data, as ending: String = "bin") throws -> String {
    let (left, right) = (folder.file("old.\(ending)"), folder.file("new.\(ending)"))
    try old.write(to: left)
    try new.write(to: right)
    let difference = FileDifference(from: left, to: right)
    #expect(!difference.isSameContent)
    return difference.words
  }

  @Test func `names the first different byte, also far into the file`() throws {
    #expect(try words(Data("abc".utf8), Data("axc".utf8)) == "it differs from byte 2 on")
    #expect(try words(Data("abc".utf8), Data("abcd".utf8)) == "it differs from byte 4 on")
    #expect(try words(Data("abc".utf8), Data()) == "it differs from byte 1 on")
    let long = Data(repeating: 7, count: 3 << 20)
    #expect(try words(long, long + [1]) == "it differs from byte \((3 << 20) + 1) on")
    var other = long
    other[(2 << 20) + 5] = 8
    #expect(try words(long, other) == "it differs from byte \((2 << 20) + 6) on")
  }

  @Test func `names the first different line of a text`() throws {
    let lines = Data((1...200_000).map { "line \($0)\n" }.joined().utf8)
    let other = Data((1...200_000).map { $0 == 150_000 ? "other\n" : "line \($0)\n" }.joined().utf8)
    #expect(try words(lines, other, as: "json") == "it differs from line 150000 on")
  }

  private func archive(_ name: String, tile data: [UInt8]) throws -> URL {
    let file = folder.file(name)
    let writer = try MBTilesWriter(creating: file)
    try writer.add(Tile(id: TileID(zoom: 0, column: 0, row: 0), data: data))
    _ = try writer.finish(
      ArchiveMetadata(
        name: "Map", format: "pbf", bounds: .init(west: -10, south: -10, east: 10, north: 10), minZoom: 0,
        maxZoom: 0, attribution: "FAA", description: "A map", version: "2612"))
    return file
  }

  @Test func `vector tiles are compared before compression`() throws {
    let tile = VectorSamples.tile()
    let old = try archive("old.mbtiles", tile: Gzip.compress(tile))
    let same = FileDifference(from: old, to: try archive("same.mbtiles", tile: tile))
    #expect(same.isSameContent && same.words == "of 1 tiles 1 with other bytes for the same content")
    let other = FileDifference(
      from: old, to: try archive("other.mbtiles", tile: Gzip.compress(VectorSamples.tile(layer: "fixes"))))
    #expect(!other.isSameContent && other.words == "of 1 tiles 1 changed")
  }
}

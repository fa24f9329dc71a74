import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct PMTilesTests {
  let folder = TemporaryFolder()
  let mbtiles: URL
  let pmtiles: URL

  init() throws {
    (mbtiles, pmtiles) = (folder.file("a.mbtiles"), folder.file("a.pmtiles"))
    try ArchiveSamples.write(to: mbtiles)
  }

  @Test func `every tile and metadata row survives the conversion`() throws {
    let source = try MBTilesReader(opening: mbtiles)
    let written = try PMTilesWriter.write(source, to: pmtiles)
    let reader = try PMTilesReader(opening: pmtiles)
    #expect(try reader.summary() == source.summary())
    #expect(try reader.summary() == written)
    #expect(try reader.metadata() == source.metadata())
    for tile in ArchiveSamples.tiles { #expect(try reader.tile(tile.id) == tile.data) }
    #expect(try reader.tile(TileID(zoom: 7, column: 0, row: 0)) == nil)
    #expect(try reader.tile(TileID(zoom: 7, column: -1, row: 1 << 20)) == nil)
    #expect(try reader.aggregateHash() == source.aggregateHash(), "the order is that of MBTiles")
  }

  @Test func `an own archive gives the same bytes as one whose images are compared`() throws {
    let source = try MBTilesReader(opening: mbtiles)
    let compared = folder.file("compared.pmtiles")
    #expect(
      try PMTilesWriter.write(source, isOwn: true, to: pmtiles) == PMTilesWriter.write(source, to: compared))
    #expect(try pmtiles.data == compared.data)
  }

  @Test func `the header describes the contents`() throws {
    _ = try PMTilesWriter.write(try MBTilesReader(opening: mbtiles), to: pmtiles)
    let reader = try PMTilesReader(opening: pmtiles)
    let header = reader.header
    #expect(header.addressedTiles == 29 && header.contents == 29 - 8 + 1)
    #expect(header.entries == reader.counts.entries && header.contents == reader.counts.contents)
    #expect(header.isClustered && reader.isClustered)
    #expect(header.tileType == .png && header.tileCompression == .none && header.internalCompression == .gzip)
    #expect(header.minZoom == 6 && header.maxZoom == 8 && header.centerZoom == 7)
    #expect(header.southWest.longitude == -1_225_000_000 && header.southWest.latitude == 370_000_000)
    #expect(header.northEast.longitude == -1_210_625_000 && header.northEast.latitude == 382_500_000)
    #expect(header.center.longitude == -1_217_812_500 && header.center.latitude == 376_250_000)
    let bytes = try pmtiles.data
    #expect(bytes.prefix(8) == Data("PMTiles".utf8) + [3])
    #expect(bytes.count == header.tiles.offset + header.tiles.count)
  }

  @Test func `converting there and back gives the same bytes`() throws {
    _ = try PMTilesWriter.write(try MBTilesReader(opening: mbtiles), to: pmtiles)
    let back = folder.file("back.mbtiles")
    let reader = try PMTilesReader(opening: pmtiles)
    _ = try ArchiveConversion.write(reader, as: .mbtiles, to: back) { _, _ in }
    #expect(try back.data == mbtiles.data)
    let again = folder.file("again.pmtiles")
    _ = try ArchiveConversion.write(try ArchiveKind.open(back), as: .pmtiles, to: again) { _, _ in }
    #expect(try again.data == pmtiles.data)
  }

  @Test func `a chart across 180 degrees keeps its true extent and its center`() throws {
    let (there, back) = (folder.file("isles.mbtiles"), folder.file("back.mbtiles"))
    let writer = try MBTilesWriter(creating: there)
    for tile in ArchiveSamples.tiles { try writer.add(tile) }
    var metadata = ArchiveSamples.metadata
    metadata.bounds = GeoBox(west: -180, south: 51, east: 180, north: 53)
    metadata.adjustedBounds = GeoBox(west: 178, south: 51, east: 188, north: 53)
    _ = try writer.finish(metadata)
    _ = try PMTilesWriter.write(try MBTilesReader(opening: there), to: pmtiles)
    let reader = try PMTilesReader(opening: pmtiles)
    #expect(reader.header.center.longitude == -1_770_000_000)
    #expect(try reader.metadata()["antimeridian_adjusted_bounds"] == "178,51,188,53")
    _ = try ArchiveConversion.write(reader, as: .mbtiles, to: back) { _, _ in }
    #expect(try back.data == there.data)
  }

  /// Consecutive equal tiles are one entry. An equal tile farther away is stored once.
  @Test func `stores identical tiles once and runs as one entry`() throws {
    let data: [[UInt8]] = [[1], [1], [1], [2, 2], [1], [2, 2]]
    let tiles = try data.enumerated().map { number, data in
      Tile(id: try #require(TileID(hilbert: 5 + number)), data: data)
    }
    let summary = try PMTilesWriter.write(MadeUpSource(tiles), to: pmtiles)
    #expect(summary.tiles == 6 && summary.distinctTiles == 2 && summary.tileBytes == 8)
    let reader = try PMTilesReader(opening: pmtiles)
    #expect(reader.header.tiles.count == 3 && reader.counts.entries == 4 && reader.isClustered)
    for tile in tiles { #expect(try reader.tile(tile.id) == tile.data) }
  }

  @Test func `a run continues in the next zoom`() throws {
    let tiles = try (0..<9).map { Tile(id: try #require(TileID(hilbert: $0)), data: [7]) }
    _ = try PMTilesWriter.write(MadeUpSource(tiles), to: pmtiles)
    let reader = try PMTilesReader(opening: pmtiles)
    #expect(reader.counts.entries == 1)
    #expect(try reader.summary().zooms.map(\.tiles) == [1, 4, 4])
    var seen: [Int] = []
    try reader.forEachTile { seen.append($0.id.hilbert) }
    #expect(seen == [0, 2, 1, 3, 4, 8, 5, 7, 6])
  }

  @Test func `many tiles have leaf directories and the root stays small`() throws {
    let first = TileID(zoom: 9, column: 0, row: 0).hilbert
    let tiles = try (0..<17_000).map { number in
      let id = try #require(TileID(hilbert: first + number * 13))
      return Tile(
        id: id, data: (0..<(1 + number * 7919 % 31)).map { UInt8(truncatingIfNeeded: number >> $0) })
    }
    _ = try PMTilesWriter.write(MadeUpSource(tiles), to: pmtiles)
    let reader = try PMTilesReader(opening: pmtiles)
    #expect(reader.header.leaves.count > 0)
    #expect(reader.header.root.offset + reader.header.root.count <= 16_384)
    #expect(reader.counts.addressedTiles == 17_000)
    for tile in tiles where tile.id.hilbert % 37 == 0 { #expect(try reader.tile(tile.id) == tile.data) }
    #expect(try reader.tile(tiles[16_999].id) == tiles[16_999].data)
    #expect(try reader.tile(try #require(TileID(hilbert: first + 1))) == nil)
  }

  @Test func `bytes depend on the tiles and not on their order within a zoom`() throws {
    _ = try PMTilesWriter.write(try MBTilesReader(opening: mbtiles), to: pmtiles)
    let other = MadeUpSource(
      ArchiveSamples.tiles.sorted {
        ($0.id.zoom, $1.id.column, $0.id.row) < ($1.id.zoom, $0.id.column, $1.id.row)
      })
    other.rows = try MBTilesReader(opening: mbtiles).metadata()
    _ = try PMTilesWriter.write(other, to: folder.file("b.pmtiles"))
    #expect(try folder.file("b.pmtiles").data == pmtiles.data)
  }

  @Test(arguments: [
    ("png", "twice", "tile 6/10/24 occurs twice"), ("png", "empty", "tile 6/10/24 is empty"),
    ("png", "none", "it contains no tile"),
    ("hybrid", "", "its `format` is not png, jpg, webp or pbf"),
    ("pbf", "", "tile 6/10/24 is not compressed with gzip"),
  ])
  func `a failed conversion leaves no file`(format: String, fault: String, problem: String) throws {
    let first = ArchiveSamples.tiles[0]
    let source = MadeUpSource(ArchiveSamples.tiles)
    source.rows["format"] = format
    switch fault {
    case "twice": source.tiles.append(first)
    case "empty": source.tiles[0] = Tile(id: first.id, data: [])
    case "none": source.tiles = []
    default: break
    }
    let found = #expect(throws: UserError.self) { try PMTilesWriter.write(source, to: pmtiles) }
    #expect(found?.reason == problem && found?.kind == .badInput)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.mbtiles"])
  }

  @Test func `never overwrites another file`() throws {
    try pmtiles.put("precious")
    #expect(throws: UserError.self) {
      try PMTilesWriter.write(MadeUpSource(ArchiveSamples.tiles), to: pmtiles)
    }
    #expect(try pmtiles.data == Data("precious".utf8))
  }

  @Test func `a cancelled conversion leaves no file`() throws {
    let tiles = try (0..<300).map { Tile(id: try #require(TileID(hilbert: $0)), data: [1, UInt8($0 & 255)]) }
    #expect(throws: CancellationError.self) {
      try PMTilesWriter.write(MadeUpSource(tiles), to: pmtiles) { done, total in
        #expect(done == 256 && total == 300)
        throw CancellationError()
      }
    }
    #expect(!pmtiles.exists)
  }

  @Test func `missing bounds are computed from the tiles`() throws {
    let source = MadeUpSource([Tile(id: TileID(zoom: 1, column: 0, row: 0), data: [1])])
    source.rows = ["format": "jpg"]
    _ = try PMTilesWriter.write(source, to: pmtiles)
    let metadata = try PMTilesReader(opening: pmtiles).metadata()
    #expect(metadata["bounds"] == "-180,0,0,85.0511288" && metadata["format"] == "jpg")
    #expect(metadata["center"] == "-90,42.5255644,1")
  }
}

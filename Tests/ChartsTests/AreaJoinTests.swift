import Core
import Foundation
import ImageIO
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite("Lossless joins of an area", .slow)
struct AreaJoinTests {
  private let folder = TemporaryFolder()

  /// They overlap from 7.5 W to 5.5 W, and the eastern one extends farther south.
  private static let west = GeoBox(west: -10, south: 40, east: -5.5, north: 43)
  private static let east = GeoBox(west: -7.5, south: 39, east: -4, north: 43)

  private func archives(shades: Int) throws -> [URL] {
    try [
      PaintedPack(name: "West", box: AreaJoinTests.west, color: (200, 30, 30), shades: shades),
      PaintedPack(name: "East", box: AreaJoinTests.east, color: (30, 160, 60), shades: shades),
    ].map { try $0.write(in: folder).archive }
  }

  private func write(
    _ archives: [URL], _ wanted: Set<TileID>, to name: String, jobs: Int = 2
  ) throws -> MBTilesReader {
    let join = try AreaJoin(archives, wanted: wanted, zooms: PaintedPack.zooms)
    let file = folder.file(name)
    _ = try join.write(
      to: file,
      metadata: ArchiveMetadata(
        name: "Area", format: "png", bounds: GeoBox(west: -10, south: 39, east: -4, north: 43),
        minZoom: PaintedPack.zooms.lowerBound, maxZoom: PaintedPack.zooms.upperBound, attribution: "Painted",
        description: "An area", version: "2304"), jobs: jobs, progress: SilentProgress(), step: "area")
    return try MBTilesReader(opening: file)
  }

  @Test(arguments: [64, 200])
  func `takes each pixel from a source and leaves no gap`(shades: Int) throws {
    let archives = try archives(shades: shades)
    let sources = try archives.map { try MBTilesReader(opening: $0) }
    let ids = try sources.reduce(into: Set<TileID>()) { $0.formUnion(try $1.tileIDs()) }
    let pack = try write(archives, ids, to: "area.mbtiles")
    #expect(try Set(pack.tileIDs()) == ids)
    var kinds: Set<UInt8> = []
    var copied = 0
    for id in ids {
      let bytes = try #require(try pack.tile(id))
      let owners = try sources.compactMap { try $0.tile(id) }
      if owners.contains(bytes) { copied += owners.count - 1 } else { kinds.insert(bytes[25]) }
      #expect(wrongPixels(try TileImage.decode(bytes), try owners.map { try TileImage.decode($0) }) == 0)
    }
    // The palette of 128 colors and transparency, or RGBA for more than 256.
    #expect(kinds.contains(shades == 64 ? 3 : 6) && kinds.isDisjoint(with: shades == 64 ? [2, 6] : [3]))
    #expect(copied > 0, "tiles of two charts of which one shows all")
  }

  /// The sum of the squares of the distances from the middle of a box, in half widths and half heights on Web Mercator.
  private func offset(of place: GeoPoint, from box: GeoBox) -> Double {
    let (point, low, high) = (
      WebMercator.project(place),
      WebMercator.project(GeoPoint(longitude: box.west, latitude: box.south)),
      WebMercator.project(GeoPoint(longitude: box.east, latitude: box.north))
    )
    let x = (2 * point.x - low.x - high.x) / (high.x - low.x)
    let y = (2 * point.y - low.y - high.y) / (high.y - low.y)
    return x * x + y * y
  }

  /// Pixels that no source has, or that are transparent where a source has something.
  private func wrongPixels(_ joined: RGBAImage, _ sources: [RGBAImage]) -> Int {
    stride(from: 0, to: joined.pixels.count, by: 4).filter { start in
      let pixels = sources.map { $0.pixels[start..<start + 4] }
      let own = joined.pixels[start..<start + 4]
      let isVisible = pixels.contains { $0[start + 3] > 0 }
      return isVisible ? own[start + 3] == 0 || !pixels.contains(own) : own[start + 3] != 0
    }.count
  }

  @Test func `joined tiles show the mosaic's pixels, and copied tiles those of the nearer chart`() throws {
    let archives = try archives(shades: 200)
    let sources = try archives.map { try MBTilesReader(opening: $0) }
    let ids = try Set(sources[0].tileIDs()).intersection(sources[1].tileIDs())
    let pack = try write(archives, ids, to: "area.mbtiles")
    var joined = 0
    for id in ids {
      let bytes = try #require(try pack.tile(id))
      let copied = try sources.firstIndex { try $0.tile(id) == bytes }
      let image = try TileImage.decode(bytes)
      for row in 0..<256 {
        for column in 0..<256 where image[column, row].alpha > 0 && copied == nil {
          let place = id.middle(ofPixel: column, row)
          let lead = offset(of: place, from: AreaJoinTests.east) - offset(of: place, from: AreaJoinTests.west)
          guard place.latitude > 41, place.latitude < 42, abs(lead) > 0.1 else { continue }
          #expect((image[column, row].red == 200) == (lead > 0))
          joined += 1
        }
      }
    }
    #expect(joined > 1000)
    // From 8.4 W to 5.6 W. The western chart covers all of it.
    let shared = TileID(zoom: 7, containing: GeoPoint(longitude: -7.1, latitude: 42))
    #expect(try pack.tile(shared) == sources[0].tile(shared))
  }

  @Test func `writes the same bytes with any number of workers`() throws {
    let archives = try archives(shades: 200)
    let ids = try Set(MBTilesReader(opening: archives[0]).tileIDs())
    let files = try [1, 4].map { jobs in
      try write(archives, ids, to: "\(jobs).mbtiles", jobs: jobs).url.data
    }
    #expect(files[0] == files[1])
  }

  @Test func `writes the wanted tiles of an archive whose other tiles are missing`() throws {
    let source = try MBTilesReader(opening: try archives(shades: 64)[0])
    let file = folder.file("sparse.pmtiles")
    _ = try PMTilesWriter.write(source, to: file)
    let ids = try source.tileIDs()
    let wanted = Set(ids.filter { $0.zoom == PaintedPack.zooms.upperBound })
    let reader = try PMTilesReader(opening: file)
    var bytes = try file.data
    let kept = reader.ranges(of: wanted)
    for range in reader.ranges(of: Set(ids)) where !kept.contains(where: { $0.overlaps(range) }) {
      bytes.replaceSubrange(range, with: Data(count: range.count))
    }
    #expect(try bytes != file.data)
    try bytes.write(to: file)
    #expect(throws: (any Error).self) { try TileImage.decode(PMTilesReader(opening: file).anyTile() ?? []) }
    let pack = try write([file], wanted, to: "area.mbtiles")
    for id in wanted { #expect(try pack.tile(id) == source.tile(id)) }
  }

  @Test func `names a damaged tile instead of copying it`() throws {
    let archives = try archives(shades: 1)
    let ids = try Set(MBTilesReader(opening: archives[0]).tileIDs())
    let last = try #require(ids.max { ($0.zoom, $0.column, $0.row) < ($1.zoom, $1.column, $1.row) })
    let database = try SQLiteConnection(archives[0].path, mode: .create)
    try database.prepare(
      """
      UPDATE images SET tile_data = substr(tile_data, 1, 60) WHERE tile_id IN
      (SELECT tile_id FROM map WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?)
      """
    ).run([.integer(last.zoom), .integer(last.column), .integer((1 << last.zoom) - 1 - last.row)])
    try database.close()
    let fault = #expect(throws: UserError.self) { _ = try write([archives[0]], [last], to: "last.mbtiles") }
    #expect(fault?.kind == .badInput && fault?.path == archives[0].path)
    try expectFault("tile \(last) cannot be decoded") { _ = try write([archives[0]], ids, to: "all.mbtiles") }
  }

  @Test func `contains only wanted tiles that an archive has`() throws {
    let archives = try archives(shades: 1)
    let ids = try Set(MBTilesReader(opening: archives[0]).tileIDs().filter { $0.column.isMultiple(of: 2) })
    let beyond = TileID(zoom: 7, column: 0, row: 0)
    let join = try AreaJoin(archives, wanted: ids.union([beyond]), zooms: PaintedPack.zooms)
    #expect(Set(join.tiles) == ids && join.used == [0, 1])
    #expect(try join.byteCounts().values.reduce(0, +) > 0)
  }
}

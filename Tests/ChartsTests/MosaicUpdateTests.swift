import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Mosaics and filled archives that are made from an earlier one have the bytes of new ones.
@Suite(.slow) struct MosaicUpdateTests {
  /// A joined archive with its record, as a step leaves them.
  private struct Join {
    let folder: TemporaryFolder
    let product: Product
    var archive: URL { folder.file("joined.mbtiles") }
    var record: URL { folder.file("record.txt") }
    var earlier: EarlierJoin { EarlierJoin(archive: archive, record: record) }
    var bytes: [Data] { get throws { try [archive.data, record.data] } }
  }

  private static let boxes = [
    GeoBox(west: -10, south: 40, east: -6.5, north: 43), GeoBox(west: -7.5, south: 40, east: -4, north: 43),
    GeoBox(west: -8, south: 38.5, east: -5, north: 40.9),
  ]

  @Test(arguments: [1, 2]) func `any changes of charts give the bytes of a new mosaic`(jobs: Int) throws {
    var random = SteadyNumbers(seed: jobs)
    var charts: [PaintedPack?] = Self.boxes.indices.map { Self.chart($0, &random) }
    var last: Join?
    for _ in 0..<5 {
      for index in charts.indices where random.below(3) == 0 {
        charts[index] = random.below(6) == 0 ? nil : Self.chart(index, &random)
      }
      let folder = TemporaryFolder()
      let packs = try charts.compactMap { try $0?.write(in: folder) }
      guard packs.count > 1 else { continue }
      let format = random.below(5) == 0 ? "webp-lossless" : "png"
      let new = try mosaic(packs, format: format)
      let updated = try mosaic(packs, format: format, updating: last, jobs: jobs)
      #expect(try new.bytes == updated.bytes)
      let filled = try filled(packs, format: format)
      #expect(try filled.bytes == self.filled(packs, format: format, updating: last, jobs: jobs).bytes)
      last = updated
    }
  }

  @Test func `copies joined tiles from the earlier mosaic where no chart changed`() throws {
    let (first, second) = (TemporaryFolder(), TemporaryFolder())
    var random = SteadyNumbers(seed: 9)
    let charts = Self.boxes.indices.map { Self.chart($0, &random, color: $0) }
    let old = try mosaic(try charts.map { try $0.write(in: first) })
    let marked = try mark(old)
    // The southern chart changes: tiles of the other two alone come from the earlier mosaic.
    let changed = [charts[0], charts[1], Self.chart(2, &random, color: 3)]
    let packs = try changed.map { try $0.write(in: second) }
    let join = try mosaic(packs, updating: old)
    let updated = try MBTilesReader(opening: join.archive)
    let south = try Set(MBTilesReader(opening: packs[2].archive).tileIDs())
    let copied = try marked.filter { try updated.tile($0) == Self.mark }
    #expect(!copied.isEmpty && copied == marked.subtracting(south))
    #expect(try join.record.data == mosaic(packs).bytes[1])
  }

  @Test(arguments: ["", "of another version\n7 1 1 abc\n", "7 x\n"])
  func `joins all tiles again if the record cannot be used`(record: String) throws {
    let folder = TemporaryFolder()
    var random = SteadyNumbers(seed: 3)
    let packs = try Self.boxes.indices.map { try Self.chart($0, &random).write(in: folder) }
    let new = try mosaic(packs)
    let old = try mosaic(packs)
    _ = try mark(old)
    let form = record.hasPrefix("7") ? try old.record.text.prefix(65) : ""
    try old.record.put(form + record)
    #expect(try new.bytes == mosaic(packs, updating: old).bytes)
  }

  @Test func `other tile settings join all tiles again`() throws {
    let folder = TemporaryFolder()
    var random = SteadyNumbers(seed: 4)
    let packs = try Self.boxes.indices.map { try Self.chart($0, &random).write(in: folder) }
    let old = try mosaic(packs)
    _ = try mark(old)
    let new = try mosaic(packs, format: "png32")
    #expect(try new.bytes == mosaic(packs, format: "png32", updating: old).bytes)
  }

  // MARK: Helpers

  private static let mark: [UInt8] = Array("marked".utf8)

  /// Replaces all tiles with a record in an archive. Returns them.
  private func mark(_ join: Join) throws -> Set<TileID> {
    let lines = try join.record.text.split(separator: "\n").dropFirst()
    let ids = lines.map { line in
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      return TileID(zoom: numbers[0], column: numbers[1], row: numbers[2])
    }
    let reader = try MBTilesReader(opening: join.archive)
    let tiles = try reader.tileIDs().map { (id: $0, data: try reader.tile($0) ?? []) }
    let metadata = try #require(ArchiveMetadata(rows: reader.metadata()))
    try reader.close()
    try join.archive.remove()
    let writer = try MBTilesWriter(creating: join.archive)
    for tile in tiles {
      try writer.add(Tile(id: tile.id, data: ids.contains(tile.id) ? Self.mark : tile.data))
    }
    _ = try writer.finish(metadata)
    return Set(ids)
  }

  private func mosaic(
    _ packs: [ChartPack], format: String = "png", updating earlier: Join? = nil, jobs: Int = 1
  ) throws -> Join {
    let folder = TemporaryFolder()
    let joined = try MosaicBuilder.build(
      MosaicDefinition(id: "All", name: "All"), of: try PaintedPack.family(format), from: packs,
      definition: try SHA256Hex(of: []), updating: earlier?.earlier, to: folder.file("joined.mbtiles"),
      jobs: jobs, progress: SilentProgress(), step: "painted/All")
    try joined.record.write(to: folder.file("record.txt"))
    return Join(folder: folder, product: joined.product)
  }

  /// The first chart, completed from the others.
  private func filled(
    _ packs: [ChartPack], format: String, updating earlier: Join? = nil, jobs: Int = 1
  ) throws -> Join {
    let folder = TemporaryFolder()
    let joined = try MosaicBuilder.fill(
      packs[0], from: Array(packs.dropFirst()), settings: try PaintedPack.family(format).tiles,
      updating: earlier?.earlier, to: folder.file("joined.mbtiles"), jobs: jobs, progress: SilentProgress(),
      step: "painted/first")
    try joined.record.write(to: folder.file("record.txt"))
    return Join(folder: folder, product: joined.product)
  }

  /// A chart with a random colour, and sometimes with another neatline.
  private static func chart(_ index: Int, _ random: inout SteadyNumbers, color: Int? = nil) -> PaintedPack {
    let shade = UInt8(color ?? random.below(4)) * 40
    var box = boxes[index]
    if color == nil, random.below(3) == 0 {
      box = GeoBox(west: box.west, south: box.south, east: box.east - 0.3, north: box.north)
    }
    return PaintedPack(name: "Chart \(index)", box: box, color: (200 - shade, 30, 30 + shade))
  }
}

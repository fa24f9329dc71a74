import Core
import Foundation
import ImageIO
import Pipeline
import SQLiteIO
import TestSupport
import TileArchive
import Validation

/// A small chart's archive in which everything is right, and ways to make it wrong.
struct ArchiveFixture {
  let folder: TemporaryFolder
  var file: URL { folder.file("Bay.mbtiles") }

  static let box = GeoBox(west: -122.6, south: 37.2, east: -121.9, north: 37.9)
  static let zooms = 9...11
  static let effective = "2026-10-29T09:01:00Z"
  static let expires = "2026-12-24T09:01:00Z"
  /// At the largest zoom: one wholly inside, and one that the western edge crosses.
  static let inner = TileID(zoom: 11, containing: box.center)
  static let western = TileID(
    zoom: 11, containing: GeoPoint(longitude: box.west, latitude: box.center.latitude))

  init() throws {
    folder = try TemporaryFolder()
    try ArchiveFixture.good.get().write(to: file)
  }

  /// Made once: encoding the images is most of these tests' time.
  private static let good = Result { () throws -> Data in
    let folder = try TemporaryFolder()
    let writer = try MBTilesWriter(creating: folder.file("a.mbtiles"))
    for range in zooms.map({ TileRange(zoom: $0, covering: box) }) {
      for column in range.columns {
        for row in range.rows {
          let id = TileID(zoom: range.zoom, column: column, row: row)
          try writer.add(Tile(id: id, data: try image(of: id)))
        }
      }
    }
    _ = try writer.finish(metadata)
    return try Data(contentsOf: folder.file("a.mbtiles"))
  }

  static let metadata = ArchiveMetadata(
    name: "Bay", format: "png", bounds: box, minZoom: zooms.lowerBound, maxZoom: zooms.upperBound,
    attribution: "FAA", description: "A bay that exists", version: "2611",
    extra: [
      "chartpipe:cycle": "2612", "chartpipe:effective": effective, "chartpipe:expires": expires,
      "chartpipe:neatline": """
      {"type":"Polygon","coordinates":[[[-122.6,37.9],[-122.6,37.2],[-121.9,37.2],[-121.9,37.9],[-122.6,37.9]]]}
      """,
    ])

  /// Of its own, and nearly that of the tile above it.
  static func color(of id: TileID) -> [UInt8] {
    [UInt8(id.zoom), UInt8(100 + id.column % 8), UInt8(100 + id.row % 8)]
  }

  /// One colour all over, but nothing beyond the boxes and in the hole.
  static func image(
    of id: TileID, side: Int = 256, alpha: UInt8 = 255, format: TileFormat? = nil,
    within boxes: [GeoBox] = [box],
    hole: GeoBox? = nil
  ) throws -> [UInt8] {
    let color = Self.color(of: id) + [alpha]
    let (columns, rows) = (
      boxes.map { part(of: id, $0, side).columns }, part(of: id, boxes[0], side).rows
    )
    let gap = hole.map { part(of: id, $0, side) } ?? (columns: 0..<0, rows: 0..<0)
    let blank: [UInt8] = [0, 0, 0, 0]
    let row = (0..<side).map { column in columns.contains { $0.contains(column) } ? color : blank }
    let pierced = row.enumerated().flatMap { gap.columns.contains($0.offset) ? blank : $0.element }
    let (whole, none) = (row.flatMap(\.self), [UInt8](repeating: 0, count: side * 4))
    let pixels = (0..<side).flatMap { number in
      rows.contains(number) ? (gap.rows.contains(number) ? pierced : whole) : none
    }
    let image = RGBAImage(width: side, height: side, pixels: pixels)
    return try format.flatMap { try TileCodec($0).encode(image) } ?? PNG.encode(image)
  }

  /// Which pixels of a tile a box has.
  private static func part(of id: TileID, _ box: GeoBox, _ side: Int) -> (
    columns: Range<Int>, rows: Range<Int>
  ) {
    let corner = id.mercator
    let (west, north) = WebMercator.project(GeoPoint(longitude: box.west, latitude: box.north))
    let (east, south) = WebMercator.project(GeoPoint(longitude: box.east, latitude: box.south))
    let scale = Double(side) / corner.side
    let columns = [west, east].map { min(max(Int((($0 - corner.west) * scale).rounded()), 0), side) }
    let rows = [north, south].map { min(max(Int(((corner.north - $0) * scale).rounded()), 0), side) }
    return (columns[0]..<columns[1], rows[0]..<rows[1])
  }

  /// Gives every tile another image, of its own colour still.
  func replaceAll(side: Int = 256, format: TileFormat? = nil) throws {
    for range in ArchiveFixture.zooms.map({ TileRange(zoom: $0, covering: ArchiveFixture.box) }) {
      for column in range.columns {
        for row in range.rows {
          let id = TileID(zoom: range.zoom, column: column, row: row)
          try replace(id, by: try ArchiveFixture.image(of: id, side: side, format: format))
        }
      }
    }
    try alter("DELETE FROM images WHERE tile_id NOT IN (SELECT tile_id FROM map)")
    try rehash()
  }

  func alter(_ sql: String, _ values: [SQLiteValue] = []) throws {
    let connection = try SQLiteConnection(file.path, mode: .create)
    try connection.prepare(sql).run(values)
    try connection.close()
  }

  func set(_ key: String, _ value: String) throws {
    try alter("INSERT OR REPLACE INTO metadata VALUES (?, ?)", [.text(key), .text(value)])
  }

  func replace(_ id: TileID, by data: [UInt8]) throws {
    let name = "changed-\(id)"
    try alter("INSERT INTO images VALUES (?, ?)", [.text(name), .blob(data)])
    try alter("UPDATE map SET tile_id = ? WHERE \(ArchiveFixture.isAt(id))", [.text(name)])
  }

  func remove(_ id: TileID) throws { try alter("DELETE FROM map WHERE \(ArchiveFixture.isAt(id))") }

  /// Makes the hash true again, so that it is not what catches a changed tile.
  func rehash() throws {
    let reader = try MBTilesReader(opening: file)
    let hash = try reader.aggregateHash()
    try reader.close()
    try set("agg_tiles_hash", hash)
  }

  static func isAt(_ id: TileID) -> String {
    "zoom_level = \(id.zoom) AND tile_column = \(id.column) AND tile_row = \(id.tmsRow)"
  }

  func findings() throws -> [Finding] {
    try Validator().validate([file], progress: SilentProgress()).findings
  }

  func rulesThatFire() throws -> Set<String> { Set(try findings().map(\.rule)) }
}

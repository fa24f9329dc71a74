import Core
import ImageIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Corruptions of an archive after the build.
@Suite(.slow) struct ArchiveCorruptions {
  @Test(arguments: tiles + metadata) func `catches each corruption`(corruption: Corruption) throws {
    try corruption.expectCaught()
  }

  /// Inner tiles of West at its largest zoom, which are not neighbours.
  private static let one = TileID(zoom: 12, containing: GeoPoint(longitude: -122.61, latitude: 37.41))
  private static let other = TileID(zoom: 12, containing: GeoPoint(longitude: -122.35, latitude: 37.21))

  private static let tiles: [Corruption] = [
    .forged("two tiles are exchanged", caughtBy: "tiles-agree", isAlone: false) { forger in
      let (here, there) = (try forger.bytes(one), try forger.bytes(other))
      try forger.put(there, at: one)
      try forger.put(here, at: other)
    },
    .forged("a tile is recoloured", caughtBy: "tiles-agree", isAlone: false) { forger in
      var image = try forger.image(one)
      for index in stride(from: 0, to: image.pixels.count, by: 4) { image.pixels[index] ^= 0x60 }
      try forger.put(image, at: one)
    },
    .forged("a parent tile shows another place", caughtBy: "tiles-agree", isAlone: false) { forger in
      try forger.put(try forger.bytes(other.parent), at: one.parent)
    },
    .forged("a tile shows the neighbouring sheet", caughtBy: "tiles-agree", isAlone: false) { forger in
      let neighbour = Forger(forger.build, CleanBuild.east)
      let foreign = try #require(try neighbour.tileIDs().filter { $0.zoom == 12 }.dropFirst(20).first)
      try forger.put(try neighbour.bytes(foreign), at: one)
    },
    .forged("a tile is cut short", caughtBy: "tiles-decode") { forger in
      try forger.put(Array(try forger.bytes(one).dropLast(200)), at: one)
    },
    .forged("a bit of a tile is flipped", caughtBy: "tiles-decode") { forger in
      var bytes = try forger.bytes(one)
      bytes[bytes.count / 2] ^= 0x10
      try forger.put(bytes, at: one)
    },
    .forged("a tile is emptied", caughtBy: "tiles-decode", isAlone: false) { forger in
      try forger.put(RGBAImage(width: 256, height: 256), at: one)
    },
    .forged("a tile is half as large", caughtBy: "tiles-decode") { forger in
      let image = try forger.image(one)
      try forger.put(image.cropped(column: 0, row: 0, width: 128, height: 128), at: one)
    },
    .forged("a WebP is among PNGs", caughtBy: "tiles-decode") { forger in
      let bytes = try TileCodec(.webp(quality: 90)).encode(try forger.image(one))
      try forger.put(try #require(bytes), at: one)
    },
    .forged("a tile is deleted", caughtBy: "tiles-inside-bounds") { try $0.remove(one) },
    .forged("a foreign tile is added", caughtBy: "tiles-inside-bounds", isAlone: false) { forger in
      try forger.put(try forger.bytes(one), at: TileID(zoom: 12, column: one.column, row: one.row - 40))
    },
    .forged("a zoom loses half of its tiles", caughtBy: "tiles-inside-bounds", isAlone: false) { forger in
      try forger.alter("DELETE FROM map WHERE zoom_level = 12 AND tile_column % 2")
    },
    .forged("a zoom in the middle is lost", caughtBy: "tiles-have-parents", isAlone: false) { forger in
      try forger.alter("DELETE FROM map WHERE zoom_level = 10")
    },
    Corruption("a tile is changed and only the file's hash corrected", caughtBy: "tile-hash") { build in
      let forger = Forger(build, CleanBuild.west)
      try forger.put(try PNG.encode(try forger.image(one)), at: one)
      try forger.signFiles()
    },
    .forged("a strip along the edge is wiped away", caughtBy: "neatline-edges", isAlone: false) { forger in
      let edge = TileID(zoom: 12, containing: GeoPoint(longitude: -123, latitude: 37.4)).column
      for tile in try forger.tileIDs() where tile.zoom == 12 && tile.column == edge {
        var image = try forger.image(tile)
        for row in 0..<256 {
          for column in 0..<170 { image.pixels[(row * 256 + column) * 4 + 3] = 0 }
        }
        try forger.put(image, at: tile)
      }
    },
  ]

  private static let metadata: [Corruption] = [
    .forged("the stated neatline is wider than the cut", caughtBy: "neatline-edges", isAlone: false) {
      forger in
      let neatline = try #require(try forger.metadata()["chartpipe:neatline"])
      // 20 pixels of the largest zoom.
      try forger.setMetadata("chartpipe:neatline", neatline.replacing("[-123.000000", with: "[-123.006900"))
    },
    .forged("the stated neatline is narrower than the cut", caughtBy: "neatline-edges") { forger in
      let neatline = try #require(try forger.metadata()["chartpipe:neatline"])
      try forger.setMetadata("chartpipe:neatline", neatline.replacing("[-123.000000", with: "[-122.993100"))
    },
    .forged("the bounds promise more", caughtBy: "archive-metadata", isAlone: false) { forger in
      try forger.setMetadata("bounds", "-124,37,-121,38")
    },
    .forged("the smallest zoom is wrong", caughtBy: "archive-metadata", isAlone: false) { forger in
      try forger.setMetadata("minzoom", "5")
    },
    .forged(
      "the largest zoom is wrong, and the description repeats it", caughtBy: "archive-metadata",
      isAlone: false
    ) { forger in
      try forger.setMetadata("maxzoom", "13")
      try forger.build.describe(CleanBuild.west) { $0.maxZoom = 13 }
    },
    .forged("the format is wrong, in the description too", caughtBy: "archive-metadata") { forger in
      try forger.setMetadata("format", "webp")
      try forger.build.describe(CleanBuild.west) { $0.format = "webp" }
    },
    .forged("the name is missing", caughtBy: "archive-metadata") { forger in
      try forger.alter("DELETE FROM metadata WHERE name = 'name'")
    },
    .forged("the map opens elsewhere", caughtBy: "archive-metadata") {
      try $0.setMetadata("center", "-100,37.3,9")
    },
    .forged("the edition is not that of the dates", caughtBy: "archive-edition") {
      try $0.setMetadata("version", "2302")
    },
    .forged("the hash of the source is invalid", caughtBy: "archive-edition") { forger in
      try forger.setMetadata("chartpipe:source_sha256", "unknown")
    },
    .forged("the application id is missing", caughtBy: "archive-schema") {
      try $0.alter("PRAGMA application_id = 0")
    },
    .forged("the index is dropped", caughtBy: "archive-schema") { try $0.alter("DROP INDEX tile_index") },
    .forged("the archive is left in WAL mode", caughtBy: "archive-schema") { forger in
      try forger.alter("PRAGMA journal_mode = WAL")
    },
  ]
}

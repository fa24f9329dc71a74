import Core
import Foundation
import ImageIO
import Pipeline
import SQLiteIO
import Testing
import TileArchive

/// Forgeries of what the tiles show, from the largest zoom up to the smallest.
extension Forger {
  var maxZoom: Int { get throws { try #require(try build.product(id).maxZoom) } }

  /// A tile of the largest zoom within which one of the chart's control pieces lies.
  func witnessed() throws -> [TileID] {
    let (control, zoom) = (try #require(try build.product(id).control), try maxZoom)
    let told = try #require(control.projection)
    let cone = LambertConformal(
      standardParallels: (told.standardParallels[0], told.standardParallels[1]), origin: told.origin)
    let half = Double(control.side) / 2
    return control.points.compactMap { point in
      let (column, row) = (Double(point.column) + half, Double(point.row) + half)
      let place = cone.unproject(
        x: control.placing[0] + column * control.placing[1], y: control.placing[3] + row * control.placing[5])
      let tile = TileID(zoom: zoom, containing: place)
      let (x, y) = WebMercator.project(place)
      let (west, north, side) = tile.mercator
      let middle = 0.35...0.65
      return middle.contains((x - west) / side) && middle.contains((north - y) / side) ? tile : nil
    }
  }

  /// Puts an image in place and makes all above it again, as their children show it.
  func putWithAncestors(_ image: RGBAImage, at tile: TileID) throws {
    try put(image, at: tile)
    guard let minZoom = try build.product(id).minZoom, tile.zoom > minZoom else { return }
    var parent = try self.image(tile.parent)
    let half = image.halved()
    parent.paste(half, column: tile.column % 2 * half.width, row: tile.row % 2 * half.height)
    try putWithAncestors(parent, at: tile.parent)
  }

  /// Moves all that the largest zoom shows, by less than a tile.
  func shiftAll(east: Int, south: Int) throws {
    let zoom = try maxZoom
    let tiles = try tileIDs().filter { $0.zoom == zoom }
    let images = Dictionary(uniqueKeysWithValues: try tiles.map { ($0, try image($0)) })
    try putAll(tiles) { tile in
      var wide = RGBAImage(width: 768, height: 768)
      for (across, down) in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)] {
        let near = TileID(zoom: zoom, column: tile.column + across - 1, row: tile.row + down - 1)
        if let image = images[near] { wide.paste(image, column: across * 256, row: down * 256) }
      }
      return wide.cropped(column: 256 - east, row: 256 - south, width: 256, height: 256)
    }
  }

  /// Puts many tiles at once, which one by one would take a write to the disk each.
  func putAll(_ tiles: [TileID], _ image: (TileID) throws -> RGBAImage) throws {
    let images = try tiles.map { (tile: $0, bytes: try PNG.encode(try image($0))) }
    let connection = try SQLiteConnection(try build.file(id).path, mode: .create)
    try connection.transaction {
      let insert = try connection.prepare("INSERT INTO images VALUES (?, ?)")
      let update = try connection.prepare(
        "UPDATE map SET tile_id = ? WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?")
      for (tile, bytes) in images {
        let name = SQLiteValue.text("all-\(tile)")
        try insert.run([name, .blob(bytes)])
        try update.run([name, .integer(tile.zoom), .integer(tile.column), .integer(tile.tmsRow)])
      }
    }
    try connection.close()
  }
}

extension RGBAImage {
  /// Moved within its own frame; what comes in at the rim is what was there.
  func moved(east: Int, south: Int) -> RGBAImage {
    var moved = self
    moved.paste(
      cropped(column: 0, row: 0, width: width - east, height: height - south), column: east, row: south)
    return moved
  }

  /// Each pixel the mean of four.
  func halved() -> RGBAImage {
    var half = RGBAImage(width: width / 2, height: height / 2)
    for row in 0..<half.height {
      for column in 0..<half.width {
        let (from, to) = ((row * width + column) * 8, (row * half.width + column) * 4)
        for channel in from..<from + 4 {
          let below = channel + width * 4
          let sum =
            Int(pixels[channel]) + Int(pixels[channel + 4]) + Int(pixels[below]) + Int(pixels[below + 4])
          half.pixels[to + channel - from] = UInt8((sum + 2) / 4)
        }
      }
    }
    return half
  }

  /// With red for blue.
  func recoloured() -> RGBAImage {
    var other = self
    for start in stride(from: 0, to: pixels.count, by: 4) { other.pixels.swapAt(start, start + 2) }
    return other
  }

  /// With the upper and the lower half of every second square of 32 pixels exchanged, as where print was moved.
  func reprinted() -> RGBAImage {
    var other = self
    for row in stride(from: 0, to: height, by: 32) {
      for column in stride(from: row % 64, to: width, by: 64) {
        other.paste(cropped(column: column, row: row, width: 32, height: 16), column: column, row: row + 16)
        other.paste(cropped(column: column, row: row + 16, width: 32, height: 16), column: column, row: row)
      }
    }
    return other
  }
}

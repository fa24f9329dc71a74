import Core
import CryptoIO
import Foundation
import ImageIO
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Changes a product's files and corrects all metadata, so that only a rule about the contents can detect it.
struct Forger {
  let build: CleanBuild
  /// `sample-sectional/Sample_West`
  let id: String

  init(_ build: CleanBuild, _ id: String) {
    self.build = build
    self.id = id
  }

  // MARK: - Files

  /// Runs SQL on the file of a role, without correcting hashes.
  func alter(_ sql: String, _ values: [SQLiteValue] = [], role: Product.Role = .tiles) throws {
    let connection = try SQLiteConnection(try build.file(id, role: role).path, mode: .create)
    try connection.prepare(sql).run(values)
    try connection.close()
  }

  /// Sets a row of an archive's metadata.
  func setMetadata(_ key: String, _ value: String) throws {
    try alter("INSERT OR REPLACE INTO metadata VALUES (?, ?)", [.text(key), .text(value)])
  }

  func metadata() throws -> [String: String] { try reading { try $0.metadata() } }
  func tileIDs() throws -> [TileID] { try reading { try $0.tileIDs() } }

  func bytes(_ tile: TileID) throws -> [UInt8] {
    try reading { try #require(try $0.tile(tile), "there is no tile \(tile)") }
  }

  func image(_ tile: TileID) throws -> RGBAImage { try TileImage.decode(try bytes(tile)) }

  /// Replaces or adds a tile.
  func put(_ bytes: [UInt8], at tile: TileID) throws {
    let name = "forged-\(tile)"
    try alter("INSERT OR REPLACE INTO images VALUES (?, ?)", [.text(name), .blob(bytes)])
    let place: [SQLiteValue] = [.integer(tile.zoom), .integer(tile.column), .integer(tile.tmsRow)]
    try alter("INSERT OR REPLACE INTO map VALUES (?, ?, ?, ?)", place + [.text(name)])
  }

  func put(_ image: RGBAImage, at tile: TileID) throws { try put(try PNG.encode(image), at: tile) }

  func remove(_ tile: TileID) throws {
    try alter(
      "DELETE FROM map WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?",
      [.integer(tile.zoom), .integer(tile.column), .integer(tile.tmsRow)])
  }

  // MARK: - Metadata

  /// Corrects the hash of the tiles, writes the PMTiles again if the product has them, and corrects the description's sizes, hashes
  /// and tile counts.
  func sign() throws {
    if try build.product(id).kind == .chart { try signTiles() }
    try signFiles()
  }

  /// Corrects the sizes and hashes in the description.
  func signFiles() throws {
    try build.describe(id) { product in
      for index in product.files.indices {
        let file = build.description(id).deletingLastPathComponent()
          .appending(path: product.files[index].path)
        product.files[index].bytes = try file.data.count
        product.files[index].sha256 = try SHA256Hex(ofFile: file)
      }
    }
  }

  private func signTiles() throws {
    try setMetadata(TileHash.metadataKey, try reading { try $0.aggregateHash() })
    let summary = try reading { try $0.summary() }
    try build.describe(id) { product in
      product.build.counts.merge(
        ["tiles": summary.tiles, "distinctTiles": summary.distinctTiles, "tileBytes": summary.tileBytes]
      ) { $1 }
    }
    guard try build.product(id).files.contains(where: { $0.role == .pmtiles }) else { return }
    let twin = try build.file(id, role: .pmtiles)
    try twin.remove()
    try reading { _ = try ArchiveConversion.write($0, as: .pmtiles, to: twin) { _, _ in } }
  }

  private func reading<T>(_ body: (MBTilesReader) throws -> T) throws -> T {
    let reader = try MBTilesReader(opening: try build.file(id))
    let value = try body(reader)
    try reader.close()
    return value
  }
}

/// Changes the sample's database or an export, and corrects all metadata.
extension CleanBuild {
  static let database = "sample-nasr/aviation"
  static let exports = [
    "sample-nasr/airports", "sample-nasr/identifiers", "sample-nasr/map", "sample-nasr/openefb",
    "sample-nasr/vector",
  ]

  /// Keeps only the database, since its exports would report each change too.
  func keepDatabaseAlone() throws {
    try removeCharts()
    try keep(in: "sample-nasr") { $0.hasPrefix("aviation.") }
  }

  /// Removes the charts, which take time.
  func removeCharts() throws { try keep { $0 == "sample-nasr" } }

  func keep(in path: String = "", _ isKept: (String) -> Bool) throws {
    let parent = folder.appending(path: path)
    for name in try FileManager.default.contentsOfDirectory(atPath: parent.path) where !isKept(name) {
      try parent.appending(path: name).remove()
    }
  }

  /// Changes a database, and its counts in the metadata and in the description.
  func forge(_ sql: String, in id: String = database) throws {
    let connection = try SQLiteConnection(try file(id, role: .database).path, mode: .create)
    try connection.execute(sql)
    if id == CleanBuild.database { try recount(connection) }
    try connection.close()
    try Forger(self, id).signFiles()
  }

  private func recount(_ connection: SQLiteConnection) throws {
    let counts = try connection.texts("SELECT key FROM metadata WHERE key LIKE 'counts.%'")
    let tables = try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
    for name in counts.map({ String($0.dropFirst("counts.".count)) }) where tables.contains(name) {
      let rows = try connection.count(name)
      try connection.prepare("UPDATE metadata SET value = ? WHERE key = ?")
        .run([.text("\(rows)"), .text("counts.\(name)")])
      try describe(CleanBuild.database) { $0.build.counts[name] = rows }
    }
  }

  /// Replaces a text in a file, which must contain it once.
  func edit(_ name: String, of id: String, _ old: String, to new: String) throws {
    let file = description(id).deletingLastPathComponent().appending(path: name)
    var text = try file.text
    let place = try #require(text.range(of: old))
    text.replaceSubrange(place, with: new)
    try file.put(text)
    try Forger(self, id).signFiles()
  }

  /// Uses a changed copy of a product as that of the last cycle.
  func hold(against id: String = database, _ change: (inout Product) throws -> Void) throws {
    var before = try product(id)
    before.cycle = "2303"
    try change(&before)
    against = [PlacedProduct(before, in: description(id).deletingLastPathComponent())]
  }

  /// The same with another database of the last cycle.
  func holdAgainstDatabase(altered sql: String) throws {
    let copy = folder.deletingLastPathComponent().appending(path: "last")
    try? copy.remove()
    try copy.makeFolder()
    let file = copy.appending(path: "aviation.sqlite")
    try FileManager.default.copyItem(at: try self.file(CleanBuild.database, role: .database), to: file)
    try file.execute(sql)
    try hold { _ in }
    against[0].folder = copy
  }
}

/// Forgeries of what the tiles show, from the largest zoom up to the smallest.
extension Forger {
  var maxZoom: Int { get throws { try #require(try build.product(id).maxZoom) } }

  /// A tile of the largest zoom that contains a reference patch of the chart.
  func witnessed() throws -> [TileID] {
    let (control, zoom) = (try #require(try build.product(id).control), try maxZoom)
    let projection = try #require(control.projection)
    let cone = LambertConformal(
      standardParallels: (projection.standardParallels[0], projection.standardParallels[1]),
      origin: projection.origin)
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

  /// Replaces an image, and all above it to match.
  func putWithAncestors(_ image: RGBAImage, at tile: TileID) throws {
    try put(image, at: tile)
    guard let minZoom = try build.product(id).minZoom, tile.zoom > minZoom else { return }
    var parent = try self.image(tile.parent)
    let half = image.halfSize()
    parent.paste(half, column: tile.column % 2 * half.width, row: tile.row % 2 * half.height)
    try putWithAncestors(parent, at: tile.parent)
  }

  /// Shifts the whole largest zoom by less than a tile.
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

  /// Replaces many tiles in one transaction.
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

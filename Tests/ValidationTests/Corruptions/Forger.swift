import Core
import CryptoIO
import Foundation
import ImageIO
import Pipeline
import SQLiteIO
import Testing
import TileArchive

/// Changes a product's files and makes all that is said of them true again, so that only a rule that looks at the
/// contents can tell.
struct Forger {
  let build: CleanBuild
  /// `sample-sectional/Sample_West`
  let id: String

  init(_ build: CleanBuild, _ id: String) {
    self.build = build
    self.id = id
  }

  // MARK: - What is in the files

  /// Runs SQL on the file of a role. Nothing is signed.
  func alter(_ sql: String, _ values: [SQLiteValue] = [], role: String = "tiles") throws {
    let connection = try SQLiteConnection(try build.file(id, role: role).path, mode: .create)
    try connection.prepare(sql).run(values)
    try connection.close()
  }

  /// Sets a row of an archive's metadata.
  func tell(_ key: String, _ value: String) throws {
    try alter("INSERT OR REPLACE INTO metadata VALUES (?, ?)", [.text(key), .text(value)])
  }

  func metadata() throws -> [String: String] { try reading { try $0.metadata() } }
  func tileIDs() throws -> [TileID] { try reading { try $0.tileIDs() } }

  func bytes(_ tile: TileID) throws -> [UInt8] {
    try reading { try #require(try $0.tile(tile), "there is no tile \(tile)") }
  }

  func image(_ tile: TileID) throws -> RGBAImage { try TileImage.decode(try bytes(tile)) }

  /// Puts other bytes in a tile's place, or in one that was empty.
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

  // MARK: - What is said of them

  /// Makes the hash of the tiles true again, then writes the tiles as PMTiles anew where the product has them, then the
  /// description's sizes, hashes and counts of tiles.
  func sign() throws {
    if try build.product(id).kind == .chart { try signTiles() }
    try signFiles()
  }

  /// The sizes and hashes of the product's files as they are.
  func signFiles() throws {
    try build.describe(id) { product in
      for index in product.files.indices {
        let file = build.description(id).deletingLastPathComponent()
          .appending(path: product.files[index].path)
        product.files[index].bytes = try Data(contentsOf: file).count
        product.files[index].sha256 = try SHA256Hex(ofFile: file)
      }
    }
  }

  private func signTiles() throws {
    try tell(TileHash.metadataKey, try reading { try $0.aggregateHash() })
    let summary = try reading { try $0.summary() }
    try build.describe(id) { product in
      product.build.counts.merge(
        ["tiles": summary.tiles, "distinctTiles": summary.distinctTiles, "tileBytes": summary.tileBytes]
      ) { $1 }
    }
    guard try build.product(id).files.contains(where: { $0.role == "pmtiles" }) else { return }
    let twin = try build.file(id, role: "pmtiles")
    try FileManager.default.removeItem(at: twin)
    try reading { _ = try ArchiveConversion.write($0, as: .pmtiles, to: twin) { _, _ in } }
  }

  private func reading<T>(_ body: (MBTilesReader) throws -> T) throws -> T {
    let reader = try MBTilesReader(opening: try build.file(id))
    let value = try body(reader)
    try reader.close()
    return value
  }
}

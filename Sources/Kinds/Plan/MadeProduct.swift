internal import Core
internal import CryptoIO
internal import Foundation

/// A product and its scratch files, in the order in which the product lists them.
struct MadeProduct {
  var product: Product
  var files: [URL]

  /// Writes the tiles, which the step made as MBTiles, in the formats that the definition lists.
  func with(_ archives: [TileSettings.Archive], on context: StepContext) throws -> MadeProduct {
    guard archives.contains(.pmtiles), let tiles = files.first else { return self }
    let twin = tiles.deletingPathExtension().appendingPathExtension("pmtiles")
    _ = try PMTilesWriter.write(
      MBTilesReader(opening: tiles), isOwn: true, to: twin,
      advanced: context.progress.advance(product.id, "tiles as PMTiles"))
    let name = URL(filePath: product.files[0].path).deletingPathExtension().lastPathComponent + ".pmtiles"
    var made = self
    made.files.append(twin)
    made.product.files.append(
      Product.File(
        path: name, sha256: try SHA256Hex(ofFile: twin), bytes: twin.byteCount ?? 0,
        mediaType: "application/vnd.pmtiles", role: .pmtiles))
    made.product.build.libraries.merge(PMTilesWriter.libraries) { own, _ in own }
    if !archives.contains(.mbtiles) {
      try FileManager.default.removeItem(at: tiles)
      made.files.removeFirst()
      made.product.files.removeFirst()
    }
    return made
  }
}

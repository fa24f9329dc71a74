import Core
import CryptoIO
import Foundation
import Pipeline
import TileArchive

/// A product and the scratch files that it is made of, in the order in which the product lists them.
struct MadeProduct {
  var product: Product
  var files: [URL]

  /// Adds the same tiles as PMTiles, where the family asks for them.
  func withPMTiles(_ settings: TileSettings, on bench: Workbench) throws -> MadeProduct {
    guard settings.archives.contains(.pmtiles), let tiles = files.first else { return self }
    let name = URL(filePath: product.files[0].path).deletingPathExtension().lastPathComponent + ".pmtiles"
    let twin = bench.workspace.scratchFile(name)
    let step = product.id
    _ = try PMTilesWriter.write(MBTilesReader(opening: tiles), to: twin) { done, total in
      try CancellationToken.current.check()
      bench.progress.report(.advanced(step: step, done: done, total: total, unit: "tiles as PMTiles"))
    }
    var made = MadeProduct(product: product, files: files + [twin])
    made.product.files.append(
      Product.File(
        path: name, sha256: try SHA256Hex(ofFile: twin), bytes: twin.fileSize,
        mediaType: "application/vnd.pmtiles", role: "pmtiles"))
    made.product.build.libraries.merge(PMTilesWriter.libraries) { own, _ in own }
    return made
  }
}

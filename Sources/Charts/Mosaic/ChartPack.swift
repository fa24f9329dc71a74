internal import Core
internal import CryptoIO
public import Foundation
public import Pipeline
internal import TileArchive

/// A chart that was built: its product, and the archive that holds its tiles.
public struct ChartPack: Sendable {
  public let product: Product
  public let archive: URL

  public init(product: Product, archive: URL) {
    self.product = product
    self.archive = archive
  }
}

/// An archive as it is joined with others: which tiles it has, and how deep inside it a place lies.
struct JoinedArchive: Sendable {
  let archive: URL
  let shape: SheetShape
  let tiles: Set<TileID>
}

/// A pack as it is joined with others.
struct JoinedPack: Sendable {
  let pack: ChartPack
  let shape: SheetShape
  let metadata: [String: String]
  let tiles: Set<TileID>

  var archive: JoinedArchive { JoinedArchive(archive: pack.archive, shape: shape, tiles: tiles) }

  init(_ pack: ChartPack, zooms: ClosedRange<Int>) throws {
    let reader = try MBTilesReader(opening: pack.archive)
    metadata = try reader.metadata()
    guard let shape = metadata["chartpipe:neatline"].flatMap({ SheetShape(geoJSON: $0) }) else {
      throw UserError(
        .badInput, operation: "joining charts", path: pack.archive.path,
        reason: "its metadata names no neatline",
        suggestion: "Build the chart again.")
    }
    self.pack = pack
    self.shape = shape
    tiles = Set(try reader.tileIDs().filter { zooms.contains($0.zoom) })
    try reader.close()
  }

  func archiveMetadata() throws -> ArchiveMetadata {
    guard let own = ArchiveMetadata(rows: metadata) else {
      throw UserError(
        .badInput, operation: "joining charts", path: pack.archive.path,
        reason: "its metadata lacks its name, zooms or bounds", suggestion: "Build the chart again.")
    }
    return own
  }
}

extension Product {
  /// The boxes that it lies in, which do not wrap; nil where it does not tell.
  var windows: [GeoBox]? { boundingBoxes ?? boundingBox.map { [$0] } }

  /// The same product with this archive as its tiles; what proves their place proves that of these too.
  func holding(_ file: URL, named name: String, _ summary: ArchiveSummary) throws -> Product {
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
    var product = self
    product.files =
      [
        File(
          path: name, sha256: try SHA256Hex(ofFile: file), bytes: size ?? 0,
          mediaType: "application/vnd.sqlite3", role: "tiles")
      ]
      + files.filter {
        control != nil && $0.role == Control.role || reference != nil && $0.role == Reference.role
      }
    product.build.counts.merge(
      ["tiles": summary.tiles, "distinctTiles": summary.distinctTiles, "tileBytes": summary.tileBytes]
    ) { $1 }
    return product
  }
}

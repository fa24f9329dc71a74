import Foundation
import Pipeline
import TestSupport
import Validation

@testable import Site
@testable import TileArchive

/// Finished files, as somebody gives them to be looked at.
enum ArchiveEntries {
  static func archive(_ bytes: [UInt8], ending: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("fuzz.\(ending)")
    try Data(bytes).write(to: file)
    _ = try FileInspection(of: file)
    _ = try? Validator(jobs: 1).validate([file], progress: SilentProgress())
    let reader: any TileSource =
      ending == "mbtiles" ? try MBTilesReader(opening: file) : try PMTilesReader(opening: file)
    _ = try reader.anyTile()
    guard try reader.summary().zooms.map(\.tiles).reduce(0, +) < 10_000 else { return }
    for id in try reader.tileIDs().prefix(100) { _ = try reader.tile(id) }
    try reader.forEachStored { _ in }
  }

  private static let seeds = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Corpus")

  /// The description of a product that has one good file of tiles, and the page that is drawn of it.
  static func product(_ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let description = folder.file("fuzz.product.json")
    try Data(bytes).write(to: description)
    try FileManager.default.copyItem(
      at: seeds.appending(path: "mbtiles/good.mbtiles"), to: folder.file("fuzz.mbtiles"))
    let request = ValidationRequest([folder.url])
    let report = try Validator(jobs: 1).validate(request, progress: SilentProgress())
    _ = try ValidationPage.data(request, report, progress: SilentProgress())
    _ = try BuiltProduct(describedBy: description)
  }
}

internal import Core
internal import Foundation
internal import Pipeline
internal import TileArchive

/// The tiles of each chart against those of its last cycle.
struct TilesChanged: CycleRule {
  let name = "tiles-changed"
  let protects =
    "No chart lost a part of its map, or stayed the old one, although a new edition was published."

  /// The share says nothing of a zoom of a few tiles.
  private static let fewTiles = 24

  func check(_ cycle: CycleUnderTest) throws -> [Finding] {
    try cycle.products.filter { $0.product.kind == .chart }.flatMap { subject -> [Finding] in
      guard let before = cycle.before(subject), let old = before.file(role: "tiles"),
        let new = subject.file(role: "tiles"), let difference = try compare(old, new)
      else { return [] }
      let tiles = ProductFacts.Change.Tiles(
        same: difference.same, changed: difference.changed, added: difference.added,
        removed: difference.removed)
      cycle.note(subject) { $0.change = .init(cycle: before.product.cycle, tiles: tiles) }
      return stale(subject, before.product, difference) + losses(subject, before.product, difference)
    }
  }

  /// Nil where a file is not there or is no archive, which other rules tell.
  private func compare(_ old: URL, _ new: URL) throws -> ArchiveDifference? {
    guard [old, new].allSatisfy({ FileManager.default.fileExists(atPath: $0.path) }) else { return nil }
    return try? ArchiveDifference(from: old, to: new)
  }

  private func stale(
    _ subject: ProductUnderTest, _ before: Product, _ difference: ArchiveDifference
  ) -> [Finding] {
    guard before.edition != subject.product.edition,
      difference.changed + difference.added + difference.removed == 0
    else { return [] }
    return [
      finding(
        .warning, subject, "",
        "not one tile differs from those of the edition of \(before.edition); look whether its source is the new one"
      )
    ]
  }

  private func losses(
    _ subject: ProductUnderTest, _ before: Product, _ difference: ArchiveDifference
  ) -> [Finding] {
    let limit = subject.product.build.tileLoss ?? .init()
    return difference.before.sorted { $0.key < $1.key }.compactMap { zoom, old in
      // Another choice of zooms is somebody's will.
      guard old >= TilesChanged.fewTiles, let new = difference.now[zoom] else { return nil }
      let change = Double(new - old) / Double(old)
      guard abs(change) > limit.warn else { return nil }
      return finding(
        -change >= limit.stop ? .error : .warning, subject, "zoom \(zoom)",
        "it has \(Counts.of(new, "tile")), \(Int((abs(change) * 100).rounded())) % \(change < 0 ? "fewer" : "more") "
          + "than the \(Counts.grouped(old)) of cycle \(before.cycle); look at both, and if the FAA did lay the "
          + "chart out anew, accept it")
    }
  }
}

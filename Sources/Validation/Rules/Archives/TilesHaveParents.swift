internal import Core
internal import TileArchive

/// Each tile has one above it, down to the smallest zoom.
struct TilesHaveParents: TileRule {
  let name = "tiles-have-parents"
  let protects = "The chart does not vanish from a part of the screen when the pilot zooms out."

  func visitor(of archive: ArchiveUnderTest) -> any TileVisitor {
    let lowest = archive.metadata["minzoom"].flatMap { Int($0) } ?? archive.summary.zooms.first?.zoom ?? 0
    return Visitor(rule: self, archive: archive, minZoom: lowest)
  }

  private struct Visitor: TileVisitor {
    let rule: TilesHaveParents
    let archive: ArchiveUnderTest
    let minZoom: Int
    /// Only the zoom under way and the one above it are remembered.
    var above: Set<TileID> = []
    var own: Set<TileID> = []
    var zoom = -1
    var findings: [Finding] = []

    mutating func visit(_ tile: SeenTile) {
      guard let id = tile.stored.id else { return }
      if id.zoom != zoom {
        above = id.zoom == zoom + 1 ? own : []
        own = []
        zoom = id.zoom
      }
      own.insert(id)
      guard id.zoom > minZoom, !above.contains(id.parent) else { return }
      findings.append(
        rule.error(archive.place(of: tile.stored), "the tile above it, \(id.parent), is missing"))
    }

    func finish() -> [Finding] { findings }
  }
}

internal import TileArchive

/// The tiles against the hash that was taken of them when they were made.
struct TileHashRule: TileRule {
  let name = "tile-hash"
  let protects = "No tile was swapped, changed or lost since the chart was built."

  func visitor(of archive: ArchiveUnderTest) throws -> any TileVisitor {
    Visitor(rule: self, archive: archive, hash: try TileHash())
  }

  private struct Visitor: TileVisitor {
    let rule: TileHashRule
    let archive: ArchiveUnderTest
    let hash: TileHash

    func visit(_ tile: SeenTile) throws { try hash.update(tile.stored) }

    func finish() throws -> [Finding] {
      let key = TileHash.metadataKey
      guard let told = archive.metadata[key] else {
        return [rule.error(archive.place, "the metadata has no `\(key)`")]
      }
      let found = try hash.finish()
      guard told != found else { return [] }
      return [rule.error(archive.place, "`\(key)` is \(told), but that of its tiles is \(found)")]
    }
  }
}

internal import ImageIO

extension FileDifference {
  /// The differences between the tiles of two archives. Versions of a library can encode the same pixels or features in other bytes.
  static func tiles(_ old: any TileSource, _ new: any TileSource) throws -> FileDifference {
    let isSameMetadata = try metadata(old) == metadata(new)
    let added = try Set(new.tileIDs()).subtracting(old.tileIDs()).count
    var (all, changed, recoded, missing) = (0, 0, 0, 0)
    try old.forEachTile { tile in
      all += 1
      guard let other = try new.tile(tile.id) else {
        missing += 1
        return
      }
      if other == tile.data { return }
      if haveSameContent(tile.data, other) { recoded += 1 } else { changed += 1 }
    }
    let parts = [
      (changed, "changed"), (missing, "missing"), (added, "added"),
      (recoded, "with other bytes for the same content"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let tiles = parts.isEmpty ? "the same tiles" : "of \(all) tiles \(parts.joined(separator: ", "))"
    let rest = !isSameMetadata ? ", other metadata" : parts.isEmpty ? ", packed differently" : ""
    return FileDifference(
      words: tiles + rest, isSameContent: changed + missing + added == 0 && isSameMetadata)
  }

  /// All rows but the hash of the tiles' bytes.
  private static func metadata(_ source: any TileSource) throws -> [String: String] {
    try source.metadata().filter { $0.key != TileHash.metadataKey }
  }

  /// Whether two images have the same pixels, or two vector tiles the same bytes before compression.
  private static func haveSameContent(_ old: [UInt8], _ new: [UInt8]) -> Bool {
    if let left = try? TileImage.decode(old), let right = try? TileImage.decode(new) {
      return left.width == right.width && left.height == right.height && left.pixels == right.pixels
    }
    guard let left = try? VectorTile.unpacked(old), let right = try? VectorTile.unpacked(new) else {
      return false
    }
    return left == right
  }
}

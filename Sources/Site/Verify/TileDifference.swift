internal import ImageIO

/// The differences between the tiles of two archives. Versions of a library can encode the same pixels or features in other bytes.
struct TileDifference {
  private var all = 0
  private var changed = 0
  private var recoded = 0
  private var missing = 0
  private var added = 0
  private let isSameMetadata: Bool

  init(from old: any TileSource, to new: any TileSource) throws {
    isSameMetadata = try TileDifference.metadata(old) == TileDifference.metadata(new)
    added = try Set(new.tileIDs()).subtracting(old.tileIDs()).count
    try old.forEachTile { tile in
      all += 1
      guard let other = try new.tile(tile.id) else {
        missing += 1
        return
      }
      if other == tile.data { return }
      if TileDifference.haveSameContent(tile.data, other) { recoded += 1 } else { changed += 1 }
    }
  }

  var isSameContent: Bool { changed + missing + added == 0 && isSameMetadata }

  var words: String {
    let parts = [
      (changed, "changed"), (missing, "missing"), (added, "added"),
      (recoded, "with other bytes for the same content"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let tiles = parts.isEmpty ? "the same tiles" : "of \(all) tiles \(parts.joined(separator: ", "))"
    if !isSameMetadata { return tiles + ", other metadata" }
    return parts.isEmpty ? tiles + ", packed differently" : tiles
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

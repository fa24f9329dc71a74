internal import ImageIO
internal import TileArchive

/// The differences between the tiles of two archives. Versions of a library can encode the same pixels in other bytes.
struct PixelDifference {
  private var all = 0
  private var changed = 0
  private var recoded = 0
  private var missing = 0
  private var added = 0
  private let isSameMetadata: Bool

  init(from old: any TileSource, to new: any TileSource) throws {
    isSameMetadata = try PixelDifference.metadata(old) == PixelDifference.metadata(new)
    added = try Set(new.tileIDs()).subtracting(old.tileIDs()).count
    try old.forEachTile { tile in
      all += 1
      guard let other = try new.tile(tile.id) else {
        missing += 1
        return
      }
      if other == tile.data { return }
      if PixelDifference.haveSamePixels(tile.data, other) { recoded += 1 } else { changed += 1 }
    }
  }

  var isSameContent: Bool { changed + missing + added == 0 && isSameMetadata }

  var words: String {
    let parts = [
      (changed, "changed"), (missing, "missing"), (added, "added"),
      (recoded, "with other bytes for the same pixels"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let tiles = parts.isEmpty ? "the same tiles" : "of \(all) tiles \(parts.joined(separator: ", "))"
    if !isSameMetadata { return tiles + ", other metadata" }
    return parts.isEmpty ? tiles + ", packed differently" : tiles
  }

  /// All rows but the hash of the tiles' bytes.
  private static func metadata(_ source: any TileSource) throws -> [String: String] {
    try source.metadata().filter { $0.key != TileHash.metadataKey }
  }

  /// False for tiles that are no images.
  private static func haveSamePixels(_ old: [UInt8], _ new: [UInt8]) -> Bool {
    guard let left = try? TileImage.decode(old), let right = try? TileImage.decode(new) else { return false }
    return left.width == right.width && left.height == right.height && left.pixels == right.pixels
  }
}

internal import Core
internal import CryptoIO

/// Remembers tiles in which no rule found anything, since the PMTiles of a product usually hold the same tiles as its MBTiles.
final class CheckedTiles {
  /// By product, and by the hash of what the rules about tiles read besides the product's description.
  private var results: [String: [SHA256Hex: RuleResult]] = [:]

  /// Returns the result for equal tiles of the same product, or that of `check`, which adds each tile to a digest.
  func result(
    of archive: ArchiveUnderTest, in owner: PlacedProduct?, _ check: (Digest?) throws -> RuleResult
  ) throws -> RuleResult {
    guard let owner, owner.archives > 1 else { return try check(nil) }
    // Rules report tiles that cannot be read.
    if let known = results[owner.id], let hash = try? hash(of: archive), let result = known[hash] {
      return result
    }
    let digest = try digest(of: archive.metadata)
    let result = try check(digest)
    if result.findings.isEmpty {
      results[owner.id, default: [:]][try SHA256Hex(finishing: digest)] = result
    }
    return result
  }

  private func digest(of metadata: [String: String]) throws -> Digest {
    let digest = try Digest(.sha256)
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
      try digest.update("\(key.utf8.count) \(value.utf8.count) \(key)\(value)")
    }
    return digest
  }

  private func hash(of archive: ArchiveUnderTest) throws -> SHA256Hex {
    let digest = try digest(of: archive.metadata)
    try archive.reader.forEachStored(digest.update)
    return try SHA256Hex(finishing: digest)
  }
}

extension Digest {
  /// Adds a tile and its position.
  func update(_ tile: StoredTile) throws {
    try update("\(tile.zoom)/\(tile.column)/\(tile.tmsRow) \(tile.data.count)\n")
    try update(tile.data)
  }
}

internal import Core
internal import CryptoIO

/// Remembers tiles of a product in which no rule found anything, since its PMTiles usually hold the same tiles as its MBTiles.
final class CheckedTiles {
  /// By the hash of what the rules about tiles read besides the product's description.
  private var results: [SHA256Hex: RuleResult] = [:]

  /// Returns the result for equal tiles, or that of `check`, which adds each tile to a digest.
  ///
  /// - Parameter isAlone: whether the product has no other archive.
  func result(
    of archive: ArchiveUnderTest, isAlone: Bool, _ check: (Digest?) throws -> RuleResult
  ) throws -> RuleResult {
    if isAlone { return try check(nil) }
    // Rules report tiles that cannot be read.
    if !results.isEmpty, let hash = try? hash(of: archive), let result = results[hash] { return result }
    let digest = try digest(of: archive.metadata)
    let result = try check(digest)
    if result.findings.isEmpty { results[try SHA256Hex(finishing: digest)] = result }
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

internal import CryptoIO

/// Remembers tiles in which no rule found anything, since the PMTiles of a product usually hold the same tiles as its MBTiles.
final class CheckedTiles {
  /// What the rules about tiles read, besides the product's description.
  private struct Content: Hashable {
    let metadata: [String: String]
    let sha256: SHA256Hex
  }

  /// By product.
  private var results: [String: [Content: RuleResult]] = [:]

  /// Returns the result for equal tiles of the same product, or that of `check`, which adds each tile to a digest.
  func result(
    of archive: ArchiveUnderTest, in owner: PlacedProduct?,
    _ check: (TilesDigest?) throws -> RuleResult
  ) throws -> RuleResult {
    guard let owner, owner.archives > 1 else { return try check(nil) }
    let known = results[owner.id] ?? [:]
    // Rules report tiles that cannot be read.
    if !known.isEmpty, let content = try? content(of: archive), let result = known[content] { return result }
    let digest = try TilesDigest()
    let result = try check(digest)
    if result.findings.isEmpty {
      results[owner.id, default: [:]][content(archive, try digest.finish())] = result
    }
    return result
  }

  private func content(of archive: ArchiveUnderTest) throws -> Content {
    let digest = try TilesDigest()
    try archive.reader.forEachStored(digest.update)
    return content(archive, try digest.finish())
  }

  private func content(_ archive: ArchiveUnderTest, _ sha256: SHA256Hex) -> Content {
    Content(metadata: archive.metadata, sha256: sha256)
  }
}

/// The SHA-256 of tiles and their positions.
final class TilesDigest {
  private let digest: Digest

  init() throws { digest = try Digest(.sha256) }

  func update(_ tile: StoredTile) throws {
    try digest.update("\(tile.zoom)/\(tile.column)/\(tile.tmsRow) \(tile.data.count)\n")
    try digest.update(tile.data)
  }

  func finish() throws -> SHA256Hex { try SHA256Hex(finishing: digest) }
}

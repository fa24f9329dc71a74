/// From which tiles to which a patch leads, by their hashes. The names of the rows are those of other tools' patches.
public struct PatchSpan: Equatable, Sendable {
  static let beforeKey = "agg_tiles_hash_before_apply"
  static let afterKey = "agg_tiles_hash_after_apply"

  public let before: String
  public let after: String

  /// Nil for the metadata of what is no patch.
  public init?(metadata: [String: String]) {
    guard let before = metadata[PatchSpan.beforeKey], let after = metadata[PatchSpan.afterKey] else {
      return nil
    }
    (self.before, self.after) = (before, after)
  }
}

extension PatchSpan {
  init(before: String, after: String) {
    (self.before, self.after) = (before, after)
  }

  /// The metadata of a patch: all that the new archive says of itself, and a row without a value for what only the old
  /// one said.
  func metadata(
    ownHash: String, from old: [String: String], to new: [String: String]
  ) -> [(name: String, value: String?)] {
    var rows: [String: String?] = old.mapValues { _ in nil }
    for (name, value) in new { rows[name] = .some(value) }
    rows[TileHash.metadataKey] = .some(ownHash)
    rows[PatchSpan.beforeKey] = .some(before)
    rows[PatchSpan.afterKey] = .some(after)
    return rows.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }
}

/// The three hashes that hold a patch to the archives at its ends; they are taken while all of these pass.
struct PatchHashes {
  let before: TileHash
  let own: TileHash
  let after: TileHash

  init() throws {
    (before, own, after) = (try TileHash(), try TileHash(), try TileHash())
  }
}

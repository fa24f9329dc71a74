internal import Core
public import Foundation
internal import Pipeline
internal import SQLiteIO

/// Makes and applies patches. A patch is an MBTiles file with the differences between two MBTiles archives: tiles to add or
/// replace, tiles to remove, and the metadata.
///
/// Both operations read the files in one pass, in the order of the tiles, so memory does not grow with the number of tiles.
public enum ArchivePatch {
  /// Whether a file is a patch, regardless of its name.
  public static func isPatch(_ file: URL) -> Bool {
    guard ArchiveKind(contentsOf: file) == .mbtiles, let reader = try? MBTilesReader(opening: file),
      let metadata = try? reader.metadata()
    else { return false }
    return PatchSpan(metadata: metadata) != nil
  }

  /// The patch would have more bytes than the limit.
  public struct TooLarge: Error {}

  public struct Summary: Equatable, Sendable {
    public var span: PatchSpan
    /// The number of added and replaced tiles.
    public var changed: Int
    public var removed: Int
  }

  /// Writes a new file. The caller moves it to its final name.
  ///
  /// - Parameter limit: the largest useful number of bytes. The function throws `TooLarge` as soon as the patch exceeds it.
  public static func make(
    from old: URL, to new: URL, at scratch: URL, limit: Int = .max,
    advanced: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> Summary {
    let (left, right) = (try MBTilesReader.whole(old), try MBTilesReader.whole(new))
    let hashes = try PatchHashes()
    let file = try PatchWriter(creating: scratch)
    var pairs = try MergeJoin(left.cursor().next, right.cursor().next)
    var pace = PatchProgress(total: try max(left.count(), right.count()))
    while let (old, new) = try pairs.next() {
      if let old { try hashes.before.update(old) }
      if let new { try hashes.after.update(new) }
      if old?.data != new?.data, let change = new ?? old?.withoutImage {
        try hashes.own.update(change)
        try file.add(change)
        guard file.bytes <= limit else { throw TooLarge() }
      }
      try pace.step(advanced)
    }
    let span = PatchSpan(
      before: try left.expect(hashes.before.finish()), after: try right.expect(hashes.after.finish()))
    try file.finish(
      span.metadata(ownHash: hashes.own.finish(), from: left.metadata(), to: right.metadata()))
    return Summary(span: span, changed: file.changed, removed: file.removed)
  }

  /// Writes a new file. It has the same bytes as the new archive if this program wrote that archive, too. The caller moves it
  /// to its final name.
  public static func apply(
    _ patch: URL, to base: URL, at scratch: URL, advanced: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> ArchiveSummary {
    let patch = try PatchReader(opening: patch)
    let archive = try MBTilesReader.whole(base)
    let hashes = try PatchHashes()
    let file = try UserError.writing(scratch) { try MBTilesFile(creating: scratch) }
    var pairs = try MergeJoin(archive.cursor().next, patch.cursor().next)
    var pace = PatchProgress(total: try max(archive.count(), patch.count()))
    while let (old, change) = try pairs.next() {
      if let old { try hashes.before.update(old) }
      if let change { try hashes.own.update(change) }
      if let tile = change ?? old, !tile.data.isEmpty {
        try hashes.after.update(tile)
        try UserError.writing(scratch) { try file.add(tile) }
      }
      try pace.step(advanced)
    }
    try check(hashes, patch, base)
    let metadata = try patch.metadata(over: archive.metadata())
    return try UserError.writing(scratch) { try file.finish(metadata) }
  }

  /// The patch is checked first: if it is damaged, the other hashes are meaningless.
  private static func check(_ hashes: PatchHashes, _ patch: PatchReader, _ base: URL) throws {
    try patch.expect(ownHash: hashes.own.finish())
    let (before, after) = (try hashes.before.finish(), try hashes.after.finish())
    guard before == patch.span.before else {
      throw UserError.applying(
        to: base, "the patch is for another archive: for tiles with hash \(patch.span.before), not \(before)",
        remedy: "Use the patch that starts from this archive, or download the complete new one.")
    }
    guard after == patch.span.after else {
      throw UserError.applying(
        to: base,
        "the result does not have the tiles that the patch states: hash \(after), not \(patch.span.after)",
        remedy: "Download the complete new archive.")
    }
  }
}

/// Reports the progress of a pass over two archives.
private struct PatchProgress {
  let total: Int
  private var done = 0

  init(total: Int) { self.total = total }

  mutating func step(_ advanced: (_ done: Int, _ total: Int) throws -> Void) throws {
    done += 1
    if done.isMultiple(of: 256) { try advanced(min(done, total), total) }
  }
}

extension MBTilesReader {
  /// Opens a complete archive, not a patch.
  fileprivate static func whole(_ url: URL) throws -> MBTilesReader {
    let reader = try MBTilesReader(opening: url)
    guard PatchSpan(metadata: try reader.metadata()) == nil else {
      throw UserError.isPatch(url)
    }
    return reader
  }

  /// Checks the hash of the tiles against the one in the metadata, and returns it.
  fileprivate func expect(_ hash: String) throws -> String {
    let stored = try metadata()[TileHash.metadataKey]
    guard stored == nil || stored == hash else {
      throw UserError.reading(
        url, "it is damaged: its `\(TileHash.metadataKey)` is not \(hash), that of its tiles")
    }
    return hash
  }
}

extension StoredTile {
  fileprivate var withoutImage: StoredTile {
    StoredTile(zoom: zoom, column: column, tmsRow: tmsRow, data: [])
  }
}

/// Writes the file of a patch: one plain table of tiles, so that an app can apply it with a few lines of SQL.
final class PatchWriter {
  private let url: URL
  private let connection: SQLiteConnection
  private var insertion: SQLiteStatement?
  /// The bytes of the images.
  private(set) var bytes = 0
  private(set) var changed = 0
  private(set) var removed = 0

  init(creating url: URL) throws {
    self.url = url
    (connection, insertion) = try UserError.writing(url) {
      let connection = try SQLiteConnection(creating: url, MBTilesSchema.patchTables)
      return (connection, try connection.prepare("INSERT INTO tiles VALUES (?, ?, ?, ?)"))
    }
  }

  /// Adds a tile. A tile without an image is removed from the archive.
  func add(_ change: StoredTile) throws {
    let isRemoval = change.data.isEmpty
    try UserError.writing(url) {
      try insertion?.run([
        .integer(change.zoom), .integer(change.column), .integer(change.tmsRow),
        isRemoval ? .null : .blob(change.data),
      ])
    }
    bytes += change.data.count
    if isRemoval { removed += 1 } else { changed += 1 }
  }

  /// Adds the metadata and closes the file.
  func finish(_ metadata: [(name: String, value: String?)]) throws {
    try UserError.writing(url) {
      try connection.addMetadata(metadata)
      insertion = nil
      try connection.finish()
    }
  }
}

extension UserError {
  static func patch(_ file: URL, _ problem: String) -> UserError {
    UserError(
      .badInput, operation: "reading the patch", path: file.path, reason: problem,
      suggestion: "Download it again, or make it with `chartpipe patch make`.")
  }

  static func applying(to base: URL, _ problem: String, remedy: String) -> UserError {
    UserError(
      .badInput, operation: "applying the patch to", path: base.path, reason: problem, suggestion: remedy)
  }
}

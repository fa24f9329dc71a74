internal import Core
public import Foundation
internal import Pipeline
internal import SQLiteIO

/// What leads from the tiles of one MBTiles archive to those of another, as an MBTiles file of what differs: tiles to be put
/// in, tiles to be taken away, and the metadata. It is made and applied in one pass over both files, in the order of the
/// tiles, so that memory does not grow with them.
public enum ArchivePatch {
  /// Whether a file is one, whatever its name.
  public static func isPatch(_ file: URL) -> Bool {
    guard ArchiveKind(contentsOf: file) == .mbtiles, let reader = try? MBTilesReader(opening: file),
      let metadata = try? reader.metadata()
    else { return false }
    return PatchSpan(metadata: metadata) != nil
  }

  /// The patch would have more bytes than it may.
  public struct TooLarge: Error {}

  public struct Summary: Equatable, Sendable {
    public var span: PatchSpan
    /// Tiles that are new or other ones.
    public var changed: Int
    public var removed: Int
  }

  /// Writes a new file; the caller moves it to its name.
  ///
  /// - Parameter limit: of bytes, beyond which it is of no use; it then ends with `TooLarge` as soon as that is known.
  public static func make(
    from old: URL, to new: URL, at scratch: URL, limit: Int = .max,
    advanced: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> Summary {
    let (left, right) = (try MBTilesReader.whole(old), try MBTilesReader.whole(new))
    let hashes = try PatchHashes()
    let file = try PatchFile(creating: scratch)
    var pairs = try SideBySide(left.cursor().next, right.cursor().next)
    var pace = Pace(total: try max(left.count(), right.count()))
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

  /// Writes a new file, byte for byte the archive to which the patch leads if this program wrote that one too; the caller
  /// moves it to its name.
  public static func apply(
    _ patch: URL, to base: URL, at scratch: URL, advanced: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> ArchiveSummary {
    let patch = try PatchReader(opening: patch)
    let archive = try MBTilesReader.whole(base)
    let hashes = try PatchHashes()
    let file = try UserError.writing(scratch) { try MBTilesFile(creating: scratch) }
    var pairs = try SideBySide(archive.cursor().next, patch.cursor().next)
    var pace = Pace(total: try max(archive.count(), patch.count()))
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

  /// The patch first: of a damaged one, the other two say nothing.
  private static func check(_ hashes: PatchHashes, _ patch: PatchReader, _ base: URL) throws {
    try patch.expect(ownHash: hashes.own.finish())
    let (before, after) = (try hashes.before.finish(), try hashes.after.finish())
    guard before == patch.span.before else {
      throw UserError.applying(
        to: base, "the patch is for another archive: for tiles of hash \(patch.span.before), not \(before)",
        remedy: "Take the patch that leads from this archive, or download the new one whole.")
    }
    guard after == patch.span.after else {
      throw UserError.applying(
        to: base,
        "what came out has not the tiles that the patch promises: hash \(after), not \(patch.span.after)",
        remedy: "Download the new archive whole.")
    }
  }
}

/// How far a pass over two archives is, told now and then.
private struct Pace {
  let total: Int
  private var done = 0

  init(total: Int) { self.total = total }

  mutating func step(_ advanced: (_ done: Int, _ total: Int) throws -> Void) throws {
    done += 1
    if done.isMultiple(of: 256) { try advanced(min(done, total), total) }
  }
}

extension MBTilesReader {
  /// An archive that is complete in itself.
  fileprivate static func whole(_ url: URL) throws -> MBTilesReader {
    let reader = try MBTilesReader(opening: url)
    guard PatchSpan(metadata: try reader.metadata()) == nil else {
      throw UserError.isPatch(url)
    }
    return reader
  }

  /// Its hash, if that is what it says of itself.
  fileprivate func expect(_ hash: String) throws -> String {
    let told = try metadata()[TileHash.metadataKey]
    guard told == nil || told == hash else {
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

/// The file of a patch while it is written: one plain table of tiles, so that an app applies it with a few lines of SQL.
final class PatchFile {
  private let url: URL
  private let connection: SQLiteConnection
  private var insertion: SQLiteStatement?
  /// Of the images.
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

  /// A tile without an image is one to be taken away.
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

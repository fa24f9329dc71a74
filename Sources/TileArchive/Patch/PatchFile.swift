internal import Core
internal import Foundation
internal import Pipeline
internal import SQLiteIO

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

internal import Core
internal import Foundation
internal import Pipeline
internal import SQLiteIO

extension UserError {
  /// Whatever SQLite cannot write, told as a fault.
  static func writing<T>(_ archive: URL, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw writing(archive, error)
    }
  }

  /// Whatever SQLite cannot read of an archive that was opened.
  static func readingDatabase<T>(_ archive: URL, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw reading(archive, "the database is damaged, or not an MBTiles archive", [error])
    }
  }

  static func isPatch(_ archive: URL) -> UserError { reading(archive, "it is a patch and no archive") }

  static func impossible(_ tile: StoredTile, in archive: URL) -> UserError {
    reading(
      archive, "there can be no tile at zoom \(tile.zoom), column \(tile.column), row \(tile.tmsRow)")
  }

  /// What SQLite could not write, in the words of the person whose disk it is.
  static func writing(_ archive: URL, _ error: any Error) -> UserError {
    if let fault = error as? UserError { return fault }
    let isFull = (error as? SQLiteError)?.isFull ?? ((error as? CocoaError)?.code == .fileWriteOutOfSpace)
    return UserError(
      .failed, operation: "writing the tile archive", path: archive.path,
      reason: isFull ? "the disk is full" : "the file cannot be written",
      suggestion: isFull
        ? "Free some space, or give a folder on another disk with --work."
        : "Check the folder's permissions and the free space.",
      causes: [error])
  }

  static func inTheWay(_ archive: URL) -> UserError {
    UserError(
      .failed, operation: "writing the tile archive", path: archive.path,
      reason: "there is already a file of this name", suggestion: "Remove it, or choose another name.")
  }

  static func reading(_ archive: URL, _ problem: String, _ causes: [any Error] = []) -> UserError {
    UserError(
      .badInput, operation: "reading the tile archive", path: archive.path, reason: problem,
      suggestion: "Give an .mbtiles or .pmtiles file that was built or downloaded whole.", causes: causes)
  }
}

internal import Foundation
internal import Pipeline
internal import SQLiteIO

extension Fault {
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

  static func isPatch(_ archive: URL) -> Fault { reading(archive, "it is a patch and no archive") }

  static func impossible(_ tile: StoredTile, in archive: URL) -> Fault {
    reading(
      archive, "there can be no tile at zoom \(tile.zoom), column \(tile.column), row \(tile.tmsRow)")
  }

  /// What SQLite could not write, in the words of the person whose disk it is.
  static func writing(_ archive: URL, _ error: any Error) -> Fault {
    if let fault = error as? Fault { return fault }
    let isFull = (error as? SQLiteError)?.isFull ?? ((error as? CocoaError)?.code == .fileWriteOutOfSpace)
    return Fault(
      .failed, doing: "writing the tile archive", subject: archive.path,
      problem: isFull ? "the disk is full" : "the file cannot be written",
      remedy: isFull
        ? "Free some space, or give a folder on another disk with --work."
        : "Check the folder's permissions and the free space.",
      causes: [error])
  }

  static func inTheWay(_ archive: URL) -> Fault {
    Fault(
      .failed, doing: "writing the tile archive", subject: archive.path,
      problem: "there is already a file of this name", remedy: "Remove it, or choose another name.")
  }

  static func reading(_ archive: URL, _ problem: String, _ causes: [any Error] = []) -> Fault {
    Fault(
      .badInput, doing: "reading the tile archive", subject: archive.path, problem: problem,
      remedy: "Give an .mbtiles or .pmtiles file that was built or downloaded whole.", causes: causes)
  }
}

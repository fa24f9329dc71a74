public import Foundation
internal import SQLiteIO

/// How the tiles of two MBTiles archives differ, by the names of their images, so that no image is read.
public struct ArchiveDifference: Equatable, Sendable {
  public private(set) var same = 0
  public private(set) var changed = 0
  public private(set) var added = 0
  public private(set) var removed = 0
  /// Tiles by zoom.
  public private(set) var before: [Int: Int] = [:]
  public private(set) var now: [Int: Int] = [:]

  /// Nil where one of them keeps its images without names.
  public init?(from old: URL, to new: URL) throws {
    let (left, right) = (try NamedTiles(old), try NamedTiles(new))
    guard let left, let right else { return nil }
    var (a, b) = (try left.next(), try right.next())
    while a != nil || b != nil {
      let order = ArchiveDifference.order(a, b)
      if order <= 0, let a { before[a.zoom, default: 0] += 1 }
      if order >= 0, let b { now[b.zoom, default: 0] += 1 }
      switch order {
      case 0: if a?.image == b?.image { same += 1 } else { changed += 1 }
      case ..<0: removed += 1
      default: added += 1
      }
      if order <= 0 { a = try left.next() }
      if order >= 0 { b = try right.next() }
    }
  }

  /// Which one's place comes first; what has ended comes last.
  private static func order(_ a: NamedTiles.Tile?, _ b: NamedTiles.Tile?) -> Int {
    guard let a else { return 1 }
    guard let b else { return -1 }
    if (a.zoom, a.column, a.row) == (b.zoom, b.column, b.row) { return 0 }
    return (a.zoom, a.column, a.row) < (b.zoom, b.column, b.row) ? -1 : 1
  }
}

/// An archive's tiles in order, each with the name of its image.
private final class NamedTiles {
  struct Tile {
    let zoom: Int
    let column: Int
    let row: Int
    let image: String
  }

  private let rows: SQLiteStatement

  init?(_ file: URL) throws {
    let connection = try SQLiteConnection(file.path, mode: .readOnly)
    let tables = try connection.prepare(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('map', 'images')"
    ).map { $0.int(0) }
    guard tables == [2] else { return nil }
    rows = try connection.prepare(
      "SELECT zoom_level, tile_column, tile_row, tile_id FROM map ORDER BY 1, 2, 3")
  }

  func next() throws -> Tile? {
    try rows.next().map {
      Tile(zoom: $0.int(0), column: $0.int(1), row: $0.int(2), image: $0.text(3) ?? "")
    }
  }
}

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
    var pairs = try SideBySide(left.next, right.next)
    while let (old, new) = try pairs.next() {
      if let old { before[old.place.zoom, default: 0] += 1 }
      if let new { now[new.place.zoom, default: 0] += 1 }
      switch (old, new) {
      case (let old?, let new?): if old.image == new.image { same += 1 } else { changed += 1 }
      case (nil, _): added += 1
      case (_, nil): removed += 1
      }
    }
  }
}

/// An archive's tiles in order, each with the name of its image.
private final class NamedTiles {
  struct Tile: Placed {
    let place: TilePlace
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
      Tile(
        place: TilePlace(zoom: $0.int(0), column: $0.int(1), tmsRow: $0.int(2)), image: $0.text(3) ?? "")
    }
  }
}

/// Where a tile stands among the others of an archive: by zoom, column, and row from the south.
struct TilePlace: Comparable {
  let zoom: Int
  let column: Int
  let tmsRow: Int

  static func < (left: TilePlace, right: TilePlace) -> Bool {
    (left.zoom, left.column, left.tmsRow) < (right.zoom, right.column, right.tmsRow)
  }
}

protocol Placed {
  var place: TilePlace { get }
}

extension StoredTile: Placed {
  var place: TilePlace { TilePlace(zoom: zoom, column: column, tmsRow: tmsRow) }
}

/// What stands at the same place in two archives, place by place; nil on the side that has nothing there.
struct SideBySide<Item: Placed> {
  private let nextLeft: () throws -> Item?
  private let nextRight: () throws -> Item?
  private var left: Item?
  private var right: Item?

  /// Both must give their items in order.
  init(_ nextLeft: @escaping () throws -> Item?, _ nextRight: @escaping () throws -> Item?) throws {
    (self.nextLeft, self.nextRight) = (nextLeft, nextRight)
    (left, right) = (try nextLeft(), try nextRight())
  }

  /// Nil after the last place.
  mutating func next() throws -> (left: Item?, right: Item?)? {
    guard left != nil || right != nil else { return nil }
    let pair = (
      left: SideBySide.isDue(left, beside: right) ? left : nil,
      right: SideBySide.isDue(right, beside: left) ? right : nil
    )
    if pair.left != nil { left = try nextLeft() }
    if pair.right != nil { right = try nextRight() }
    return pair
  }

  private static func isDue(_ item: Item?, beside other: Item?) -> Bool {
    guard let item else { return false }
    return other.map { item.place <= $0.place } ?? true
  }
}

public import Foundation

/// The differences between the tiles of two MBTiles archives. Images are compared by their names, without being read.
public struct ArchiveDifference: Equatable, Sendable {
  public private(set) var same = 0
  public private(set) var changed = 0
  public private(set) var added = 0
  public private(set) var removed = 0
  /// Tiles by zoom.
  public private(set) var before: [Int: Int] = [:]
  public private(set) var now: [Int: Int] = [:]

  /// Nil if one of the archives stores its images without names.
  public init?(from old: URL, to new: URL) throws {
    guard let left = try ImageNameCursor(old), let right = try ImageNameCursor(new) else {
      return nil
    }
    var pairs = try MergeJoin(left.next, right.next)
    while let (old, new) = try pairs.next() {
      if let old { before[old.zoom, default: 0] += 1 }
      if let new { now[new.zoom, default: 0] += 1 }
      switch (old, new) {
      case (let old?, let new?): if old.data == new.data { same += 1 } else { changed += 1 }
      case (nil, _): added += 1
      case (_, nil): removed += 1
      }
    }
  }
}

/// Walks the tiles of two archives in order and pairs the tiles at the same position.
struct MergeJoin {
  private let nextLeft: () throws -> StoredTile?
  private let nextRight: () throws -> StoredTile?
  private var left: StoredTile?
  private var right: StoredTile?

  /// Both closures must return their tiles in order, and nil at the end.
  init(
    _ nextLeft: @escaping () throws -> StoredTile?, _ nextRight: @escaping () throws -> StoredTile?
  ) throws {
    (self.nextLeft, self.nextRight) = (nextLeft, nextRight)
    (left, right) = (try nextLeft(), try nextRight())
  }

  /// Returns the tiles at the next position, nil for an archive without one there. Returns nil after the last position.
  mutating func next() throws -> (left: StoredTile?, right: StoredTile?)? {
    guard left != nil || right != nil else { return nil }
    let pair = (
      left: MergeJoin.isDue(left, beside: right) ? left : nil,
      right: MergeJoin.isDue(right, beside: left) ? right : nil
    )
    if pair.left != nil { left = try nextLeft() }
    if pair.right != nil { right = try nextRight() }
    return pair
  }

  private static func isDue(_ tile: StoredTile?, beside other: StoredTile?) -> Bool {
    guard let tile else { return false }
    return other.map { tile.position <= $0.position } ?? true
  }
}

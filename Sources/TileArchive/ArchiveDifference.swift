internal import Core
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
    guard let old = try MBTilesReader(opening: old).imageNames(),
      let new = try MBTilesReader(opening: new).imageNames()
    else { return nil }
    for id in old.keys { before[id.zoom, default: 0] += 1 }
    for (id, name) in new {
      now[id.zoom, default: 0] += 1
      guard let known = old[id] else {
        added += 1
        continue
      }
      if known == name { same += 1 } else { changed += 1 }
    }
    removed = old.count - same - changed
  }
}

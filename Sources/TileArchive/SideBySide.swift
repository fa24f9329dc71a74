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

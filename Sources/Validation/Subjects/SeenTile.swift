internal import ImageIO
internal import TileArchive

/// A tile as it is stored, and what its image looks like.
struct SeenTile: Sendable {
  let stored: StoredTile
  /// Nil for bytes that begin like no image.
  let kind: ImageKind?
  let survey: Result<TileSurvey, ImageError>

  /// Far more pixels a side than a tile may have, so that the usual wrong sizes are told, and far fewer than fill the memory.
  private static let sideLimit: UInt32 = 2048

  /// - Parameter reference: the sheet that the tile is to be compared with; nil for none.
  init(_ stored: StoredTile, reference: SheetReference? = nil) {
    self.stored = stored
    kind = ImageKind(stored.data)
    survey = Result { () throws(ImageError) in
      try TileImage.survey(
        stored.data, sideLimit: SeenTile.sideLimit, on: stored.id.flatMap { reference?.cells(under: $0) })
    }
  }
}

/// Tiles on their way to threads that look at them.
struct TileBatch: Sendable {
  private(set) var tiles: [StoredTile] = []
  private var bytes = 0

  /// Few enough that several of them are nothing in memory, also where the images are large.
  var isFull: Bool { tiles.count >= 64 || bytes >= 4 << 20 }

  mutating func add(_ tile: StoredTile) {
    tiles.append(tile)
    bytes += tile.data.count
  }

  /// What was added, which is taken away.
  mutating func take() -> [StoredTile] {
    defer { self = TileBatch() }
    return tiles
  }
}

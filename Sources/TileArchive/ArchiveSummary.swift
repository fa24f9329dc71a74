/// How much is in an archive.
public struct ArchiveSummary: Codable, Equatable, Sendable {
  public var tiles: Int
  /// The images that are stored; identical tiles share one.
  public var distinctTiles: Int
  /// Of all tiles, the shared ones counted as often as they are used.
  public var tileBytes: Int
  public var zooms: [ZoomSummary]

  public init(zooms: [ZoomSummary], distinctTiles: Int) {
    tiles = zooms.map(\.tiles).reduce(0, +)
    self.distinctTiles = distinctTiles
    tileBytes = zooms.map(\.bytes).reduce(0, +)
    self.zooms = zooms
  }
}

public struct ZoomSummary: Codable, Equatable, Sendable {
  public var zoom: Int
  public var tiles: Int
  public var bytes: Int
  public var columns: Span
  /// Counted from the north, as in a tile's URL.
  public var rows: Span

  /// From the first to the last of what is there; not all between them need be.
  public struct Span: Codable, Equatable, Sendable {
    public var first: Int
    public var last: Int

    public init(first: Int, last: Int) {
      self.first = first
      self.last = last
    }

    mutating func reach(_ number: Int) {
      first = min(first, number)
      last = max(last, number)
    }
  }
}

/// Sums up tiles of which those of one zoom come together.
struct ZoomTally {
  private(set) var zooms: [ZoomSummary] = []

  mutating func add(_ tile: StoredTile) {
    add(
      zoom: tile.zoom, column: tile.column, row: (1 << tile.zoom) &- 1 &- tile.tmsRow, bytes: tile.data.count)
  }

  mutating func add(zoom: Int, column: Int, row: Int, bytes: Int) {
    if zooms.last?.zoom != zoom {
      zooms.append(
        ZoomSummary(
          zoom: zoom, tiles: 0, bytes: 0, columns: .init(first: column, last: column),
          rows: .init(first: row, last: row)))
    }
    let last = zooms.count - 1
    zooms[last].tiles += 1
    zooms[last].bytes += bytes
    zooms[last].columns.reach(column)
    zooms[last].rows.reach(row)
  }
}

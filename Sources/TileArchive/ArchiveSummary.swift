/// How much is in an archive.
public struct ArchiveSummary: Codable, Equatable, Sendable {
  public var tiles: Int
  /// The images that are stored; identical tiles share one.
  public var distinctTiles: Int
  /// Of all tiles, the shared ones counted as often as they are used.
  public var tileBytes: Int
  public var zooms: [ZoomSummary]

  public init(tiles: Int, distinctTiles: Int, tileBytes: Int, zooms: [ZoomSummary]) {
    self.tiles = tiles
    self.distinctTiles = distinctTiles
    self.tileBytes = tileBytes
    self.zooms = zooms
  }

  init(zooms: [ZoomSummary], distinctTiles: Int) {
    self.init(
      tiles: zooms.map(\.tiles).reduce(0, +), distinctTiles: distinctTiles,
      tileBytes: zooms.map(\.bytes).reduce(0, +), zooms: zooms)
  }
}

public struct ZoomSummary: Codable, Equatable, Sendable {
  public var zoom: Int
  public var tiles: Int
  public var bytes: Int

  public init(zoom: Int, tiles: Int, bytes: Int) {
    self.zoom = zoom
    self.tiles = tiles
    self.bytes = bytes
  }
}

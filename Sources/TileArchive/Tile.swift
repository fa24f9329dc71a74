public import Core

/// An encoded tile and its place in the pyramid.
public struct Tile: Sendable {
  public let id: TileID
  public let data: [UInt8]

  public init(id: TileID, data: [UInt8]) {
    self.id = id
    self.data = data
  }
}

/// A row of an archive as it is stored, with the row counted from the south. The numbers may be nonsense:
/// an archive that somebody else wrote, or that a disk damaged, must be readable enough to be told what is wrong.
public struct StoredTile: Sendable {
  public let zoom: Int
  public let column: Int
  public let tmsRow: Int
  public let data: [UInt8]

  public init(zoom: Int, column: Int, tmsRow: Int, data: [UInt8]) {
    self.zoom = zoom
    self.column = column
    self.tmsRow = tmsRow
    self.data = data
  }

  /// The deepest zoom whose columns and rows this program will count.
  static let deepestZoom = 29

  /// Nil where the numbers name no tile.
  public var id: TileID? {
    // Asked before the arithmetic of `TileID`, which nonsense would overflow.
    let isPossible = StoredTile.isPossible(zoom: zoom, column: column, row: tmsRow)
    return isPossible ? TileID(zoom: zoom, column: column, tmsRow: tmsRow) : nil
  }

  static func isPossible(zoom: Int, column: Int, row: Int) -> Bool {
    guard (0...deepestZoom).contains(zoom) else { return false }
    let side = 0..<(1 << zoom)
    return side.contains(column) && side.contains(row)
  }
}

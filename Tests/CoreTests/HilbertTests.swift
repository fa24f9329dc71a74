import Core
import Testing

@Suite struct HilbertTests {
  /// Computed by the format's reference implementation.
  private static let known: [(TileID, Int)] = [
    (TileID(zoom: 0, column: 0, row: 0), 0), (TileID(zoom: 1, column: 0, row: 0), 1),
    (TileID(zoom: 1, column: 0, row: 1), 2), (TileID(zoom: 1, column: 1, row: 1), 3),
    (TileID(zoom: 1, column: 1, row: 0), 4), (TileID(zoom: 2, column: 0, row: 0), 5),
    (TileID(zoom: 3, column: 5, row: 2), 76), (TileID(zoom: 12, column: 656, row: 1586), 8_921_595),
    (TileID(zoom: 12, column: 3423, row: 1763), 19_078_479),
    (TileID(zoom: 18, column: 131_071, row: 100_000), 34_003_152_554),
    (TileID(zoom: 29, column: 1, row: 2), 96_076_792_050_570_594),
    (TileID(zoom: 29, column: (1 << 29) - 1, row: (1 << 29) - 1), 288_230_376_151_711_743),
  ]

  @Test(arguments: known)
  func knownTilesHaveTheirNumbers(tile: TileID, number: Int) {
    #expect(tile.hilbert == number)
    #expect(TileID(hilbert: number) == tile)
  }

  @Test func everyNumberOfSomeZoomsIsOneTileBesideTheLast() throws {
    var last: TileID?
    for number in 0..<(1 + 4 + 16 + 64 + 256 + 1024) {
      let tile = try #require(TileID(hilbert: number))
      #expect(tile.hilbert == number)
      if let last, last.zoom == tile.zoom {
        #expect(abs(last.column - tile.column) + abs(last.row - tile.row) == 1)
      }
      last = tile
    }
    #expect(last?.zoom == 5)
  }

  @Test(arguments: [-1, Int.min, Int.max]) func whatNumbersNoTileIsNil(number: Int) {
    #expect(TileID(hilbert: number) == nil)
  }
}

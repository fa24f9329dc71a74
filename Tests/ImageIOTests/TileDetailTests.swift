import ImageIO
import Testing

/// The amount of fine print in a tile.
@Suite struct TileDetailTests {
  private static func detail(_ isDark: (_ column: Int, _ row: Int) -> Bool) throws -> TileDetail {
    let picture = Pictures.picture(width: 256, height: 256) { column, row in
      isDark(column, row) ? Pictures.black : Pictures.water
    }
    return try #require(try TileImage.survey(try PNG.encode(picture)).detail)
  }

  @Test func `a meridian is print by one measure only`() throws {
    let lines = try Self.detail { column, _ in column % 16 == 7 }
    for cell in lines.own + lines.halved { #expect(cell[0] > 1000 && cell[1] == 0) }
  }

  /// On a sheet that is printed sideways, such a line runs down.
  @Test(arguments: 0..<4) func `a level line has differences to the south in whichever rows it lies`(
    first: Int
  ) throws {
    let picture = Pictures.picture(width: 64, height: 64) { _, row in
      (16 + first..<18 + first).contains(row) ? Pictures.black : Pictures.water
    }
    let cells = try #require(SheetCells(corners: [(0, 0), (2, 0), (0, 2), (2, 2)]))
    let upper = try TileImage.survey(try PNG.encode(picture), on: cells).sums.filter { $0.row == 0 }
    #expect(upper.count == 2)
    for cell in upper { #expect(cell.south > 100 * cell.pairs && cell.east == 0, "\(cell)") }
  }

  @Test func `small marks are print by both measures, in the tile and at half its size`() throws {
    let marks = try Self.detail { column, row in (column * 7 + row * 13) % 11 < 4 }
    for cell in marks.own + marks.halved { #expect(cell[0] > 1000 && cell[1] > 1000) }
  }

  /// Indexes are looked up 64 at a time where the processor can do that.
  @Test(arguments: [64, 208, 256])
  func `an image of indexes has the measures of its colours`(side: Int) throws {
    var image = Pictures.grain(side: side)
    for pixel in 0..<side * side where pixel % side < side / 3 && pixel / side < side / 5 {
      image.pixels.replaceSubrange(pixel * 4..<pixel * 4 + 4, with: [0, 0, 0, 0])
    }
    let indexes = try #require(try TileCodec(.png8(Pictures.palette(of: image))).encode(image))
    let cells = try #require(SheetCells(corners: [(3.2, 5.1), (9.7, 4.8), (3.5, 11.9), (10.1, 11.2)]))
    let own = try TileImage.survey(indexes, on: cells)
    #expect(try own == TileImage.survey(PNG.encode(image), on: cells))
    #expect(own.sums.count > 20 && own.means.contains { $0 > 0 })
  }
}

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

  @Test func `meridians and parallels are not fine print`() throws {
    for lines in [
      try Self.detail { column, _ in column % 50 == 7 }, try Self.detail { _, row in row % 60 == 9 },
    ] {
      #expect(lines.own.allSatisfy { $0 == 0 } && lines.halved.allSatisfy { $0 == 0 })
    }
  }

  @Test func `small marks are fine print, in the tile and at half its size`() throws {
    let marks = try Self.detail { column, row in (column * 7 + row * 13) % 11 < 4 }
    #expect(marks.own.allSatisfy { $0 > 1000 } && marks.halved.allSatisfy { $0 > 1000 })
  }
}

import ImageIO
import Testing

@Suite("Inks that are rare")
struct InkTests {
  private static let blue = RGB(red: 24, green: 66, blue: 150)
  private static let magenta = RGB(red: 158, green: 32, blue: 104)
  private static let green = RGB(red: 20, green: 120, blue: 60)

  /// Water of many shades with lines of blue, in which there is no magenta or green.
  private static let counted = {
    var census = ColorCensus()
    census.add(
      Pictures.picture(width: 256, height: 256) { column, row in
        let shade = UInt8(column / 16 + row / 16)
        let ground: [UInt8] = [190 + shade, 214 + shade, 224 + shade, 255]
        return row % 16 == 0 ? [blue.red, blue.green, blue.blue, 255] : ground
      })
    return census
  }()

  private func seen(_ color: RGB, _ palette: Palette) throws -> RGB {
    let image = Pictures.flat([color.red, color.green, color.blue, 255], side: 8)
    let seen = try TileImage.decode(try #require(try TileCodec(.png8(palette)).encode(image)))[3, 3]
    return RGB(red: seen.red, green: seen.green, blue: seen.blue)
  }

  private func difference(_ color: RGB, _ palette: Palette) throws -> Double {
    try LabColor(color).difference(to: LabColor(seen(color, palette)))
  }

  @Test("a tint that was not counted keeps its levels, although its neighbours look much like it")
  func uncountedTint() throws {
    let counted = [
      RGB(red: 228, green: 207, blue: 150), RGB(red: 220, green: 193, blue: 135),
      RGB(red: 214, green: 182, blue: 123),
    ]
    var census = ColorCensus()
    census.add(
      Pictures.picture(width: 96, height: 96) { column, _ in
        let tint = counted[column / 32]
        return [tint.red, tint.green, tint.blue, 255]
      })
    let tint = RGB(red: 233, green: 198, blue: 134)
    let found = try seen(tint, census.palette(limit: 192, inks: counted + [tint]))
    for channel in [\RGB.red, \.green, \.blue] {
      #expect(abs(Int(found[keyPath: channel]) - Int(tint[keyPath: channel])) <= 3)
    }
  }

  @Test("an ink that was never counted comes out as it is, and so do its mixes with the ground")
  func uncounted() throws {
    let inks = [Self.blue, Self.magenta, Self.green]
    let palette = Self.counted.palette(limit: 192, inks: inks)
    for ink in inks { #expect(try difference(ink, palette) < 3) }
    for quarters in [1, 2, 3] {
      func mix(_ ink: UInt8, _ ground: Int) -> UInt8 {
        UInt8((Int(ink) * quarters + ground * (4 - quarters)) / 4)
      }
      let (ink, ground) = (Self.magenta, (205, 229, 239))
      let mixed = RGB(
        red: mix(ink.red, ground.0), green: mix(ink.green, ground.1), blue: mix(ink.blue, ground.2))
      #expect(try difference(mixed, palette) < 5)
    }
    #expect(try difference(Self.magenta, Self.counted.palette(limit: 192)) > 20)
  }

  @Test("as many inks as a sheet can have all keep their colour", arguments: [16, 64, 145, 256])
  func manyInks(count: Int) throws {
    // Spread over the middle of the cube, as real palettes are.
    let inks = (0..<count).map { number -> RGB in
      let levels: [Int] = [60 + number % 7 * 24, 60 + number / 7 % 6 * 28, 60 + number / 42 * 24]
      return RGB(red: UInt8(levels[0]), green: UInt8(levels[1]), blue: UInt8(levels[2]))
    }
    let palette = Self.counted.palette(limit: 192, inks: inks)
    #expect(palette.colors.count <= 255)
    let differences = try inks.map { try difference($0, palette) }
    let limit = count > 191 ? 8.0 : 3.01
    #expect((differences.max() ?? 0) <= limit, "\(differences.max() ?? 0)")
  }

  @Test("few colours stay few where the inks are few")
  func fewColors() {
    let palette = Self.counted.palette(limit: 16, inks: [Self.blue, Self.magenta])
    #expect((16...23).contains(palette.colors.count))
  }
}

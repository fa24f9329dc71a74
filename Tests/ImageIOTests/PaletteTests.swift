import ImageIO
import TestSupport
import Testing

@Suite("Palettes")
struct PaletteTests {
  @Test func `keeps tints and inks that fill much of a chart exactly`() throws {
    // The gradient has far more colours than a palette, and uses all available entries.
    let palette = Pictures.palette(of: Pictures.chart(), Pictures.gradient())
    #expect(palette.colors.count == 255)
    let exact = [Pictures.white, Pictures.land, Pictures.water, Pictures.black, Pictures.magenta]
    for color in exact { #expect(palette.colors.contains(rgb(color))) }
    let image = Pictures.flat([206, 224, 187, 255], side: 16)
    let tile = try #require(try TileCodec(.png8(palette)).encode(image))
    #expect(try PNG.decode(tile) == image)
  }

  @Test func `255 colours are close to any picture`() throws {
    for (image, decibels) in [(Pictures.chart(), 50.0), (Pictures.gradient(), 35.0)] {
      let tile = try #require(try TileCodec(.png8(Pictures.palette(of: image))).encode(image))
      #expect(Pictures.decibels(image, try PNG.decode(tile)) > decibels)
    }
  }

  @Test func `the order of counted images does not matter`() {
    let images = (0..<3).map { Pictures.chart(width: 64, height: 64, seed: $0 * 7) }
    var forward = ColorCensus()
    for image in images { forward.add(image) }
    #expect(Pictures.palette(of: images[2], images[0], images[1]) == forward.palette())
  }

  @Test func `the most frequent colours are first, also among added inks`() {
    let colors = (0..<4).map { RGB(red: UInt8($0 * 60), green: 120, blue: UInt8(200 - $0 * 50)) }
    var census = ColorCensus()
    census.add(
      Pictures.picture(width: 40, height: 40) { column, row in
        let color = colors[column < 20 ? 2 : column < 32 ? 0 : column < 38 ? 3 : 1]
        return [color.red, color.green, color.blue, 255]
      })
    let frequent = [colors[2], colors[0], colors[3], colors[1]]
    #expect(census.palette().colors == frequent)
    let rare = RGB(red: 250, green: 250, blue: 10)
    let palette = census.palette(inks: [rare] + colors)
    #expect(Array(palette.colors.prefix(4)) == frequent && palette.colors.contains(rare))
  }

  @Test func `a palette for one picture draws it like the full palette`() throws {
    // Half-transparent pixels are drawn too, and have colours that were not counted.
    let image = Pictures.picture(width: 64, height: 64) { column, row in
      [UInt8(column * 4), UInt8(row * 4), UInt8(column * row & 255), row < 8 ? 140 : 255]
    }
    var census = ColorCensus()
    census.add(image)
    let whole = try TileCodec(.png8(census.palette())).encode(image)
    #expect(try TileCodec(.png8(census.palette(for: image))).encode(image) == whole)
  }

  @Test func `does not count transparent pixels`() {
    let image = Pictures.picture(width: 8, height: 8) { column, _ in
      column < 4 ? [200, 0, 0, 254] : [0, 0, 200, 255]
    }
    #expect(Pictures.palette(of: image).colors == [RGB(red: 0, green: 0, blue: 200)])
  }

  @Test(arguments: [-1, 0, 1, 2, 16, 255, 999])
  func `has at least one colour and never more than requested`(limit: Int) {
    var census = ColorCensus()
    #expect(census.palette(limit: limit).colors == [RGB(red: 255, green: 255, blue: 255)])
    census.add(Pictures.gradient(side: 32))
    #expect(census.palette(limit: limit).colors.count == min(max(limit, 1), 255))
  }

  @Test func `keeps the first 255 of given colours`() {
    let colors = (0..<300).map { RGB(red: UInt8($0 & 255), green: UInt8($0 / 2), blue: 7) }
    #expect(Palette(colors).colors == Array(colors.prefix(255)))
    #expect(Palette([]).colors == [RGB(red: 255, green: 255, blue: 255)])
  }

  @Test func `each pixel gets the colour nearest to the middle of its bin`() throws {
    var numbers = SteadyNumbers(seed: 99)
    let colors = (0..<255).map { _ in RGB(red: numbers.byte(), green: numbers.byte(), blue: numbers.byte()) }
    let image = Pictures.picture(width: 24, height: 16) { column, row in
      [UInt8(column * 10), UInt8(row * 16), UInt8((column * row * 5) & 255), 255]
    }
    let tile = try #require(try TileCodec(.png8(Palette(colors))).encode(image))
    let mapped = try PNG.decode(tile)
    for start in stride(from: 0, to: image.pixels.count, by: 4) {
      let middle = image.pixels[start..<start + 3].map { Int($0 & 0xFC) * 2 + 3 }
      let found = distance(middle, Array(mapped.pixels[start..<start + 3]))
      #expect(found == colors.map { distance(middle, [$0.red, $0.green, $0.blue]) }.min())
    }
  }

  /// In halves of a level, since a bin's middle lies between two.
  private func distance(_ middle: [Int], _ color: [UInt8]) -> Int {
    let differences = zip(middle, color).map { $0 - 2 * Int($1) }
    return differences.map { $0 * $0 }.reduce(0, +)
  }

  private func rgb(_ color: [UInt8]) -> RGB { RGB(red: color[0], green: color[1], blue: color[2]) }
}

@Suite("Rare inks")
struct InkTests {
  private static let blue = RGB(red: 24, green: 66, blue: 150)
  private static let magenta = RGB(red: 158, green: 32, blue: 104)
  private static let green = RGB(red: 20, green: 120, blue: 60)

  /// Water of many shades with blue lines, without magenta or green.
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

  @Test func `a tint that was not counted keeps its levels despite similar neighbours`() throws {
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

  @Test func `keeps an ink that was never counted and its mixes with the ground`() throws {
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

  @Test func `pixels that are no ink keep the quality of the nearest colours`() throws {
    let image = Pictures.gradient()
    var census = ColorCensus()
    census.add(image)
    let palette = census.palette(limit: 192, inks: [Self.blue, Self.magenta, Self.green])
    func quality(_ palette: Palette) throws -> Double {
      let tile = try #require(try TileCodec(.png8(palette)).encode(image))
      return Pictures.decibels(image, try PNG.decode(tile))
    }
    let (found, nearest) = (try quality(palette), try quality(Palette(palette.colors)))
    #expect(found > nearest - 0.25, "\(found) dB, \(nearest) dB")
  }

  @Test(arguments: [16, 64, 145, 256])
  func `keeps the colours of as many inks as a sheet can have`(count: Int) throws {
    // Spread over the middle of the cube, like real palettes.
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

  @Test func `few inks give few colours`() {
    let palette = Self.counted.palette(limit: 16, inks: [Self.blue, Self.magenta])
    #expect((16...23).contains(palette.colors.count))
  }
}

@Suite("Differences of colours")
struct ColorDifferenceTests {
  @Test(arguments: [(0, 0, 0.0), (0, 255, 100.0), (119, 121, 0.78)] as [(UInt8, UInt8, Double)])
  func `CIEDE2000 of grays depends on lightness only, scaled by its distance from the middle`(
    one: UInt8, other: UInt8, expected: Double
  ) {
    let found = difference(RGB(red: one, green: one, blue: one), RGB(red: other, green: other, blue: other))
    #expect(abs(found - expected) < 0.02, "\(found)")
  }

  @Test func `the difference is symmetric and zero for equal colours`() {
    var numbers = SteadyNumbers(seed: 7)
    func random() -> RGB { RGB(red: numbers.byte(), green: numbers.byte(), blue: numbers.byte()) }
    for _ in 0..<200 {
      let (one, other) = (random(), random())
      #expect(difference(one, one) == 0)
      #expect(abs(difference(one, other) - difference(other, one)) < 0.01)
    }
  }

  @Test func `inks of charts are far apart and indistinguishable colours are near`() {
    let (blue, magenta) = (RGB(red: 24, green: 66, blue: 150), RGB(red: 158, green: 32, blue: 104))
    #expect(difference(blue, magenta) > 25)
    #expect(difference(magenta, RGB(red: 160, green: 34, blue: 104)) < 1)
  }

  @Test(
    arguments: [
      (0x9E2068, 0x184296, 30.2), (0x9E2068, 0x784828, 31.2), (0x9E2068, 0x6E2896, 16.6),
      (0x14783C, 0x008080, 20.4), (0xE67814, 0xD21414, 24.5), (0x35262A, 0x322E26, 11.4),
    ])
  func `CIEDE2000 of inks matches an independent program`(one: Int, other: Int, expected: Double) {
    let found = difference(rgb(one), rgb(other))
    #expect(abs(found - expected) < 0.2, "\(found)")
  }

  private func rgb(_ number: Int) -> RGB {
    RGB(red: UInt8(number >> 16), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
  }

  private func difference(_ one: RGB, _ other: RGB) -> Double {
    LabColor(one).difference(to: LabColor(other))
  }
}

import ImageIO
import Testing

@Suite("Palettes")
struct PaletteTests {
  @Test("tints and inks that fill much of a chart come out as they are")
  func exactColors() throws {
    // The gradient has far more colours than a palette, and takes all entries that it can get.
    let palette = Pictures.palette(of: Pictures.chart(), Pictures.gradient())
    #expect(palette.colors.count == 255)
    let exact = [Pictures.white, Pictures.land, Pictures.water, Pictures.black, Pictures.magenta]
    for color in exact { #expect(palette.colors.contains(rgb(color))) }
    let image = Pictures.flat([206, 224, 187, 255], side: 16)
    let tile = try #require(try TileCodec(.png8(palette)).encode(image))
    #expect(try PNG.decode(tile) == image)
  }

  @Test("255 colours come near to any picture")
  func closeness() throws {
    for (image, decibels) in [(Pictures.chart(), 50.0), (Pictures.gradient(), 35.0)] {
      let tile = try #require(try TileCodec(.png8(Pictures.palette(of: image))).encode(image))
      #expect(Pictures.decibels(image, try PNG.decode(tile)) > decibels)
    }
  }

  @Test("the order in which images are counted changes nothing")
  func order() {
    let images = (0..<3).map { Pictures.chart(width: 64, height: 64, seed: $0 * 7) }
    var forward = ColorCensus()
    for image in images { forward.add(image) }
    var merged = ColorCensus()
    for image in images.reversed() {
      var one = ColorCensus()
      one.add(image)
      merged.merge(one)
    }
    #expect(merged.palette() == forward.palette())
  }

  @Test("a palette for one picture draws that picture as the whole palette would")
  func onePicture() throws {
    // Half-transparent pixels are drawn too, and have colours that nobody counted.
    let image = Pictures.picture(width: 64, height: 64) { column, row in
      [UInt8(column * 4), UInt8(row * 4), UInt8(column * row & 255), row < 8 ? 140 : 255]
    }
    var census = ColorCensus()
    census.add(image)
    let whole = try TileCodec(.png8(census.palette())).encode(image)
    #expect(try TileCodec(.png8(census.palette(for: image))).encode(image) == whole)
  }

  @Test("what is not opaque is not counted")
  func transparency() {
    let image = Pictures.picture(width: 8, height: 8) { column, _ in
      column < 4 ? [200, 0, 0, 254] : [0, 0, 200, 255]
    }
    #expect(Pictures.palette(of: image).colors == [RGB(red: 0, green: 0, blue: 200)])
  }

  @Test("there is always a colour, and never more than asked for", arguments: [-1, 0, 1, 2, 16, 255, 999])
  func limits(limit: Int) {
    var census = ColorCensus()
    #expect(census.palette(limit: limit).colors == [RGB(red: 255, green: 255, blue: 255)])
    census.add(Pictures.gradient(side: 32))
    #expect(census.palette(limit: limit).colors.count == min(max(limit, 1), 255))
  }

  @Test("a palette that is given keeps its first 255 colours")
  func givenColors() {
    let colors = (0..<300).map { RGB(red: UInt8($0 & 255), green: UInt8($0 / 2), blue: 7) }
    #expect(Palette(colors).colors == Array(colors.prefix(255)))
    #expect(Palette([]).colors == [RGB(red: 255, green: 255, blue: 255)])
  }

  @Test("each pixel gets the colour that is nearest to the middle of its bin")
  func nearest() throws {
    var state: UInt32 = 99
    let colors = (0..<255).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return RGB(red: UInt8(state >> 24), green: UInt8(state >> 16 & 255), blue: UInt8(state >> 8 & 255))
    }
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

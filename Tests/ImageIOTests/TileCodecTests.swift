import ImageIO
import Testing

@Suite("Tile codec")
struct TileCodecTests {
  private static let chartPalette = Pictures.palette(of: Pictures.chart())
  private let palette = chartPalette
  private let formats: [TileFormat] = [
    .png8(chartPalette), .png32, .webp(quality: 80), .webpLossless(chartPalette),
  ]

  @Test func `a fully transparent picture gives no tile`() throws {
    let clear = RGBAImage(width: 256, height: 256)
    for format in formats { #expect(try TileCodec(format).encode(clear) == nil) }
  }

  @Test(arguments: [1, 2, 127, 128, 255] as [UInt8])
  func `a picture with a visible pixel gives a visible tile`(alpha: UInt8) throws {
    var image = RGBAImage(width: 64, height: 64)
    image.pixels.replaceSubrange(400..<408, with: [200, 10, 30, alpha, 200, 10, 30, alpha / 2])
    for format in formats {
      let tile = try #require(try TileCodec(format).encode(image))
      let seen = try TileImage.decode(tile)
      #expect(seen[36, 1].alpha > 0)
      #expect(seen[36, 0].alpha == 0)
    }
  }

  @Test func `a palette tile shows pixels with at least half coverage`() throws {
    let image = Pictures.picture(width: 256, height: 1) { column, _ in [206, 224, 187, UInt8(column)] }
    for format in [TileFormat.png8(palette), .webpLossless(palette)] {
      let seen = try TileImage.decode(try #require(try TileCodec(format).encode(image)))
      for column in 0..<256 {
        #expect(seen[column, 0] == (column < 128 ? (0, 0, 0, 0) : (206, 224, 187, 255)))
      }
    }
  }

  @Test func `lossless WebP has the pixels of the palette PNG`() throws {
    var image = Pictures.chart(seed: 5)
    for start in stride(from: 3, to: 9000, by: 4) { image.pixels[start] = UInt8(start & 255) }
    let png = try #require(try TileCodec(.png8(palette)).encode(image))
    let webp = try #require(try TileCodec(.webpLossless(palette)).encode(image))
    #expect(try TileImage.decode(webp) == TileImage.decode(png))
  }

  @Test(arguments: [(1, 3), (256, 3), (257, 6), (4000, 6)])
  func `exact tiles keep every pixel, with a palette up to 256 colors and else as RGB or RGBA`(
    count: Int, kind: UInt8
  ) throws {
    let image = Pictures.picture(width: 64, height: 64) { column, row in
      let color = (row * 64 + column) % count
      if color == 0 { return count == 1 ? [7, 8, 9, 255] : [0, 0, 0, 0] }
      return [UInt8(color & 255), UInt8(color >> 8), 77, color == 5 ? 128 : 255]
    }
    let png = try #require(try TileImage.exactPNG(image))
    #expect(png[25] == kind)
    #expect(try TileImage.decode(png) == image)
    let webp = try #require(try TileImage.losslessWebP(image))
    // WebP may change the colors of transparent pixels.
    var seen = try TileImage.decode(webp)
    for start in stride(from: 0, to: seen.pixels.count, by: 4) where seen.pixels[start + 3] == 0 {
      for byte in start..<start + 3 { seen.pixels[byte] = 0 }
    }
    #expect(seen == image)
    #expect(try TileImage.exactPNG(RGBAImage(width: 8, height: 8)) == nil)
  }

  @Test func `full PNG keeps every pixel and lossy WebP every alpha`() throws {
    var image = Pictures.gradient()
    for start in stride(from: 3, to: 9000, by: 4) { image.pixels[start] = UInt8(max(start & 255, 1)) }
    let png = try #require(try TileCodec(.png32).encode(image))
    #expect(try TileImage.decode(png) == image)
    let webp = try TileImage.decode(try #require(try TileCodec(.webp(quality: 50)).encode(image)))
    #expect(stride(from: 3, to: image.pixels.count, by: 4).allSatisfy { webp.pixels[$0] == image.pixels[$0] })
  }

  @Test(arguments: [false, true])
  func `filtered PNG keeps every pixel of a gradient in fewer bytes, and grain as it is`(isClear: Bool) throws
  {
    for (image, isSmaller) in [(Pictures.gradient(), true), (Pictures.grain(side: 256), false)] {
      var image = image
      if isClear { for start in stride(from: 3, to: 9000, by: 4) { image.pixels[start] = 200 } }
      let plain = try #require(try TileCodec(.png32).encode(image))
      let filtered = try #require(try TileCodec(.png32Filtered).encode(image))
      #expect(try TileImage.decode(filtered) == image)
      #expect(
        isSmaller ? 2 * filtered.count < plain.count : filtered == plain, "\(plain.count) \(filtered.count)")
    }
    #expect(try TileCodec(.png32Filtered).encode(RGBAImage(width: 8, height: 8)) == nil)
  }

  @Test func `lossy WebP keeps coloured lines as sharp as libwebp's slower conversion`() throws {
    let image = Pictures.chart(width: 256, height: 256)
    // With an alpha that hardly differs, libwebp converts the colours.
    var reference = image
    reference.pixels[3] = 254
    let tiles = try [image, reference].map { try #require(try TileCodec(.webp(quality: 80)).encode($0)) }
    let nearness = try tiles.map { Pictures.decibels(image, try TileImage.decode($0)) }
    #expect(nearness[0] > nearness[1] - 0.3)
    #expect(Double(tiles[0].count) < 1.05 * Double(tiles[1].count))
  }

  @Test func `lossy WebP is close, and closer and larger at higher quality`() throws {
    let image = Pictures.gradient()
    let tiles = try [-5, 30, 80, 100, 900].map {
      try #require(try TileCodec(.webp(quality: $0)).encode(image))
    }
    let nearness = try tiles.map { Pictures.decibels(image, try TileImage.decode($0)) }
    #expect(nearness[0] < nearness[1] && nearness[1] < nearness[2] && nearness[2] > 35)
    #expect(tiles[0].count < tiles[1].count && tiles[1].count < tiles[2].count && tiles[3] == tiles[4])
  }

  @Test func `a single colour takes few bytes`() throws {
    let sizes = try formats.map { try #require(try TileCodec($0).encode(Pictures.flat(Pictures.land))).count }
    #expect(zip(sizes, [110, 800, 400, 60]).allSatisfy { $0 <= $1 }, "\(sizes)")
  }

  @Test(
    arguments: [
      (colors: 1, clear: false, depth: 1), (1, true, 1), (2, true, 2), (4, false, 2), (4, true, 4),
      (16, false, 4), (16, true, 8), (255, true, 8),
    ])
  func `a palette PNG has only used colours and packs pixels`(colors: Int, clear: Bool, depth: UInt8) throws {
    let all: [RGB] = (0..<255).map { RGB(red: UInt8($0 % 8 * 32), green: UInt8($0 / 8 * 8), blue: 64) }
    // In reverse, to test that the palette's order is kept. The width is not a multiple of a byte.
    let image = Pictures.picture(width: 43, height: 9) { column, row -> [UInt8] in
      let place = row * 43 + column
      let color = all[colors - 1 - place % colors]
      return clear && place >= 300 ? [0, 0, 0, 0] : [color.red, color.green, color.blue, 255]
    }
    let tile = try #require(try TileCodec(.png8(Palette(all))).encode(image))
    #expect(tile[24] == depth)
    let table = try #require(chunk("PLTE", of: tile))
    let entries: [UInt8] = all.prefix(colors).flatMap { [$0.red, $0.green, $0.blue] }
    let transparent: [UInt8] = clear ? [0, 0, 0] : []
    #expect(table == transparent + entries)
    #expect(chunk("tRNS", of: tile) == (clear ? [0] : nil))
    #expect(try PNG.decode(tile) == image)
  }

  @Test func `concurrent encoding gives the same bytes`() async throws {
    let images = (0..<6).map { Pictures.chart(width: 64, height: 64, seed: $0) }
    for codec in formats.map({ TileCodec($0) }) {
      let alone = try images.map { try codec.encode($0) }
      try await withThrowingTaskGroup(of: (Int, [UInt8]?).self) { group in
        for number in 0..<24 { group.addTask { (number, try codec.encode(images[number % 6])) } }
        for try await (number, tile) in group { #expect(tile == alone[number % 6]) }
      }
    }
  }

  @Test func `reports the versions of the libraries that encode`() {
    #expect(Set(ImageLibraries.versions.keys) == ["libdeflate", "libwebp"])
    #expect(ImageLibraries.versions.values.allSatisfy { $0.contains(".") && $0.first?.isNumber == true })
  }

  private func chunk(_ kind: String, of png: [UInt8]) -> [UInt8]? {
    var start = 8
    while start + 8 <= png.count {
      let count = png[start..<start + 4].reduce(0) { $0 * 256 + Int($1) }
      if png[start + 4..<start + 8].elementsEqual(kind.utf8) {
        return Array(png[start + 8..<start + 8 + count])
      }
      start += count + 12
    }
    return nil
  }
}

import ImageIO
import TestSupport
import Testing

@Suite("PNG files")
struct PNGTests {
  @Test(
    arguments: [
      (name: "one colour", colors: 1, opaque: true), ("two", 2, false), ("three", 3, false),
      ("sixteen", 16, true), ("seventeen", 17, false), ("two hundred and fifty-six", 256, false),
      ("more than a palette holds", 257, true), ("thousands", 40_000, false),
    ])
  func `reads back every pixel that it wrote`(name: String, colors: Int, opaque: Bool) throws {
    let image = noise(width: 251, height: 67, colors: colors, opaque: opaque)
    let bytes = try PNG.encode(image)
    #expect(try PNG.decode(bytes) == image)
    #expect(try PNG.encode(image) == bytes)
  }

  @Test(arguments: [(true, 2), (false, 6)])
  func `the kind of PNG depends on the alphas`(opaque: Bool, colorType: UInt8) throws {
    let bytes = try PNG.encode(noise(width: 64, height: 64, colors: 257, opaque: opaque))
    #expect(bytes[25] == colorType)
  }

  @Test func `a truncated file is an error at any length`() throws {
    let bytes = try PNG.encode(noise(width: 40, height: 40, colors: 400, opaque: false))
    for length in Array(stride(from: 0, to: bytes.count, by: 97)) + [bytes.count - 1] {
      #expect(throws: ImageError.self) { try PNG.decode(Array(bytes.prefix(length))) }
    }
  }

  @Test func `detects a changed byte by its checksum`() throws {
    var bytes = try PNG.encode(noise(width: 40, height: 40, colors: 400, opaque: false))
    bytes[bytes.count / 2] ^= 1
    #expect(throws: ImageError.self) { try PNG.decode(bytes) }
  }

  /// A byte after the end of the file makes libpng decode it.
  @Test(arguments: [2, 4, 15, 200], [true, false])
  func `reads a tile like libpng at any depth`(colors: Int, opaque: Bool) throws {
    let palette = Palette((0..<colors).map { RGB(red: UInt8($0), green: UInt8(255 - $0), blue: 40) })
    let image = Pictures.picture(width: 131, height: 64) { column, row in
      let number = UInt8((column * 7 + row * 13) % colors)
      return [number, 255 - number, 40, opaque || column > 9 ? 255 : 0]
    }
    let tile = try #require(try TileCodec(.png8(palette)).encode(image))
    #expect(try PNG.decode(tile) == PNG.decode(tile + [0]))
    #expect(try TileImage.survey(tile) == TileImage.survey(tile + [0]))
  }

  @Test func `reports that a web page is not a PNG`() {
    let error = #expect(throws: ImageError.self) {
      try PNG.decode(Array("<html><body>503 Service Unavailable</body></html>".utf8))
    }
    #expect(error?.message == "Not a PNG file")
  }

  /// Random pixels with about the requested number of colours (exactly that many up to 257), all of them used.
  private func noise(width: Int, height: Int, colors: Int, opaque: Bool) -> RGBAImage {
    var numbers = SteadyNumbers()
    let palette = (0..<colors).map { number -> [UInt8] in
      let value = UInt32(number) &* 2_654_435_761
      let alpha = opaque ? 255 : UInt8(truncatingIfNeeded: value >> 3)
      guard alpha > 0 else { return [0, 0, 0, 0] }
      return [UInt8(truncatingIfNeeded: number), UInt8(number >> 8), UInt8(truncatingIfNeeded: value), alpha]
    }
    var image = RGBAImage(width: width, height: height)
    for pixel in 0..<width * height {
      let number = pixel < colors ? pixel : numbers.below(colors)
      image.pixels.replaceSubrange(pixel * 4..<pixel * 4 + 4, with: palette[number])
    }
    return image
  }
}

@Suite("Broken and malicious images")
struct HostileImageTests {
  private let chart = Pictures.chart(width: 48, height: 40)

  private func tiles() throws -> [[UInt8]] {
    let palette = Pictures.palette(of: chart)
    let formats: [TileFormat] = [.png8(palette), .png32, .webp(quality: 70), .webpLossless(palette)]
    return try formats.map { try #require(try TileCodec($0).encode(chart)) }
  }

  @Test func `reads or rejects a changed file within the size limit`() throws {
    var random = SteadyNumbers()
    for tile in try tiles() {
      for _ in 0..<750 {
        var changed = tile
        for _ in 0...random.below(3) { changed[random.below(changed.count)] = UInt8(random.below(256)) }
        guard let image = try? TileImage.decode(changed, sideLimit: 512) else { continue }
        #expect(image.width <= 512 && image.height <= 512)
      }
    }
  }

  @Test func `a truncated file is an error at any length`() throws {
    for tile in try tiles() {
      for length in Array(stride(from: 0, to: tile.count - 1, by: 61)) {
        #expect(throws: ImageError.self) { try TileImage.decode(Array(tile.prefix(length))) }
      }
    }
  }

  @Test func `does not decode a WebP larger than the limit`() throws {
    let tile = try #require(try TileCodec(.webp(quality: 50)).encode(chart))
    #expect(try TileImage.decode(tile, sideLimit: 48) == TileImage.decode(tile))
    let error = #expect(throws: ImageError.self) { try TileImage.decode(tile, sideLimit: 47) }
    #expect(error?.message == "the WebP has 48 x 40 pixels, more than allowed")
  }

  @Test func `rejects data that is neither PNG nor WebP`() {
    for text in ["", "RIFF", "RIFF....WAVEfmt ", "\u{7F}ELF", "<html>"] {
      #expect(throws: ImageError.self) { try TileImage.decode(Array(text.utf8)) }
    }
  }
}

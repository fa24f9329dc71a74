import ImageIO
import Testing

@Suite("A palette's tolerance")
struct ToleranceTests {
  private static let tints = [RGB(red: 200, green: 210, blue: 190), RGB(red: 204, green: 214, blue: 194)]

  /// Rows of the two tints, which are less than seven levels apart: flat halves, or one pixel of each in turn.
  private func picture(_ isSecond: (Int) -> Bool) -> RGBAImage {
    var image = RGBAImage(width: 64, height: 8)
    for pixel in 0..<64 * 8 {
      let tint = Self.tints[isSecond(pixel % 64) ? 1 : 0]
      image.pixels.replaceSubrange(pixel * 4..<pixel * 4 + 4, with: [tint.red, tint.green, tint.blue, 255])
    }
    return image
  }

  private func written(_ image: RGBAImage, tolerance: Int) throws -> RGBAImage {
    var palette = Palette(Self.tints)
    palette.tolerance = tolerance
    return try TileImage.decode(try #require(try TileCodec(.png8(palette)).encode(image)))
  }

  @Test("without it every pixel has the nearest colour")
  func none() throws {
    let grain = picture { $0 % 2 == 1 }
    #expect(try written(grain, tolerance: 0) == grain)
  }

  @Test("grain within it becomes one colour, and beyond it stays")
  func grain() throws {
    let grain = picture { $0 % 2 == 1 }
    #expect(try written(grain, tolerance: 7) == picture { _ in false })
    #expect(try written(grain, tolerance: 6) == grain)
  }

  @Test("a flat tint beside another one keeps its colour")
  func flat() throws {
    let halves = picture { $0 >= 32 }
    #expect(try written(halves, tolerance: 9) == halves)
  }

  @Test("what is transparent stays so, and lends its place to no neighbour")
  func transparent() throws {
    var image = picture { $0 % 2 == 1 }
    for pixel in stride(from: 0, to: 64 * 8, by: 5) {
      image.pixels.replaceSubrange(pixel * 4..<pixel * 4 + 4, with: [0, 0, 0, 0])
    }
    let seen = try written(image, tolerance: 9)
    for pixel in 0..<64 * 8 { #expect(seen.pixels[pixel * 4 + 3] == image.pixels[pixel * 4 + 3]) }
  }
}

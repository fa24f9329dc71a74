import Foundation
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

  @Test func `without tolerance every pixel has the nearest colour`() throws {
    let grain = picture { $0 % 2 == 1 }
    #expect(try written(grain, tolerance: 0) == grain)
  }

  @Test func `grain within the tolerance becomes one colour in each row`() throws {
    let grain = picture { $0 % 2 == 1 }
    let smooth = try written(grain, tolerance: 7)
    for row in 0..<8 {
      // Rows are read eastward and westward alternately, and keep the colour that they begin with.
      let tint = Self.tints[row % 2]
      for column in 0..<64 { #expect(smooth[column, row] == (tint.red, tint.green, tint.blue, 255)) }
    }
    #expect(try written(grain, tolerance: 6) == grain)
  }

  @Test func `keeps a faint pattern in place`() throws {
    // Waves of 24 pixels, four levels high, between colours that are two levels apart.
    let level = { (column: Int) in 200 + 2 * sin(Double(column) * 2 * .pi / 24) + 0.01 }
    let image = Pictures.picture(width: 240, height: 4) { column, _ in
      [UInt8(level(column).rounded()), UInt8(level(column).rounded()), 190, 255]
    }
    var palette = Palette((190...210).map { RGB(red: $0, green: $0, blue: 190) })
    palette.tolerance = 3
    let seen = try TileImage.decode(try #require(try TileCodec(.png8(palette)).encode(image)))
    #expect(seen != image)
    var (drift, slopes) = (0.0, 0.0)
    for row in 0..<4 {
      for column in 1..<239 {
        let slope = Double(Int(image[column + 1, row].red) - Int(image[column - 1, row].red)) / 2
        drift -= slope * Double(Int(seen[column, row].red) - Int(image[column, row].red))
        slopes += slope * slope
      }
    }
    #expect(abs(drift / slopes) < 0.1)
  }

  @Test func `a flat tint beside another one keeps its colour`() throws {
    let halves = picture { $0 >= 32 }
    #expect(try written(halves, tolerance: 9) == halves)
  }

  @Test func `transparent pixels stay transparent and pass no colour to neighbours`() throws {
    var image = picture { $0 % 2 == 1 }
    for pixel in stride(from: 0, to: 64 * 8, by: 5) {
      image.pixels.replaceSubrange(pixel * 4..<pixel * 4 + 4, with: [0, 0, 0, 0])
    }
    let seen = try written(image, tolerance: 9)
    for pixel in 0..<64 * 8 { #expect(seen.pixels[pixel * 4 + 3] == image.pixels[pixel * 4 + 3]) }
  }
}

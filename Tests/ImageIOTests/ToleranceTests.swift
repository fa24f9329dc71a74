import Foundation
import ImageIO
import TestSupport
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

  @Test func `every pixel gets the index that a plain loop gives it`() throws {
    // Wider than a piece of a row and not a multiple of eight rows high, with grain, tints, faint print and holes.
    var numbers = SteadyNumbers(seed: 7)
    let image = Pictures.picture(width: 300, height: 21) { column, row in
      if column / 9 % 11 == row % 5 { return [200, 150, 190, 255] }
      if numbers.below(40) == 0 { return [10, 20, 30, UInt8(numbers.below(256))] }
      return (0..<3).map { UInt8(180 + 20 * $0 + column / 30 + numbers.below(6)) } + [255]
    }
    for tolerance in [0, 4, 9] {
      var palette = Palette((0..<40).map { RGB(red: 175 + 2 * $0, green: 160 + 2 * $0, blue: 140 + 2 * $0) })
      palette.tolerance = tolerance
      let seen = try TileImage.decode(try #require(try TileCodec(.png8(palette)).encode(image)))
      #expect(seen == PlainMapping(palette).image(of: image))
    }
  }
}

/// The mapping of colours to a palette, pixel by pixel. Number 0 is transparent.
private struct PlainMapping {
  private let palette: Palette

  init(_ palette: Palette) { self.palette = palette }

  func image(of image: RGBAImage) -> RGBAImage {
    var mapped = RGBAImage(width: image.width, height: image.height)
    for row in 0..<image.height {
      for piece in stride(from: 0, to: image.width, by: 256) {
        let eastward = Array(piece..<min(piece + 256, image.width))
        let columns = row % 8 % 2 == 0 ? eastward : eastward.reversed()
        let starts = columns.map { (row * image.width + $0) * 4 }
        let numbers = map(starts.map { Array(image.pixels[$0..<$0 + 4]) })
        for (start, number) in zip(starts, numbers) where number > 0 {
          let color = palette.colors[number - 1]
          mapped.pixels.replaceSubrange(start..<start + 4, with: [color.red, color.green, color.blue, 255])
        }
      }
    }
    return mapped
  }

  private func map(_ pixels: [[UInt8]]) -> [Int] {
    let slack = palette.tolerance * palette.tolerance
    let nearest = pixels.map(nearest)
    let isFlat = pixels.indices.map { $0 + 1 < pixels.count && pixels[$0] == pixels[$0 + 1] }
    var chosen: [Int] = []
    for (pixel, own) in nearest.enumerated() {
      let last = chosen.last ?? 0
      let stays = own > 0 && last > 0 && !isFlat[pixel] && apart(pixels[pixel], last) <= slack
      chosen.append(stays ? last : own)
    }
    for pixel in chosen.indices.dropLast().reversed() {
      let (own, next) = (chosen[pixel], chosen[pixel + 1])
      guard own > 0, next > 0 else { continue }
      let isShort = (1...2).contains { pixel >= $0 && chosen[pixel - $0] != own } && !isFlat[pixel]
      let isNearer = own != nearest[pixel] && apart(pixels[pixel], next) < apart(pixels[pixel], own)
      if isNearer || isShort && apart(pixels[pixel], next) <= slack { chosen[pixel] = next }
    }
    return chosen
  }

  /// The colour nearest to the middle of the four levels that share their upper bits with each channel.
  private func nearest(_ pixel: [UInt8]) -> Int {
    guard pixel[3] >= 128 else { return 0 }
    let distances = palette.colors.map { color in
      zip(pixel, [color.red, color.green, color.blue]).reduce(0) { sum, pair in
        let difference = 2 * (Int(pair.0) & ~3) + 3 - 2 * Int(pair.1)
        return sum + difference * difference
      }
    }
    return (distances.firstIndex(of: distances.min() ?? 0) ?? 0) + 1
  }

  private func apart(_ pixel: [UInt8], _ number: Int) -> Int {
    let color = palette.colors[number - 1]
    return zip(pixel, [color.red, color.green, color.blue]).reduce(0) { sum, pair in
      sum + (Int(pair.0) - Int(pair.1)) * (Int(pair.0) - Int(pair.1))
    }
  }
}

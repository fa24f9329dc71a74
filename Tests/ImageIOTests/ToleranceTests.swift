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
      for column in 1..<63 { #expect(smooth[column, row] == smooth[0, row]) }
    }
    #expect(try written(grain, tolerance: 4) == grain)
  }

  @Test func `repeats the row above where that takes fewer bytes than the nearest colours`() throws {
    // Each pixel differs from its neighbours by much and from the one above by four levels.
    let image = Pictures.picture(width: 120, height: 2) { column, row in
      [UInt8(column * 37 & 0xF8) + UInt8(4 * row), UInt8(column * 11 & 0xF8), 90, 255]
    }
    var palette = Pictures.palette(of: image)
    palette.tolerance = 9
    let seen = try TileImage.decode(try #require(try TileCodec(.png8(palette)).encode(image)))
    for column in 1..<119 { #expect(seen[column, 1] == seen[column, 0]) }
    palette.tolerance = 0
    #expect(try TileImage.decode(try #require(try TileCodec(.png8(palette)).encode(image))) == image)
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
  private let (literal, run, copy, limit): (Int, Int, Int, Int)
  private static let never = 1 << 28
  private static let lead = 4

  init(_ palette: Palette) {
    self.palette = palette
    let slack = palette.tolerance * palette.tolerance
    (literal, run, copy, limit) = (slack * 10 / 9, slack * 6 / 9, slack * 20 / 9, slack * 25 / 9)
  }

  func image(of image: RGBAImage) -> RGBAImage {
    var mapped = RGBAImage(width: image.width, height: image.height)
    for piece in stride(from: 0, to: image.width, by: 256) {
      let columns = piece..<min(piece + 256, image.width)
      var above = Row(pixels: [], nearest: [0])
      for row in 0..<image.height {
        let starts = columns.map { (row * image.width + $0) * 4 }
        let pixels = starts.map { Array(image.pixels[$0..<$0 + 4]) }
        var own = Row(pixels: pixels, nearest: pixels.map(nearest))
        for part in stride(from: 0, to: pixels.count, by: 32) {
          own.chosen += cheapest(part, own, above).prefix(pixels.count - part)
        }
        for (start, number) in zip(starts, own.chosen) where number > 0 {
          mapped.pixels.replaceSubrange(start..<start + 4, with: color(number) + [255])
        }
        above = own
      }
    }
    return mapped
  }

  /// Outside of a row are pixels that differ from its first and last one, and have their nearest colours.
  private struct Row {
    let pixels: [[UInt8]]
    let nearest: [Int]
    var chosen: [Int] = []

    private func edge(_ column: Int) -> Int { min(max(column, 0), nearest.count - 1) }
    func pixel(_ column: Int) -> [UInt8] {
      pixels.indices.contains(column) ? pixels[column] : pixels[edge(column)].map { ~$0 }
    }
    func nearest(_ column: Int) -> Int { nearest[edge(column)] }
    func chosen(_ column: Int) -> Int {
      chosen.indices.contains(column) ? chosen[column] : nearest(column)
    }
  }

  /// The cheapest way through 32 columns. Ways: a run, copies from the same column, the one before and the one after.
  private func cheapest(_ part: Int, _ row: Row, _ above: Row) -> [Int] {
    var (cost, color, runColor, wasSame) = (0, 0, 0, false)
    var costs = [Self.never, 0, 0, 0]
    var steps: [(colors: [Int], continues: [Bool], best: Int)] = []
    for column in part - Self.lead..<part + 32 {
      let (pixel, own) = (row.pixel(column), row.nearest(column))
      let isSame = pixel == row.pixel(column + 1)
      let allowed = isSame || wasSame || own == 0 ? 0 : limit
      wasSame = isSame
      let starts = [cost + run, cost + copy, cost + copy, cost + copy]
      let continues = zip(costs, starts).map { $0 < $1 }
      if !continues[0] { runColor = color }
      let colors = [runColor] + [0, -1, 1].map { above.chosen(column + $0) }
      costs = (0..<4).map { way in
        let error = apart(pixel, colors[way])
        guard colors[way] == own || error < allowed && colors[way] > 0 else { return Self.never }
        return min(costs[way], starts[way]) + error
      }
      (cost, color) = (cost + literal + apart(pixel, own), own)
      var best = 4
      for way in 0..<4 where costs[way] < cost { (cost, color, best) = (costs[way], colors[way], way) }
      steps.append((colors + [own], continues + [false], best))
    }
    var way = steps.last?.best ?? 4
    let back = steps.indices.dropFirst(Self.lead).reversed().map { step in
      defer { if !steps[step].continues[way] { way = steps[step - 1].best } }
      return steps[step].colors[way]
    }
    return back.reversed()
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

  private func color(_ number: Int) -> [UInt8] {
    guard number > 0 else { return [0, 0, 0] }
    let color = palette.colors[number - 1]
    return [color.red, color.green, color.blue]
  }

  private func apart(_ pixel: [UInt8], _ number: Int) -> Int {
    zip(pixel, color(number)).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
  }
}

import Foundation
import ImageIO
import TestSupport

/// Pictures that resemble charts: flat tints, crossed by thin lines with antialiased edges.
enum Pictures {
  static let white: [UInt8] = [255, 255, 255, 255]
  static let land: [UInt8] = [206, 224, 187, 255]
  static let water: [UInt8] = [172, 206, 232, 255]
  static let black: [UInt8] = [20, 20, 24, 255]
  static let magenta: [UInt8] = [160, 40, 110, 255]

  static func chart(width: Int = 128, height: Int = 128, seed: Int = 0) -> RGBAImage {
    picture(width: width, height: height) { column, row in
      let ground = (column + seed) / 50 % 3 == 0 ? water : row < height / 4 ? white : land
      let ink = (row + seed) / 16 % 2 == 0 ? black : magenta
      let coverage = [0, 0, 64, 255, 255, 140, 30, 0, 0, 0, 0, 0, 0][(column * 2 + row * 3 + seed) % 13]
      return mixed(ground, ink, coverage)
    }
  }

  /// Every pixel has a different colour.
  static func gradient(side: Int = 128) -> RGBAImage {
    picture(width: side, height: side) { column, row in
      [UInt8(column * 255 / side), UInt8(row * 255 / side), UInt8((column + row) * 127 / side), 255]
    }
  }

  /// Each pixel has one of four colours, regardless of its neighbours.
  static func grain(side: Int = 128) -> RGBAImage {
    var numbers = SteadyNumbers()
    return picture(width: side, height: side) { _, _ in [land, water, magenta, black][numbers.below(4)] }
  }

  static func flat(_ color: [UInt8], side: Int = 256) -> RGBAImage {
    picture(width: side, height: side) { _, _ in color }
  }

  static func picture(width: Int, height: Int, _ pixel: (Int, Int) -> [UInt8]) -> RGBAImage {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 4)
    for row in 0..<height {
      for column in 0..<width { pixels += pixel(column, row) }
    }
    return RGBAImage(width: width, height: height, pixels: pixels)
  }

  static func palette(of images: RGBAImage...) -> Palette {
    var census = ColorCensus()
    for image in images { census.add(image) }
    return census.palette()
  }

  /// The difference of two opaque pictures in decibels: the ratio of 255 to the root of the mean squared difference.
  static func decibels(_ one: RGBAImage, _ other: RGBAImage) -> Double {
    let squares = zip(one.pixels, other.pixels).map { (Int($0) - Int($1)) * (Int($0) - Int($1)) }
    let mean = Double(squares.reduce(0, +)) / Double(one.width * one.height * 3)
    return mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
  }

  private static func mixed(_ ground: [UInt8], _ ink: [UInt8], _ coverage: Int) -> [UInt8] {
    zip(ground, ink).map { UInt8((Int($0) * (255 - coverage) + Int($1) * coverage + 127) / 255) }
  }
}

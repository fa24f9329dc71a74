internal import RasterIO

/// An ESRI world file: six numbers that place an image by the centre of its upper left pixel.
struct WorldFile {
  let placing: GeoTransform

  /// The text holds more or fewer than six numbers, or they give pixels no area.
  struct Unreadable: Error {}

  init(_ bytes: [UInt8]) throws(Unreadable) {
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let numbers = words.compactMap { Double($0) }.filter(\.isFinite)
    guard words.count == 6, numbers.count == 6, numbers[0] * numbers[3] != numbers[1] * numbers[2] else {
      throw Unreadable()
    }
    let (width, rotationY, rotationX, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
    placing = GeoTransform(
      originX: numbers[4] - (width + rotationX) / 2, originY: numbers[5] - (height + rotationY) / 2,
      pixelWidth: width, pixelHeight: height, rotationX: rotationX, rotationY: rotationY)
  }
}

/// An image in memory: four bytes a pixel (red, green, blue, alpha; not premultiplied), row by row from the top.
public struct RGBAImage: Equatable, Sendable {
  public let width: Int
  public let height: Int
  public var pixels: [UInt8]

  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == width * height * 4)
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Wholly transparent.
  public init(width: Int, height: Int) {
    self.init(width: width, height: height, pixels: [UInt8](repeating: 0, count: width * height * 4))
  }

  /// Red, green, blue and alpha of one pixel.
  public subscript(column: Int, row: Int) -> (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
    let start = (row * width + column) * 4
    return (pixels[start], pixels[start + 1], pixels[start + 2], pixels[start + 3])
  }
}

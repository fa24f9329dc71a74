internal import ImageIO

/// An opaque page that pictures, lines and captions are drawn on. What lies beyond its edges is not drawn.
struct PageCanvas {
  typealias Color = (red: UInt8, green: UInt8, blue: UInt8)

  private(set) var image: RGBAImage

  init(width: Int, height: Int, _ paper: Color) {
    let pixel = [paper.red, paper.green, paper.blue, 255]
    let row = Array(repeating: pixel, count: width).flatMap(\.self)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(row.count * height)
    for _ in 0..<height { pixels += row }
    image = RGBAImage(width: width, height: height, pixels: pixels)
  }

  /// - Parameter strength: of 256.
  mutating func dot(_ x: Int, _ y: Int, _ color: Color, strength: Int = 256) {
    guard (0..<image.width).contains(x), (0..<image.height).contains(y) else { return }
    let start = (y * image.width + x) * 4
    for (channel, ink) in [color.red, color.green, color.blue].enumerated() {
      let paper = Int(image.pixels[start + channel])
      image.pixels[start + channel] = UInt8((paper * (256 - strength) + Int(ink) * strength) >> 8)
    }
  }

  /// Lays a picture over a checkerboard, each of its pixels as a square of some side.
  mutating func place(_ picture: RGBAImage, x: Int, y: Int, enlarged: Int = 1) {
    let (side, width) = (enlarged, image.width)
    precondition(x >= 0 && y >= 0 && x + picture.width * side <= width)
    precondition(y + picture.height * side <= image.height)
    picture.pixels.withUnsafeBytes { from in
      image.pixels.withUnsafeMutableBytes { to in
        for row in 0..<picture.height * side {
          for column in 0..<picture.width * side {
            let source = (row / side * picture.width + column / side) * 4
            let target = ((y + row) * width + x + column) * 4
            let alpha = Int(from[source + 3])
            let paper = PageCanvas.checkerboard(column, row)
            for channel in 0..<3 {
              to[target + channel] = UInt8(
                (Int(from[source + channel]) * alpha + paper * (255 - alpha)) / 255)
            }
          }
        }
      }
    }
  }

  /// Two greys that no chart's paper has.
  static func checkerboard(_ x: Int, _ y: Int) -> Int { (x / 8 + y / 8).isMultiple(of: 2) ? 168 : 192 }

  mutating func line(
    from a: (x: Double, y: Double), to b: (x: Double, y: Double), _ color: Color, inside frame: PixelBox
  ) {
    let steps = max(1, Int(max(abs(b.x - a.x), abs(b.y - a.y)).rounded(.up)))
    for step in 0...steps {
      let share = Double(step) / Double(steps)
      let x = Int((a.x + (b.x - a.x) * share).rounded(.down))
      let y = Int((a.y + (b.y - a.y) * share).rounded(.down))
      guard (0..<frame.width).contains(x), (0..<frame.height).contains(y) else { continue }
      dot(frame.column + x, frame.row + y, color)
    }
  }

  /// - Parameter size: how many pixels a dot of the letters has a side.
  mutating func text(_ text: String, x: Int, y: Int, size: Int, _ color: Color) {
    for (index, letter) in CaptionFont.letters(text).enumerated() {
      let left = x + index * CaptionFont.advance * size
      for (row, dots) in CaptionFont.rows(letter).enumerated() {
        for column in 0..<CaptionFont.width where dots >> (CaptionFont.width - 1 - column) & 1 == 1 {
          for place in 0..<size * size {
            dot(left + column * size + place % size, y + row * size + place / size, color)
          }
        }
      }
    }
  }
}

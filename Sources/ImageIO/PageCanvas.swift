/// An opaque page for pictures and lines. Drawing beyond its edges has no effect.
public struct PageCanvas: Sendable {
  /// A line, in pixels of the page.
  public typealias Stroke = (from: (x: Double, y: Double), to: (x: Double, y: Double))

  private static let paper: [UInt8] = [245, 245, 242, 255]
  private static let tick: [UInt8] = [255, 0, 190, 255]

  public private(set) var image: RGBAImage

  public init(width: Int, height: Int) {
    let row = Array(repeating: PageCanvas.paper, count: width).flatMap(\.self)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(row.count * height)
    for _ in 0..<height { pixels += row }
    image = RGBAImage(width: width, height: height, pixels: pixels)
  }

  /// Draws a picture over a checkerboard, with each pixel enlarged to a square.
  public mutating func place(_ picture: RGBAImage, x: Int = 0, y: Int = 0, enlarged: Int = 1) {
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
  private static func checkerboard(_ x: Int, _ y: Int) -> Int {
    (x / 8 + y / 8).isMultiple(of: 2) ? 168 : 192
  }

  /// Draws the ticks of a neatline.
  public mutating func draw(_ strokes: [Stroke]) {
    for (a, b) in strokes {
      let steps = max(1, Int(max(abs(b.x - a.x), abs(b.y - a.y)).rounded(.up)))
      for step in 0...steps {
        let share = Double(step) / Double(steps)
        let x = Int((a.x + (b.x - a.x) * share).rounded(.down))
        let y = Int((a.y + (b.y - a.y) * share).rounded(.down))
        guard (0..<image.width).contains(x), (0..<image.height).contains(y) else { continue }
        let start = (y * image.width + x) * 4
        image.pixels.replaceSubrange(start..<start + 4, with: PageCanvas.tick)
      }
    }
  }
}

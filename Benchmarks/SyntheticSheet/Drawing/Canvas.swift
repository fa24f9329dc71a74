/// A sheet being drawn: a plane of grounds and a plane of inks, in whole pixels.
struct Canvas {
  enum Clip {
    /// Within the neatline only.
    case map
    /// Anywhere on the image.
    case sheet
  }

  let width: Int
  let height: Int
  let area: MapArea
  var ground: [UInt8]
  var ink: [UInt8]
  var clip = Clip.map

  init(width: Int, height: Int, area: MapArea) {
    self.width = width
    self.height = height
    self.area = area
    ground = [UInt8](repeating: SheetPalette.Ground.paper, count: width * height)
    ink = [UInt8](repeating: 0, count: width * height)
  }

  @inline(__always)
  func admits(_ column: Int, _ row: Int) -> Bool {
    guard column >= 0, row >= 0, column < width, row < height else { return false }
    switch clip {
    case .map: return area.contains(column: column, row: row)
    case .sheet: return true
    }
  }

  /// Inks never fade one another: the stronger code stays.
  @inline(__always)
  mutating func put(_ code: UInt8, _ column: Int, _ row: Int) {
    guard code > 0, admits(column, row) else { return }
    let index = row * width + column
    if ink[index] < code { ink[index] = code }
  }

  /// Takes the ink away; with a ground, lays that down instead of what was there.
  @inline(__always)
  mutating func clear(_ column: Int, _ row: Int, ground newGround: UInt8? = nil) {
    guard admits(column, row) else { return }
    let index = row * width + column
    ink[index] = 0
    if let newGround { ground[index] = newGround }
  }

  mutating func clearBox(
    x: Double, y: Double, width boxWidth: Double, height boxHeight: Double, ground: UInt8? = nil
  ) {
    for row in Int(y.rounded(.down))..<Int((y + boxHeight).rounded(.up)) {
      for column in Int(x.rounded(.down))..<Int((x + boxWidth).rounded(.up)) {
        clear(column, row, ground: ground)
      }
    }
  }

  mutating func fillDisc(_ center: PixelPoint, radius: Double, _ ink: Ink) {
    eachPixel(around: center, reach: radius + 1) { canvas, column, row, distance in
      canvas.put(ink.code(min(1, max(0, radius + 0.5 - distance))), column, row)
    }
  }

  mutating func clearDisc(_ center: PixelPoint, radius: Double, ground: UInt8? = nil) {
    eachPixel(around: center, reach: radius) { canvas, column, row, distance in
      if distance <= radius { canvas.clear(column, row, ground: ground) }
    }
  }

  private mutating func eachPixel(
    around center: PixelPoint, reach: Double,
    _ body: (inout Canvas, Int, Int, Double) -> Void
  ) {
    for row in Int((center.y - reach).rounded(.down))...Int((center.y + reach).rounded(.up)) {
      for column in Int((center.x - reach).rounded(.down))...Int((center.x + reach).rounded(.up)) {
        let pixel = PixelPoint(x: Double(column) + 0.5, y: Double(row) + 0.5)
        body(&self, column, row, pixel.distance(to: center))
      }
    }
  }
}

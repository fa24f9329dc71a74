internal import Core
internal import RasterIO

/// Softens a drawn sheet: each pixel becomes the palette's colour that is nearest to the mean of three by three.
struct BlurredPrint {
  private let colors: [(red: Int, green: Int, blue: Int)]

  init(of scenery: Scenery) {
    colors = SheetPalette.colors(of: scenery).map { (Int($0.red), Int($0.green), Int($0.blue)) }
  }

  func blurred(_ pixels: [UInt8], width: Int, height: Int) -> [UInt8] {
    var known: [Int: UInt8] = [:]
    var result = pixels
    for row in 1..<height - 1 {
      for column in 1..<width - 1 {
        let place = row * width + column
        let own = pixels[place]
        var isFlat = true
        var sum = (red: 0, green: 0, blue: 0)
        for start in [place - width - 1, place - 1, place + width - 1] {
          for index in pixels[start..<start + 3] {
            isFlat = isFlat && index == own
            let color = colors[Int(index)]
            sum = (sum.red + color.red, sum.green + color.green, sum.blue + color.blue)
          }
        }
        if isFlat { continue }
        let key = sum.red / 36 << 16 | sum.green / 36 << 8 | sum.blue / 36
        let index = known[key] ?? nearest(to: (sum.red / 9, sum.green / 9, sum.blue / 9))
        known[key] = index
        result[place] = index
      }
    }
    return result
  }

  private func nearest(to mean: (red: Int, green: Int, blue: Int)) -> UInt8 {
    func distance(_ color: (red: Int, green: Int, blue: Int)) -> Int {
      let (red, green, blue) = (color.red - mean.red, color.green - mean.green, color.blue - mean.blue)
      return red * red + green * green + blue * blue
    }
    return UInt8(colors.indices.min { distance(colors[$0]) < distance(colors[$1]) } ?? 0)
  }
}

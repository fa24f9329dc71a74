public import ImageIO

// Forgeries of tiles. Test support is optimised in debug builds.

extension RGBAImage {
  /// A rectangle of the image, which must lie inside it.
  public func cropped(column: Int, row: Int, width: Int, height: Int) -> RGBAImage {
    var part: [UInt8] = []
    for line in row..<row + height {
      let start = (line * self.width + column) * 4
      part += pixels[start..<start + width * 4]
    }
    return RGBAImage(width: width, height: height, pixels: part)
  }

  /// Shifts the image; the border keeps its pixels.
  public func moved(east: Int, south: Int) -> RGBAImage {
    var moved = self
    moved.paste(
      cropped(column: 0, row: 0, width: width - east, height: height - south), column: east, row: south)
    return moved
  }

  /// Each pixel the mean of four.
  public func halfSize() -> RGBAImage {
    var half = RGBAImage(width: width / 2, height: height / 2)
    for row in 0..<half.height {
      for column in 0..<half.width {
        let (from, to) = ((row * width + column) * 8, (row * half.width + column) * 4)
        for channel in from..<from + 4 {
          let below = channel + width * 4
          let sum =
            Int(pixels[channel]) + Int(pixels[channel + 4]) + Int(pixels[below]) + Int(pixels[below + 4])
          half.pixels[to + channel - from] = UInt8((sum + 2) / 4)
        }
      }
    }
    return half
  }

  /// With red for blue.
  public func recoloured() -> RGBAImage { changed { ($2, $1, $0) } }

  /// Exchanges the upper and the lower half of every second square of 32 pixels, like moved print.
  public func reprinted() -> RGBAImage {
    var other = self
    for row in stride(from: 0, to: height, by: 32) {
      for column in stride(from: row % 64, to: width, by: 64) {
        other.paste(cropped(column: column, row: row, width: 32, height: 16), column: column, row: row + 16)
        other.paste(cropped(column: column, row: row + 16, width: 32, height: 16), column: column, row: row)
      }
    }
    return other
  }

  public func painted(
    rows: Range<Int> = 0..<256, columns: Range<Int> = 0..<256, _ color: [UInt8]
  ) -> RGBAImage {
    var other = self
    for row in rows {
      for column in columns {
        other.pixels.replaceSubrange((row * width + column) * 4..<(row * width + column) * 4 + 4, with: color)
      }
    }
    return other
  }

  private func changed(_ change: (_ red: Int, _ green: Int, _ blue: Int) -> (Int, Int, Int)) -> RGBAImage {
    var other = self
    for start in stride(from: 0, to: pixels.count, by: 4) {
      let (red, green, blue) = change(Int(pixels[start]), Int(pixels[start + 1]), Int(pixels[start + 2]))
      other.pixels[start] = UInt8(clamping: red)
      other.pixels[start + 1] = UInt8(clamping: green)
      other.pixels[start + 2] = UInt8(clamping: blue)
    }
    return other
  }

  public func lit(by levels: Int) -> RGBAImage { changed { ($0 + levels, $1 + levels, $2 + levels) } }

  public func grey() -> RGBAImage {
    changed { red, green, blue in
      let light = (2 * red + 5 * green + blue) / 8
      return (light, light, light)
    }
  }

  /// Red, green, blue and alpha.
  private var mean: [UInt8] {
    let count = width * height
    return (0..<4).map { channel in
      UInt8(stride(from: channel, to: pixels.count, by: 4).reduce(0) { $0 + Int(pixels[$1]) } / count)
    }
  }

  /// Each pixel halfway to the mean.
  public func faded() -> RGBAImage {
    let mean = mean.map { Int($0) }
    return changed { (($0 + mean[0]) / 2, ($1 + mean[1]) / 2, ($2 + mean[2]) / 2) }
  }

  /// Left and right exchanged.
  public func mirrored() -> RGBAImage {
    var other = self
    for row in 0..<height {
      for column in 0..<width {
        let (from, to) = ((row * width + width - 1 - column) * 4, (row * width + column) * 4)
        other.pixels.replaceSubrange(to..<to + 4, with: pixels[from..<from + 4])
      }
    }
    return other
  }

  /// Replaces each pixel by the mean of nine, where all nine are inside of the image.
  public func blurred() -> RGBAImage {
    var other = self
    for row in 1..<height - 1 {
      for start in stride(from: (row * width + 1) * 4, to: (row * width + width - 1) * 4, by: 4) {
        for channel in start..<start + 3 {
          let sum = [-1, 0, 1].reduce(0) { sum, down in
            let middle = channel + down * width * 4
            return sum + Int(pixels[middle - 4]) + Int(pixels[middle]) + Int(pixels[middle + 4])
          }
          other.pixels[channel] = UInt8(sum / 9)
        }
      }
    }
    return other
  }

  /// Shifts eastward: the last column is lost, and the first is repeated.
  public func movedEastByAPixel() -> RGBAImage {
    var moved = self
    for row in 0..<height {
      let first = row * width * 4
      let last = first + width * 4
      moved.pixels.replaceSubrange(first + 4..<last, with: pixels[first..<last - 4])
    }
    return moved
  }

  /// With a blue of the same strength for magenta.
  public func withBlueForMagenta() -> RGBAImage {
    replacingMagenta { red, green, _ in (green * 2 / 3, min(255, red)) }
  }

  /// With red and blue exchanged in magenta.
  public func withPurpleForMagenta() -> RGBAImage { replacingMagenta { red, _, blue in (blue, red) } }

  /// Gives another red and blue to pixels that are far more red than green, and not yellow.
  private func replacingMagenta(
    by color: (_ red: Int, _ green: Int, _ blue: Int) -> (red: Int, blue: Int)
  ) -> RGBAImage {
    changed { red, green, blue in
      guard red > green + 24, blue > green + 12 else { return (red, green, blue) }
      let other = color(red, green, blue)
      return (other.red, green, other.blue)
    }
  }
}

/// The dark lines across a strip of an image, such as a station of a meridian or parallel, by their distance from a line's true place.
public struct LineProfile: Sendable {
  public let reach: Int
  public let flank: Int
  /// The distance from `-reach` to the middle of the first pixel.
  public let fraction: Double
  /// The share of the strip's rows in which a pixel is darker than the ground on both sides, at each whole distance from `-reach` to
  /// `reach`.
  private var shares: [Double] = []
  private let lights: [Int]
  /// Pixels along the line and across it, and from one to the next.
  private let length: Int
  private let breadth: Int
  private let along: Int
  private let across: Int
  private let first: Int

  /// The least share of the strip's rows. A printed line crosses all rows, except where letters cover it.
  private static let leastShare = 0.5
  /// The least depth of a line, of 255.
  private static let leastDepth = 12

  /// - Parameters:
  ///   - picture: has the line's direction as its columns if `isUpright`, else as its rows.
  ///   - line: the line's true place, in pixels from the picture's western or northern side.
  ///   - reach: pixels searched on each side; the picture has `flank` more.
  ///   - flank: pixels from the middle of a line to the ground beside it.
  public init(_ picture: RGBAImage, line: Double, isUpright: Bool, reach: Int, flank: Int) {
    (self.reach, self.flank) = (reach, flank)
    first = Int(line.rounded(.down)) - reach
    fraction = Double(first + reach) + 0.5 - line
    (length, breadth) = isUpright ? (picture.height, picture.width) : (picture.width, picture.height)
    (along, across) = isUpright ? (picture.width, 1) : (1, picture.width)
    lights = picture.pixels.withUnsafeBufferPointer { pixels in
      (0..<picture.width * picture.height).map { index in
        let start = index * 4
        // Transparent pixels count as white.
        guard pixels[start + 3] == 255 else { return 255 }
        return (2 * Int(pixels[start]) + 5 * Int(pixels[start + 1]) + Int(pixels[start + 2])) / 8
      }
    }
    shares = (0...2 * reach).map { offset in
      Double((0..<length).count { depth($0, offset) > 0 }) / Double(length)
    }
  }

  /// Returns the strength of a line within one pixel of a distance: 0 for nearly none, up to 1.
  public func strength(at offset: Int) -> Double {
    let best = near(offset).map { shares[$0 + reach] }.max() ?? 0
    return best >= LineProfile.leastShare ? best : 0
  }

  /// Returns the distances of the middles of the rows' lines near a distance, less `fraction`; none for no line.
  public func middles(near offset: Int) -> [Double] {
    guard strength(at: offset) > 0 else { return [] }
    return (0..<length).compactMap { row -> Double? in
      let darkest = near(offset).max { depth(row, $0 + reach) < depth(row, $1 + reach) } ?? offset
      return middle(row, darkest + reach).map { $0 - Double(reach) }
    }
  }

  private func near(_ offset: Int) -> ClosedRange<Int> {
    (offset - 1...offset + 1).clamped(to: -reach...reach)
  }

  /// Returns how much darker a pixel is than the ground on both sides; 0 for a small difference.
  private func depth(_ row: Int, _ offset: Int) -> Int {
    let at = first + offset
    guard at >= flank, at + flank < breadth else { return 0 }
    let index = row * along + at * across
    let depth = beside(index) - lights[index]
    return depth >= LineProfile.leastDepth ? depth : 0
  }

  private func beside(_ index: Int) -> Int {
    min(lights[index - flank * across], lights[index + flank * across])
  }

  /// Returns the middle of the ink around a dark pixel; nil for a light one.
  private func middle(_ row: Int, _ offset: Int) -> Double? {
    guard depth(row, offset) > 0 else { return nil }
    let index = row * along + (first + offset) * across
    let beside = beside(index)
    var (weight, sum) = (0, 0)
    for step in 1 - flank...flank - 1 {
      let ink = max(0, beside - lights[index + step * across])
      (weight, sum) = (weight + ink, sum + ink * step)
    }
    return Double(offset) + Double(sum) / Double(max(1, weight))
  }
}

/// How much a square of an image differs from itself when it is shifted in the direction in which it differs least. The measure is the
/// determinant of the structure tensor divided by its trace.
///
/// - Parameters:
///   - indexes: rows of pixels as indexes of colours, of which the square takes the first `side` ones.
///   - lights: of each colour.
public func patchStrength(_ indexes: [UInt8], width: Int, column: Int, side: Int, lights: [Int]) -> Int {
  var (acrossAcross, downDown, acrossDown) = (0, 0, 0)
  for row in 0..<side - 1 {
    for start in row * width + column..<row * width + column + side - 1 {
      let light = lights[Int(indexes[start])]
      let across = lights[Int(indexes[start + 1])] - light
      let down = lights[Int(indexes[start + width])] - light
      acrossAcross += across * across
      downDown += down * down
      acrossDown += across * down
    }
  }
  let trace = acrossAcross + downDown
  return trace > 0 ? (acrossAcross * downDown - acrossDown * acrossDown) / trace : 0
}

internal import ImageIO

/// The dark lines that cross one station of a meridian or parallel, by their distance from where the line should be.
struct LineProfile {
  /// The share of the station's rows in which a pixel is darker than what lies on both sides, at each whole distance from
  /// `-reach` to `reach`.
  private let shares: [Double]
  private let strip: LineStrip
  private let reach: Int

  /// Of the station's rows: a printed line runs through all of them, but for lettering on it.
  private static let leastShare = 0.5

  /// - Parameters:
  ///   - picture: has the line's direction as its columns if `isUpright`, else as its rows.
  ///   - line: where it should be, in pixels from the picture's western or northern side.
  ///   - reach: pixels to each side among which lines are looked for; the picture has `flank` more.
  ///   - flank: pixels from the middle of a line to what lies beside it.
  init(_ picture: RGBAImage, line: Double, isUpright: Bool, reach: Int, flank: Int) {
    self.reach = reach
    let first = Int(line.rounded(.down)) - reach
    let strip = LineStrip(
      picture, isUpright: isUpright, first: first, flank: flank,
      // The middle of the first pixel lies so far beyond that of the place at `-reach`.
      fraction: Double(first + reach) + 0.5 - line)
    shares = (0...2 * reach).map { offset in
      Double((0..<strip.length).count { strip.depth($0, offset) > 0 }) / Double(strip.length)
    }
    self.strip = strip
  }

  /// How much of a line there is within one pixel of a distance: 0 for nearly none, up to 1.
  func strength(at offset: Int) -> Double {
    let near = (offset - 1...offset + 1).clamped(to: -reach...reach)
    let best = near.map { shares[$0 + reach] }.max() ?? 0
    return best >= LineProfile.leastShare ? best : 0
  }

  /// The middle of the line at a distance, in the median of the rows, which lettering on the line does not move; nil where
  /// there is none.
  func middle(near offset: Int) -> Double? {
    guard strength(at: offset) > 0 else { return nil }
    let near = (offset - 1...offset + 1).clamped(to: -reach...reach)
    let middles = (0..<strip.length).compactMap { row -> Double? in
      let darkest = near.max { strip.depth(row, $0 + reach) < strip.depth(row, $1 + reach) } ?? offset
      return strip.middle(row, darkest + reach).map { $0 - Double(reach) }
    }
    return middles.isEmpty ? nil : middles.median + strip.fraction
  }
}

/// The lightness of a station, row by row along the line.
private struct LineStrip {
  let length: Int
  let fraction: Double
  private let lights: [Int]
  private let along: Int
  private let across: Int
  private let breadth: Int
  private let first: Int
  private let flank: Int

  /// Of 255: a ridge of ink that stands out less may be none.
  private static let leastDepth = 12

  init(_ picture: RGBAImage, isUpright: Bool, first: Int, flank: Int, fraction: Double) {
    (self.first, self.flank, self.fraction) = (first, flank, fraction)
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
  }

  /// How much darker a pixel is than what lies on both sides; 0 where that is little.
  func depth(_ row: Int, _ offset: Int) -> Int {
    let at = first + offset
    guard at >= flank, at + flank < breadth else { return 0 }
    let index = row * along + at * across
    let depth = beside(index) - lights[index]
    return depth >= LineStrip.leastDepth ? depth : 0
  }

  /// The middle of the ink around a dark pixel; nil where there is none.
  func middle(_ row: Int, _ offset: Int) -> Double? {
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

  private func beside(_ index: Int) -> Int {
    min(lights[index - flank * across], lights[index + flank * across])
  }
}

/// The profiles of many stations laid on top of each other: what is printed beside the lines differs, and the lines stay.
struct LineStack {
  let profiles: [LineProfile]
  let reach: Int
  let flank: Int

  struct Peak {
    /// Pixels from where the lines should be.
    let offset: Double
    /// Stations at which the line was found.
    let stations: Int
  }

  /// - Parameters:
  ///   - share: of all stations at which the line must be found, in the sum of their strengths.
  ///   - lead: by what factor it must outdo any other distance.
  func peak(fewest: Int, share: Double, lead: Double) -> Peak? {
    guard profiles.count >= fewest else { return nil }
    let offsets = Array(-reach...reach)
    let sums = offsets.map { offset in profiles.reduce(0) { $0 + $1.strength(at: offset) } }
    guard let best = sums.indices.max(by: { sums[$0] < sums[$1] }) else { return nil }
    let rival = sums.indices.filter { abs($0 - best) > 2 * flank + 2 }.map { sums[$0] }.max() ?? 0
    let middles = profiles.compactMap { $0.middle(near: offsets[best]) }
    guard sums[best] >= share * Double(profiles.count), sums[best] >= lead * rival, middles.count >= fewest
    else { return nil }
    return Peak(offset: middles.median, stations: middles.count)
  }
}

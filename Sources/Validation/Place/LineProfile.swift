internal import ImageIO

/// The dark lines that cross one station of a meridian or parallel, by their distance from where the line should be.
struct LineProfile {
  /// The share of the station's rows in which a pixel is darker than what lies on both sides, and by how much in the
  /// mean, at each whole distance from `-reach` to `reach`.
  private let shares: [Double]
  private let depths: [Double]
  private let reach: Int
  private let flank: Int

  /// Of 255: a ridge of ink that stands out less may be none.
  private static let leastDepth = 12
  /// Of the station's rows: a printed line runs through all of them, but for lettering on it.
  private static let leastShare = 0.5

  /// - Parameters:
  ///   - picture: has the line's direction as its columns if `isUpright`, else as its rows.
  ///   - line: where it should be, in pixels from the picture's western or northern side.
  ///   - reach: pixels to each side among which lines are looked for; the picture has `flank` more.
  ///   - flank: pixels from the middle of a line to what lies beside it.
  init(_ picture: RGBAImage, line: Double, isUpright: Bool, reach: Int, flank: Int) {
    (self.reach, self.flank) = (reach, flank)
    let lights = LineProfile.lights(picture)
    let (length, breadth) =
      isUpright ? (picture.height, picture.width) : (picture.width, picture.height)
    let (along, across) = isUpright ? (picture.width, 1) : (1, picture.width)
    let first = Int(line.rounded(.down)) - reach
    var counts = [Int](repeating: 0, count: 2 * reach + 1)
    var sums = counts
    lights.withUnsafeBufferPointer { lights in
      for row in 0..<length {
        for offset in 0...2 * reach {
          let at = first + offset
          guard at >= flank, at + flank < breadth else { continue }
          let index = row * along + at * across
          let beside = min(lights[index - flank * across], lights[index + flank * across])
          let depth = beside - lights[index]
          guard depth >= LineProfile.leastDepth else { continue }
          counts[offset] += 1
          sums[offset] += depth
        }
      }
    }
    shares = counts.map { Double($0) / Double(length) }
    depths = sums.map { Double($0) / Double(length) }
    // The middle of the first pixel lies so far beyond that of the place at `-reach`.
    fraction = Double(first + reach) + 0.5 - line
  }

  private let fraction: Double

  /// Transparent pixels count as white.
  private static func lights(_ picture: RGBAImage) -> [Int] {
    picture.pixels.withUnsafeBufferPointer { pixels in
      (0..<picture.width * picture.height).map { index in
        let start = index * 4
        guard pixels[start + 3] == 255 else { return 255 }
        return (2 * Int(pixels[start]) + 5 * Int(pixels[start + 1]) + Int(pixels[start + 2])) / 8
      }
    }
  }

  /// How much of a line there is within one pixel of a distance: 0 for nearly none, up to 1.
  func strength(at offset: Int) -> Double {
    let near = (offset - 1...offset + 1).clamped(to: -reach...reach)
    let best = near.map { shares[$0 + reach] }.max() ?? 0
    return best >= LineProfile.leastShare ? best : 0
  }

  /// The middle of the line at a distance, by its darkness; nil where there is none.
  func middle(near offset: Int) -> Double? {
    guard strength(at: offset) > 0 else { return nil }
    let around = (offset - flank...offset + flank).clamped(to: -reach...reach)
    let weight = around.reduce(0) { $0 + depths[$1 + reach] }
    guard weight > 0 else { return nil }
    return around.reduce(0) { $0 + Double($1) * depths[$1 + reach] } / weight + fraction
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

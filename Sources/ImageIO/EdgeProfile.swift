/// Counts of the print along an edge, for every whole pixel outward (positive) and inward.
public struct EdgeProfile: Sendable {
  /// What is counted: the kinds of pixels, numbered like `PrintKind`, and more.
  public enum Part: Int, Sendable {
    case tint, ink, paper
    /// Pixels beyond the image.
    case off
    /// Pixels with ink in them or beside them, across the edge. A thin line that wavers by a pixel is still found.
    case nearInk
  }

  /// How far the profile reaches to either side, in pixels.
  public let reach: Int
  private let kinds: PrintKinds
  /// The number of lines read.
  public private(set) var lines = 0
  /// Of each part, for each offset.
  private var counts: [Int]
  private var residue = 0

  public init(reach: Int, kinds: PrintKinds) {
    self.reach = reach
    self.kinds = kinds
    counts = Array(repeating: 0, count: (2 * reach + 1) * EdgeProfile.parts)
  }

  /// Joins the parts of one edge.
  public init(joining parts: [EdgeProfile]) {
    self = parts[0]
    for part in parts.dropFirst() {
      lines += part.lines
      residue += part.residue
      counts = zip(counts, part.counts).map(+)
    }
  }

  private static let parts = 5

  public subscript(part: Part, offset: Int) -> Int {
    counts[(offset + reach) * EdgeProfile.parts + part.rawValue]
  }

  /// The mean distance from the edge to the center of the pixel at offset 0.
  public var bias: Double {
    lines == 0 ? 0 : Double(residue) / Double(lines * EdgeCrossing.unit)
  }

  /// Adds one line across the edge.
  ///
  /// - Parameter colors: the color index of each pixel, from one before the innermost to one beyond the outermost; negative
  ///   beyond the image.
  public mutating func add(_ crossing: EdgeCrossing, _ colors: UnsafeBufferPointer<Int16>) {
    let unit = EdgeCrossing.unit
    let beside = (crossing.pixel(at: 0) << 16) + unit / 2 - crossing.position
    residue += crossing.stride < 0 ? -beside : beside
    lines += 1
    let (ink, beyond) = (PrintKind.ink.rawValue, UInt8(Part.off.rawValue))
    let (parts, nearInk) = (EdgeProfile.parts, Part.nearInk.rawValue)
    kinds.codes.withUnsafeBufferPointer { codes in
      counts.withUnsafeMutableBufferPointer { counts in
        func code(_ color: Int16) -> UInt8 { color < 0 ? beyond : codes[Int(color)] }
        var (before, here) = (code(colors[0]), code(colors[1]))
        for place in 0..<counts.count / parts {
          let next = code(colors[place &+ 2])
          counts[place &* parts &+ Int(here)] &+= 1
          if before == ink || here == ink || next == ink { counts[place &* parts &+ nearInk] &+= 1 }
          (before, here) = (here, next)
        }
      }
    }
  }
}

extension EdgeProfile {
  /// The pixels of all lines at some offsets.
  public func count(_ part: Part, _ offsets: ClosedRange<Int>) -> Int {
    offsets.reduce(0) { $0 + self[part, $1] }
  }

  /// The mean share over some offsets of all lines, including pixels beyond the image.
  public func share(_ part: Part, _ offsets: ClosedRange<Int>) -> Double {
    guard lines > 0, offsets.overlaps(-reach...reach) else { return 0 }
    let known = offsets.clamped(to: -reach...reach)
    return Double(count(part, known)) / Double(known.count * lines)
  }

  /// Whether the print ends before the image's rim, so that a strip of collar lies there.
  public func isBlank(before rim: Double) -> Bool {
    let rim = Int(rim.rounded())
    func print(_ offsets: ClosedRange<Int>) -> Double { share(.tint, offsets) + share(.ink, offsets) }
    let inside = print(rim - 100...rim - 20)
    return inside >= 0.1 && print(rim - 8...rim - 2) * 10 <= inside
  }
}

/// The darkness of the print along an edge, for every whole pixel outward (positive) and inward.
public struct EdgeShades: Sendable {
  private let reach: Int
  private let kinds: PrintKinds
  /// For every offset, the number of pixels of each shade in steps of two levels. The last step includes all darker ones.
  private var counts: [Int32]
  /// How often each color occurs in the outermost pixels of the image.
  private var outermost = [Int](repeating: 0, count: 256)

  private static let steps = 64
  private static let outermostPixels = 60

  public init(reach: Int, kinds: PrintKinds) {
    self.reach = reach
    self.kinds = kinds
    counts = Array(repeating: 0, count: (2 * reach + 1) * EdgeShades.steps)
  }

  /// Adds one line across the edge. `colors` is as for an `EdgeProfile`.
  public mutating func add(_ colors: UnsafeBufferPointer<Int16>) {
    let (limit, steps) = (2 * reach, EdgeShades.steps)
    kinds.shades.withUnsafeBufferPointer { shades in
      counts.withUnsafeMutableBufferPointer { counts in
        for place in 0...limit where colors[place &+ 1] >= 0 {
          let step = Int(shades[Int(colors[place &+ 1])]) / 2
          counts[place &* steps &+ (step < steps ? step : steps &- 1)] &+= 1
        }
      }
    }
    var last = colors.count - 1
    while last > reach + EdgeShades.outermostPixels, colors[last] < 0 { last -= 1 }
    for place in last - EdgeShades.outermostPixels + 1...last where colors[place] >= 0 {
      outermost[Int(colors[place])] += 1
    }
  }

  /// The tint of the outermost pixels, if they have one.
  public var ground: PrintKinds.Ground? { kinds.ground(of: outermost) }

  /// The median at an offset, interpolated between whole levels. Lettering on less than half of the lines does not change it.
  public func median(_ offset: Int) -> Double {
    let steps = EdgeShades.steps
    let place = (min(max(offset, -reach), reach) + reach) * steps
    let seen = counts[place..<place + steps].reduce(0, +)
    guard seen > 0 else { return 0 }
    let half = Double(seen) / 2
    var below = 0.0
    for step in 0..<steps {
      let count = Double(counts[place + step])
      // Bare paper has no shade, however many pixels it covers.
      if below + count >= half { return step == 0 ? 0 : 2 * (Double(step) + (half - below) / count) }
      below += count
    }
    return Double(2 * steps)
  }
}

/// Where an edge crosses one line of pixels.
public struct EdgeCrossing: Sendable {
  /// The row for an upright edge, the column for a level one.
  public let line: Int
  /// The position of the edge on that line, in 65536ths of a pixel.
  public let position: Int
  /// One pixel outward, in the same unit.
  public let stride: Int

  public static let unit = 65_536

  public init(line: Int, position: Int, stride: Int) {
    (self.line, self.position, self.stride) = (line, position, stride)
  }

  /// The pixel at some distance outward.
  public func pixel(at offset: Int) -> Int { (position + offset * stride) >> 16 }

  /// Reads the pixels across an edge, from the inside outward.
  ///
  /// - Parameters:
  ///   - indexes: the color index of each pixel in some rows of the image.
  ///   - colors: gets -1 beyond the image.
  public func read(
    _ indexes: [UInt8], width: Int, rows: Range<Int>, isUpright: Bool, into colors: inout [Int16]
  ) {
    let reach = (colors.count - 3) / 2
    indexes.withUnsafeBufferPointer { indexes in
      colors.withUnsafeMutableBufferPointer { colors in
        var position = position - (reach + 1) * stride
        for place in 0..<colors.count {
          let pixel = position >> 16
          let column = isUpright ? pixel : line
          let row = (isUpright ? line : pixel) &- rows.lowerBound
          let isKnown = row >= 0 && row < rows.count && column >= 0 && column < width
          colors[place] = isKnown ? Int16(indexes[row &* width &+ column]) : -1
          position &+= stride
        }
      }
    }
  }
}

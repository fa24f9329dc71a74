internal import Foundation

/// A sheet while it is drawn: a plane of grounds and a plane of inks, in whole pixels.
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

  /// Inks never weaken each other: the stronger code wins.
  @inline(__always)
  mutating func put(_ code: UInt8, _ column: Int, _ row: Int) {
    guard code > 0, admits(column, row) else { return }
    let index = row * width + column
    if ink[index] < code { ink[index] = code }
  }

  /// Removes the ink and, optionally, replaces the ground.
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

/// The style of a line.
struct Pen {
  var ink: Ink
  var width: Double
  /// Pixels on, pixels off.
  var dash: (on: Double, off: Double)?
  /// Removes ink, so that lettering is legible.
  var erases = false
  /// With `erases`, the new ground.
  var ground: UInt8?

  init(_ ink: Ink, _ width: Double, dash: (on: Double, off: Double)? = nil) {
    self.ink = ink
    self.width = width
    self.dash = dash
  }

  /// A broader pen that clears the surroundings of this one.
  func halo(_ margin: Double) -> Pen {
    var pen = self
    pen.width += 2 * margin
    pen.dash = nil
    pen.erases = true
    return pen
  }
}

extension Canvas {
  mutating func stroke(_ points: [PixelPoint], _ pen: Pen) {
    guard let dash = pen.dash else {
      if points.count == 1 { segment(points[0], points[0], pen) }
      for (start, end) in zip(points, points.dropFirst()) { segment(start, end, pen) }
      return
    }
    strokeDashed(points, pen, on: dash.on, period: dash.on + dash.off)
  }

  mutating func circle(_ center: PixelPoint, radius: Double, _ pen: Pen) {
    stroke(Canvas.ring(center, radius: radius), pen)
  }

  mutating func box(x: Double, y: Double, width: Double, height: Double, _ pen: Pen) {
    let corner = PixelPoint(x: x, y: y)
    stroke(
      [
        corner, corner.offset(width, 0), corner.offset(width, height), corner.offset(0, height), corner,
      ], pen)
  }

  static func ring(_ center: PixelPoint, radius: Double) -> [PixelPoint] {
    let steps = max(24, Int(radius / 2))
    return (0...steps).map { step in
      let angle = Double(step) / Double(steps) * 2 * .pi
      return center.offset(radius * cos(angle), radius * sin(angle))
    }
  }

  private mutating func strokeDashed(_ points: [PixelPoint], _ pen: Pen, on: Double, period: Double) {
    var travelled = 0.0
    for (start, end) in zip(points, points.dropFirst()) {
      let length = start.distance(to: end)
      guard length > 0 else { continue }
      func at(_ distance: Double) -> PixelPoint {
        start.offset((end.x - start.x) * distance / length, (end.y - start.y) * distance / length)
      }
      var position = 0.0
      while position < length {
        let phase = (travelled + position).truncatingRemainder(dividingBy: period)
        let next = min(length, position + max(1e-6, phase < on ? on - phase : period - phase))
        if phase < on { segment(at(position), at(next), pen) }
        position = next
      }
      travelled += length
    }
  }

  /// Draws a straight piece with round ends, along its longer axis.
  private mutating func segment(_ start: PixelPoint, _ end: PixelPoint, _ pen: Pen) {
    let dx = end.x - start.x
    let dy = end.y - start.y
    let reach = pen.width / 2 + 1
    let isLevel = abs(dx) >= abs(dy)
    let (from, to) = isLevel ? (start.x, end.x) : (start.y, end.y)
    let (along, across) = isLevel ? (dx, dy) : (dy, dx)
    let base = isLevel ? start.y : start.x
    let length = (dx * dx + dy * dy).squareRoot()
    // The band is wider across the direction of drawing if the line is oblique.
    let band = reach * (abs(along) > 0 ? length / abs(along) : 1)
    let limit = Double(isLevel ? width : height)
    let low = max(-1, min(from, to) - reach)
    let high = min(limit, max(from, to) + reach)
    guard low <= high else { return }
    for major in Int(low.rounded(.down))...Int(high.rounded(.up)) {
      let part = abs(along) > 0 ? min(1, max(0, (Double(major) + 0.5 - from) / along)) : 0
      let middle = base + across * part
      for minor in Int((middle - band).rounded(.down))...Int((middle + band).rounded(.up)) {
        let column = isLevel ? major : minor
        let row = isLevel ? minor : major
        let px = Double(column) + 0.5 - start.x
        let py = Double(row) + 0.5 - start.y
        let t = length > 0 ? min(1, max(0, (px * dx + py * dy) / (length * length))) : 0
        let ex = px - t * dx
        let ey = py - t * dy
        let cover = pen.width / 2 + 0.5 - (ex * ex + ey * ey).squareRoot()
        guard cover > 0 else { continue }
        if pen.erases {
          if cover >= 0.5 { clear(column, row, ground: pen.ground) }
        } else {
          put(pen.ink.code(min(1, cover)), column, row)
        }
      }
    }
  }
}

/// The style of a line of lettering.
struct Lettering {
  enum Anchor {
    case left
    case middle
    case right
  }

  var ink: Ink
  /// The height of a capital, in pixels.
  var height: Double
  /// The pen, as a share of the height.
  var weight = 0.13
  /// Radians, clockwise, about the anchor.
  var turn = 0.0
  /// The lean of the letters. The names of waters are slanted.
  var slant = 0.0
  var anchor = Anchor.left
  /// Pixels that are cleared around the strokes.
  var halo = 0.0
  /// Additional space between the letters, as a share of the normal advance.
  var tracking = 0.0

  init(_ ink: Ink, _ height: Double) {
    self.ink = ink
    self.height = height
  }

  func width(of text: String) -> Double {
    let units = text.reduce(0.0) { $0 + StrokeFont.advance($1) * (1 + tracking) }
    return max(0, units - 2) * height / 6
  }

  func with(_ change: (inout Lettering) -> Void) -> Lettering {
    var copy = self
    change(&copy)
    return copy
  }
}

extension Canvas {
  /// Sets a line of text with its baseline through the point.
  mutating func text(_ text: String, at point: PixelPoint, _ style: Lettering) {
    let strokes = Canvas.strokes(of: text, at: point, style)
    let pen = Pen(style.ink, max(1.1, style.height * style.weight))
    if style.halo > 0 {
      for stroke in strokes { self.stroke(stroke, pen.halo(style.halo)) }
    }
    for stroke in strokes { self.stroke(stroke, pen) }
  }

  private static func strokes(
    of text: String, at point: PixelPoint, _ style: Lettering
  ) -> [[PixelPoint]] {
    let unit = style.height / 6
    let width = style.width(of: text)
    var x =
      switch style.anchor {
      case .left: 0.0
      case .middle: -width / 2
      case .right: -width
      }
    let cosine = cos(style.turn)
    let sine = sin(style.turn)
    var strokes: [[PixelPoint]] = []
    for character in text {
      let advance = StrokeFont.advance(character)
      // The strokes of a narrow letter are in the middle of the grid.
      let shift = advance == 4 ? -1.0 : 0.0
      for stroke in StrokeFont.glyphs[character] ?? [] {
        strokes.append(
          stroke.map { spot in
            let dx = x + (spot.x + shift + spot.y * style.slant) * unit
            let dy = -spot.y * unit
            return point.offset(dx * cosine - dy * sine, dx * sine + dy * cosine)
          })
      }
      x += advance * (1 + style.tracking) * unit
    }
    return strokes
  }
}

/// A small font of strokes on a grid five points wide and seven high. A stroke is pairs of digits x y, y upward, separated by
/// spaces; a slash means one below the line. Drawn with a round pen, it scales to any size.
enum StrokeFont {
  static let glyphs: [Character: [[(x: Double, y: Double)]]] = table.mapValues { text in
    text.split(separator: " ").map { stroke in
      let digits = stroke.utf8.map { Double($0) - 48 }
      return stride(from: 0, to: digits.count - 1, by: 2).map { (digits[$0], digits[$0 + 1]) }
    }
  }

  /// Units from one letter to the next. Narrow letters need less.
  static func advance(_ character: Character) -> Double {
    switch character {
    case "I", ".", ",", "'", ":", "1", "|": 4
    case " ": 3.6
    default: 6
    }
  }

  private static let table: [Character: String] = [
    "A": "002640 1232", "B": "00063645443303 33424130 3000", "C": "4536160501103041",
    "D": "00062644422000", "E": "46060040 0333", "F": "460600 0333", "G": "45361605011030414323",
    "H": "0006 4046 0343", "I": "2026", "J": "4641301001", "K": "0006 460340", "L": "060040",
    "M": "0006234640", "N": "00064046", "O": "100105163645413010", "P": "00063645443303",
    "Q": "100105163645413010 2240", "R": "00063645443303 2340", "S": "453616050413334241301001",
    "T": "0646 2620", "U": "060110304146", "V": "062046", "W": "0610243046", "X": "0046 0640",
    "Y": "062346 2320", "Z": "06460040", "0": "100105163645413010", "1": "152620",
    "2": "05163645440040", "3": "05163645443323 334241301001", "4": "30360242",
    "5": "460603334241301001", "6": "4536160501103041423302", "7": "064610",
    "8": "130405163645443313 1302011030414233", "9": "0110304145361605041344", ".": "20",
    ",": "201/", "-": "1333", "/": "0046", "(": "36252130", ")": "16252110", ":": "21 24",
    "'": "2624", "+": "2124 0343", "*": "1234 1432 2125", "&": "40041526350201103042",
    "\u{B0}": "1526352415", "=": "0242 0444", "|": "2026",
  ]
}

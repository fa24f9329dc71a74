internal import Foundation

/// How a line of lettering is set.
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
  /// The lean of the letters: the names of waters stand aslant.
  var slant = 0.0
  var anchor = Anchor.left
  /// Pixels that are cleared around the strokes.
  var halo = 0.0
  /// More room between the letters, as a share of the normal advance.
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
      // A narrow letter's strokes stand in the middle of the grid.
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

internal import RasterIO

/// The colours of a sheet: every ground under every ink, so that a palette index is ground * 9 + ink.
///
/// The ink's strength provides the anti-aliasing. Index 0 is bare paper, white.
enum SheetPalette {
  enum Ground {
    static let paper: UInt8 = 0
    static let water: UInt8 = 1
    static let shallow: UInt8 = 2
    static let city: UInt8 = 3
    /// Six tints of height, each from sunlit to shaded. A dense sheet has one more light.
    static let land: UInt8 = 4
  }

  static func shades(of scenery: Scenery) -> Int { shading(of: scenery).count }

  /// Feet at which the next tint begins.
  static let tintBounds: [Double] = [350, 1000, 2000, 4000, 7000]
  private static let tints: [(Double, Double, Double)] = [
    (214, 230, 196), (226, 235, 190), (243, 234, 184), (240, 218, 158), (226, 192, 130),
    (206, 164, 108),
  ]
  /// The lights of a dense sheet are mixed pixel by pixel, and so nearer to each other.
  private static func shading(of scenery: Scenery) -> [Double] {
    scenery.isDense ? [1.012, 0.998, 0.984, 0.97] : [1.035, 0.95, 0.865]
  }

  private static func grounds(_ shading: [Double]) -> [PaletteColor] {
    [
      PaletteColor(red: 255, green: 255, blue: 255), PaletteColor(red: 203, green: 227, blue: 242),
      PaletteColor(red: 219, green: 237, blue: 246), PaletteColor(red: 250, green: 235, blue: 108),
    ]
      + tints.flatMap { tint in
        shading.map { shade in
          PaletteColor(
            red: UInt8(min(255, tint.0 * shade)), green: UInt8(min(255, tint.1 * shade)),
            blue: UInt8(min(255, tint.2 * shade)))
        }
      }
  }

  /// The strengths of each ink; later inks are drawn over earlier ones.
  private static let inks: [(color: (Double, Double, Double), cover: Double)] = [
    ((0, 0, 0), 0), ((146, 112, 74), 0.5),
    ((158, 32, 104), 0.45), ((158, 32, 104), 1), ((24, 66, 150), 0.45), ((24, 66, 150), 1),
    ((22, 20, 24), 0.33), ((22, 20, 24), 0.66), ((22, 20, 24), 1),
  ]

  static func colors(of scenery: Scenery) -> [PaletteColor] {
    let colors = grounds(shading(of: scenery)).flatMap { ground in inks.map { printed($0, on: ground) } }
    guard scenery.hasRedForBlue else { return colors }
    return colors.map { PaletteColor(red: $0.blue, green: $0.green, blue: $0.red) }
  }

  private static func printed(
    _ ink: (color: (Double, Double, Double), cover: Double), on ground: PaletteColor
  ) -> PaletteColor {
    func blend(_ under: UInt8, _ over: Double) -> UInt8 {
      UInt8((Double(under) * (1 - ink.cover) + over * ink.cover).rounded())
    }
    return PaletteColor(
      red: blend(ground.red, ink.color.0), green: blend(ground.green, ink.color.1),
      blue: blend(ground.blue, ink.color.2))
  }

  static func index(ground: UInt8, ink: UInt8) -> UInt8 { ground &* 9 &+ ink }
}

/// One printing ink: the index of its first strength in the palette, and the number of strengths.
struct Ink: Sendable {
  let first: UInt8
  let strengths: Double

  static let brown = Ink(first: 1, strengths: 1)
  static let magenta = Ink(first: 2, strengths: 2)
  static let blue = Ink(first: 4, strengths: 2)
  static let black = Ink(first: 6, strengths: 3)
  /// The weakest strength only, for tints and screens.
  static let paleMagenta = Ink(first: 2, strengths: 1)
  static let paleBlue = Ink(first: 4, strengths: 1)
  static let gray = Ink(first: 6, strengths: 2)

  /// The code for a covered share of a pixel; 0 for nearly nothing.
  @inline(__always)
  func code(_ cover: Double) -> UInt8 {
    let level = (cover * strengths + 0.5).rounded(.down)
    return level < 1 ? 0 : first + UInt8(min(level, strengths)) - 1
  }
}

internal import ImageIO
internal import RasterIO

/// The properties of an image without its pixels. All workers share it.
struct ChartSheet: Sendable {
  let width: Int
  let height: Int
  /// For each index, the bytes red, green, blue and alpha in memory order. Empty for an image without palette.
  let colors: [UInt32]
  /// Indexes of colours that fill no area of a sheet whose palette was chosen: the rims of print, mixes of two inks.
  var mixes: Set<Int> = []
  let placing: GeoTransform
  /// The sheet's own projection, on WGS84, as WKT; for an image on another datum, its own reference system.
  let projection: String
  /// How the reference system wraps around the earth, and how far it bends.
  var form = SheetForm.chart

  /// The bytes of a decoded row.
  var rowBytes: Int { width * pixelBytes }

  /// The bytes of a decoded pixel: an index, or red, green, blue and alpha.
  var pixelBytes: Int { colors.isEmpty ? 4 : 1 }

  /// The distinct opaque colours of the palette, without mixes.
  var inks: [RGB] {
    Set(colors.indices.filter { !mixes.contains($0) }.map { colors[$0] }).sorted()
      .filter { $0.channels[3] == 255 }.map(RGB.init)
  }

  /// The colour of an index.
  func ink(_ index: Int) -> RGB { RGB(colors[index]) }

  /// For each index, the lightness of its colour in levels.
  var lights: [Int] {
    colors.map { color in
      let channels = color.channels.map { Int($0) }
      return (2 * channels[0] + 5 * channels[1] + channels[2]) / 8
    }
  }

  /// Returns the part of a window that lies on the sheet, or nil.
  func part(of window: PixelWindow) -> PixelWindow? {
    let columns = (window.column..<window.column + window.width).clamped(to: 0..<width)
    let rows = (window.row..<window.row + window.height).clamped(to: 0..<height)
    guard !columns.isEmpty, !rows.isEmpty else { return nil }
    return PixelWindow(
      column: columns.lowerBound, row: rows.lowerBound, width: columns.count, height: rows.count)
  }

  func contains(_ window: PixelWindow) -> Bool { part(of: window) == window }
}

extension PixelWindow {
  func grown(by margin: Int) -> PixelWindow {
    PixelWindow(
      column: column - margin, row: row - margin, width: width + 2 * margin, height: height + 2 * margin)
  }
}

extension RGB {
  fileprivate init(_ color: UInt32) {
    let channels = color.channels
    self.init(red: channels[0], green: channels[1], blue: channels[2])
  }
}

/// The properties of a reference system that the warp depends on.
struct SheetForm: Sendable {
  /// The length of a turn around the earth for a system whose x is proportional to the longitude; nil for any other.
  var turnLength: Double?
  /// The turns, eastward, by which Web Mercator must be moved to reach the image. An image across 180 degrees has two.
  var turns: [Int] = [0]
  /// Whether cells of 16 to 32 pixels are known to be small enough for bilinear positions, so that no cell needs to be measured.
  var isNearlyStraight = false
  /// The least zoom that is warped. At lower zooms a block covers so much of the earth that it can lie on both sides of a seam.
  var leastZoom = 4

  /// A conformal conic projection of a part of a continent.
  static let chart = SheetForm(isNearlyStraight: true, leastZoom: 0)
}

internal import ImageIO
internal import RasterIO

/// What is known of a chart's image without its pixels; all workers share it.
struct ChartSheet: Sendable {
  let width: Int
  let height: Int
  /// For each index, the bytes red, green, blue and 255 in memory's order.
  let colors: [UInt32]
  let placing: GeoTransform
  /// The sheet's own projection, on WGS84, as WKT.
  let projection: String

  /// The colours of the palette, each once.
  var inks: [RGB] {
    Set(colors).sorted().map(ChartSheet.color)
  }

  /// The colour of an index.
  func ink(_ index: Int) -> RGB { ChartSheet.color(colors[index]) }

  private static func color(_ bytes: UInt32) -> RGB {
    withUnsafeBytes(of: bytes) { RGB(red: $0[0], green: $0[1], blue: $0[2]) }
  }

  /// The part of a window that lies on the sheet; nil when none does.
  func part(of window: PixelWindow) -> PixelWindow? {
    let columns = (window.column..<window.column + window.width).clamped(to: 0..<width)
    let rows = (window.row..<window.row + window.height).clamped(to: 0..<height)
    guard !columns.isEmpty, !rows.isEmpty else { return nil }
    return PixelWindow(
      column: columns.lowerBound, row: rows.lowerBound, width: columns.count, height: rows.count)
  }
}

extension ChartSheet {
  init(_ image: SheetImage) {
    self.init(
      width: image.width, height: image.height, colors: image.colors, placing: image.placing,
      projection: image.projection)
  }
}

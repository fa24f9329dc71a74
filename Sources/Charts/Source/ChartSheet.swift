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

  init(_ image: SheetImage) {
    width = image.width
    height = image.height
    colors = image.colors
    placing = image.placing
    projection = image.projection
  }

  /// The part of a window that lies on the sheet; nil when none does.
  func part(of window: PixelWindow) -> PixelWindow? {
    let columns = max(0, window.column)..<max(0, min(width, window.column + window.width))
    let rows = max(0, window.row)..<max(0, min(height, window.row + window.height))
    guard !columns.isEmpty, !rows.isEmpty else { return nil }
    return PixelWindow(
      column: columns.lowerBound, row: rows.lowerBound, width: columns.count, height: rows.count)
  }
}

internal import RasterIO

/// A chart's whole image, decoded once and never changed: one byte a pixel, shared by all workers.
struct ChartSheet: Sendable {
  let width: Int
  let height: Int
  let indexes: [UInt8]
  /// For each index, the bytes red, green, blue and 255 in memory's order.
  let colors: [UInt32]
  let placing: GeoTransform
  /// The sheet's own projection, on WGS84, as WKT.
  let projection: String

  init(_ image: SheetImage) throws {
    width = image.width
    height = image.height
    indexes = try image.rows(0..<image.height).indexes
    colors = image.colors
    placing = image.placing
    projection = image.projection
  }

  /// Nil when the rectangle has no pixel of the sheet.
  func window(around corners: (left: Double, top: Double, right: Double, bottom: Double)) -> PixelWindow? {
    let left = max(0, corners.left.rounded(.down))
    let top = max(0, corners.top.rounded(.down))
    let right = min(Double(width), corners.right.rounded(.up))
    let bottom = min(Double(height), corners.bottom.rounded(.up))
    guard left < right, top < bottom else { return nil }
    return PixelWindow(
      column: Int(left), row: Int(top), width: Int(right - left), height: Int(bottom - top))
  }

  /// The window's pixels as opaque RGBA.
  func colors(of window: PixelWindow) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: window.width * window.height * 4) { target, count in
      let raw = UnsafeMutableRawBufferPointer(target)
      indexes.withUnsafeBufferPointer { indexes in
        colors.withUnsafeBufferPointer { colors in
          for row in 0..<window.height {
            let start = (window.row + row) * width + window.column
            let line = row * window.width
            for column in 0..<window.width {
              raw.storeBytes(
                of: colors[Int(indexes[start + column])], toByteOffset: (line + column) * 4, as: UInt32.self)
            }
          }
        }
      }
      count = raw.count
    }
  }
}

internal import Geo
internal import ImageIO
internal import RasterIO

/// The warp by GDAL: the palette is expanded first, and what lies outside the neatline has no weight in the kernel.
final class GDALWarper: Warper {
  private let sheet: ChartSheet
  private let neatline: Neatline
  private let reprojection: Reprojection

  /// Positions are interpolated along a row of pixels where that is as near as this, in source pixels.
  private static let tolerance = 0.01
  /// The cubic kernel's reach, in pixels of the coarser of the two grids.
  private static let kernelReach = 2.0

  init(sheet: ChartSheet, neatline: Neatline) throws {
    self.sheet = sheet
    self.neatline = neatline
    reprojection = try Reprojection(
      source: try SpatialReference(wkt: sheet.projection), target: try SpatialReference(epsg: 3857))
  }

  func warp(_ grid: MercatorGrid) throws -> RGBAImage? {
    guard let footprint = Footprint(of: grid, reprojection, sheet.placing) else { return nil }
    let rectangle = footprint.rectangle(margin: GDALWarper.kernelReach)
    guard let window = sheet.window(around: rectangle) else { return nil }
    let relation = neatline.relation(to: window)
    guard relation != .outside else { return nil }
    // A window that the image's rim cuts short is not all there, though all of what is there is inside.
    let isWhole =
      relation == .inside && rectangle.left >= 0 && rectangle.top >= 0
      && rectangle.right <= Double(sheet.width) && rectangle.bottom <= Double(sheet.height)
    var pixels = sheet.colors(of: window)
    if !isWhole { try cut(&pixels, window) }
    var warped = try reprojection.warp(
      Reprojection.Job(
        pixels: pixels, width: window.width, height: window.height,
        placing: sheet.placing.shifted(column: window.column, row: window.row), isOpaque: isWhole,
        targetWidth: grid.width, targetHeight: grid.height, targetPlacing: grid.placing,
        scale: footprint.scale, tolerance: GDALWarper.tolerance))
    if !isWhole { clearInvisible(&warped) }
    return RGBAImage(width: grid.width, height: grid.height, pixels: warped)
  }

  private func cut(_ pixels: inout [UInt8], _ window: PixelWindow) throws {
    let mask = try neatline.mask(of: window)
    pixels.withUnsafeMutableBytes { raw in
      for pixel in mask.indices { raw[pixel * 4 + 3] = mask[pixel] }
    }
  }

  /// The colour of what cannot be seen would only be noise to the compressor.
  private func clearInvisible(_ pixels: inout [UInt8]) {
    pixels.withUnsafeMutableBytes { raw in
      for start in stride(from: 0, to: raw.count, by: 4) where raw[start + 3] == 0 {
        raw.storeBytes(of: 0, toByteOffset: start, as: UInt32.self)
      }
    }
  }
}

/// Where a target grid falls on the sheet.
private struct Footprint {
  private let left: Double
  private let top: Double
  private let right: Double
  private let bottom: Double
  /// Target pixels for each source pixel.
  let scale: (x: Double, y: Double)

  /// Follows a lattice of points; between them the sheet's edges bow by far less than the margin's slack.
  init?(of grid: MercatorGrid, _ reprojection: Reprojection, _ placing: GeoTransform) {
    let steps = 8
    var lattice: [[(column: Double, row: Double)]] = []
    for down in 0...steps {
      let row = Double(grid.height * down) / Double(steps)
      lattice.append(
        (0...steps).compactMap { across in
          reprojection.sourcePixel(
            column: Double(grid.width * across) / Double(steps), row: row, target: grid.placing,
            source: placing)
        })
    }
    let points = lattice.joined()
    guard points.count == (steps + 1) * (steps + 1) else { return nil }
    left = points.map(\.column).min() ?? 0
    right = points.map(\.column).max() ?? 0
    top = points.map(\.row).min() ?? 0
    bottom = points.map(\.row).max() ?? 0
    let middle = steps / 2
    scale = (
      Double(grid.width) / Footprint.length(lattice[middle][0], lattice[middle][steps]),
      Double(grid.height) / Footprint.length(lattice[0][middle], lattice[steps][middle])
    )
  }

  /// All source pixels that a kernel of this reach can touch.
  func rectangle(margin reach: Double) -> (left: Double, top: Double, right: Double, bottom: Double) {
    let across = reach * max(1, 1 / scale.x) + 3
    let down = reach * max(1, 1 / scale.y) + 3
    return (left - across, top - down, right + across, bottom + down)
  }

  private static func length(
    _ a: (column: Double, row: Double), _ b: (column: Double, row: Double)
  ) -> Double {
    PixelPoint(column: a.column, row: a.row).distance(to: PixelPoint(column: b.column, row: b.row))
  }
}

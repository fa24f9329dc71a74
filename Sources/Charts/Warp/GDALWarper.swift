internal import Core
internal import ImageIO
internal import RasterIO

/// Warps a chart with GDAL, as a second opinion. The palette is expanded first, and pixels outside the neatline have no weight in the
/// kernel.
final class GDALWarper: Warper {
  private let job: WarpJob
  private let positions: SheetPositions
  private let reprojection: Reprojection

  /// The accuracy of positions that are interpolated along a row of pixels, in source pixels.
  private static let tolerance = 0.01

  init(_ job: WarpJob) throws {
    self.job = job
    positions = try SheetPositions(job.sheet)
    reprojection = try Reprojection(
      source: try SpatialReference(wkt: job.sheet.projection), target: try SpatialReference(epsg: 3857))
  }

  func warp(
    _ block: TileID, from rows: SheetRows, to picture: inout RGBAImage, column: Int, row: Int
  ) throws -> Bool {
    let scale = job.scales[block.row].largest
    guard let lattice = BlockLattice(block, positions, scale: scale) else { return false }
    // GDAL sometimes uses one more pixel than the kernel needs.
    let window = lattice.window(taps: KernelWeights.taps(scale: scale) + 4)
    guard let (part, mask) = try job.map(in: window) else { return false }
    try rows.check(for: part)
    var pixels = rows.colors(of: part, job.sheet.colors)
    if let mask { for pixel in mask.indices { pixels[pixel * 4 + 3] = mask[pixel] } }
    let ratio = Double(RowScales.unit) / Double(scale)
    var warped = try reprojection.warp(
      pixels, width: part.width, height: part.height,
      placing: job.sheet.placing.shifted(column: part.column, row: part.row), isOpaque: mask == nil,
      to: (TileID.blockSide, TileID.blockSide, block.placing), scale: (ratio, ratio),
      tolerance: GDALWarper.tolerance)
    if mask != nil { clearInvisible(&warped) }
    let image = RGBAImage(width: TileID.blockSide, height: TileID.blockSide, pixels: warped)
    picture.paste(image, column: column, row: row)
    return !image.isTransparent
  }

  /// Clears the colour of invisible pixels, which would compress badly.
  private func clearInvisible(_ pixels: inout [UInt8]) {
    pixels.withUnsafeMutableBytes { raw in
      for start in stride(from: 0, to: raw.count, by: 4) where raw[start + 3] == 0 {
        raw.storeBytes(of: 0, toByteOffset: start, as: UInt32.self)
      }
    }
  }
}

extension SheetRows {
  /// Returns a window's pixels as opaque RGBA.
  fileprivate func colors(of window: PixelWindow, _ colors: [UInt32]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: window.width * window.height * 4) { target, count in
      let raw = UnsafeMutableRawBufferPointer(target)
      indexes.withUnsafeBufferPointer { indexes in
        for row in 0..<window.height {
          let start = (window.row + row - range.lowerBound) * width + window.column
          for column in 0..<window.width {
            raw.storeBytes(
              of: colors[Int(indexes[start + column])], toByteOffset: (row * window.width + column) * 4,
              as: UInt32.self)
          }
        }
      }
      count = raw.count
    }
  }
}

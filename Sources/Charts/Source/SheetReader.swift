internal import Core
internal import ImageIO
internal import RasterIO

/// Opens a chart's image after all checks that need no decoding.
struct SheetReader {
  let files: ChartFiles
  let page: ChartPage

  /// The largest sheets have 17,000 pixels on a side and 205 million in all. A larger image would only exhaust the memory.
  private static let sideLimit = 40_000
  private static let pixelLimit = 800_000_000
  /// A strip or tile is decoded as a whole. The FAA's are a few rows; some programs write the whole image as one strip.
  private static let blockLimit = 1 << 28

  func open() throws -> sending SheetImage {
    let image = try explaining({
      error("this is not a GeoTIFF, or its beginning is damaged", causes: [$0])
    }) { () throws(GDALError) in
      try RasterDataset(opening: files.tif.path, drivers: ["GTiff"])
    }
    let palette = try checkedPalette(image)
    let placing = try checkedPlacing(image)
    let projection = try checkedProjection(image)
    let sheet = try SheetProjection(
      projection: projection, placing: placing, width: image.width, height: image.height)
    let placement = try PlacementCheck(files: files, page: page, placing: placing, sheet: sheet).evidence()
    guard try image.isWhole() else { throw error("parts of the image are missing") }
    let chart = ChartSheet(
      width: image.width, height: image.height,
      colors: palette.map { UInt32(channels: [$0.red, $0.green, $0.blue, 255]) }, placing: placing,
      projection: try projection.onWGS84().wkt)
    return SheetImage(chart, blockRows: try image.blockSize().height, placement: placement) {
      [files] rows, buffer in
      let window = PixelWindow(column: 0, row: rows.lowerBound, width: image.width, height: rows.count)
      try explaining({ files.userError(files.tifName, "the image is damaged or cut short", causes: [$0]) }) {
        try image.readBytes(band: 1, window: window, into: buffer)
      }
    }
  }

  private func error(_ problem: String, remedy: String? = nil, causes: [any Error] = []) -> UserError {
    files.userError(files.tifName, problem, remedy: remedy, causes: causes)
  }

  /// GDAL's message names an in-memory file that the user does not know. It is kept as the cause.

  private func checkedPalette(_ image: RasterDataset) throws -> [PaletteColor] {
    guard max(image.width, image.height) <= SheetReader.sideLimit,
      image.width * image.height <= SheetReader.pixelLimit
    else {
      throw error("\(image.width) x \(image.height) pixels are more than any chart has")
    }
    let block = try image.blockSize()
    guard block.width <= SheetReader.sideLimit, block.height <= SheetReader.sideLimit,
      block.width * block.height <= SheetReader.blockLimit
    else {
      throw error(
        "the image is stored in blocks of \(block.width) x \(block.height) pixels, which is too large")
    }
    guard image.bandCount == 1, try image.isEightBit(), let palette = try image.palette() else {
      throw error(
        "this is not an 8-bit image with a palette (\(Counts.of(image.bandCount, "band")))",
        remedy: "Give the FAA's own VFR chart: its IFR charts and converted copies are of another kind.")
    }
    return palette
  }

  private func checkedPlacing(_ image: RasterDataset) throws -> GeoTransform {
    let remedy = "Give the FAA's GeoTIFF; the printable PDF and planning graphics have no georeference."
    guard let placing = image.geoTransform else {
      throw error("the image is not georeferenced", remedy: remedy)
    }
    let area = placing.pixelWidth * placing.pixelHeight - placing.rotationX * placing.rotationY
    guard area.isFinite, area != 0, placing.originX.isFinite, placing.originY.isFinite else {
      throw error("its pixels have no size on the ground", remedy: remedy)
    }
    // The edges of a neatline may be columns and rows of the image. In a rotated image these would be other lines.
    guard placing.pixelWidth > abs(placing.rotationX), -placing.pixelHeight > abs(placing.rotationY) else {
      throw error(
        "the image is rotated or mirrored: north is not at its top",
        remedy: "Use the FAA's original GeoTIFF, not a converted copy.")
    }
    return placing
  }

  private func checkedProjection(_ image: RasterDataset) throws -> SpatialReference {
    let remedy = "Use the FAA's original GeoTIFF, not a converted copy."
    guard !image.projectionWKT.isEmpty else {
      throw error("the image names no projection", remedy: remedy)
    }
    let projection = try SpatialReference(wkt: image.projectionWKT)
    guard projection.isProjected else {
      throw error("the image is not in a map projection", remedy: remedy)
    }
    // The ellipsoids of NAD83 (GRS80) and WGS84 differ by a tenth of a millimetre.
    let (axis, flattening) = projection.ellipsoid
    guard abs(axis - 6_378_137) < 0.001, abs(flattening - 298.257) < 0.001 else {
      throw error("the image's datum is neither NAD83 nor WGS84", remedy: remedy)
    }
    return projection
  }
}

internal import Core
internal import ImageIO
internal import Pipeline
internal import RasterIO

/// Opens a chart's image, after everything has been checked that can be known without decoding.
struct SheetReader {
  let files: ChartFiles
  let page: ChartPage

  /// The largest sheets have 17,000 pixels a side and 205 million in all; a larger claim would only fill the memory.
  private static let sideLimit = 40_000
  private static let pixelLimit = 800_000_000
  /// A strip or a tile is decoded as a whole. The FAA's are a few rows; some programs write all of an image as one strip.
  private static let blockLimit = 1 << 28

  func open() throws -> SheetImage {
    let image = try sound("this is no GeoTIFF, or its beginning is damaged") { () throws(GDALError) in
      try RasterDataset(opening: files.tif.path, drivers: ["GTiff"])
    }
    let palette = try checkedPalette(image)
    let placing = try checkedPlacing(image)
    let projection = try checkedProjection(image)
    let sheet = try SheetProjection(
      projection: projection, placing: placing, width: image.width, height: image.height)
    let placement = try PlacementCheck(files: files, page: page, placing: placing, sheet: sheet).evidence()
    guard try image.isWhole() else { throw files.fault(files.tifName, "parts of the image are missing") }
    let colors = palette.map { color in
      let bytes = [color.red, color.green, color.blue, 255]
      return bytes.withUnsafeBytes { $0.load(as: UInt32.self) }
    }
    return SheetImage(
      image, of: files, colors: colors, placing: placing, projection: try projection.onWGS84().wkt,
      placement: placement)
  }

  /// GDAL's own words name a file in memory that nobody knows; they are kept for those who want all causes.
  private func sound<T>(_ problem: String, _ body: () throws(GDALError) -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw files.fault(files.tifName, problem, causes: [error])
    }
  }

  private func checkedPalette(_ image: RasterDataset) throws -> [PaletteColor] {
    guard max(image.width, image.height) <= SheetReader.sideLimit,
      image.width * image.height <= SheetReader.pixelLimit
    else {
      throw files.fault(
        files.tifName, "\(image.width) x \(image.height) pixels are more than any chart has")
    }
    let block = try image.blockSize()
    guard block.width <= SheetReader.sideLimit, block.height <= SheetReader.sideLimit,
      block.width * block.height <= SheetReader.blockLimit
    else {
      throw files.fault(
        files.tifName,
        "its image comes in pieces of \(block.width) x \(block.height) pixels, which is too much")
    }
    guard image.bandCount == 1, try image.isEightBit(), let palette = try image.palette() else {
      throw files.fault(
        files.tifName,
        "this is no 8-bit image with a palette (\(Counts.of(image.bandCount, "band")))",
        remedy: "Give the FAA's own VFR chart: its IFR charts and converted copies are of another kind.")
    }
    return palette
  }

  private func checkedPlacing(_ image: RasterDataset) throws -> GeoTransform {
    let remedy = "Give the FAA's GeoTIFF; the printable PDF and planning graphics have no georeference."
    guard let placing = image.geoTransform else {
      throw files.fault(files.tifName, "the image is not georeferenced", remedy: remedy)
    }
    let area = placing.pixelWidth * placing.pixelHeight - placing.rotationX * placing.rotationY
    guard area.isFinite, area != 0, placing.originX.isFinite, placing.originY.isFinite else {
      throw files.fault(files.tifName, "its pixels have no size on the ground", remedy: remedy)
    }
    // The edges of a neatline may be columns and rows of the image, which in a turned one are others.
    guard placing.pixelWidth > abs(placing.rotationX), -placing.pixelHeight > abs(placing.rotationY) else {
      throw files.fault(
        files.tifName, "the image is turned or mirrored: north is not at its top",
        remedy: "Give the FAA's own GeoTIFF, and not a converted copy.")
    }
    return placing
  }

  private func checkedProjection(_ image: RasterDataset) throws -> SpatialReference {
    let remedy = "Give the FAA's own GeoTIFF, and not a converted copy."
    guard !image.projectionWKT.isEmpty else {
      throw files.fault(files.tifName, "the image names no projection", remedy: remedy)
    }
    let projection = try SpatialReference(wkt: image.projectionWKT)
    guard projection.isProjected else {
      throw files.fault(files.tifName, "the image is not in a map projection", remedy: remedy)
    }
    // GRS80 under NAD83 and WGS84's own ellipsoid differ by a tenth of a millimetre.
    let (axis, flattening) = projection.ellipsoid
    guard abs(axis - 6_378_137) < 0.001, abs(flattening - 298.257) < 0.001 else {
      throw files.fault(files.tifName, "the image's datum is neither NAD83 nor WGS84", remedy: remedy)
    }
    return projection
  }
}

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
